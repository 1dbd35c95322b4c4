//! `finalizer-in-git`: a finalizer is applied from Git.

use memchr::memmem::Finder;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::field;

pub(crate) const RULE: Rule = Rule {
    code: "finalizer-in-git",
    ids: &["HZ28"],
    level: Level::Error,
    summary: "a finalizer is applied from Git and comes back after every removal",
    explain: "\
Whoever applies a finalizer owns it: a controller that takes it off finds it back at the next
interval, and the object does not go. While it is being deleted, the apply passes as long as the
finalizer is on and is refused once it is off. Worst is the fence of flux-plunger, or
`finalizers.fluxcd.io`, on a HelmRelease, and an entry of one's own in a Namespace's `spec.finalizers`.

Example:

    metadata: {name: app, finalizers: [flux-plunger.cozystack.io/uninstall-fence]}

Fix: delete the lines. A finalizer that only Git owned goes with the next apply; one that others own
as well must be taken off once.

Quiet: finalizers that are a user's choice (Argo CD's `resources-finalizer`, Crossplane's, Cluster API's,
`foregroundDeletion` and `orphan`); `kubernetes` in a Namespace's spec.

Source: `spec/hazards.md` HZ28, run against kube-apiserver 1.36.
",
    check,
};

/// Finalizers, or their beginnings, that people set on purpose.
const CHOSEN: [&str; 6] = [
    "resources-finalizer.argocd.argoproj.io",
    "foregroundDeletion",
    "orphan",
    "finalizer.apiextensions.crossplane.io",
    "in-use.crossplane.io",
    "cluster.x-k8s.io",
];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let word = Finder::new("finalizers");
    let own = |subject: &&Subject<'_>| !subject.flux && subject.may_hold(&word);
    for subject in context.objects.iter().filter(own) {
        let Some(root) = subject.root() else { continue };
        let mut nodes = field::list(root, &["metadata", "finalizers"]);
        if subject.id.kind == "Namespace" {
            let own = field::list(root, &["spec", "finalizers"]);
            nodes.extend(
                own.into_iter()
                    .filter(|node| node.text() != Some("kubernetes")),
            );
        }
        for node in nodes {
            let Some(name) = node.text().filter(|name| !name.is_empty()) else {
                continue;
            };
            if CHOSEN.iter().any(|chosen| name.starts_with(chosen)) {
                continue;
            }
            let message = format!(
                "{}: finalizer `{name}` is applied from Git and returns after every removal",
                subject.id
            );
            findings.push(
                Finding::new(RULE.code, Level::Error, subject.at(node), message)
                    .help("delete the line, then the finalizer on the live object"),
            );
        }
    }
}

//! `server-owned-field`: a manifest sets what belongs to the API server.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::{field, kinds};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "server-owned-field",
    ids: &["HZ29"],
    level: Level::Error,
    summary: "a manifest sets a field that belongs to the API server",
    explain: "\
Mostly the output of `kubectl get -o yaml`, pasted. `resourceVersion` makes each apply conditional: from
the second on it conflicts. `uid` is refused against an object that was made again. `managedFields`,
even empty, is refused. `deletionTimestamp` is refused on an object that exists, and where there is none
it makes one that is going already. An `ownerReference` with a copied `uid` gets the object collected
as garbage. `status`, `generation`, `creationTimestamp` and `selfLink` are ignored.

Example:

    metadata: {name: app, resourceVersion: \"81234\"}

Fix: delete the field.

Quiet: nulls; an empty `status`; the status that generators write into CRDs; Flux's own manifests.

Source: `spec/hazards.md` HZ29, run against kube-apiserver 1.36.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.objects.iter().filter(|subject| !subject.flux) {
        let Some(root) = subject.root().filter(|_| subject.doc.traits.server_keys) else {
            continue;
        };
        let mut tell = |route: &[&str], level, what: &str| {
            if let Some(label) = set(subject, root, route) {
                let name = route.last().unwrap_or(&"");
                let message = format!("{}: `{name}` belongs to the API server: {what}", subject.id);
                findings.push(Finding::new(RULE.code, level, label, message).help("delete it"));
            }
        };
        let metadata = |name| ["metadata", name];
        tell(
            &metadata("resourceVersion"),
            Level::Error,
            "from the second apply on it conflicts",
        );
        tell(
            &metadata("uid"),
            Level::Error,
            "an object that was made again has another one",
        );
        tell(
            &metadata("managedFields"),
            Level::Error,
            "an apply with it is refused",
        );
        tell(
            &metadata("deletionTimestamp"),
            Level::Error,
            "it is refused, or makes an object that is going already",
        );
        tell(
            &["metadata", "annotations", kinds::LAST_APPLIED],
            Level::Warning,
            "it tells `kubectl apply` of a state that never was",
        );
        tell(&metadata("generation"), Level::Note, "it is ignored");
        tell(&metadata("creationTimestamp"), Level::Note, "it is ignored");
        tell(&metadata("selfLink"), Level::Note, "it is ignored");
        if !kinds::is_definition(&subject.id)
            && root
                .get("status")
                .is_some_and(|status| status.resolved().children().next().is_some())
        {
            tell(&["status"], Level::Note, "it is ignored");
        }
        for owner in field::list(root, &["metadata", "ownerReferences"]) {
            if let Some(uid) = field::set(owner, &["uid"]) {
                let message = format!(
                    "{}: the `uid` of an owner belongs to the API server: another object under the \
                     owner's name gets this one collected as garbage",
                    subject.id
                );
                let label = subject.at(uid);
                let finding = Finding::new(RULE.code, Level::Warning, label, message);
                findings.push(finding.help("delete the owner reference"));
            }
        }
    }
}

/// The key of a field that is there and not null.
fn set(subject: &Subject<'_>, root: Node<'_>, route: &[&str]) -> Option<Label> {
    let (last, way) = route.split_last()?;
    let (key, value) = root.at(way)?.entry(last)?;
    (!value.resolved().is_null()).then(|| Label::new(key.span()).object(&subject.id))
}

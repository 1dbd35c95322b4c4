//! `artifact-generator-taken`: an ArtifactGenerator stands where the operator wants its own.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "artifact-generator-taken",
    ids: &[],
    level: Level::Error,
    summary: "an ArtifactGenerator has the name of a PackageSource",
    explain: "\
The operator makes an ArtifactGenerator of the PackageSource's name in `cozy-system`, and does not force
its apply. Where one written by hand stands there the two are a field conflict: the reconcile ends with
an error, and the artifacts of the source are no longer updated.

Fix: another name for the one that is written by hand.

Quiet: other namespaces and names, and what carries the operator's label `cozystack.io/packagesource`
with that name: rendered output.

Source: `spec/collisions.md`, E4; the operator of the snapshot of 2026-08-21.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let sources = &context.made.estate.sources;
    for subject in &context.objects {
        let id = &subject.id;
        if id.kind != "ArtifactGenerator" || id.namespace != "cozy-system" {
            continue;
        }
        let Some(source) = sources.get(&id.name) else {
            continue;
        };
        let label = ["metadata", "labels", "cozystack.io/packagesource"];
        let labelled = subject.root().and_then(|root| root.text_at(&label));
        if labelled == Some(id.name.as_str()) {
            continue;
        }
        let message = format!(
            "ArtifactGenerator `cozy-system/{}` has the name of a PackageSource: the operator's \
             own meets it as a conflict, and the artifacts of the source grow stale",
            id.name
        );
        let place = crate::finding::Label::new(source.span).object(&source.id);
        findings.push(
            Finding::new(RULE.code, RULE.level, subject.label(), message)
                .related(place.message("the PackageSource"))
                .help("give it another name"),
        );
    }
}

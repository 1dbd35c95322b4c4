//! `generator-collision`: an ArtifactGenerator is written where the operator makes one.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::builds::key;

pub(crate) const RULE: Rule = Rule {
    code: "generator-collision",
    ids: &[],
    level: Level::Error,
    summary: "an ArtifactGenerator is written where the operator makes one",
    explain: "\
The operator makes an ArtifactGenerator in `cozy-system` for every PackageSource, of the same name, by
a server-side apply that is not forced. Where one of that name is there by hand, its fields belong to
somebody else: the apply is a conflict, the reconcile fails at every turn, and the PackageSource's
artifacts are never those of its variants. `render --fail-on never` prints the one that is written.

Fix: give the ArtifactGenerator another name, or leave it to the PackageSource.

Quiet: other namespaces, and a PackageSource that makes no generator.

Source: `spec/collisions.md`, case E4; `spec/package-rendering.md`, section 3.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let made: BTreeSet<_> = context
        .made
        .rendered
        .generators
        .iter()
        .map(|generator| key(&generator.id()))
        .collect();
    for subject in &context.objects {
        if made.contains(&subject.key()) {
            let message = format!(
                "the operator makes {} of PackageSource `{}`, and one that is written stands in its \
                 way: its apply is not forced, and every reconcile fails",
                subject.id, subject.id.name
            );
            let finding = Finding::new(RULE.code, RULE.level, subject.label(), message);
            findings.push(finding.help("give it another name, or leave it to the PackageSource"));
        }
    }
}

//! `release-collision`: one HelmRelease has two owners.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::one_object::collisions;

pub(crate) const RULE: Rule = Rule {
    code: "release-collision",
    ids: &["ReleaseCollision", "RN008", "HZ14"],
    level: Level::Error,
    summary: "one HelmRelease has two owners",
    explain: "\
The operator looks a HelmRelease up by namespace and name and overwrites it, whoever made it: spec,
owner reference, wanted labels and annotations. Takeover: two Packages with one HelmRelease take it from
each other without end; both report Ready, and nothing is logged as an error. Deleting either while it
is the recorded owner uninstalls the release. Reinstall: where the other chart has another name,
helm-controller uninstalls the release, definitions and their objects included, before it installs.

A component without `install.releaseName` claims a release of its own name: a scaffold's `postgres-rd`
in `cozy-system` is the platform's.

Fix: another `releaseName` or namespace, or `enabled: false` for one of the components. A planned move
says so: the annotation `operator.cozystack.io/adopt-by` (or the key of `--move-annotation`) on the one
HelmRelease names the one Package that may take it.

Quiet: components that are switched off, variants that are not active, PackageSources without a
Package, and two variants of one source. A warning where a document says field for field what the
Package makes, and at a PackageSource whose Package switches one of two components off.

Source: the operator of the snapshot of 2026-08-21; cozystack/cozystack#4975.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let claims = &context.made.rendered.claims;
    findings.extend(collisions(
        claims,
        &context.claims,
        context.move_annotation,
        context.cluster.as_ref(),
    ));
}

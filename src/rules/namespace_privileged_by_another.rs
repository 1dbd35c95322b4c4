//! `namespace-privileged-by-another`: a Package makes a shared namespace privileged.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::claims::spelled;
use crate::resolve::packages::Release;

pub(crate) const RULE: Rule = Rule {
    code: "namespace-privileged-by-another",
    ids: &[],
    level: Level::Note,
    summary: "a Package of one vendor makes a namespace privileged for another's",
    explain: "\
One privileged component makes its whole namespace admit privileged pods, those of every other Package
in it included. Sharing a namespace is normal; where a Package of another vendor (what stands before
the first dot of its name) lifts the bar for the platform's, or the other way round, it is worth
knowing.

Fix: a namespace of its own for the privileged component.

Quiet: Packages of one vendor, and namespaces with one Package.

Source: `spec/collisions.md`, D2; the operator of the snapshot of 2026-08-21.
",
    check,
};

fn vendor(package: &str) -> &str {
    package.split('.').next().unwrap_or_default()
}

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut namespaces: BTreeMap<&str, Vec<&Release>> = BTreeMap::new();
    for release in &context.made.rendered.releases {
        let namespace = release.namespace.as_str();
        namespaces.entry(namespace).or_default().push(release);
    }
    for (namespace, releases) in namespaces {
        let lifting: BTreeSet<&str> = releases
            .iter()
            .filter(|release| release.privileged)
            .map(|release| release.package.as_str())
            .collect();
        let vendors: BTreeSet<&str> = lifting.iter().map(|package| vendor(package)).collect();
        // A vendor alone among those that lift the bar decides for itself.
        let lifted: BTreeSet<&str> = releases
            .iter()
            .map(|release| release.package.as_str())
            .filter(|package| !lifting.contains(package))
            .filter(|package| vendors.iter().any(|other| *other != vendor(package)))
            .filter(|package| !vendors.contains(vendor(package)))
            .collect();
        let first = releases.iter().find(|release| release.privileged);
        let Some(first) = first.filter(|_| !lifted.is_empty()) else {
            continue;
        };
        let by: Vec<&str> = lifting.into_iter().collect();
        let others: Vec<&str> = lifted.into_iter().collect();
        let message = format!(
            "namespace `{namespace}` admits privileged pods for {}, and so for {} as well",
            spelled(&by),
            spelled(&others)
        );
        let id = ObjectId {
            api_version: SmolStr::new_static("v1"),
            kind: SmolStr::new_static("Namespace"),
            namespace: String::new(),
            name: namespace.to_owned(),
        };
        let label = Label::new(first.span).object(&id);
        findings.push(Finding::new(RULE.code, RULE.level, label, message));
    }
}

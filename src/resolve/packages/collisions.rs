//! Two declarations that resolve to one HelmRelease, or two HelmReleases to one Helm release, where
//! a Package is among them.
//!
//! Source: `spec/collisions.md`, keys K1 and K2, cases A, B2 and C.

use std::collections::BTreeMap;

use super::Estate;
use super::objects::{Release, release_id};
use super::readiness::Joined;
use super::reasons::{HELM_RELEASE_COLLISION, RELEASE_COLLISION, RELEASE_COLLISION_LATER};
use super::releases::target;
use crate::finding::{Finding, Label, Level};
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::model::source_package::{Component, PackageSource};

/// Somebody who wants a HelmRelease.
enum Claim<'e> {
    /// A component of an installed Package; `stands` once nothing blocks it.
    Package {
        one: &'e Joined<'e>,
        component: &'e Component,
        stands: bool,
    },
    /// An object among the inputs.
    Written(&'e HelmRelease),
}

impl Claim<'_> {
    fn stands(&self) -> bool {
        match self {
            Claim::Package { stands, .. } => *stands,
            Claim::Written(_) => true,
        }
    }

    fn owner(&self) -> String {
        match self {
            Claim::Package { one, component, .. } => {
                let name = component.name.value.as_str();
                let explicit = component.release_name().span != component.name.span;
                let how = if explicit { "" } else { ", by its name" };
                format!(
                    "component `{name}` of Package `{}`{how}",
                    one.package.id.name
                )
            }
            Claim::Written(_) => "a HelmRelease among the inputs".to_owned(),
        }
    }

    fn label(&self) -> Label {
        match self {
            Claim::Package { component, .. } => Label::new(component.release_name().span),
            Claim::Written(release) => Label::new(release.span),
        }
    }
}

/// Finds both kinds of collision.
pub(super) fn check(
    estate: &Estate,
    joined: &[Joined<'_>],
    releases: &[Release],
    findings: &mut Vec<Finding>,
) {
    let mut claims: BTreeMap<(String, String), Vec<Claim<'_>>> = BTreeMap::new();
    for one in joined {
        for (at, component) in one.enabled.iter().enumerate() {
            if !component.namespace().is_empty() {
                let stands = one.passes && at < one.writes;
                let claim = Claim::Package {
                    one,
                    component,
                    stands,
                };
                claims.entry(target(component)).or_default().push(claim);
            }
        }
    }
    for release in &estate.releases {
        let place = (release.id.namespace.clone(), release.id.name.clone());
        if let Some(claims) = claims.get_mut(&place) {
            claims.push(Claim::Written(release));
        }
    }
    for ((namespace, name), claims) in &claims {
        if claims.len() > 1 {
            findings.push(one_object(namespace, name, claims));
        }
    }
    for source in estate.sources.values() {
        within(source, joined, findings);
    }
    one_helm_release(estate, releases, findings);
}

fn one_object(namespace: &str, name: &str, claims: &[Claim<'_>]) -> Finding {
    let owners: Vec<String> = claims.iter().map(Claim::owner).collect();
    let later = claims.iter().any(|claim| !claim.stands());
    let standing = claims.iter().filter(|claim| claim.stands()).count();
    let (reason, then) = if later && standing < 2 {
        (
            &RELEASE_COLLISION_LATER,
            "one of them is still blocked; once it is not, they take the release from each other",
        )
    } else {
        let inside = claims.windows(2).all(|pair| {
            matches!(pair, [Claim::Package { one: a, .. }, Claim::Package { one: b, .. }]
                if a.package.id == b.package.id)
        });
        let then = if inside {
            "each reconcile writes one over the other, and the last one stands"
        } else {
            "each takes it over from the other without end, and no condition says so; charts of \
             different names uninstall each other's objects"
        };
        (&RELEASE_COLLISION, then)
    };
    let message = format!(
        "HelmRelease `{namespace}/{name}` is claimed by {}: {then}",
        owners.join(" and by ")
    );
    let id = release_id(namespace, name);
    // The later claimant is the one that takes over.
    let (last, others) = claims.split_last().expect("a collision has claims");
    let mut finding = reason.finding(last.label().object(&id), message);
    for claim in others {
        let label = claim
            .label()
            .message(format!("claimed by {}", claim.owner()));
        finding = finding.related(label.object(&id));
    }
    for claim in claims {
        if let Claim::Package { one, .. } = claim {
            finding = finding.related(one.label().message("installed here"));
        }
    }
    finding.help("give one of them another `releaseName` or namespace, or switch it off")
}

/// Components of one variant that claim one release, where no Package shows it: nobody installs the
/// variant, or the Package switches all but one of them off.
fn within(source: &PackageSource, joined: &[Joined<'_>], findings: &mut Vec<Finding>) {
    let at = joined.binary_search_by(|one| one.package.id.name.cmp(&source.id.name));
    let installed = at.ok().map(|at| &joined[at]);
    for variant in &source.variants {
        let active = installed.filter(|one| {
            one.active
                .is_some_and(|(_, active)| std::ptr::eq(active, variant))
        });
        let mut groups: BTreeMap<(String, String), Vec<&Component>> = BTreeMap::new();
        for component in variant
            .components
            .iter()
            .filter(|one| !one.namespace().is_empty())
        {
            groups.entry(target(component)).or_default().push(component);
        }
        for ((namespace, name), components) in groups {
            let [first, others @ ..] = components.as_slice() else {
                continue;
            };
            let on = |component: &&&Component| {
                active.is_none_or(|one| !one.package.disables(&component.name.value))
            };
            let enabled = components.iter().filter(on).count();
            let Some(last) = others.last().filter(|_| active.is_none() || enabled < 2) else {
                continue;
            };
            let message = format!(
                "components `{}` and `{}` of variant `{}` of `{}` claim one HelmRelease \
                 `{namespace}/{name}`: where both are installed, the last one stands",
                first.name.value, last.name.value, variant.name.value, source.id.name
            );
            let id = release_id(&namespace, &name);
            let label = Label::new(last.release_name().span).object(&id);
            let mut finding = RELEASE_COLLISION
                .finding(label, message)
                .help("give one of them another `releaseName` or namespace");
            if active.is_some() {
                finding.level = Level::Warning;
            }
            for other in components
                .iter()
                .filter(|other| !std::ptr::eq(**other, *last))
            {
                let label = Label::new(other.release_name().span).object(&source.id);
                finding = finding.related(label.message("claimed here"));
            }
            findings.push(finding);
        }
    }
}

/// Different HelmReleases with one key, one of them made from a Package.
fn one_helm_release(estate: &Estate, releases: &[Release], findings: &mut Vec<Finding>) {
    let mut keys: BTreeMap<ReleaseKey, Vec<&Release>> = BTreeMap::new();
    for release in releases.iter().filter(|release| !release.repeated) {
        keys.entry(release.key()).or_default().push(release);
    }
    let mut written: BTreeMap<ReleaseKey, Vec<&HelmRelease>> = BTreeMap::new();
    for release in &estate.releases {
        let key = release.key();
        if keys.contains_key(&key) {
            written.entry(key).or_default().push(release);
        }
    }
    for (key, made) in keys {
        let mut others: Vec<_> = written.remove(&key).unwrap_or_default();
        others.retain(|other| {
            let same = |release: &&Release| {
                (&release.namespace, &release.name) == (&other.id.namespace, &other.id.name)
            };
            !made.iter().any(same)
        });
        if made.len() + others.len() < 2 {
            continue;
        }
        let first = made[0];
        let mut names: Vec<String> = made
            .iter()
            .map(|release| format!("`{}/{}`", release.namespace, release.name))
            .collect();
        let hand = others
            .iter()
            .map(|other| format!("`{}/{}`", other.id.namespace, other.id.name));
        names.extend(hand);
        let message = format!(
            "HelmReleases {} all work on Helm release `{}/{}`: each upgrades over the other at \
             every interval and deletes its objects",
            names.join(", "),
            key.storage_namespace,
            key.name
        );
        let label = Label::new(first.span).object(&first.id());
        let mut finding = HELM_RELEASE_COLLISION.finding(label, message);
        for release in &made[1..] {
            let label = Label::new(release.span).object(&release.id());
            finding = finding.related(label.message("made from this component"));
        }
        for other in &others {
            let label = Label::new(other.span).object(&other.id);
            finding = finding.related(label.message("the other HelmRelease"));
        }
        if made.len() == 1 && others.iter().all(|other| other.suspended) {
            finding.level = Level::Warning;
        }
        findings.push(finding.help("give one of them its own `releaseName` or `storageNamespace`"));
    }
}

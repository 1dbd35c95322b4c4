//! Two HelmReleases that work on one Helm release: key K2 of `spec/collisions.md`, RN001 of
//! `spec/release-names.md`.

use super::{Claim, Claims, spelled};
use crate::finding::{Finding, Label, Level};
use crate::model::release::{LOCAL, ReleaseKey};

/// The rule that these findings fall under.
pub(crate) const CODE: &str = "helm-release-collision";

/// The specification entries that it answers to.
pub(crate) const IDS: &[&str] = &["HelmReleaseCollision", "RN001", "HZ14"];

/// One finding for each key that more than one HelmRelease of a cluster has. Takes time in proportion to the
/// claims, but for their order.
pub(crate) fn collisions(claims: &Claims<'_>) -> Vec<Finding> {
    let shared = claims.alike(|_, key| Some(key));
    let one = |(key, claims): &(ReleaseKey, Vec<&Claim<'_>>)| collision(key, claims);
    shared.iter().map(one).collect()
}

fn collision(key: &ReleaseKey, claims: &[&Claim<'_>]) -> Finding {
    let namespace = |claim: &&Claim<'_>| claim.release.release_namespace().to_owned();
    let first = namespace(&claims[0]);
    let one_namespace = claims.iter().all(|claim| namespace(claim) == first);
    let then = if one_namespace {
        "takeover-loop: each reconcile of one upgrades over the other and deletes the objects that \
         only the other has"
    } else {
        "uninstall-loop: their release namespaces differ, so each reconcile of one uninstalls the \
         other's release before it installs its own"
    };
    let names: Vec<String> = claims.iter().map(|claim| claim.shown()).collect();
    let cluster = match key.cluster.as_str() {
        LOCAL => String::new(),
        cluster => format!(" in the cluster of `{cluster}`"),
    };
    let active = claims.iter().filter(|claim| !claim.release.suspended);
    let handed_over = active.count() < 2;
    let when = if handed_over { "once both run, " } else { "" };
    let message = format!(
        "HelmReleases {} work on one Helm release `{key}`{cluster}: {when}{then}",
        spelled(&names)
    );
    // What a Package makes is what the finding is about; else the one that comes last.
    let place = claims.iter().position(|claim| claim.made.is_some());
    let place = place.unwrap_or(claims.len() - 1);
    let last = claims[place];
    let others = claims[..place].iter().chain(&claims[place + 1..]);
    let level = if handed_over {
        Level::Warning
    } else {
        Level::Error
    };
    let mut finding = Finding::new(CODE, level, labelled(last), message);
    for other in others {
        let shortened = other.release.full_name();
        let message = if shortened == key.name {
            "the same release".to_owned()
        } else {
            format!(
                "the same release: `{shortened}` is shortened to `{}`",
                key.name
            )
        };
        finding = finding.related(labelled(other).message(message));
    }
    finding.ids = IDS.to_vec();
    finding.help(if handed_over {
        "delete the suspended one once the other has taken over: a suspended HelmRelease leaves \
         its release alone"
    } else {
        "give the one that is not installed yet a `releaseName` of its own"
    })
}

/// At what makes the name.
fn labelled(claim: &Claim<'_>) -> Label {
    let mut label = claim.label();
    label.span = claim.release.name_span();
    label
}

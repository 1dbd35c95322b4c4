//! What stands above an audit: how old the snapshot is, and what it cannot tell.
//!
//! Source: `spec/uninstall-fence.md`, section 9.

use super::Settings;
use crate::model::moment::lasting;
use crate::model::snapshot::Snapshot;
use crate::model::snapshot::controllers::Controller;

/// The lines, in order.
pub(super) fn header(snapshot: &Snapshot, settings: &Settings) -> Vec<String> {
    let mut lines = vec![holdings(snapshot), age(snapshot, settings)];
    for controller in [Controller::Helm, Controller::Plunger] {
        lines.push(sign_of_life(snapshot, settings, controller));
    }
    lines.extend(limits(snapshot, settings).map(|limit| format!("limit: {limit}")));
    lines
}

fn holdings(snapshot: &Snapshot) -> String {
    let kinds = [
        ("HelmRelease", "HelmRelease", "HelmReleases"),
        ("Secret", "Secret", "Secrets"),
    ];
    let mut parts: Vec<String> = kinds
        .iter()
        .map(|(kind, one, more)| match snapshot.count(kind) {
            1 => format!("1 {one}"),
            count => format!("{count} {more}"),
        })
        .collect();
    let known: usize = kinds.iter().map(|(kind, ..)| snapshot.count(kind)).sum();
    match snapshot.objects() - known {
        0 => {}
        1 => parts.push("1 other object".to_owned()),
        count => parts.push(format!("{count} other objects")),
    }
    format!("snapshot: {}", parts.join(", "))
}

fn age(snapshot: &Snapshot, settings: &Settings) -> String {
    let Some(newest) = snapshot.newest else {
        return "age: no object tells a time".to_owned();
    };
    let Some(now) = settings.now else {
        return format!(
            "age: the newest time in it is {newest}; without `--now` nothing is called stuck"
        );
    };
    let seconds = newest.until(now);
    if seconds < 0 {
        format!(
            "age: the newest time in it is {newest}, {} after `--now`, which cannot be right",
            lasting(seconds)
        )
    } else {
        format!(
            "age: the newest time in it is {newest}, {} before `--now`",
            lasting(seconds)
        )
    }
}

fn sign_of_life(snapshot: &Snapshot, settings: &Settings, controller: Controller) -> String {
    let name = controller.name();
    let running: Vec<String> = snapshot
        .controllers
        .of(controller)
        .map(|it| {
            format!(
                "{} has {} of {} available",
                it.deployment, it.available, it.wanted
            )
        })
        .collect();
    let renewed = snapshot.controllers.last_renewed(controller).map(|moment| {
        let ago = settings.now.map_or_else(String::new, |now| {
            format!(", {} before `--now`", lasting(moment.until(now)))
        });
        format!("its Lease was renewed at {moment}{ago}")
    });
    let known: Vec<String> = running.into_iter().chain(renewed).collect();
    if known.is_empty() {
        format!("{name}: whether it runs is not known, no Deployment or Lease of it is here")
    } else {
        format!("{name}: {}", known.join("; "))
    }
}

fn limits(snapshot: &Snapshot, settings: &Settings) -> impl Iterator<Item = &'static str> {
    let releases = !snapshot.releases.is_empty();
    let remote = snapshot.releases.iter().any(|it| it.spec.remote.is_some());
    [
        (
            snapshot.cut_short,
            "a text could not be read to its end: what is missing is not called missing",
        ),
        (
            !releases,
            "there is no HelmRelease in it: no storage is called unclaimed",
        ),
        (
            releases,
            "HelmReleases and Secrets are two listings, not one moment; a delete issued since is \
             not in it",
        ),
        (
            releases,
            "who believes to hold a suspension cannot be seen: a restore that starts while \
             flux-plunger holds one writes nothing",
        ),
        (
            remote,
            "the storage of releases in other clusters is not in it",
        ),
        (
            releases && snapshot.accounts.is_empty(),
            "there is no ServiceAccount in it: one that is missing is not noticed",
        ),
        (settings.now.is_none(), "without `--now` ages are unknown"),
    ]
    .into_iter()
    .filter_map(|(holds, text)| holds.then_some(text))
}

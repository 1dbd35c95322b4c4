//! `recreate-over-rolling-update`: a default block that nobody owns meets a new type.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "recreate-over-rolling-update",
    ids: &["HZ02"],
    level: Level::Error,
    summary: "a new type meets a default block that nobody owns",
    explain: "\
A Deployment that server-side apply made without `spec.strategy` carries the default `rollingUpdate`
block, which belongs to no one: an apply that leaves it out keeps it. `type: Recreate` beside that
block is refused, forced or not. A fresh install passes, so tests stay green. `rollingUpdate: null` or
`{}` beside Recreate does not clear it. The same happens to a StatefulSet without `updateStrategy`
that becomes `OnDelete`, and to a volume without a source that gets one.

Example: the old Deployment has no `strategy`, the new one `strategy: {type: Recreate}`.

Fix: `type: RollingUpdate` with `maxSurge: 0` and `maxUnavailable: 1`. Or two steps: ship the block in
full first, switch to Recreate afterwards.

Quiet: a new object; one that was Recreate already; an old manifest that has the `rollingUpdate` key,
whatever under it; the annotation `kustomize.toolkit.fluxcd.io/force`. A release that is known to
apply client-side gets a warning, since Helm then clears the block.

Source: `spec/hazards.md` HZ02, run against kube-apiserver 1.36 and 1.33 and Helm 4.1.4;
cozystack#4293.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (old, new) in context.changed() {
        let (Some(before), Some(after)) = (old.root(), new.root()) else {
            continue;
        };
        if field::forced(after) {
            continue;
        }
        match (new.id.group(), new.id.kind.as_str()) {
            ("apps", "Deployment") => deployment(context, new, before, after, findings),
            ("apps", "StatefulSet") => stateful_set(context, new, before, after, findings),
            _ => {}
        }
        volumes(context, old, new, findings);
    }
}

/// A warning where the release is known to apply client-side.
fn level(context: &Context<'_>, subject: &Subject<'_>) -> Level {
    let release = context.release_of(subject).and_then(Subject::root);
    let method =
        release.and_then(|root| field::string(root, &["spec", "upgrade", "serverSideApply"]));
    if method == Some("disabled") {
        Level::Warning
    } else {
        Level::Error
    }
}

fn deployment(
    context: &Context<'_>,
    new: &Subject<'_>,
    before: Node<'_>,
    after: Node<'_>,
    findings: &mut Vec<Finding>,
) {
    let kind = |root| field::string(root, &["spec", "strategy", "type"]);
    let Some(node) = after.at(&["spec", "strategy", "type"]) else {
        return;
    };
    let owned = before.at(&["spec", "strategy", "rollingUpdate"]).is_some();
    if kind(after) != Some("Recreate") || kind(before) == Some("Recreate") || owned {
        return;
    }
    let message = format!(
        "{}: `type: Recreate` over a live object that carries a `rollingUpdate` block nobody owns; \
         server-side apply keeps the block and the API server refuses both",
        new.id
    );
    findings.push(
        Finding::new(RULE.code, level(context, new), new.at(node), message).help(
            "`type: RollingUpdate` with `maxSurge: 0` and `maxUnavailable: 1`, or ship the block \
             first and switch afterwards",
        ),
    );
}

fn stateful_set(
    context: &Context<'_>,
    new: &Subject<'_>,
    before: Node<'_>,
    after: Node<'_>,
    findings: &mut Vec<Finding>,
) {
    let route = ["spec", "updateStrategy", "type"];
    let Some(node) = after.at(&route) else { return };
    if node.text() != Some("OnDelete") || field::string(before, &route).is_some() {
        return;
    }
    let message = format!(
        "{}: `type: OnDelete` over a live object that carries a `rollingUpdate` block nobody owns; \
         server-side apply keeps the block and the API server refuses both",
        new.id
    );
    findings.push(
        Finding::new(RULE.code, level(context, new), new.at(node), message)
            .help("ship `updateStrategy: {type: RollingUpdate}` first and switch afterwards"),
    );
}

/// A volume without a source is an `emptyDir` that nobody owns.
fn volumes(
    context: &Context<'_>,
    old: &Subject<'_>,
    new: &Subject<'_>,
    findings: &mut Vec<Finding>,
) {
    let sources = |volume: &Node<'_>| {
        let keys = volume.entries().filter(|(_, value)| !value.is_null());
        keys.filter(|(key, _)| key.text() != Some("name")).count()
    };
    if !matches!(
        new.id.kind.as_str(),
        "Deployment" | "StatefulSet" | "DaemonSet"
    ) {
        return;
    }
    let bare: Vec<_> = volumes_of(old)
        .iter()
        .filter(|volume| sources(volume) == 0)
        .filter_map(|volume| volume.text_at(&["name"]).map(str::to_owned))
        .collect();
    for volume in volumes_of(new) {
        let name = volume.text_at(&["name"]).unwrap_or_default();
        if sources(&volume) == 0 || !bare.iter().any(|bare| bare == name) {
            continue;
        }
        let message = format!(
            "{}: volume `{name}` had no source, so the live object carries an `emptyDir` nobody \
             owns; server-side apply keeps it beside the new one and the API server refuses both",
            new.id
        );
        findings.push(
            Finding::new(RULE.code, level(context, new), new.at(volume), message)
                .help("give the volume another name"),
        );
    }
}

fn volumes_of<'d>(subject: &Subject<'d>) -> Vec<Node<'d>> {
    let root = subject.root();
    let spec = root.and_then(|root| workload::pod_spec(root, &subject.id));
    spec.map(|spec| field::list(spec, &["volumes"]))
        .unwrap_or_default()
}

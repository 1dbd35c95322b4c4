//! `hook-outlives-timeout`: a hook may run when Helm has given up on it.

use serde_json::Value;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::duration::Duration;
use crate::model::field;
use crate::model::hook::{Action, Event, Hook, hook};
use crate::model::script::{option, scripts};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "hook-outlives-timeout",
    ids: &["HZ23"],
    level: Level::Warning,
    summary: "a hook cannot end in the time that Helm gives it",
    explain: "\
Helm waits for a hook as long as the action may take: `uninstall.timeout`, else `timeout`, else five
minutes. A hook Job that may run longer is given up on while it still works. A delete hook without any
deadline, or one that waits without end, keeps the HelmRelease terminating and is run again and again; a
post-delete hook that fails loses the release's record and then passes. A Pod's own deadline counts once
for each try (`backoffLimit`, 6 by default, and one). And a hook cannot start without its ServiceAccount:
one that the chart installs as a plain object is not there before the first install and gone after the
delete.

Example:

    kind: Job
    metadata: {annotations: {helm.sh/hook: pre-delete}}
    spec: {activeDeadlineSeconds: 600}        # the timeout is 5m

Fix: an `activeDeadlineSeconds` that is a minute under the timeout, `--timeout` for every `kubectl wait`
and `kubectl delete`; an account that is a hook of lower weight.

Quiet: `disableHooks` for the action; hooks that do not delete and have no deadline; a delete without
`--timeout` in a Job that has a deadline; accounts that the chart does not render, or keeps; a HelmRelease
that is not among the inputs or that a patch may change, but for the deadline that a delete hook lacks.

Source: `spec/hazards.md` HZ23; helm-controller#1327, cozystack#2473.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_job = |it: &&Subject<'_>| (it.id.group(), it.id.kind.as_str()) == ("batch", "Job");
    for subject in context.charted().filter(is_job) {
        let Some(root) = subject.root() else { continue };
        let Some(mut own) = hook(root) else { continue };
        let parent = context.parent(subject);
        let spec = parent.as_ref().map(|parent| &parent.spec);
        own.events
            .retain(|event| event.runs(spec.unwrap_or(&Value::Null)));
        let mut tell = |label: Label, message: String, help: &str| {
            let message = format!("hook {}: {message}", subject.id);
            let mut finding = Finding::new(RULE.code, Level::Warning, label, message).help(help);
            let place = parent.as_ref().map(|parent| parent.label.clone());
            finding
                .related
                .extend(place.map(|it| it.message("rendered by this")));
            findings.push(finding);
        };
        deadline(subject, root, &own.events, spec, &mut tell);
        account(context, subject, root, &own, &mut tell);
    }
}

/// The deadlines of the Job and of its Pods over all tries: the value and the seconds.
fn deadlines(root: Node<'_>) -> Option<(Node<'_>, i64)> {
    let pod = ["spec", "template", "spec", "activeDeadlineSeconds"];
    let job = ["spec", "activeDeadlineSeconds"];
    let tries = field::integer(root, &["spec", "backoffLimit"]).unwrap_or(6);
    let of = |route: &[&str], times: i64| {
        let seconds = field::integer(root, route)?.saturating_mul(times);
        Some((root.at(route)?, seconds))
    };
    let pod = of(&pod, tries.saturating_add(1));
    of(&job, 1)
        .into_iter()
        .chain(pod)
        .min_by_key(|(_, seconds)| *seconds)
}

fn deadline(
    subject: &Subject<'_>,
    root: Node<'_>,
    events: &[Event],
    spec: Option<&Value>,
    tell: &mut impl FnMut(Label, String, &str),
) {
    let delete = events
        .iter()
        .find(|event| event.action == Action::Uninstall);
    let Some((node, seconds)) = deadlines(root) else {
        if let Some(event) = delete {
            let waits = endless_wait(root, subject).map_or("", |()| ", and an endless wait");
            let place = root.at(&["metadata", "annotations", "helm.sh/hook"]);
            tell(
                place.map_or_else(|| subject.label(), |node| subject.at(node)),
                format!("no deadline for {}{waits}", event.name),
                "`activeDeadlineSeconds` under the timeout of the uninstall",
            );
        }
        return;
    };
    let least = spec.and_then(|spec| {
        let limits = events
            .iter()
            .filter_map(|it| Some((it.action.timeout(spec)?, it.action)));
        limits.min_by_key(|(limit, _)| *limit)
    });
    if let Some((limit, action)) = least
        && Duration::seconds(seconds.min(1 << 32)) >= limit
    {
        let action = action.field();
        let message =
            format!("its deadline of {seconds}s is not under {limit}, the timeout of the {action}");
        tell(
            subject.at(node),
            message,
            "a deadline under the timeout, or a longer `timeout`",
        );
    } else if delete.is_some() {
        for (node, text, wait) in waits(root, subject) {
            if wait >= Duration::seconds(seconds) {
                let message = format!("a wait of {text} outlasts its deadline of {seconds}s");
                let label = subject.at_text(node, &text);
                tell(label, message, "wait for less than the deadline");
            }
        }
    }
}

/// Whether it calls `kubectl delete`, which waits, without saying how long.
fn endless_wait(root: Node<'_>, subject: &Subject<'_>) -> Option<()> {
    let scripts = scripts(root, &subject.id);
    let mut calls = scripts.iter().flat_map(|script| &script.calls);
    let endless = |words: &&Vec<String>| {
        words.first().is_some_and(|verb| verb == "delete")
            && option(words, "--timeout").is_none()
            && option(words, "--wait") != Some("false")
    };
    calls.find(endless).map(|_| ())
}

/// How long its calls of kubectl wait, as it is written and as it is meant.
fn waits<'d>(root: Node<'d>, subject: &Subject<'_>) -> Vec<(Node<'d>, String, Duration)> {
    let mut found = Vec::new();
    for script in scripts(root, &subject.id) {
        for words in &script.calls {
            let text = option(words, "--timeout").unwrap_or_default();
            if let (Some(wait), Some(node)) = (Duration::parse(text), script.text_with(text)) {
                found.push((node, text.to_owned(), wait));
            }
        }
    }
    found
}

/// Tells of an account that is not there when the hook runs.
fn account(
    context: &Context<'_>,
    subject: &Subject<'_>,
    root: Node<'_>,
    own: &Hook,
    tell: &mut impl FnMut(Label, String, &str),
) {
    let Some(node) = root.at(&["spec", "template", "spec", "serviceAccountName"]) else {
        return;
    };
    let account = context.charted().find(|it| {
        it.id.kind == "ServiceAccount"
            && node.text() == Some(&it.id.name)
            && it.rendered_by == subject.rendered_by
    });
    let Some(root) = account.and_then(Subject::root) else {
        return;
    };
    let kept = field::annotation(root, "helm.sh/resource-policy").is_some();
    let account = hook(root);
    for event in &own.events {
        let when = match event.name {
            "pre-install" => "not there yet on the first install",
            "post-delete" if !kept => "gone by then",
            _ => continue,
        };
        let before = account
            .as_ref()
            .is_some_and(|it| it.events.contains(event) && it.weight <= own.weight);
        if !before {
            let name = node.text().unwrap_or_default();
            let message = format!(
                "its ServiceAccount `{name}` is no {} hook before it: {when}",
                event.name
            );
            tell(
                subject.at(node),
                message,
                "make the account and its bindings hooks of lower weight",
            );
        }
    }
}

//! `hook-output-log-policy`: a hook's log policy calls what helm-controller never sets.

use serde_json::Value;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::hook::{Action, Event, annotated, hook};

pub(crate) const RULE: Rule = Rule {
    code: "hook-output-log-policy",
    ids: &["HZ22"],
    level: Level::Error,
    summary: "a hook's log policy calls what helm-controller never sets",
    explain: "\
`helm.sh/hook-output-log-policy` makes Helm write the logs of a hook's Pods through a function that
helm-controller does not set. On install and upgrade the call crashes the whole controller and leaves
the release pending, and so it goes on after each restart. On uninstall, rollback and test it is an
error for ever, so that a pre-delete hook makes the delete unfinishable.

Example:

    metadata: {annotations: {helm.sh/hook: post-upgrade, helm.sh/hook-output-log-policy: hook-failed}}

Fix: remove the annotation; from helm-controller 1.6 on a post-renderer reaches hooks.

Quiet: objects that no chart renders; what is no hook; kinds other than Job and Pod; values that are
neither `hook-succeeded` nor `hook-failed`; `disableHooks` for the actions that the hook belongs to, and
a test without `test.enable`. A warning where the HelmRelease is not among the inputs or a patch may
change it.

Source: `spec/hazards.md` HZ22, read in helm-controller v1.4.5 to v1.6.3; helm-controller#1562.
",
    check,
};

const POLICY: &str = "helm.sh/hook-output-log-policy";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let runs = |it: &&Subject<'_>| {
        matches!(
            (it.id.group(), it.id.kind.as_str()),
            ("batch", "Job") | ("", "Pod")
        )
    };
    for subject in context.charted().filter(runs) {
        findings.extend(look(context, subject));
    }
}

fn look(context: &Context<'_>, subject: &Subject<'_>) -> Option<Finding> {
    let root = subject.root()?;
    let node = root.at(&["metadata", "annotations", POLICY])?;
    let outcomes: Vec<_> = annotated(root, POLICY)?
        .filter_map(|policy| match policy.as_str() {
            "hook-succeeded" => Some("succeeds"),
            "hook-failed" => Some("fails"),
            _ => None,
        })
        .collect();
    let parent = context.parent(subject);
    let spec = parent.as_ref().map_or(&Value::Null, |parent| &parent.spec);
    let events: Vec<Event> = hook(root)?.events;
    let mut running = events
        .into_iter()
        .filter(|event| event.runs(spec))
        .peekable();
    running.peek()?;
    let when = match outcomes[..] {
        [] => return None,
        [one] => one,
        _ => "ends",
    };
    let crashes = running.any(|event| matches!(event.action, Action::Install | Action::Upgrade));
    let end = if crashes {
        ", which crashes the controller"
    } else {
        ""
    };
    let (level, makes) = if parent.is_some() {
        (Level::Error, "makes")
    } else {
        (Level::Warning, "may make")
    };
    let message = format!(
        "hook {}: `{POLICY}` {makes} helm-controller call a nil function when the hook {when}{end}",
        subject.id
    );
    let mut finding = Finding::new(RULE.code, level, subject.at(node), message);
    finding
        .related
        .extend(parent.map(|parent| parent.label.message("rendered by this")));
    Some(finding.help("remove the annotation"))
}

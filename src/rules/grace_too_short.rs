//! `grace-too-short`: a Pod is killed before it has stopped.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::duration::Duration;
use crate::model::{field, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "grace-too-short",
    ids: &["HZ26"],
    level: Level::Warning,
    summary: "a Pod is killed before it has stopped",
    explain: "\
`terminationGracePeriodSeconds`, 30 where nothing is said, must cover what runs before the stop, the
process's own stop and its drain. `--graceful-shutdown-timeout` says how long a controller of Flux may
take, 600 seconds in helm-controller by default: killed in the middle of an action it leaves the release
pending. flux-plunger needs ten seconds, its `--shutdown-drain-timeout` and fifteen more; a drain that is
not above zero does nothing at all.

Example:

    spec: {terminationGracePeriodSeconds: 30, containers: [{name: helm-controller, args: [--enable-leader-election]}]}

Fix: raise the grace, or lower the flag; derive both from one value.

Quiet: no flag that is known; a default of 600 seconds where no grace is written; a grace that covers all;
variables; a workload that a patch may change; Flux's own manifests as they are taken for `render`.

Source: `spec/hazards.md` HZ26; helm-controller#644, helm-controller#149, helm-controller#180.
",
    check,
};

/// What there is to say speaks of one of these.
const WORDS: [&str; 4] = [
    "terminationGracePeriodSeconds",
    "preStop",
    "shutdown-",
    "helm-controller",
];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.workloads_with(&WORDS) {
        let Some(root) = subject.root() else { continue };
        let Some(spec) = workload::pod_spec(root, &subject.id) else {
            continue;
        };
        let mut tell = |node: Node<'_>, what: String, help: &str| {
            let message = format!("{}: {what}", subject.id);
            findings.push(
                Finding::new(RULE.code, Level::Warning, subject.at(node), message).help(help),
            );
        };
        let route = ["terminationGracePeriodSeconds"];
        let written = field::set(spec, &route);
        let grace = match (written, field::integer(spec, &route)) {
            (None, _) => 30,
            (Some(_), Some(grace)) => grace,
            (Some(node), None) => {
                if !node.written().contains("${") {
                    let what = "terminationGracePeriodSeconds is no whole number".to_owned();
                    tell(node, what, "write whole seconds without quotes");
                }
                continue;
            }
        };
        for container in field::list(spec, &["containers"]) {
            let grace = Duration::seconds(grace.clamp(0, 1 << 32));
            look(container, grace, written.is_some(), &mut tell);
        }
    }
}

/// Something that a container does when it is to stop.
struct Stop<'d> {
    node: Node<'d>,
    name: String,
    time: Duration,
}

/// A default counts only beside a grace that somebody chose.
fn look(
    container: Node<'_>,
    grace: Duration,
    chosen: bool,
    tell: &mut impl FnMut(Node<'_>, String, &str),
) {
    let mut stops: Vec<Stop<'_>> = before(container).into_iter().collect();
    let told = |flag: &str| {
        let (node, value) = workload::option(container, flag)?;
        let (time, name) = (Duration::parse(value)?, format!("--{flag}={value}"));
        Some(Stop { node, name, time })
    };
    let shutdown = workload::option(container, "graceful-shutdown-timeout");
    stops.extend(told("graceful-shutdown-timeout"));
    if chosen && shutdown.is_none() && workload::runs(container, "helm-controller") {
        let node = container.at(&["name"]).unwrap_or(container);
        let name = "helm-controller's own --graceful-shutdown-timeout=600s".to_owned();
        stops.push(Stop {
            node,
            name,
            time: Duration::seconds(600),
        });
    }
    let mut more = 0;
    if let Some(drain) = told("shutdown-drain-timeout") {
        if drain.time <= Duration(0) {
            let what = format!("`{}` does nothing at all", drain.name);
            tell(drain.node, what, "a drain above zero");
        } else {
            more = if workload::runs(container, "flux-plunger") {
                25
            } else {
                0
            };
            stops.push(drain);
        }
    }
    let Some(longest) = stops.iter().max_by_key(|stop| stop.time) else {
        return;
    };
    let total = stops.iter().fold(Duration::seconds(more), |sum, stop| {
        Duration(sum.0.saturating_add(stop.time.0))
    });
    if total > grace {
        let seconds = grace.0 / 1_000_000_000;
        let sum = if total == longest.time {
            String::new()
        } else {
            format!(", with all else {total},")
        };
        let what = format!(
            "`{}`{sum} does not fit terminationGracePeriodSeconds={seconds}",
            longest.name
        );
        tell(longest.node, what, "raise the grace or lower the flag");
    }
}

/// What `preStop` sleeps.
fn before(container: Node<'_>) -> Option<Stop<'_>> {
    let hook = container.at(&["lifecycle", "preStop"])?;
    let asked = ["sleep", "seconds"];
    let own = field::integer(hook, &asked).zip(hook.at(&asked));
    let (seconds, node) = own.or_else(|| slept(hook))?;
    let time = Duration::seconds(seconds.clamp(0, 1 << 32));
    let name = format!("preStop sleep {seconds}");
    Some(Stop { node, name, time })
}

/// The seconds of a `sleep` in a command, and the command's last word.
fn slept(hook: Node<'_>) -> Option<(i64, Node<'_>)> {
    let words = field::list(hook, &["exec", "command"]);
    let texts = words.iter().filter_map(|word| word.text());
    let mut parts = texts.flat_map(str::split_whitespace);
    parts.find(|part| part.rsplit('/').next() == Some("sleep"))?;
    let seconds = parts.next()?.trim_end_matches([';', 's']);
    Some((seconds.parse().ok()?, *words.last()?))
}

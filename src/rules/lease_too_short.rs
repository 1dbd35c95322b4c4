//! `lease-too-short`: a new leader starts before the old one has stopped.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::duration::Duration;
use crate::model::{field, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "lease-too-short",
    ids: &["HZ27"],
    level: Level::Warning,
    summary: "a new leader starts before the old one has stopped",
    explain: "\
A leader that cannot renew its lease stops within the renew deadline, 10 seconds by default, and then
drains for as long as `--shutdown-drain-timeout` says. Where the lease is shorter than that, or is given
up on stop, the next leader writes beside it. A lease that is not longer than the renew deadline is refused
by client-go at the start.

Example:

    args: [--leader-elect, --leader-election-lease-duration=15s, --shutdown-drain-timeout=65s]

Fix: a lease that is longer than renew deadline, stop and drain together, and kept on stop.

Quiet: a controller without a drain, which does not say that the old leader must be done first; flags that
are not written out, election that is off; a workload that a patch may change.

Source: `spec/hazards.md` HZ27; client-go `tools/leaderelection`.
",
    check,
};

/// The flags without one of which there is nothing to compare.
const WORDS: [&str; 2] = ["lease-duration", "shutdown-drain-timeout"];

/// What client-go's users renew within where nothing is said.
const RENEW: Duration = Duration::seconds(10);

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.workloads_with(&WORDS) {
        let spec = subject
            .root()
            .and_then(|root| workload::pod_spec(root, &subject.id));
        for container in spec
            .map(|spec| field::list(spec, &["containers"]))
            .unwrap_or_default()
        {
            look(subject, container, findings);
        }
    }
}

/// A flag of one of its usual names, and its value.
fn flag<'d>(container: Node<'d>, what: &str) -> Option<(Node<'d>, &'d str)> {
    let names = ["leader-election", "leader-elect"];
    names
        .iter()
        .find_map(|name| workload::option(container, &format!("{name}-{what}")))
}

fn look(subject: &Subject<'_>, container: Node<'_>, findings: &mut Vec<Finding>) {
    let time = |(node, value): (_, &str)| Some((node, Duration::parse(value)?));
    let lease = flag(container, "lease-duration").and_then(time);
    let renew = flag(container, "renew-deadline").and_then(time);
    let drain = workload::option(container, "shutdown-drain-timeout").and_then(time);
    let drain = drain
        .map(|(_, drain)| drain)
        .filter(|drain| *drain > Duration(0));
    let off = ["leader-elect", "enable-leader-election", "leader-election"]
        .iter()
        .any(|name| workload::option(container, name).is_some_and(|(_, value)| value == "false"));
    if off {
        return;
    }
    let mut tell = |node: Node<'_>, what: String| {
        let message = format!("{}: {what}", subject.id);
        findings.push(
            Finding::new(RULE.code, Level::Warning, subject.at(node), message)
                .help("a lease longer than renew deadline, stop and drain, kept on stop"),
        );
    };
    if let (Some((node, lease)), Some((_, renew))) = (lease, renew)
        && lease <= renew
    {
        tell(
            node,
            format!(
                "the lease of {lease} is not longer than the renew deadline of {renew}; it does not start"
            ),
        );
        return;
    }
    let Some(drain) = drain else { return };
    let renew = renew.map_or(RENEW, |(_, renew)| renew);
    let stopped = Duration(renew.0.saturating_add(drain.0));
    if let Some((node, lease)) = lease.filter(|(_, lease)| *lease <= stopped) {
        tell(
            node,
            format!("the lease of {lease} ends before stop and drain ({stopped}) do"),
        );
    }
    if let Some((node, value)) = flag(container, "release-on-cancel")
        && value != "false"
    {
        tell(
            node,
            format!("the lease is given up on stop, before the drain of {drain}"),
        );
    }
}

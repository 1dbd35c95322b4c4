//! `writer-not-single`: several copies of a controller write at once.
//!
//! Lives here: which Deployments run several writers. Whether their accounts may write leases is in
//! [`leases`].

mod leases;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "writer-not-single",
    ids: &["HZ25"],
    level: Level::Warning,
    summary: "several copies of a controller write at once",
    explain: "\
A controller with more than one replica, or under an autoscaler, needs leader election: without it all
copies write, and undo each other's work. Election needs the right to write Leases in its own namespace;
without it no copy ever starts to work.

Example:

    spec: {replicas: 2, template: {spec: {containers: [{name: manager, args: [--metrics-bind-address=:8080]}]}}}

Fix: `--leader-elect`, and a Role on `leases` of `coordination.k8s.io`.

Quiet: one replica, with or without election; what does not run with `--metrics-bind-address` or
`--health-probe-bind-address`, as controllers do; any flag or variable that speaks of a leader, and
`--config`, a file that may; webhooks; a workload that a patch may change. Of Leases it speaks only where
every binding of the account and every role is among the inputs.

Source: `spec/hazards.md` HZ25; ariga/atlas#3694, k8ssandra-operator#1723, grafana-operator#1944.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.workloads_with(&["-bind-address"]) {
        let (group, kind) = (subject.id.group(), subject.id.kind.as_str());
        if (group, kind) != ("apps", "Deployment") {
            continue;
        }
        let Some(root) = subject.root() else { continue };
        let Some(spec) = workload::pod_spec(root, &subject.id) else {
            continue;
        };
        if subject.id.name.contains("webhook") {
            continue;
        }
        let writer = field::list(spec, &["containers"])
            .into_iter()
            .find(|it| is_controller(*it));
        let Some(container) = writer else { continue };
        match election(container) {
            Election::Unknown => {}
            Election::On => {
                if let Some(finding) = leases::missing(context, subject, spec) {
                    findings.push(finding);
                }
            }
            Election::Off { written } => {
                if let Some((node, copies)) = copies(context, subject, root) {
                    let (run, why) = if written {
                        ("runs", "off")
                    } else {
                        ("may run", "not on")
                    };
                    let message = format!(
                        "{} {run} {copies} writers at once: leader election is {why}",
                        subject.id
                    );
                    findings.push(
                        Finding::new(RULE.code, Level::Warning, node, message)
                            .help("`--leader-elect`, and a Role on leases"),
                    );
                }
            }
        }
    }
}

fn is_controller(container: Node<'_>) -> bool {
    let own = ["metrics-bind-address", "health-probe-bind-address"];
    let webhook = container
        .text_at(&["name"])
        .is_some_and(|name| name.contains("webhook"));
    !webhook
        && own
            .iter()
            .any(|flag| workload::option(container, flag).is_some())
}

/// Whether the copies of a controller elect a leader.
enum Election {
    On,
    /// `written` where a flag says so.
    Off {
        written: bool,
    },
    Unknown,
}

fn election(container: Node<'_>) -> Election {
    for flag in ["leader-elect", "enable-leader-election", "leader-election"] {
        match workload::option(container, flag) {
            Some((_, "false")) => return Election::Off { written: true },
            Some((_, "" | "true")) => return Election::On,
            Some(_) => return Election::Unknown,
            None => {}
        }
    }
    let speaks =
        |text: &str| text.to_lowercase().contains("leader") || text.starts_with("--config");
    let words = workload::words(container);
    let mut texts = words.iter().filter_map(|word| word.text());
    let env = field::list(container, &["env"]);
    let mut names = env.iter().filter_map(|it| it.text_at(&["name"]));
    if texts.any(speaks) || names.any(speaks) || container.at(&["envFrom"]).is_some() {
        return Election::Unknown;
    }
    Election::Off { written: false }
}

/// How many copies run where it is more than one, and what says so.
fn copies(
    context: &Context<'_>,
    subject: &Subject<'_>,
    root: Node<'_>,
) -> Option<(crate::finding::Label, i64)> {
    let route = ["spec", "replicas"];
    let replicas = field::integer(root, &route).filter(|replicas| *replicas > 1);
    if let Some(replicas) = replicas {
        return Some((subject.at(root.at(&route)?), replicas));
    }
    let is_scaler = |it: &&Subject<'_>| {
        let target = it
            .root()
            .and_then(|root| root.at(&["spec", "scaleTargetRef"]));
        it.id.kind == "HorizontalPodAutoscaler"
            && it.may_share_namespace(subject)
            && target.is_some_and(|target| {
                target.text_at(&["kind"]) == Some("Deployment")
                    && target.text_at(&["name"]) == Some(&subject.id.name)
            })
    };
    let autoscaler = context.everything().find(is_scaler)?;
    let root = autoscaler.root()?;
    let most = field::integer(root, &["spec", "maxReplicas"]).filter(|most| *most > 1)?;
    Some((autoscaler.at(root.at(&["spec", "maxReplicas"])?), most))
}

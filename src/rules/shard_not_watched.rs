//! `shard-not-watched`: an object belongs to a shard that no controller watches.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::snapshot::controllers::watches;
use crate::model::{field, kinds, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "shard-not-watched",
    ids: &["HZ41"],
    level: Level::Error,
    summary: "an object belongs to a shard that no controller watches",
    explain: "\
An object labelled `sharding.fluxcd.io/key: X` is left alone by controllers that run with
`!sharding.fluxcd.io/key`, and taken by one whose `--watch-label-selector` names X. Without such a one it
is never reconciled and never uninstalled.

Example:

    metadata: {labels: {sharding.fluxcd.io/key: tenants}}

where helm-controller runs with `--watch-label-selector=!sharding.fluxcd.io/key` only.

Fix: correct the label, or start the shard.

Quiet: no controller for the kind among the inputs, or one that a patch may change; a controller that
watches without a selector, or with one that takes the shard; an object that a patch may change. A note
where flux-shard-operator is among the inputs, which starts shards on demand.

Source: `spec/hazards.md` HZ41; Flux's documentation of sharding.
",
    check,
};

const LABEL: &str = "sharding.fluxcd.io/key";

/// Which controller reconciles the kinds of a group.
const CONTROLLERS: [(&str, &str); 3] = [
    (kinds::HELM, "helm-controller"),
    (kinds::KUSTOMIZE, "kustomize-controller"),
    (kinds::SOURCE, "source-controller"),
];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (group, program) in CONTROLLERS {
        let own = context.everything().filter(|it| it.id.group() == group);
        let sharded: Vec<_> = own.filter_map(|it| Some((it, shard(it)?))).collect();
        if sharded.is_empty() {
            continue;
        }
        let Some(selectors) = selectors(context, program) else {
            continue;
        };
        let operated = context
            .objects
            .iter()
            .any(|it| it.id.name.ends_with("flux-shard-operator"));
        let level = if operated { Level::Note } else { Level::Error };
        for (subject, (node, shard)) in sharded {
            if selectors.iter().any(|selector| watches(*selector, shard)) {
                continue;
            }
            let message = format!("{}: no {program} watches shard `{shard}`", subject.id);
            findings.push(
                Finding::new(RULE.code, level, subject.at(node), message)
                    .help("correct the label or start the shard"),
            );
        }
    }
}

/// The label of an object that a patch does not change.
fn shard<'d>(subject: &Subject<'d>) -> Option<(Node<'d>, &'d str)> {
    let node = subject.root()?.at(&["metadata", "labels", LABEL])?;
    let known = |text: &&str| !text.contains("${") && !subject.facts.patched;
    Some((node, node.text().filter(known)?))
}

/// The selectors that a controller runs with; `None` where there is none or they are not known.
fn selectors<'c>(context: &Context<'c>, program: &str) -> Option<Vec<Option<&'c str>>> {
    let mut found = Vec::new();
    let mut stopped = 0;
    for subject in &context.objects {
        let Some(root) = subject.root() else { continue };
        let spec = workload::pod_spec(root, &subject.id);
        for (_, container) in spec.into_iter().flat_map(workload::containers) {
            if !workload::runs(container, program) {
                continue;
            }
            if subject.facts.patched {
                return None;
            }
            if field::integer(root, &["spec", "replicas"]) == Some(0) {
                stopped += 1;
                continue;
            }
            let selector = workload::option(container, "watch-label-selector");
            found.push(selector.map(|(_, value)| value));
        }
    }
    (found.len() + stopped > 0).then_some(found)
}

//! `volume-blocks-surge`: a new Pod waits for the volume of the one it replaces.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, workload};
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

pub(crate) const RULE: Rule = Rule {
    code: "volume-blocks-surge",
    ids: &["HZ08"],
    level: Level::Warning,
    summary: "a new Pod waits for the volume of the one it replaces",
    explain: "\
A Deployment that rolls makes a new Pod before it takes an old one away: `maxSurge` is 25 % by default,
which rounds up to one. A volume that only one node (or one Pod) may mount is not free before the old
Pod is gone, and that one waits for the new. The roll-out may stand still as soon as the new Pod lands
on another node.

Example: `replicas: 1`, no `strategy`, and a claim with `accessModes: [ReadWriteOnce]`.

Fix: `maxSurge: 0` with `maxUnavailable: 1`, which is safe over a live object; `Recreate` only for a new
one (`recreate-over-rolling-update`); or a StatefulSet.

Quiet: ReadWriteMany, `emptyDir`, `replicas: 0`, a Recreate strategy, `maxSurge: 0`, a claim that is not
among the inputs, a Deployment that a patch may change; ReadWriteOnce of a storage class whose volumes
stay on one node (`rancher.io/local-path`, `kubernetes.io/no-provisioner` and their like), where the new
Pod is sent as well and may mount it beside the old one.

Source: `spec/hazards.md` HZ08; mattermost/mattermost-helm#283, helm/charts#12057.
",
    check,
};

/// Provisioners whose volumes are directories or disks of one node.
const ON_ONE_NODE: [&str; 6] = [
    "docker.io/hostpath",
    "k8s.io/minikube-hostpath",
    "kubernetes.io/no-provisioner",
    "microk8s.io/hostpath",
    "openebs.io/local",
    "rancher.io/local-path",
];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let pinned = pinned_classes(context);
    let claims: Vec<_> = context
        .everything_of("PersistentVolumeClaim")
        .filter(|subject| only_one(subject) && !is_shared_on_its_node(subject, &pinned))
        .collect();
    if claims.is_empty() {
        return;
    }
    for subject in context.everything_of("Deployment") {
        let Some(root) = subject.root() else { continue };
        if (subject.id.group(), subject.id.kind.as_str()) != ("apps", "Deployment")
            || subject.facts.patched
            || !surges(root)
        {
            continue;
        }
        let Some(spec) = workload::pod_spec(root, &subject.id) else {
            continue;
        };
        for volume in field::list(spec, &["volumes"]) {
            let Some(node) = volume.at(&["persistentVolumeClaim", "claimName"]) else {
                continue;
            };
            let held = claims.iter().find(|claim| {
                node.text() == Some(&claim.id.name) && subject.may_share_namespace(claim)
            });
            if let Some(claim) = held {
                let message = format!(
                    "{} surges over the {} volume `{}`: the new Pod may wait for the old one's volume",
                    subject.id,
                    modes(claim).join(", "),
                    claim.id.name
                );
                findings.push(
                    Finding::new(RULE.code, Level::Warning, subject.at(node), message)
                        .help("`strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}`")
                        .related(claim.label().message("this claim")),
                );
            }
        }
    }
}

fn modes<'d>(claim: &Subject<'d>) -> Vec<&'d str> {
    let modes = claim
        .root()
        .map(|root| field::list(root, &["spec", "accessModes"]));
    modes
        .unwrap_or_default()
        .into_iter()
        .filter_map(Node::text)
        .collect()
}

/// Whether all of a claim's modes let one node at a time mount it.
fn only_one(claim: &Subject<'_>) -> bool {
    let modes = modes(claim);
    let one = |mode: &&str| matches!(*mode, "ReadWriteOnce" | "ReadWriteOncePod");
    !modes.is_empty() && modes.iter().all(one)
}

/// The storage classes whose volumes stay on one node; the empty name is that of the default class.
fn pinned_classes<'c>(context: &Context<'c>) -> Vec<&'c str> {
    let mut pinned = vec!["local-path"];
    for class in context.everything_of("StorageClass") {
        let Some(root) = class.root() else { continue };
        let provisioner = field::string(root, &["provisioner"]).unwrap_or_default();
        if !ON_ONE_NODE.contains(&provisioner) {
            continue;
        }
        pinned.extend(field::string(root, &["metadata", "name"]));
        let default = "storageclass.kubernetes.io/is-default-class";
        if field::annotation(root, default) == Some("true") {
            pinned.push("");
        }
    }
    pinned
}

/// Whether a claim's volume stays on one node, where several Pods may mount it.
fn is_shared_on_its_node(claim: &Subject<'_>, pinned: &[&str]) -> bool {
    let class = claim
        .root()
        .and_then(|root| field::string(root, &["spec", "storageClassName"]));
    let alone = modes(claim).contains(&"ReadWriteOncePod");
    !alone && pinned.contains(&class.unwrap_or_default())
}

fn surges(root: Node<'_>) -> bool {
    let none = |node: Node<'_>| match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Integer(value)) => value == 0,
        Some(Scalar::String(text)) => text.trim_end_matches('%') == "0",
        _ => false,
    };
    let surge = root.at(&["spec", "strategy", "rollingUpdate", "maxSurge"]);
    field::integer(root, &["spec", "replicas"]) != Some(0)
        && field::string(root, &["spec", "strategy", "type"]) != Some("Recreate")
        && !surge.is_some_and(none)
}

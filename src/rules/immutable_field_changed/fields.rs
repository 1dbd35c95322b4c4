//! Which fields of which kind never change, with the defaults that count on both sides.
//!
//! Source: `spec/hazards.md` HZ01, run against kube-apiserver 1.36.

use serde_json::{Map, Value, json};

use super::compare::{difference, plain, quantities, without_defaults};
use crate::finding::ObjectId;
use crate::model::quantity::billionths;

/// A field that changes.
#[derive(Debug)]
pub(super) struct Change {
    /// Its route.
    pub(super) path: String,
    /// What it was.
    pub(super) was: Option<Value>,
    /// What it becomes.
    pub(super) is: Option<Value>,
}

/// The immutable fields that change between two states of an object, the first of each group.
pub(super) fn changes(id: &ObjectId, was: &Value, is: &Value) -> Vec<Change> {
    let (was, is) = (plain(was), plain(is));
    let both = Both { was: &was, is: &is };
    let found = match (id.group(), id.kind.as_str()) {
        ("apps", "Deployment" | "DaemonSet" | "ReplicaSet") => {
            vec![both.kept(&["spec", "selector"])]
        }
        ("apps", "StatefulSet") => stateful_set(both),
        ("batch", "Job") => job(both),
        ("", "Service") => service(both),
        ("", "PersistentVolumeClaim") => claim(both),
        ("storage.k8s.io", "StorageClass") => vec![
            both.field(&["provisioner"], None),
            both.field(&["parameters"], None),
            both.field(&["reclaimPolicy"], Some(&json!("Delete"))),
            both.field(&["volumeBindingMode"], Some(&json!("Immediate"))),
        ],
        ("storage.k8s.io", "VolumeAttributesClass") => {
            vec![
                both.field(&["parameters"], None),
                both.field(&["driverName"], None),
            ]
        }
        ("storage.k8s.io", "CSIDriver") => vec![
            both.field(&["spec", "attachRequired"], Some(&json!(true))),
            both.field(
                &["spec", "volumeLifecycleModes"],
                Some(&json!(["Persistent"])),
            ),
        ],
        ("scheduling.k8s.io", "PriorityClass") => vec![
            both.field(&["value"], Some(&json!(0))),
            both.field(&["preemptionPolicy"], Some(&json!("PreemptLowerPriority"))),
        ],
        ("node.k8s.io", "RuntimeClass") => vec![both.field(&["handler"], None)],
        ("networking.k8s.io", "IngressClass") => vec![both.field(&["spec", "controller"], None)],
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            vec![both.field(&["roleRef"], None)]
        }
        ("", "Secret") => {
            let mut found = frozen(both);
            found.push(both.field(&["type"], Some(&json!("Opaque"))));
            found
        }
        ("", "ConfigMap") => frozen(both),
        ("", "ResourceQuota") => vec![
            both.field(&["spec", "scopes"], None),
            both.field(&["spec", "scopeSelector"], None),
        ],
        ("", "PersistentVolume") => volume(both),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => definition(both),
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// The two states.
#[derive(Clone, Copy)]
struct Both<'v> {
    was: &'v Value,
    is: &'v Value,
}

fn at<'v>(value: &'v Value, route: &[&str]) -> Option<&'v Value> {
    route.iter().try_fold(value, |value, key| value.get(key))
}

fn change(path: &str, was: Option<&Value>, is: Option<&Value>) -> Option<Change> {
    let (path, was, is) = difference(path, was, is)?;
    Some(Change {
        path,
        was: was.cloned(),
        is: is.cloned(),
    })
}

impl Both<'_> {
    /// The change of a field, a default standing for what is absent.
    fn field(self, route: &[&str], default: Option<&Value>) -> Option<Change> {
        let (was, is) = (
            at(self.was, route).or(default),
            at(self.is, route).or(default),
        );
        change(&route.join("."), was, is)
    }

    /// The change of a field that both sides have.
    fn kept(self, route: &[&str]) -> Option<Change> {
        let (was, is) = (at(self.was, route)?, at(self.is, route)?);
        change(&route.join("."), Some(was), Some(is))
    }

    /// The text of a field on each side, empty where there is none.
    fn texts(&self, route: &[&str]) -> (&str, &str) {
        let text = |value| at(value, route).and_then(Value::as_str).unwrap_or_default();
        (text(self.was), text(self.is))
    }
}

fn map_at(value: &Value, route: &[&str]) -> Map<String, Value> {
    at(value, route)
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

fn stateful_set(both: Both<'_>) -> Vec<Option<Change>> {
    let free = [
        "replicas",
        "ordinals",
        "template",
        "updateStrategy",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
        "minReadySeconds",
    ];
    let spec = |value| {
        let mut spec = map_at(value, &["spec"]);
        spec.retain(|key, _| !free.contains(&key.as_str()));
        let defaults = [
            ("podManagementPolicy", json!("OrderedReady")),
            ("serviceName", json!("")),
            ("volumeClaimTemplates", json!([])),
        ];
        without_defaults(&mut spec, &defaults);
        if let Some(Value::Array(claims)) = spec.get_mut("volumeClaimTemplates") {
            claims.iter_mut().for_each(template_of_claim);
        }
        Value::Object(spec)
    };
    let (was, is) = (spec(both.was), spec(both.is));
    vec![change("spec", Some(&was), Some(&is))]
}

fn template_of_claim(claim: &mut Value) {
    let Value::Object(map) = claim else { return };
    for key in ["apiVersion", "kind", "status"] {
        map.remove(key);
    }
    if let Some(Value::Object(metadata)) = map.get_mut("metadata") {
        metadata.remove("creationTimestamp");
        without_defaults(
            metadata,
            &[("labels", json!({})), ("annotations", json!({}))],
        );
    }
    if let Some(Value::Object(spec)) = map.get_mut("spec") {
        without_defaults(spec, &[("volumeMode", json!("Filesystem"))]);
        if let Some(Value::Object(resources)) = spec.get_mut("resources") {
            quantities(resources, "requests");
            quantities(resources, "limits");
        }
    }
}

fn job(both: Both<'_>) -> Vec<Option<Change>> {
    let suspended = at(both.was, &["spec", "suspend"]) == Some(&json!(true));
    let template = |value| {
        let mut template = Value::Object(map_at(value, &["spec", "template"]));
        if suspended && let Value::Object(map) = &mut template {
            map.remove("metadata");
            if let Some(Value::Object(pod)) = map.get_mut("spec") {
                for key in ["tolerations", "nodeSelector", "affinity", "schedulingGates"] {
                    pod.remove(key);
                }
            }
        }
        pod_defaults(&mut template);
        template
    };
    let (was, is) = (template(both.was), template(both.is));
    let mode = json!("NonIndexed");
    let completions = both.field(&["spec", "completions"], None).filter(|change| {
        let indexed = both.texts(&["spec", "completionMode"]).1 == "Indexed";
        let parallelism = at(both.is, &["spec", "parallelism"]);
        !(indexed && change.is.as_ref() == parallelism)
    });
    vec![
        change("spec.template", Some(&was), Some(&is)),
        both.kept(&["spec", "selector"]),
        both.field(&["spec", "completionMode"], Some(&mode)),
        both.field(&["spec", "podFailurePolicy"], None),
        both.field(
            &["spec", "managedBy"],
            Some(&json!("kubernetes.io/job-controller")),
        ),
        completions.filter(|change| {
            // One is what the API server fills in where nothing is said.
            change.was.as_ref().or(change.is.as_ref()) != Some(&json!(1))
                || change.was.is_some() && change.is.is_some()
        }),
    ]
}

/// Takes the defaults out of a Pod's template.
fn pod_defaults(template: &mut Value) {
    let Some(Value::Object(pod)) = template.get_mut("spec") else {
        return;
    };
    without_defaults(
        pod,
        &[
            ("dnsPolicy", json!("ClusterFirst")),
            ("schedulerName", json!("default-scheduler")),
            ("terminationGracePeriodSeconds", json!(30)),
            ("securityContext", json!({})),
            ("enableServiceLinks", json!(true)),
            ("hostNetwork", json!(false)),
            ("volumes", json!([])),
            ("tolerations", json!([])),
            ("nodeSelector", json!({})),
            ("affinity", json!({})),
            ("imagePullSecrets", json!([])),
        ],
    );
    for list in ["containers", "initContainers"] {
        let Some(Value::Array(containers)) = pod.get_mut(list) else {
            continue;
        };
        for container in containers.iter_mut().filter_map(Value::as_object_mut) {
            let image = container
                .get("image")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let last = image.rsplit('/').next().unwrap_or_default();
            let latest =
                !image.contains('@') && last.split_once(':').is_none_or(|it| it.1 == "latest");
            let policy = if latest { "Always" } else { "IfNotPresent" };
            without_defaults(
                container,
                &[
                    ("imagePullPolicy", json!(policy)),
                    ("terminationMessagePath", json!("/dev/termination-log")),
                    ("terminationMessagePolicy", json!("File")),
                    ("resources", json!({})),
                    ("env", json!([])),
                    ("volumeMounts", json!([])),
                    ("securityContext", json!({})),
                ],
            );
            if let Some(Value::Object(resources)) = container.get_mut("resources") {
                quantities(resources, "requests");
                quantities(resources, "limits");
            }
        }
    }
}

fn service(both: Both<'_>) -> Vec<Option<Change>> {
    let (old_type, new_type) = both.texts(&["spec", "type"]);
    if old_type == "ExternalName" || new_type == "ExternalName" {
        return Vec::new();
    }
    let (_, address) = both.texts(&["spec", "clusterIP"]);
    let addresses = (!address.is_empty()).then(|| both.field(&["spec", "clusterIP"], None));
    let balanced = old_type == "LoadBalancer" && new_type == "LoadBalancer";
    let class = balanced.then(|| both.field(&["spec", "loadBalancerClass"], None));
    let family = |value| {
        at(value, &["spec", "ipFamilies"])
            .and_then(|it| it.get(0))
            .cloned()
    };
    let family = match (family(both.was), family(both.is)) {
        (Some(was), Some(is)) => change("spec.ipFamilies[0]", Some(&was), Some(&is)),
        _ => None,
    };
    vec![
        addresses.flatten(),
        class.flatten(),
        both.kept(&["spec", "healthCheckNodePort"]),
        family,
    ]
}

fn claim(both: Both<'_>) -> Vec<Option<Change>> {
    let storage = |value| {
        let text = at(value, &["spec", "resources", "requests", "storage"])?;
        let text = text
            .as_str()
            .map_or_else(|| text.to_string(), str::to_owned);
        billionths(&text)
    };
    let shrinks = match (storage(both.was), storage(both.is)) {
        (Some(was), Some(is)) if is < was => both.kept(&["spec", "resources", "requests"]),
        _ => None,
    };
    // What the old side leaves out is filled in by the server: a class, a volume.
    let class = at(both.was, &["spec", "storageClassName"]).is_some();
    vec![
        shrinks,
        both.field(&["spec", "accessModes"], None),
        both.field(&["spec", "volumeMode"], Some(&json!("Filesystem"))),
        both.field(&["spec", "selector"], None),
        both.field(&["spec", "dataSource"], None),
        class
            .then(|| both.field(&["spec", "storageClassName"], None))
            .flatten(),
        both.kept(&["spec", "volumeName"]),
    ]
}

/// Everything under `immutable: true`, and the flag itself.
fn frozen(both: Both<'_>) -> Vec<Option<Change>> {
    if at(both.was, &["immutable"]) != Some(&json!(true)) {
        return Vec::new();
    }
    let data = |key| both.field(&[key], Some(&json!({})));
    vec![
        data("data"),
        data("stringData"),
        data("binaryData"),
        both.field(&["immutable"], Some(&json!(false))),
    ]
}

fn volume(both: Both<'_>) -> Vec<Option<Change>> {
    let free = [
        "capacity",
        "accessModes",
        "claimRef",
        "persistentVolumeReclaimPolicy",
        "mountOptions",
        "storageClassName",
        "volumeMode",
        "nodeAffinity",
        "volumeAttributesClassName",
    ];
    let source = |value| {
        let mut spec = map_at(value, &["spec"]);
        spec.retain(|key, _| !free.contains(&key.as_str()));
        Value::Object(spec)
    };
    let (was, is) = (source(both.was), source(both.is));
    vec![change("spec", Some(&was), Some(&is))]
}

fn definition(both: Both<'_>) -> Vec<Option<Change>> {
    let versions = |value| {
        let versions = at(value, &["spec", "versions"]).and_then(Value::as_array);
        versions.cloned().unwrap_or_default()
    };
    let new = versions(both.is);
    let stays = |name: &Value| new.iter().any(|version| version.get("name") == Some(name));
    let stored = versions(both.was).into_iter().find_map(|version| {
        let stored = version.get("storage") == Some(&json!(true));
        version
            .get("name")
            .filter(|name| stored && !stays(name))
            .cloned()
    });
    let gone = stored.filter(|_| !new.is_empty()).map(|name| Change {
        path: "spec.versions".to_owned(),
        was: Some(name),
        is: None,
    });
    vec![
        both.kept(&["spec", "scope"]),
        both.kept(&["spec", "group"]),
        both.kept(&["spec", "names", "kind"]),
        both.kept(&["spec", "names", "plural"]),
        gone,
    ]
}

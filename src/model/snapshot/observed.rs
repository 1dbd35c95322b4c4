//! A HelmRelease as the cluster holds it: what was asked for, what helm-controller wrote, and who
//! wrote the two fields that the uninstall fence is made of.
//!
//! Source: `spec/uninstall-fence.md`, sections 1, 3 and 5; helm-controller v1.5.0
//! `api/v2/helmrelease_types.go`. Values, conditions' texts and payloads are never kept.

use serde_json::Value;

use super::{deleted, flag, items, text};
use crate::finding::ObjectId;
use crate::model::moment::Moment;
use crate::model::release::{LOCAL, ReleaseKey, full_name, shorten};
use crate::source::Span;

/// flux-plunger's finalizer.
pub(crate) const FENCE: &str = "flux-plunger.cozystack.io/uninstall-fence";
/// helm-controller's finalizer.
pub(crate) const HELM_FINALIZER: &str = "finalizers.fluxcd.io";
/// The annotation in which flux-plunger keeps the newest revision that it reclaimed.
pub(crate) const PROCESSED: &str = "flux-plunger.cozystack.io/last-processed-version";
/// The label that gives a HelmRelease to one shard of helm-controller.
pub(crate) const SHARD: &str = "sharding.fluxcd.io/key";
/// What helm-controller reports where no revision of a release is deployed.
const NO_DEPLOYED: &str = "has no deployed releases";
/// How many of the objects that a release made are kept by name.
const MOST_INVENTORY: usize = 5;

/// A HelmRelease.
#[derive(Debug)]
pub(crate) struct Observed {
    /// Where its name stands.
    pub(crate) span: Span,
    /// The object.
    pub(crate) id: ObjectId,
    /// `metadata.uid`, empty where unknown.
    pub(crate) uid: Box<str>,
    /// `metadata.resourceVersion`, empty where unknown.
    pub(crate) resource_version: Box<str>,
    /// `metadata.generation`.
    pub(crate) generation: i64,
    /// `status.observedGeneration`; -1 where nothing was observed.
    pub(crate) seen_generation: i64,
    /// When its deletion was asked for.
    pub(crate) deleted: Option<Moment>,
    /// `metadata.finalizers`, in order.
    pub(crate) finalizers: Vec<Box<str>>,
    /// Who wrote `spec.suspend` or the fence.
    pub(crate) writers: Vec<Writer>,
    /// [`PROCESSED`], as written.
    pub(crate) processed: Option<Box<str>>,
    /// [`SHARD`].
    pub(crate) shard: Option<Box<str>>,
    /// What was asked for.
    pub(crate) spec: Spec,
    /// `status.storageNamespace`.
    pub(crate) storage_namespace: Option<Box<str>>,
    /// The newest entry of `status.history`.
    pub(crate) history: Option<History>,
    /// Whether it is not ready because no revision is deployed.
    pub(crate) no_deployed: bool,
    /// The first objects of `status.inventory`, for people.
    pub(crate) inventory: Vec<Box<str>>,
    /// How many objects `status.inventory` has.
    pub(crate) inventory_count: usize,
}

/// The fields of `spec` that matter here.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four fields of the spec that do not depend on each other"
)]
pub(crate) struct Spec {
    /// `suspend`.
    pub(crate) suspended: bool,
    /// `releaseName`.
    release_name: Option<Box<str>>,
    /// `targetNamespace`.
    target_namespace: Option<Box<str>>,
    /// `storageNamespace`.
    storage_namespace: Option<Box<str>>,
    /// `kubeConfig`: the other cluster.
    pub(crate) remote: Option<Remote>,
    /// `serviceAccountName`.
    pub(crate) account: Option<Box<str>>,
    /// Whether `uninstall.deletionPropagation` is `orphan`.
    pub(crate) orphans: bool,
    /// `uninstall.disableHooks`.
    pub(crate) without_hooks: bool,
    /// Whether exactly one of `chart` and `chartRef` is there.
    pub(crate) one_chart: bool,
}

/// A reference to a kubeconfig.
#[derive(Debug)]
pub(crate) enum Remote {
    /// In a Secret of the HelmRelease's namespace, under a key.
    Secret {
        /// Its name.
        name: Box<str>,
        /// The key, empty where none is named: `value`, then `value.yaml` is read.
        key: Box<str>,
    },
    /// By a ConfigMap of the HelmRelease's namespace.
    ConfigMap {
        /// Its name.
        name: Box<str>,
    },
}

/// An entry of `metadata.managedFields` without a subresource that owns one of the two fields.
#[derive(Debug)]
pub(crate) struct Writer {
    /// `manager`.
    pub(crate) manager: Box<str>,
    /// Whether `operation` is `Apply`.
    pub(crate) applies: bool,
    /// `time`.
    pub(crate) time: Option<Moment>,
    /// Whether it owns `spec.suspend`.
    pub(crate) suspend: bool,
    /// Whether it owns the fence among the finalizers.
    pub(crate) fence: bool,
}

/// An entry of `status.history`.
#[derive(Debug)]
pub(crate) struct History {
    /// The release's name.
    pub(crate) name: Box<str>,
    /// The release's namespace.
    pub(crate) namespace: Box<str>,
    /// The revision.
    pub(crate) version: i64,
    /// Helm's word for its state.
    pub(crate) status: Box<str>,
}

impl Observed {
    /// Reads an object that is known to be a HelmRelease; what is not as expected counts as absent.
    pub(crate) fn read(object: &Value, span: Span) -> Observed {
        let string = |route: &[&str]| text(object, route).map(Box::from);
        let number = |route: &str| object.pointer(route).and_then(Value::as_i64);
        let label = |of: &str, name: &str| text(object, &["metadata", of, name]).map(Box::from);
        let owned = |route: &[&str]| text(object, route).unwrap_or_default().to_owned();
        let inventory = items(object, &["status", "inventory", "entries"]);
        let inventory: Vec<&str> = inventory
            .iter()
            .filter_map(|entry| text(entry, &["id"]))
            .collect();
        Observed {
            span,
            id: ObjectId {
                api_version: owned(&["apiVersion"]).into(),
                kind: owned(&["kind"]).into(),
                namespace: owned(&["metadata", "namespace"]),
                name: owned(&["metadata", "name"]),
            },
            uid: string(&["metadata", "uid"]).unwrap_or_default(),
            resource_version: string(&["metadata", "resourceVersion"]).unwrap_or_default(),
            generation: number("/metadata/generation").unwrap_or_default(),
            seen_generation: number("/status/observedGeneration").unwrap_or(-1),
            deleted: deleted(object),
            finalizers: items(object, &["metadata", "finalizers"])
                .iter()
                .filter_map(|item| item.as_str().map(Box::from))
                .collect(),
            writers: items(object, &["metadata", "managedFields"])
                .iter()
                .filter_map(Writer::read)
                .collect(),
            processed: object
                .get("metadata")
                .and_then(|metadata| metadata.get("annotations")?.get(PROCESSED)?.as_str())
                .map(Box::from),
            shard: label("labels", SHARD),
            spec: Spec::read(object.get("spec").unwrap_or(&Value::Null)),
            storage_namespace: string(&["status", "storageNamespace"]),
            history: items(object, &["status", "history"])
                .first()
                .map(History::read),
            no_deployed: items(object, &["status", "conditions"])
                .iter()
                .any(|condition| {
                    text(condition, &["type"]) == Some("Ready")
                        && text(condition, &["status"]) == Some("False")
                        && text(condition, &["message"]).is_some_and(|it| it.contains(NO_DEPLOYED))
                }),
            inventory: inventory
                .iter()
                .take(MOST_INVENTORY)
                .map(|id| inventory_name(id).into())
                .collect(),
            inventory_count: inventory.len(),
        }
    }

    /// Whether it has a finalizer.
    pub(crate) fn has_finalizer(&self, finalizer: &str) -> bool {
        self.finalizers.iter().any(|it| **it == *finalizer)
    }

    /// The Helm release that its spec names.
    pub(crate) fn key(&self) -> ReleaseKey {
        let namespace = &self.id.namespace;
        ReleaseKey {
            cluster: match &self.spec.remote {
                None => LOCAL.to_owned(),
                Some(Remote::Secret { name, key }) => format!("secret:{namespace}/{name}#{key}"),
                Some(Remote::ConfigMap { name }) => format!("configmap:{namespace}/{name}"),
            },
            storage_namespace: self
                .spec
                .storage_namespace
                .as_deref()
                .unwrap_or(namespace)
                .to_owned(),
            name: shorten(&full_name(
                self.spec.release_name.as_deref(),
                self.spec.target_namespace.as_deref(),
                &self.id.name,
            )),
        }
    }

    /// The namespace that its spec installs into.
    pub(crate) fn release_namespace(&self) -> &str {
        let target = self.spec.target_namespace.as_deref();
        target.unwrap_or(&self.id.namespace)
    }

    /// Whether helm-controller has worked on it before.
    pub(crate) fn handled_before(&self) -> bool {
        self.seen_generation > 0 || self.history.is_some() || self.storage_namespace.is_some()
    }

    /// Whether helm-controller has observed its newest generation.
    pub(crate) fn up_to_date(&self) -> bool {
        self.seen_generation == self.generation
    }
}

impl Spec {
    fn read(spec: &Value) -> Spec {
        let string = |field: &str| text(spec, &[field]).map(Box::from);
        let reference = |kind: &str, what: &str| text(spec, &["kubeConfig", kind, what]);
        let secret = reference("secretRef", "name").map(|name| Remote::Secret {
            name: name.into(),
            key: reference("secretRef", "key").unwrap_or_default().into(),
        });
        let config_map = || {
            let name = reference("configMapRef", "name")?.into();
            Some(Remote::ConfigMap { name })
        };
        let has = |field: &str| spec.get(field).is_some_and(|value| !value.is_null());
        Spec {
            suspended: flag(spec, &["suspend"]),
            release_name: string("releaseName"),
            target_namespace: string("targetNamespace"),
            storage_namespace: string("storageNamespace"),
            remote: secret.or_else(config_map),
            account: string("serviceAccountName"),
            orphans: text(spec, &["uninstall", "deletionPropagation"]) == Some("orphan"),
            without_hooks: flag(spec, &["uninstall", "disableHooks"]),
            one_chart: has("chart") != has("chartRef"),
        }
    }
}

impl Writer {
    fn read(entry: &Value) -> Option<Writer> {
        if text(entry, &["subresource"]).is_some() {
            return None;
        }
        let fields = entry.get("fieldsV1")?;
        let suspend = fields
            .get("f:spec")
            .and_then(|spec| spec.get("f:suspend"))
            .is_some();
        let finalizers = fields
            .get("f:metadata")
            .and_then(|metadata| metadata.get("f:finalizers"));
        let item = format!("v:\"{FENCE}\"");
        let fence = finalizers.and_then(|list| list.get(&item)).is_some();
        (suspend || fence).then(|| Writer {
            manager: text(entry, &["manager"]).unwrap_or_default().into(),
            applies: text(entry, &["operation"]) == Some("Apply"),
            time: text(entry, &["time"]).and_then(Moment::parse),
            suspend,
            fence,
        })
    }
}

impl History {
    fn read(entry: &Value) -> History {
        let string = |field: &str| text(entry, &[field]).unwrap_or_default().into();
        History {
            name: string("name"),
            namespace: string("namespace"),
            version: entry
                .get("version")
                .and_then(Value::as_i64)
                .unwrap_or_default(),
            status: string("status"),
        }
    }
}

/// `Deployment tenant-a/app` of the inventory's `tenant-a_app_apps_Deployment`.
fn inventory_name(id: &str) -> String {
    let parts: Vec<&str> = id.split('_').collect();
    match parts[..] {
        ["", name, _, kind] => format!("{kind} {name}"),
        [namespace, name, _, kind] => format!("{kind} {namespace}/{name}"),
        _ => id.to_owned(),
    }
}

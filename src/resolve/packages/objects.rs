//! The objects that the operator makes, and their form as data in the order of Go's encoder.
//!
//! No `status`, and `ownerReferences` only where a snapshot knows the owner's uid.
//! Source: `spec/package-rendering.md`, sections 3 to 5 and 11.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::settings::OperatorSettings;
use crate::finding::ObjectId;
use crate::model::overrides::{Override, OverrideTable};
use crate::model::release::{LOCAL, ReleaseKey, shorten};
use crate::model::source_package::HealthCheck;
use crate::source::Span;

/// A Namespace. Other writers' labels may be added before it is written.
#[derive(Clone, Debug)]
pub(crate) struct Namespace {
    /// Its name.
    pub(crate) name: String,
    /// Its labels.
    pub(crate) labels: BTreeMap<String, String>,
    /// Its annotations.
    pub(crate) annotations: BTreeMap<String, String>,
}

/// An ArtifactGenerator in `cozy-system`.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    /// The name of its PackageSource.
    pub(crate) name: String,
    /// The Flux source: kind, name, namespace.
    pub(crate) source: (String, String, String),
    /// What it makes, in order.
    pub(crate) artifacts: Vec<Artifact>,
    /// The uid of its PackageSource, where it is known.
    pub(crate) owner_uid: Option<String>,
}

/// One artifact of a generator.
#[derive(Clone, Debug)]
pub(crate) struct Artifact {
    /// The name of its ExternalArtifact.
    pub(crate) name: String,
    /// The variant and component that it is made for.
    pub(crate) owner: (String, String),
    /// Where the component's name stands.
    pub(crate) span: Span,
    /// How its archive is put together.
    pub(crate) copies: Vec<Copy>,
}

/// One copy operation.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    /// From where.
    pub(crate) from: String,
    /// To where.
    pub(crate) to: String,
    /// `Overwrite` or `Merge`, where one is set.
    pub(crate) strategy: Option<&'static str>,
}

/// What every release of a run has in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    settings: OperatorSettings,
    post_renderers: Option<Value>,
}

impl Shared {
    /// From the flags and the platform table; an empty one leaves no trace.
    pub(crate) fn new(settings: &OperatorSettings, table: Option<&OverrideTable>) -> Shared {
        Shared {
            settings: settings.clone(),
            post_renderers: table.and_then(post_renderers_of),
        }
    }
}

/// The entries of a table as kustomize's image list.
pub(crate) fn images_of(table: &OverrideTable) -> Value {
    let entry = |entry: &Override| {
        let fields = [
            ("name", entry.name()),
            ("newName", entry.new_name()),
            ("newTag", entry.new_tag()),
            ("digest", entry.digest()),
        ];
        let set = fields.into_iter().filter(|(_, text)| !text.is_empty());
        set.map(|(name, text)| (name.to_owned(), Value::from(text)))
            .collect()
    };
    table.entries.iter().map(entry).map(Value::Object).collect()
}

/// A table as `spec.postRenderers`; `None` for an empty one, which leaves no trace.
pub(crate) fn post_renderers_of(table: &OverrideTable) -> Option<Value> {
    let images = images_of(table);
    (!table.entries.is_empty()).then(|| json!([{"kustomize": {"images": images}}]))
}

/// A HelmRelease made from a component of a Package.
#[derive(Clone, Debug)]
pub(crate) struct Release {
    /// `metadata.namespace`.
    pub(crate) namespace: String,
    /// `metadata.name`.
    pub(crate) name: String,
    /// The Package, which is also the PackageSource.
    pub(crate) package: String,
    /// The component.
    pub(crate) component: String,
    /// Where the component's name stands in the PackageSource.
    pub(crate) span: Span,
    /// Where the Package's name stands.
    pub(crate) package_span: Span,
    /// Whether a release before it has the same namespace and name: it is not written again.
    pub(crate) repeated: bool,
    /// The label of privileged components.
    pub(crate) privileged: bool,
    /// The values files of the chart.
    pub(crate) values_files: Vec<String>,
    /// The ExternalArtifact in `cozy-system`.
    pub(crate) artifact: String,
    /// The releases to wait for, as namespace and name; repeats are kept.
    pub(crate) depends_on: Vec<(String, String)>,
    /// `spec.upgrade.crds`.
    pub(crate) upgrade_crds: Option<String>,
    /// Whether the values Secret is read.
    pub(crate) values_from: bool,
    /// The Package's values.
    pub(crate) values: Option<Value>,
    /// `spec.waitStrategy.name`.
    pub(crate) wait_strategy: Option<String>,
    /// `spec.healthCheckExprs`.
    pub(crate) health_checks: Vec<HealthCheck>,
    /// The uid of its Package, where it is known.
    pub(crate) owner_uid: Option<String>,
    /// The flags and the table.
    pub(crate) shared: Arc<Shared>,
}

/// The namespace of generators and artifacts.
pub(crate) const SYSTEM_NAMESPACE: &str = "cozy-system";

/// The identity of a HelmRelease.
pub(crate) fn release_id(namespace: &str, name: &str) -> ObjectId {
    id("helm.toolkit.fluxcd.io/v2", "HelmRelease", namespace, name)
}

/// The identity of an ArtifactGenerator.
pub(crate) fn generator_id(name: &str) -> ObjectId {
    id(
        "source.extensions.fluxcd.io/v1beta1",
        "ArtifactGenerator",
        SYSTEM_NAMESPACE,
        name,
    )
}

/// The identity of an ExternalArtifact.
pub(crate) fn artifact_id(name: &str) -> ObjectId {
    id(
        "source.toolkit.fluxcd.io/v1",
        "ExternalArtifact",
        SYSTEM_NAMESPACE,
        name,
    )
}

fn id(api_version: &str, kind: &str, namespace: &str, name: &str) -> ObjectId {
    ObjectId {
        api_version: api_version.into(),
        kind: kind.into(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    }
}

fn head(id: &ObjectId, labels: Map<String, Value>, annotations: Map<String, Value>) -> Value {
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), json!(id.name));
    if !id.namespace.is_empty() {
        metadata.insert("namespace".to_owned(), json!(id.namespace));
    }
    if !labels.is_empty() {
        metadata.insert("labels".to_owned(), Value::Object(labels));
    }
    if !annotations.is_empty() {
        metadata.insert("annotations".to_owned(), Value::Object(annotations));
    }
    json!({"kind": id.kind, "apiVersion": id.api_version, "metadata": metadata})
}

/// Gives an object its one owner reference; without a uid the API server would refuse it.
fn own(object: &mut Value, kind: &str, name: &str, uid: Option<&str>) {
    if let Some(uid) = uid {
        object["metadata"]["ownerReferences"] = json!([{
            "apiVersion": "cozystack.io/v1alpha1", "kind": kind, "name": name, "uid": uid,
            "controller": true,
        }]);
    }
}

fn texts(map: &BTreeMap<String, String>) -> Map<String, Value> {
    map.iter()
        .map(|(key, text)| (key.clone(), json!(text)))
        .collect()
}

impl Namespace {
    /// Its identity.
    pub(crate) fn id(&self) -> ObjectId {
        id("v1", "Namespace", "", &self.name)
    }

    /// The object as data.
    pub(crate) fn value(&self) -> Value {
        head(&self.id(), texts(&self.labels), texts(&self.annotations))
    }
}

impl Generator {
    /// Its identity.
    pub(crate) fn id(&self) -> ObjectId {
        generator_id(&self.name)
    }

    /// The object as data.
    pub(crate) fn value(&self) -> Value {
        let label = ("cozystack.io/packagesource".to_owned(), json!(self.name));
        let (kind, name, namespace) = &self.source;
        let artifacts: Vec<Value> = self
            .artifacts
            .iter()
            .map(|artifact| {
                let copies: Vec<Value> = artifact.copies.iter().map(Copy::value).collect();
                json!({"name": artifact.name, "copy": copies})
            })
            .collect();
        let sources = [json!({"alias": name, "name": name, "namespace": namespace, "kind": kind})];
        let mut object = head(&self.id(), Map::from_iter([label]), Map::new());
        own(
            &mut object,
            "PackageSource",
            &self.name,
            self.owner_uid.as_deref(),
        );
        object["spec"] = json!({"sources": sources, "artifacts": artifacts});
        object
    }
}

impl Copy {
    fn value(&self) -> Value {
        let mut value = json!({"from": self.from, "to": self.to});
        if let Some(strategy) = self.strategy {
            value["strategy"] = json!(strategy);
        }
        value
    }
}

impl Release {
    /// Its identity.
    pub(crate) fn id(&self) -> ObjectId {
        release_id(&self.namespace, &self.name)
    }

    /// The Helm release that it works on, in the operator's own cluster.
    pub(crate) fn key(&self) -> ReleaseKey {
        ReleaseKey {
            cluster: LOCAL.to_owned(),
            storage_namespace: self.namespace.clone(),
            name: shorten(&self.name),
        }
    }

    /// The object as data.
    pub(crate) fn value(&self) -> Value {
        let mut labels = Map::new();
        labels.insert("cozystack.io/package".to_owned(), json!(self.package));
        if self.privileged {
            labels.insert("cozystack.io/privileged".to_owned(), json!("true"));
        }
        let mut annotations = Map::new();
        if !self.values_files.is_empty() {
            let files = json!(self.values_files.join(","));
            annotations.insert("cozyhr.cozystack.io/values-files".to_owned(), files);
        }
        let mut object = head(&self.id(), labels, annotations);
        own(
            &mut object,
            "Package",
            &self.package,
            self.owner_uid.as_deref(),
        );
        object["spec"] = self.spec();
        object
    }

    fn spec(&self) -> Value {
        let settings = &self.shared.settings;
        let strategy =
            json!({"name": "RetryOnFailure", "retryInterval": settings.retry_interval.to_string()});
        let chart = json!({
            "kind": "ExternalArtifact", "name": self.artifact, "namespace": SYSTEM_NAMESPACE,
        });
        let mut spec = json!({"chartRef": chart, "interval": settings.interval.to_string()});
        if !self.depends_on.is_empty() {
            let edges = self.depends_on.iter();
            let edges =
                edges.map(|(namespace, name)| json!({"name": name, "namespace": namespace}));
            spec["dependsOn"] = edges.collect();
        }
        spec["maxHistory"] = json!(settings.max_history);
        let timeout = settings.install_timeout.to_string();
        spec["install"] = json!({"timeout": timeout, "strategy": strategy});
        let timeout = settings.upgrade_timeout.to_string();
        spec["upgrade"] = json!({"timeout": timeout, "strategy": strategy});
        if let Some(policy) = &self.upgrade_crds {
            spec["upgrade"]["crds"] = json!(policy);
        }
        if self.values_from {
            spec["valuesFrom"] = json!([{"kind": "Secret", "name": "cozystack-values"}]);
        }
        if let Some(values) = &self.values {
            spec["values"] = values.clone();
        }
        if let Some(renderers) = &self.shared.post_renderers {
            spec["postRenderers"] = renderers.clone();
        }
        if let Some(name) = &self.wait_strategy {
            spec["waitStrategy"] = json!({"name": name});
        }
        if !self.health_checks.is_empty() {
            spec["healthCheckExprs"] = self.health_checks.iter().map(health_check).collect();
        }
        spec
    }
}

fn health_check(check: &HealthCheck) -> Value {
    let mut value = json!({
        "apiVersion": check.api_version, "kind": check.kind, "current": check.current,
    });
    for (key, text) in [
        ("inProgress", &check.in_progress),
        ("failed", &check.failed),
    ] {
        if let Some(text) = text {
            value[key] = json!(text);
        }
    }
    value
}

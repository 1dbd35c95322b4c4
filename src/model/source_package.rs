//! PackageSources: what can be installed, in which variants, as written.
//!
//! Source: the CRD of the snapshot of 2026-08-21 (`spec/package-rendering.md`, section 1).

use serde_json::Value;

use super::Spanned;
use super::package_fields::{Fields, Schema};
use crate::finding::ObjectId;
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// The annotation that leaves the values Secret out, with exactly the value `true`.
const SKIP_VALUES: &str = "operator.cozystack.io/skip-cozystack-values";

/// A PackageSource that the API server takes.
#[derive(Clone, Debug)]
pub(crate) struct PackageSource {
    /// The object.
    pub(crate) id: ObjectId,
    /// Where its name stands.
    pub(crate) span: Span,
    /// Whether its releases go without the values Secret.
    pub(crate) skip_values: bool,
    /// Where its charts come from.
    pub(crate) source_ref: Option<SourceRef>,
    /// What it offers, in order; names may repeat.
    pub(crate) variants: Vec<Variant>,
    /// `spec` as data, to tell a repeated declaration from a contradicting one.
    pub(crate) content: Value,
}

/// The Flux source of a PackageSource.
#[derive(Clone, Debug)]
pub(crate) struct SourceRef {
    /// `GitRepository` or `OCIRepository`.
    pub(crate) kind: Spanned<String>,
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// Its namespace.
    pub(crate) namespace: Spanned<String>,
    /// The directory that component paths begin at.
    pub(crate) path: Option<Spanned<String>>,
}

/// One way to install a source.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Its name.
    pub(crate) name: Spanned<String>,
    /// The Packages that must be ready before.
    pub(crate) depends_on: Vec<Spanned<String>>,
    /// What its components may lay into their charts.
    pub(crate) libraries: Vec<Library>,
    /// Its parts.
    pub(crate) components: Vec<Component>,
}

/// A chart that is laid under `charts/` of components.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// Its name; without one it is known by the last segment of its path.
    pub(crate) name: Option<Spanned<String>>,
    /// Its directory.
    pub(crate) path: Spanned<String>,
}

impl Library {
    /// The name that components use.
    pub(crate) fn known_by(&self) -> &str {
        match &self.name {
            Some(name) if !name.value.is_empty() => &name.value,
            _ => last_segment(&self.path.value),
        }
    }
}

/// What stands behind the last slash of a path.
pub(crate) fn last_segment(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

/// One part of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// Its name, by which Packages set it.
    pub(crate) name: Spanned<String>,
    /// The directory of its chart.
    pub(crate) path: Spanned<String>,
    /// The libraries it asks for.
    pub(crate) libraries: Vec<Spanned<String>>,
    /// The values files of its chart, the first in place of `values.yaml`.
    pub(crate) values_files: Vec<Spanned<String>>,
    /// How it is installed; a component without this makes an artifact alone.
    pub(crate) install: Option<Install>,
}

/// How a component becomes a HelmRelease.
#[derive(Clone, Debug, Default)]
pub(crate) struct Install {
    /// Where it stands.
    pub(crate) span: Span,
    /// The namespace; there is no default.
    pub(crate) namespace: Option<Spanned<String>>,
    /// The release's name; without one it is the component's.
    pub(crate) release_name: Option<Spanned<String>>,
    /// Whether the namespace must admit privileged pods.
    pub(crate) privileged: Option<Spanned<bool>>,
    /// Components of the same variant that come before.
    pub(crate) depends_on: Vec<Spanned<String>>,
    /// What an upgrade does with the chart's CRDs.
    pub(crate) upgrade_crds: Option<Spanned<String>>,
    /// How helm-controller waits.
    pub(crate) wait_strategy: Option<Spanned<String>>,
    /// Expressions for the health of custom resources.
    pub(crate) health_checks: Vec<HealthCheck>,
}

/// Expressions that tell the state of a custom resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HealthCheck {
    /// Of which API.
    pub(crate) api_version: String,
    /// Of which kind.
    pub(crate) kind: String,
    /// When it is healthy.
    pub(crate) current: String,
    /// When it is on its way.
    pub(crate) in_progress: Option<String>,
    /// When it has failed.
    pub(crate) failed: Option<String>,
}

impl Component {
    /// The name of its HelmRelease.
    pub(crate) fn release_name(&self) -> &Spanned<String> {
        let explicit = self
            .install
            .as_ref()
            .and_then(|install| install.release_name.as_ref());
        explicit
            .filter(|name| !name.value.is_empty())
            .unwrap_or(&self.name)
    }

    /// The namespace of its HelmRelease; empty where none is written.
    pub(crate) fn namespace(&self) -> &str {
        let install = self.install.as_ref();
        install
            .and_then(|install| install.namespace.as_ref())
            .map_or("", |text| &text.value)
    }

    /// Whether it asks for a privileged namespace.
    pub(crate) fn privileged(&self) -> bool {
        let install = self.install.as_ref();
        install
            .and_then(|install| install.privileged.as_ref())
            .is_some_and(|flag| flag.value)
    }

    /// Where to point for what is wrong with its installation.
    pub(crate) fn install_span(&self) -> Span {
        self.install.as_ref().map_or(self.name.span, |install| {
            install
                .namespace
                .as_ref()
                .map_or(install.span, |namespace| namespace.span)
        })
    }
}

impl PackageSource {
    /// Reads a document that is known to be a PackageSource; `None` where the API server refuses
    /// it, with the reasons in `schema`.
    pub(crate) fn read(node: Node<'_>, schema: &mut Schema) -> Option<PackageSource> {
        let top = ["apiVersion", "kind", "metadata", "spec", "status"];
        let root = schema.open(node, String::new(), &top)?;
        let (id, span) = (schema.object.clone(), super::package::name_span(node));
        let skip = node.at(&["metadata", "annotations", SKIP_VALUES]);
        let skip_values = skip.and_then(Node::text) == Some("true");
        let spec = schema.mapping(&root, "spec", &["sourceRef", "variants"]);
        let content = root
            .get("spec")
            .and_then(|spec| to_json(spec.value, Reader::Kubernetes).ok());
        let mut source = PackageSource {
            id,
            span,
            skip_values,
            source_ref: None,
            variants: Vec::new(),
            content: content.unwrap_or_default(),
        };
        if let Some(spec) = spec {
            source.source_ref = read_source_ref(&spec, schema);
            let known = ["name", "dependsOn", "libraries", "components"];
            for fields in schema.mappings(&spec, "variants", &known) {
                source.variants.push(read_variant(&fields, schema));
            }
        }
        (!schema.refused).then_some(source)
    }

    /// The first variant of that name.
    pub(crate) fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants
            .iter()
            .find(|variant| variant.name.value == name)
    }
}

fn read_source_ref(spec: &Fields<'_>, schema: &mut Schema) -> Option<SourceRef> {
    let known = ["kind", "name", "namespace", "path"];
    let fields = schema.mapping(spec, "sourceRef", &known)?;
    let kind = schema.required(&fields, "kind");
    if fields.get("kind").is_some() && !kind.value.is_empty() {
        schema.choice(&fields, "kind", &["GitRepository", "OCIRepository"]);
    }
    Some(SourceRef {
        kind,
        name: schema.required(&fields, "name"),
        namespace: schema.required(&fields, "namespace"),
        path: schema.text(&fields, "path"),
    })
}

fn read_variant(fields: &Fields<'_>, schema: &mut Schema) -> Variant {
    let name = schema.required(fields, "name");
    let depends_on = schema.texts(fields, "dependsOn");
    let mut libraries = Vec::new();
    for library in schema.mappings(fields, "libraries", &["name", "path"]) {
        libraries.push(Library {
            name: schema.text(&library, "name"),
            path: schema.required(&library, "path"),
        });
    }
    let mut components = Vec::new();
    let known = ["name", "path", "libraries", "valuesFiles", "install"];
    for component in schema.mappings(fields, "components", &known) {
        components.push(Component {
            name: schema.required(&component, "name"),
            path: schema.required(&component, "path"),
            libraries: schema.texts(&component, "libraries"),
            values_files: schema.texts(&component, "valuesFiles"),
            install: read_install(&component, schema),
        });
    }
    Variant {
        name,
        depends_on,
        libraries,
        components,
    }
}

fn read_install(component: &Fields<'_>, schema: &mut Schema) -> Option<Install> {
    let known = [
        "namespace",
        "releaseName",
        "privileged",
        "dependsOn",
        "upgradeCRDs",
        "waitStrategy",
        "healthCheckExprs",
    ];
    let fields = schema.mapping(component, "install", &known)?;
    let mut health_checks = Vec::new();
    let known = ["apiVersion", "kind", "current", "inProgress", "failed"];
    for check in schema.mappings(&fields, "healthCheckExprs", &known) {
        let mut optional = |key| {
            let text = schema.text(&check, key).map(|text| text.value);
            text.filter(|text| !text.is_empty())
        };
        let (in_progress, failed) = (optional("inProgress"), optional("failed"));
        health_checks.push(HealthCheck {
            api_version: schema.required(&check, "apiVersion").value,
            kind: schema.required(&check, "kind").value,
            current: schema.required(&check, "current").value,
            in_progress,
            failed,
        });
    }
    Some(Install {
        span: fields.span,
        namespace: schema.text(&fields, "namespace"),
        release_name: schema.text(&fields, "releaseName"),
        privileged: schema.flag(&fields, "privileged"),
        depends_on: schema.texts(&fields, "dependsOn"),
        upgrade_crds: schema.choice(&fields, "upgradeCRDs", &["Skip", "Create", "CreateReplace"]),
        wait_strategy: schema.choice(&fields, "waitStrategy", &["poller", "legacy"]),
        health_checks,
    })
}

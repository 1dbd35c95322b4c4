//! HelmReleases as they are written: the fields that say which Helm release they work on.
//!
//! Source: the getters of helm-controller's API v2 (v1.5.0); `spec/release-names.md`, section 1.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{LOCAL, LONGEST, ReleaseKey, full_name, shorten};
use crate::finding::ObjectId;
use crate::model::Spanned;
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// The label that names the Package of a HelmRelease.
const PACKAGE: &str = "cozystack.io/package";

/// `spec.chart.spec`: a chart by its name, which makes a HelmChart object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChartReference {
    /// The chart's name, or its path in a source that is no HelmRepository.
    pub(crate) chart: Spanned<String>,
    /// The source's kind.
    pub(crate) kind: String,
    /// The source's namespace, where it is written.
    pub(crate) namespace: Option<String>,
    /// The source's name.
    pub(crate) name: String,
}

impl ChartReference {
    /// The chart's name, where the reference gives it: a path or an artifact names it inside.
    pub(crate) fn chart_name(&self) -> Option<&str> {
        (self.kind == "HelmRepository").then_some(self.chart.value.as_str())
    }
}

/// A HelmRelease among the inputs.
#[derive(Clone, Debug)]
pub(crate) struct HelmRelease {
    /// The object; its namespace is empty where none is written.
    pub(crate) id: ObjectId,
    /// Where `metadata.name` stands, or the document's first value.
    pub(crate) span: Span,
    /// `spec.releaseName`.
    pub(crate) release_name: Option<Spanned<String>>,
    /// `spec.targetNamespace`.
    pub(crate) target_namespace: Option<Spanned<String>>,
    /// `spec.storageNamespace`.
    pub(crate) storage_namespace: Option<Spanned<String>>,
    /// The cluster that `spec.kubeConfig` leads to, as one text; [`LOCAL`] without one.
    pub(crate) cluster: String,
    /// Where `spec.kubeConfig` stands.
    pub(crate) cluster_span: Option<Span>,
    /// `spec.suspend`.
    pub(crate) suspended: bool,
    /// `spec.dependsOn` as namespace and name.
    pub(crate) depends_on: Vec<(String, String)>,
    /// `spec.chart.spec`.
    pub(crate) chart: Option<ChartReference>,
    /// Which chart of which source it installs, as one text; empty where it says none.
    pub(crate) installs: String,
    /// Where `spec.test.enable` stands, where it is true.
    pub(crate) tested: Option<Span>,
    /// `spec.install.createNamespace`.
    pub(crate) creates_namespace: bool,
    /// Whether an upgrade to a chart of another name stays in place (helm-controller 1.6).
    pub(crate) in_place: bool,
    /// The label `cozystack.io/package`.
    pub(crate) package: Option<Spanned<String>>,
    /// The labels.
    pub(crate) labels: BTreeMap<String, String>,
    /// The annotations.
    pub(crate) annotations: BTreeMap<String, String>,
}

impl HelmRelease {
    /// A HelmRelease of which only the names are known, with its place: one that is made from a
    /// Package sets none of the fields that change its key.
    pub(crate) fn plain(id: ObjectId, span: Span) -> HelmRelease {
        HelmRelease {
            id,
            span,
            release_name: None,
            target_namespace: None,
            storage_namespace: None,
            cluster: LOCAL.to_owned(),
            cluster_span: None,
            suspended: false,
            depends_on: Vec::new(),
            chart: None,
            installs: String::new(),
            tested: None,
            creates_namespace: false,
            in_place: false,
            package: None,
            labels: BTreeMap::new(),
            annotations: BTreeMap::new(),
        }
    }

    /// Reads a document that is known to be a HelmRelease. Nothing is checked: what is not a string
    /// counts as absent.
    pub(crate) fn read(node: Node<'_>) -> HelmRelease {
        let namespace = field(node, &["metadata", "namespace"]).map(|text| text.value);
        HelmRelease::read_in(node, namespace.unwrap_or_default())
    }

    /// The same of one that is put into a namespace, whatever it says itself.
    pub(crate) fn read_in(node: Node<'_>, namespace: String) -> HelmRelease {
        let name = field(node, &["metadata", "name"]);
        let span = name.as_ref().map_or(node.span(), |name| name.span);
        let depends_on = node
            .at(&["spec", "dependsOn"])
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|item| {
                let item = item.resolved();
                let of = field(item, &["namespace"]);
                let of = of.map_or_else(|| namespace.clone(), |text| text.value);
                Some((of, field(item, &["name"])?.value))
            })
            .collect();
        let strategy = field(node, &["spec", "upgrade", "chartNameChangeStrategy"]);
        HelmRelease {
            release_name: field(node, &["spec", "releaseName"]),
            target_namespace: field(node, &["spec", "targetNamespace"]),
            storage_namespace: field(node, &["spec", "storageNamespace"]),
            cluster: cluster(node, &namespace),
            cluster_span: node.at(&["spec", "kubeConfig"]).map(Node::span),
            suspended: flag(node, &["spec", "suspend"]).is_some(),
            depends_on,
            chart: chart(node),
            installs: installs(node, &namespace),
            tested: flag(node, &["spec", "test", "enable"]),
            creates_namespace: flag(node, &["spec", "install", "createNamespace"]).is_some(),
            in_place: strategy.is_some_and(|strategy| strategy.value == "InPlaceUpdate"),
            package: field(node, &["metadata", "labels", PACKAGE]),
            labels: texts(node, "labels"),
            annotations: texts(node, "annotations"),
            ..HelmRelease::plain(
                ObjectId {
                    api_version: node.text_at(&["apiVersion"]).unwrap_or_default().into(),
                    kind: SmolStr::new_static("HelmRelease"),
                    namespace,
                    name: name.map(|name| name.value).unwrap_or_default(),
                },
                span,
            )
        }
    }

    /// The name of its Helm release before it is shortened. A target namespace is a prefix also
    /// where it is the object's own.
    pub(crate) fn full_name(&self) -> String {
        fn text(field: Option<&Spanned<String>>) -> Option<&str> {
            field.map(|field| field.value.as_str())
        }
        full_name(
            text(self.release_name.as_ref()),
            text(self.target_namespace.as_ref()),
            &self.id.name,
        )
    }

    /// Where what makes the full name stands.
    pub(crate) fn name_span(&self) -> Span {
        self.release_name
            .as_ref()
            .map_or(self.span, |name| name.span)
    }

    /// Where objects without a namespace go: the target namespace, else its own.
    pub(crate) fn release_namespace(&self) -> &str {
        self.target_namespace
            .as_ref()
            .map_or(&self.id.namespace, |target| &target.value)
    }

    /// The Helm release that it works on.
    pub(crate) fn key(&self) -> ReleaseKey {
        ReleaseKey {
            cluster: self.cluster.clone(),
            storage_namespace: self
                .storage_namespace
                .as_ref()
                .map_or_else(|| self.id.namespace.clone(), |it| it.value.clone()),
            name: shorten(&self.full_name()),
        }
    }

    /// The key, where manifests decide it: `None` without a name or a namespace, with a variable
    /// left to be substituted, or with a release name that the API server refuses.
    pub(crate) fn decided_key(&self) -> Option<ReleaseKey> {
        let whole = !self.id.namespace.is_empty()
            && !self.id.name.is_empty()
            && self.variable().is_none()
            && !self.name_is_too_long();
        whole.then(|| self.key())
    }

    /// Whether `spec.releaseName` has more characters than the CRD takes.
    pub(crate) fn name_is_too_long(&self) -> bool {
        let name = self.release_name.as_ref();
        name.is_some_and(|name| name.value.chars().count() > LONGEST)
    }

    /// The first field of the key that holds a `${…}` which something has yet to substitute: its
    /// path and its text.
    pub(crate) fn variable(&self) -> Option<(&'static str, Spanned<String>)> {
        let own = |value: &str| {
            Some(Spanned {
                value: value.to_owned(),
                span: self.span,
            })
        };
        [
            ("metadata.name", own(&self.id.name)),
            ("metadata.namespace", own(&self.id.namespace)),
            ("spec.releaseName", self.release_name.clone()),
            ("spec.targetNamespace", self.target_namespace.clone()),
            ("spec.storageNamespace", self.storage_namespace.clone()),
        ]
        .into_iter()
        .find_map(|(path, text)| Some((path, text.filter(|text| text.value.contains("${"))?)))
    }

    /// The release whose chart renders it, by the labels that helm-controller puts on what it
    /// applies.
    pub(crate) fn parent(&self) -> Option<(&str, &str)> {
        let label = |name: &str| {
            let label = self.labels.get(&format!("helm.toolkit.fluxcd.io/{name}"));
            label.map(String::as_str)
        };
        Some((label("namespace")?, label("name")?))
    }
}

/// A string under a route; an empty one counts as absent, as Go's omitted fields do.
fn field(node: Node<'_>, route: &[&str]) -> Option<Spanned<String>> {
    let node = node.at(route)?;
    match resolve(node, Reader::Kubernetes)? {
        Scalar::String("") => None,
        Scalar::String(text) | Scalar::Timestamp(text) => Some(Spanned {
            value: text.to_owned(),
            span: node.span(),
        }),
        _ => None,
    }
}

/// Where a boolean stands that is true.
fn flag(node: Node<'_>, route: &[&str]) -> Option<Span> {
    let node = node.at(route)?;
    (resolve(node, Reader::Kubernetes)? == Scalar::Bool(true)).then(|| node.span())
}

/// The entries of a mapping of the metadata that are strings.
fn texts(node: Node<'_>, which: &str) -> BTreeMap<String, String> {
    let map = node.at(&["metadata", which]);
    map.into_iter()
        .flat_map(Node::entries)
        .filter_map(|(key, value)| {
            let (Scalar::String(value) | Scalar::Timestamp(value)) =
                resolve(value.resolved(), Reader::Kubernetes)?
            else {
                return None;
            };
            Some((key.resolved().text()?.to_owned(), value.to_owned()))
        })
        .collect()
}

fn chart(node: Node<'_>) -> Option<ChartReference> {
    let at = |route: &[&str]| {
        let mut whole = vec!["spec", "chart", "spec"];
        whole.extend(route);
        field(node, &whole)
    };
    let source = |what: &str| at(&["sourceRef", what]).map(|text| text.value);
    Some(ChartReference {
        chart: at(&["chart"])?,
        kind: source("kind").unwrap_or_default(),
        namespace: source("namespace"),
        name: source("name").unwrap_or_default(),
    })
}

fn installs(node: Node<'_>, own: &str) -> String {
    let text = |route: &[&str]| field(node, route).map(|text| text.value);
    let source = |route: &[&str]| {
        let at = |last: &str| text(&[route, &[last]].concat());
        let namespace = at("namespace").unwrap_or_else(|| own.to_owned());
        Some(format!("{} {namespace}/{}", at("kind")?, at("name")?))
    };
    let chart = text(&["spec", "chart", "spec", "chart"]);
    let named = source(&["spec", "chart", "spec", "sourceRef"]).zip(chart);
    let named = named.map(|(source, chart)| format!("{chart} of {source}"));
    named
        .or_else(|| source(&["spec", "chartRef"]))
        .unwrap_or_default()
}

/// The kubeconfig reference as one text. Without a key, `value` and then `value.yaml` is read, so
/// an absent key is none of its own.
fn cluster(node: Node<'_>, namespace: &str) -> String {
    let name = |kind: &str, what: &str| {
        field(node, &["spec", "kubeConfig", kind, what]).map(|text| text.value)
    };
    if let Some(secret) = name("secretRef", "name") {
        let key = name("secretRef", "key").unwrap_or_default();
        return format!("secret:{namespace}/{secret}#{key}");
    }
    name("configMapRef", "name").map_or_else(
        || LOCAL.to_owned(),
        |map| format!("configmap:{namespace}/{map}"),
    )
}

//! What a cluster holds, out of a snapshot: HelmReleases with their owners, the Helm releases in
//! storage. The uids of Packages are read in `resolve::owners`.
//!
//! A snapshot is what `kubectl get … -o yaml` or `-o json` prints, or what `helm list -A -o json`
//! does. Nothing here keeps a place or a payload: a snapshot may hold Secrets.

use std::collections::BTreeMap;

use super::field;
use super::release::{HelmRelease, ReleaseKey};
use crate::yaml::Node;

/// Who made a HelmRelease that a cluster holds, by the marks on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A Package, by its name: the operator's label, or the owner reference.
    Package(String),
    /// An Application, by kind and name: the labels of cozystack-api.
    Application(String, String),
    /// The chart of a release, by namespace and name: the labels of helm-controller.
    Chart(String, String),
    /// A Flux Kustomization, by namespace and name: the labels of kustomize-controller.
    Kustomization(String, String),
    /// A field manager.
    Manager(String),
    /// Nothing tells.
    Unknown,
}

impl Owner {
    /// The owner as a sentence names it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Owner::Package(name) => format!("`Package/{name}`"),
            Owner::Application(kind, name) => format!("application `{kind}/{name}`"),
            Owner::Chart(namespace, name) => format!("the chart of release `{namespace}/{name}`"),
            Owner::Kustomization(namespace, name) => {
                format!("Kustomization `{namespace}/{name}`")
            }
            Owner::Manager(name) if name.starts_with("kubectl") => {
                format!("whoever applied it by hand (`{name}`)")
            }
            Owner::Manager(name) => format!("`{name}`"),
            Owner::Unknown => "somebody who left no mark".to_owned(),
        }
    }
}

/// A HelmRelease that a cluster holds.
#[derive(Clone, Debug)]
pub(crate) struct HeldObject {
    /// The HelmRelease; its places mean nothing.
    pub(crate) release: HelmRelease,
    /// Who made it.
    pub(crate) owner: Owner,
    /// Whether it is ready as it stands: `Ready` at its present generation.
    pub(crate) ready: bool,
}

/// What a cluster holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    /// The HelmReleases by namespace and name.
    pub(crate) objects: BTreeMap<(String, String), HeldObject>,
    /// The Helm releases by storage namespace and name, each with its chart, name and
    /// version joined by a dash; empty where that is not told.
    pub(crate) releases: BTreeMap<(String, String), String>,
}

impl Cluster {
    /// Takes in an object, or the rows of `helm list`; a List is to be unrolled before.
    pub(crate) fn add(&mut self, node: Node<'_>) {
        for row in node.items().map(Node::resolved) {
            self.add_row(row);
        }
        let api = node.text_at(&["apiVersion"]).unwrap_or_default();
        let group = api.split_once('/').map_or("", |(group, _)| group);
        match (group, node.text_at(&["kind"]).unwrap_or_default()) {
            ("helm.toolkit.fluxcd.io", "HelmRelease") => {
                let release = HelmRelease::read(node);
                let place = (release.id.namespace.clone(), release.id.name.clone());
                let owner = owner(node, &release);
                let ready = is_ready(node);
                let held = HeldObject {
                    release,
                    owner,
                    ready,
                };
                self.objects.insert(place, held);
            }
            ("", "Secret" | "ConfigMap") => self.add_record(node),
            _ => {}
        }
    }

    /// A row of `helm list`.
    fn add_row(&mut self, row: Node<'_>) {
        let text = |key| row.text_at(&[key]);
        let gone = text("status") == Some("uninstalled");
        if let (Some(namespace), Some(name), false) = (text("namespace"), text("name"), gone) {
            let chart = text("chart").unwrap_or_default().to_owned();
            self.releases
                .insert((namespace.to_owned(), name.to_owned()), chart);
        }
    }

    /// One of Helm's own records: the labels say which release it belongs to.
    fn add_record(&mut self, node: Node<'_>) {
        let label = |name| node.text_at(&["metadata", "labels", name]);
        let namespace = node.text_at(&["metadata", "namespace"]);
        if label("owner") == Some("helm")
            && let (Some(namespace), Some(name)) = (namespace, label("name"))
        {
            let place = (namespace.to_owned(), name.to_owned());
            self.releases.entry(place).or_default();
        }
    }

    /// The HelmReleases by the Helm release they work on.
    pub(crate) fn by_key(&self) -> BTreeMap<ReleaseKey, &HeldObject> {
        let objects = self.objects.values();
        objects
            .filter_map(|held| Some((held.release.decided_key()?, held)))
            .collect()
    }
}

/// Whether an object reports `Ready` for its present generation, as a waiting kustomize-controller
/// reads it.
///
/// Source: cli-utils `pkg/kstatus/status`.
fn is_ready(object: Node<'_>) -> bool {
    let generation = field::integer(object, &["metadata", "generation"]);
    let ready = |condition: &Node<'_>| {
        let text = |name| condition.text_at(&[name]);
        text("type") == Some("Ready") && text("status") == Some("True")
    };
    generation.is_some()
        && field::integer(object, &["status", "observedGeneration"]) == generation
        && field::list(object, &["status", "conditions"])
            .iter()
            .any(ready)
}

/// The name of a chart without its version, as `helm list` joins the two.
pub(crate) fn chart_name(chart: &str) -> &str {
    let versioned = |at: &usize| {
        let version = chart[at + 1..].trim_start_matches('v');
        let mut parts = version.splitn(3, '.');
        let number = |part: Option<&str>| {
            part.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
        };
        number(parts.next()) && number(parts.next()) && parts.next().is_some()
    };
    let mut dashes = chart.match_indices('-').map(|(at, _)| at);
    dashes.find(versioned).map_or(chart, |at| &chart[..at])
}

fn owner(node: Node<'_>, release: &HelmRelease) -> Owner {
    let label = |name: &str| release.labels.get(name).cloned();
    if let Some(package) = &release.package {
        return Owner::Package(package.value.clone());
    }
    let references = node.at(&["metadata", "ownerReferences"]);
    let mut references = references.into_iter().flat_map(Node::items);
    let package = references.find(|it| it.text_at(&["kind"]) == Some("Package"));
    if let Some(name) = package.and_then(|it| it.text_at(&["name"])) {
        return Owner::Package(name.to_owned());
    }
    let kind = label("apps.cozystack.io/application.kind");
    if let Some((kind, name)) = kind.zip(label("apps.cozystack.io/application.name")) {
        return Owner::Application(kind, name);
    }
    if let Some((namespace, name)) = release.parent() {
        return Owner::Chart(namespace.to_owned(), name.to_owned());
    }
    let namespace = label("kustomize.toolkit.fluxcd.io/namespace");
    if let Some((namespace, name)) = namespace.zip(label("kustomize.toolkit.fluxcd.io/name")) {
        return Owner::Kustomization(namespace, name);
    }
    // helm-controller writes to every HelmRelease.
    let managers = node.at(&["metadata", "managedFields"]);
    let mut managers = managers
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|entry| entry.text_at(&["manager"]))
        .filter(|name| *name != "helm-controller");
    managers
        .next()
        .map_or(Owner::Unknown, |name| Owner::Manager(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    fn cluster(text: &str) -> Cluster {
        let source = SourceMap::default().add("a.yaml", text);
        let mut cluster = Cluster::default();
        for doc in read_all(&source) {
            if let Some(root) = doc.expect("sound YAML").root() {
                cluster.add(root);
            }
        }
        cluster
    }

    #[test]
    fn charts_lose_their_version() {
        for (chart, name) in [
            ("cozy-installer-1.0.0", "cozy-installer"),
            ("app-v1.2.3-rc.1", "app"),
            ("app-2-1.0.0+build", "app-2"),
            ("app", "app"),
        ] {
            assert_eq!(chart_name(chart), name);
        }
    }

    #[test]
    fn the_marks_on_a_release_tell_its_owner() {
        let release = |metadata: &str| {
            format!(
                "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: a, \
                 namespace: ns, {metadata}}}\n"
            )
        };
        for (metadata, owner) in [
            ("labels: {cozystack.io/package: shop.a}", "`Package/shop.a`"),
            (
                "ownerReferences: [{kind: Package, name: shop.b}]",
                "`Package/shop.b`",
            ),
            (
                "labels: {kustomize.toolkit.fluxcd.io/name: apps, \
                 kustomize.toolkit.fluxcd.io/namespace: flux}",
                "Kustomization `flux/apps`",
            ),
            (
                "managedFields: [{manager: helm-controller}, {manager: kubectl-create}]",
                "whoever applied it by hand (`kubectl-create`)",
            ),
            ("labels: {}", "somebody who left no mark"),
        ] {
            let held = cluster(&release(metadata));
            let held = held.objects.values().next().expect("one release");
            assert_eq!(held.owner.shown(), owner);
        }
    }

    #[test]
    fn releases_are_read_from_records_and_from_lists() {
        let held = cluster(
            "[{name: a, namespace: ns, chart: a-1.0.0}, {name: gone, namespace: ns, status: \
             uninstalled}]\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: \
             sh.helm.release.v1.b.v1, namespace: ns, labels: {owner: helm, name: b}}\n",
        );
        let place = |name: &str| ("ns".to_owned(), name.to_owned());
        assert_eq!(held.releases[&place("a")], "a-1.0.0");
        assert_eq!(held.releases[&place("b")], "");
        assert_eq!(held.releases.len(), 2);
    }
}

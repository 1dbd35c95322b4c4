//! Every HelmRelease of a run in one list, whoever declares it: those among the inputs, and those
//! that the operator makes of Packages.
//!
//! For rules that ask what two releases do to each other, or what a release says. Not here: how a
//! Package becomes releases ([`super::packages`]).

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::packages::{Release, Rendered};
use super::plan::{may_hold, unrolled};
use crate::finding::{Label, ObjectId};
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// Who declares a HelmRelease.
#[derive(Debug)]
pub(crate) enum Origin<'c> {
    /// An object among the inputs, perhaps inside a List.
    Written {
        /// Its mapping.
        node: Node<'c>,
        /// What it says of itself.
        view: Box<HelmRelease>,
    },
    /// A component of a Package.
    Made(&'c Release),
}

/// A HelmRelease of the run.
#[derive(Debug)]
pub(crate) struct AnyRelease<'c> {
    /// What it is; its namespace is empty where none is written.
    pub(crate) id: ObjectId,
    /// Where it comes from, with [`AnyRelease::id`] as its object: the name of one among the
    /// inputs, the component's name in the PackageSource of one that is made.
    pub(crate) label: Label,
    /// Who declares it.
    pub(crate) origin: Origin<'c>,
    /// The Helm release that it works on (`spec/release-names.md`, section 1).
    pub(crate) key: ReleaseKey,
    /// Where Helm installs what has no namespace of its own.
    pub(crate) release_namespace: String,
    value: OnceLock<Value>,
}

impl<'c> AnyRelease<'c> {
    /// What makes it, where a Package does.
    pub(crate) fn made(&self) -> Option<&'c Release> {
        match self.origin {
            Origin::Made(release) => Some(release),
            Origin::Written { .. } => None,
        }
    }

    /// The object as the API server is sent it, made at the first asking. Null where it cannot
    /// become JSON.
    pub(crate) fn value(&self) -> &Value {
        self.value.get_or_init(|| match &self.origin {
            Origin::Written { node, .. } => to_json(*node, Reader::Kubernetes).unwrap_or_default(),
            Origin::Made(release) => release.value(),
        })
    }

    /// Its key as reports have it.
    pub(crate) fn key_value(&self) -> Value {
        json!({
            "cluster": self.key.cluster,
            "storageNamespace": self.key.storage_namespace,
            "releaseName": self.key.name,
            "releaseNamespace": self.release_namespace,
        })
    }
}

/// Whether an object is a HelmRelease, of whatever version.
pub(crate) fn is_release(node: Node<'_>) -> bool {
    let api = node.text_at(&["apiVersion"]).unwrap_or_default();
    let group = api.split_once('/').map_or("", |(group, _)| group);
    group == "helm.toolkit.fluxcd.io" && node.text_at(&["kind"]) == Some("HelmRelease")
}

/// Every HelmRelease: those of the inputs in the order of reading, Lists unrolled, then those made
/// of Packages in the order of application. Of several made ones with one namespace and name each
/// is there; all but the first are [`Release::repeated`].
pub(crate) fn releases<'c>(
    roots: impl IntoIterator<Item = Node<'c>>,
    rendered: &'c Rendered,
) -> Vec<AnyRelease<'c>> {
    let roots = roots.into_iter();
    let may = roots.filter(|root| may_hold(root.doc(), &["HelmRelease"]));
    let written = may.flat_map(unrolled);
    let written = written.filter(|node| is_release(*node));
    let written = written.map(|node| {
        let view = Box::new(HelmRelease::read(node));
        AnyRelease {
            id: view.id.clone(),
            label: Label::new(view.span).object(&view.id),
            key: view.key(),
            release_namespace: view.release_namespace().to_owned(),
            origin: Origin::Written { node, view },
            value: OnceLock::new(),
        }
    });
    let made = rendered.releases.iter().map(|release| AnyRelease {
        id: release.id(),
        label: Label::new(release.span).object(&release.id()),
        key: release.key(),
        release_namespace: release.namespace.clone(),
        origin: Origin::Made(release),
        value: OnceLock::new(),
    });
    written.chain(made).collect()
}

/// The keys of all releases by `namespace/name`, where manifests decide them; of two of one name the
/// later stands, as it does in the cluster.
pub(crate) fn keys(releases: &[AnyRelease<'_>]) -> Value {
    let decided = |release: &&AnyRelease<'_>| match &release.origin {
        Origin::Written { view, .. } => view.decided_key().is_some(),
        Origin::Made(_) => true,
    };
    let mut entries: Vec<_> = releases
        .iter()
        .filter(decided)
        .map(|release| {
            let name = format!("{}/{}", release.id.namespace, release.id.name);
            (name, release.key_value())
        })
        .collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    Value::Object(entries.into_iter().collect::<Map<String, Value>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::packages::{Estate, OperatorSettings, PlatformTable, render};
    use crate::source::SourceMap;
    use crate::yaml::{Doc, read_all};

    #[test]
    fn written_and_made_releases_stand_in_one_list() {
        let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  \
                    kind: HelmRelease\n  metadata: {name: a, namespace: s}\n  spec: {targetNamespace: t}\n---\n\
                    apiVersion: cozystack.io/v1alpha1\nkind: PackageSource\nmetadata: {name: p}\n\
                    spec: {variants: [{name: default, components: [{name: c, path: x, install: \
                    {namespace: n}}]}]}\n---\napiVersion: cozystack.io/v1alpha1\nkind: Package\n\
                    metadata: {name: p}\nspec: {}\n";
        let source = SourceMap::default().add("a.yaml", text);
        let docs: Vec<_> = read_all(&source)
            .into_iter()
            .map(|doc| doc.expect("sound YAML"))
            .collect();
        let roots = || docs.iter().filter_map(Doc::root);
        let mut estate = Estate::default();
        roots().for_each(|root| estate.add(root));
        let settings = OperatorSettings::default();
        let rendered = render(&estate, &settings, PlatformTable::Unknown);
        let all = releases(roots(), &rendered);
        let told: Vec<_> = all
            .iter()
            .map(|release| {
                let package = release.made().map(|made| made.package.as_str());
                (
                    release.id.to_string(),
                    package,
                    &text[release.label.span.range()],
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("HelmRelease s/a".to_owned(), None, "a"),
                ("HelmRelease n/c".to_owned(), Some("p"), "c"),
            ]
        );
        assert_eq!(all[0].value()["spec"]["targetNamespace"], "t");
        assert_eq!(all[1].value()["spec"]["interval"], "5m0s");
        let key = json!({
            "cluster": "local", "storageNamespace": "s", "releaseName": "t-a",
            "releaseNamespace": "t",
        });
        assert_eq!(keys(&all)["s/a"], key);
    }
}

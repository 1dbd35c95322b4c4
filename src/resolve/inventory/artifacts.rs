//! What source-controller pulls out of registries: `OCIRepository` objects, and the charts that are asked of
//! `HelmRepository` objects of the type `oci`.

use std::collections::BTreeMap;

use super::{Grade, Named, OpenVersion};
use crate::finding::ObjectId;
use crate::yaml::{Node, Path};

/// The artifacts that these objects make source-controller pull.
pub(crate) fn artifacts<'o>(
    objects: impl Iterator<Item = (&'o ObjectId, Node<'o>)> + Clone,
) -> (Vec<Named>, Vec<OpenVersion>) {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let repositories: BTreeMap<(&str, &str), &str> = objects
        .clone()
        .filter(|(id, root)| {
            id.kind == "HelmRepository" && root.text_at(&["spec", "type"]) == Some("oci")
        })
        .filter_map(|(id, root)| {
            let url = root.text_at(&["spec", "url"])?.strip_prefix("oci://")?;
            Some(((id.namespace.as_str(), id.name.as_str()), url))
        })
        .collect();
    for (id, root) in objects {
        match id.kind.as_str() {
            "OCIRepository" => repository(id, root, &mut found, &mut open),
            "HelmRelease" => {
                if let Some(spec) = root.at(&["spec", "chart", "spec"]) {
                    let path = Path::default().key("spec").key("chart").key("spec");
                    chart(id, spec, &path, &repositories, &mut found, &mut open);
                }
            }
            "HelmChart" => {
                if let Some(spec) = root.at(&["spec"]) {
                    let path = Path::default().key("spec");
                    chart(id, spec, &path, &repositories, &mut found, &mut open);
                }
            }
            _ => {}
        }
    }
    (found, open)
}

/// The addresses that source-controller pulls from, each in the field that holds it.
pub(crate) fn addresses<'o>(objects: impl Iterator<Item = (&'o ObjectId, Node<'o>)>) -> Vec<Named> {
    let mut found = Vec::new();
    for (id, root) in objects {
        if !matches!(id.kind.as_str(), "OCIRepository" | "HelmRepository") {
            continue;
        }
        let url = root.at(&["spec", "url"]);
        let address = url.and_then(|url| Some((url, url.text()?.strip_prefix("oci://")?)));
        if let Some((url, address)) = address {
            let path = Path::default().key("spec").key("url");
            found.push(Named {
                object: id.clone(),
                ..Named::new(address, Grade::Artifact, url, path)
            });
        }
    }
    found
}

fn repository(id: &ObjectId, root: Node<'_>, found: &mut Vec<Named>, open: &mut Vec<OpenVersion>) {
    let Some(url) = root.at(&["spec", "url"]) else {
        return;
    };
    let Some(address) = url.text().and_then(|text| text.strip_prefix("oci://")) else {
        return;
    };
    let part = |key| {
        root.text_at(&["spec", "ref", key])
            .filter(|text| !text.is_empty())
    };
    // source-controller v1.8: the digest before the range before the tag before `latest`.
    let image = match (part("digest"), part("semver"), part("tag")) {
        (Some(digest), ..) => format!("{address}@{digest}"),
        (None, Some(range), _) => {
            let span = root
                .at(&["spec", "ref", "semver"])
                .map_or(url.span(), Node::span);
            return open.push(OpenVersion {
                address: address.to_owned(),
                range: range.to_owned(),
                filter: part("semverFilter").map(str::to_owned),
                chart: false,
                span,
                object: id.clone(),
                path: Path::default().key("spec").key("ref").key("semver"),
            });
        }
        (None, None, Some(tag)) => format!("{address}:{tag}"),
        (None, None, None) => format!("{address}:latest"),
    };
    let path = Path::default().key("spec").key("url");
    found.push(Named {
        object: id.clone(),
        ..Named::new(image, Grade::Artifact, url, path)
    });
}

fn chart(
    id: &ObjectId,
    spec: Node<'_>,
    path: &Path,
    repositories: &BTreeMap<(&str, &str), &str>,
    found: &mut Vec<Named>,
    open: &mut Vec<OpenVersion>,
) {
    let (Some(node), Some(name)) = (spec.at(&["chart"]), spec.text_at(&["sourceRef", "name"]))
    else {
        return;
    };
    if spec.text_at(&["sourceRef", "kind"]) != Some("HelmRepository") {
        return;
    }
    let namespace = spec
        .text_at(&["sourceRef", "namespace"])
        .filter(|text| !text.is_empty())
        .unwrap_or(&id.namespace);
    let (Some(address), Some(chart)) = (repositories.get(&(namespace, name)), node.text()) else {
        return;
    };
    let address = format!("{}/{chart}", address.trim_end_matches('/'));
    let version = spec.at(&["version"]).filter(|version| !version.is_null());
    match version.and_then(|version| Some((version, version.text()?))) {
        // A version of Helm may hold a plus sign, a tag may not: Helm 4.1 `pkg/registry`.
        Some((_, exact)) if is_exact(exact) => {
            let image = format!("{address}:{}", exact.replace('+', "_"));
            found.push(Named {
                object: id.clone(),
                ..Named::new(image, Grade::Artifact, node, path.key("chart"))
            });
        }
        range => {
            let range = range.filter(|(_, text)| !text.is_empty());
            let key = if range.is_some() { "version" } else { "chart" };
            open.push(OpenVersion {
                address,
                range: range.map_or("*", |(_, text)| text).to_owned(),
                filter: None,
                chart: true,
                span: range.map_or(node.span(), |(version, _)| version.span()),
                object: id.clone(),
                path: path.key(key),
            });
        }
    }
}

/// Whether a version is one version and no range.
fn is_exact(version: &str) -> bool {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    core.strip_prefix('v').unwrap_or(core).split('.').count() == 3
        && core
            .strip_prefix('v')
            .unwrap_or(core)
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        && !version.contains([' ', '|', ','])
}

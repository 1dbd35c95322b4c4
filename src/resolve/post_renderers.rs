//! The post-renderers of a HelmRelease that is written out: which hold image tables, and what is
//! wrong with the shape of those.
//!
//! Source: the HelmRelease CRD of helm-controller v1.5.0, which takes only strings in an image entry;
//! `spec/package-rendering.md`, section 10.

use super::releases::{AnyRelease, Origin};
use crate::finding::Finding;
use crate::model::overrides::{OverrideTable, read_table};
use crate::yaml::Node;
use crate::yaml::json::entries;
use crate::yaml::scalar::Reader;

/// One element of `spec.postRenderers`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostRenderer<'d> {
    /// Its mapping.
    pub(crate) node: Node<'d>,
    /// Its list of image entries, where it has one.
    pub(crate) images: Option<Node<'d>>,
    /// Whether it has nothing else.
    pub(crate) only_images: bool,
}

/// What a mapping holds under a key, merges followed; null counts as nothing.
pub(crate) fn held<'d>(mapping: Node<'d>, key: &str) -> Option<Node<'d>> {
    let found = entries(mapping, Reader::Kubernetes);
    let entry = found.into_iter().find(|entry| entry.key == key)?;
    Some(entry.value).filter(|value| !value.is_null())
}

/// The post-renderers of a HelmRelease, in order.
pub(crate) fn post_renderers(release: Node<'_>) -> Vec<PostRenderer<'_>> {
    let list = held(release, "spec").and_then(|spec| held(spec, "postRenderers"));
    let items = list.into_iter().flat_map(Node::items).map(Node::resolved);
    items.map(post_renderer).collect()
}

fn post_renderer(node: Node<'_>) -> PostRenderer<'_> {
    let kustomize = held(node, "kustomize");
    let images = kustomize.and_then(|kustomize| held(kustomize, "images"));
    let says = |value: Node<'_>| {
        !value.is_null() && (value.kind().is_scalar() || value.children().next().is_some())
    };
    let all = |mapping: Node<'_>, key: &str| {
        let found = entries(mapping, Reader::Kubernetes);
        found
            .iter()
            .all(|entry| entry.key == key || !says(entry.value))
    };
    PostRenderer {
        node,
        images,
        only_images: images.is_some()
            && all(node, "kustomize")
            && kustomize.is_some_and(|kustomize| all(kustomize, "images")),
    }
}

impl PostRenderer<'_> {
    /// Whether it holds nothing but images, and these are the table's.
    pub(crate) fn is(&self, table: &OverrideTable) -> bool {
        let own = self.images.filter(|_| self.only_images);
        own.is_some_and(|images| {
            let mut faults = Vec::new();
            let own = read_table(images, &mut faults);
            faults.is_empty() && own.same_as(table)
        })
    }
}

/// What is wrong with the shape of the image tables in HelmReleases that are written out.
pub(crate) fn faults(releases: &[AnyRelease<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for release in releases {
        let Origin::Written { node, .. } = &release.origin else {
            continue;
        };
        let before = findings.len();
        for images in post_renderers(*node).iter().filter_map(|one| one.images) {
            read_table(images, &mut findings);
        }
        for finding in &mut findings[before..] {
            finding.primary.object = Some(release.id.clone());
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_first;

    #[test]
    fn renderers_of_images_alone_are_told_from_others() {
        let text = "base: &base\n  postRenderers:\n  - kustomize: {images: [{name: a}], patches: []}\n  \
                    - kustomize: {images: [{name: a}], patches: [{patch: x}]}\n  - kustomize: {patches: \
                    [{patch: x}]}\n  - {}\nspec:\n  <<: *base\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let found: Vec<_> = post_renderers(doc.root().expect("a root"))
            .iter()
            .map(|one| (one.images.is_some(), one.only_images))
            .collect();
        assert_eq!(
            found,
            [(true, true), (true, false), (false, false), (false, false)]
        );
    }
}

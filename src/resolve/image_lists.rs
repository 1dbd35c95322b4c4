//! The image tables that stand in objects: the post-renderers of HelmReleases, `spec.images` of Flux
//! Kustomizations; and the texts that such a table may meet.
//!
//! Not here: the tables of a run (`model::overrides`), and what a table does to a text
//! ([`super::images`]).

use super::post_renderers::{PostRenderer, post_renderers};
use crate::model::field;
use crate::model::overrides::{Override, OverrideTable, read_table};
use crate::source::SourceMap;
use crate::yaml::{Doc, Node, read_all};

/// One element of a HelmRelease's `spec.postRenderers`, as far as it changes images. Its patches run
/// before its image entries.
#[derive(Debug, Default)]
pub(crate) struct Renderer<'d> {
    /// The patches, each with the images that it sets.
    pub(crate) patches: Vec<(Node<'d>, Vec<String>)>,
    /// The image entries; one whose shape is wrong is left out, and told elsewhere.
    pub(crate) images: OverrideTable,
}

/// The post-renderers of a HelmRelease, in order.
pub(crate) fn renderers(release: Node<'_>) -> Vec<Renderer<'_>> {
    post_renderers(release).into_iter().map(renderer).collect()
}

fn renderer(one: PostRenderer<'_>) -> Renderer<'_> {
    let patches = field::list(one.node, &["kustomize", "patches"]).into_iter();
    let patches = patches.filter_map(|patch| patch.at(&["patch"]));
    Renderer {
        patches: patches.map(|node| (node, images_set(node))).collect(),
        images: one.images.map(table).unwrap_or_default(),
    }
}

/// The entries of a table that can be taken as they are meant.
pub(crate) fn table(node: Node<'_>) -> OverrideTable {
    let mut table = read_table(node, &mut Vec::new());
    let sound = |entry: &Override| !entry.faulty && !entry.name().is_empty();
    table.entries.retain(sound);
    table
}

/// The images that a patch sets, as a strategic merge or as JSON6902 operations.
fn images_set(patch: Node<'_>) -> Vec<String> {
    let Some(text) = patch.text().filter(|text| text.contains("image")) else {
        return Vec::new();
    };
    let source = SourceMap::default().add("patch", text);
    let docs: Vec<Doc> = read_all(&source)
        .into_iter()
        .filter_map(Result::ok)
        .collect();
    let mut found = Vec::new();
    for root in docs.iter().filter_map(Doc::root) {
        for operation in root.items().map(Node::resolved) {
            let at = operation.text_at(&["path"]).unwrap_or_default();
            if at.ends_with("/image") {
                found.extend(operation.text_at(&["value"]).map(str::to_owned));
            }
        }
        let own = texts(root).into_iter().filter(|(key, _)| *key == "image");
        found.extend(own.map(|(_, text)| text.to_owned()));
    }
    found
}

/// Every text in an object with the key that it stands under.
pub(crate) fn texts(root: Node<'_>) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut stack = vec![("", root)];
    while let Some((key, node)) = stack.pop() {
        if let Some(text) = node.text() {
            found.push((key, text));
        }
        stack.extend(node.items().map(|item| (key, item)));
        let entries = node.entries();
        stack.extend(entries.map(|(key, value)| (key.text().unwrap_or_default(), value)));
    }
    found
}

/// What Flux makes of two entries of one name, the one of the kustomization file first, in releases
/// that merge them: `newName` by itself, `newTag` and `digest` as one.
///
/// Source: fluxcd/pkg#1266, in Flux after 2.9.2; before, the second replaces the first.
pub(crate) fn merged(own: &Override, laid: &Override) -> Override {
    let mut merged = laid.clone();
    if laid.new_name().is_empty() {
        merged.new_name.clone_from(&own.new_name);
    }
    if laid.new_tag().is_empty() && laid.digest().is_empty() {
        merged.new_tag.clone_from(&own.new_tag);
        merged.digest.clone_from(&own.digest);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::read_first;

    #[test]
    fn the_images_of_patches_are_read_in_both_forms() {
        let text = "spec:\n  postRenderers:\n  - kustomize:\n      images: [{name: a, newTag: '1'}, \
                    {name: ''}]\n      patches:\n      - patch: |\n          - {op: replace, path: \
                    /spec/containers/0/image, value: 'b:1'}\n      - patch: |\n          kind: Pod\n          \
                    metadata: {name: p}\n          spec: {containers: [{name: c, image: 'c:1'}]}\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let found = renderers(doc.root().expect("a root"));
        let set: Vec<_> = found[0].patches.iter().map(|(_, images)| images).collect();
        assert_eq!(set, [&vec!["b:1".to_owned()], &vec!["c:1".to_owned()]]);
        assert_eq!(found[0].images.entries.len(), 1);
    }

    #[test]
    fn tag_and_digest_are_merged_as_one() {
        let text = "- {name: a, newName: first, digest: d}\n- {name: a, newTag: t}\n- {name: a, newName: m}\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let table = table(doc.root().expect("a root"));
        let of = |laid: usize| {
            let merged = merged(&table.entries[0], &table.entries[laid]);
            [merged.new_name(), merged.new_tag(), merged.digest()].map(str::to_owned)
        };
        assert_eq!(of(1), ["first", "t", ""]);
        assert_eq!(of(2), ["m", "", "d"]);
    }
}

//! Images that tables name: override entries, and the `images` lists of HelmReleases and
//! Kustomizations. Only what names a tag or a digest can be pulled by itself; the rest is said by the
//! images that it meets.

use super::{Grade, Named};
use crate::finding::ObjectId;
use crate::model::overrides::OverrideTable;
use crate::model::reference::Reference;
use crate::yaml::{Node, Path};

/// What the entries of a table name that none of the images seen is made of.
pub(crate) fn of_table(table: &OverrideTable, met: &dyn Fn(usize) -> bool) -> Vec<Named> {
    let mut found = Vec::new();
    for entry in &table.entries {
        if met(entry.index) {
            continue;
        }
        let new = Some(entry.new_name()).filter(|name| !name.is_empty());
        let (image, rewritten) = (
            put_together(entry.name(), entry.new_tag(), entry.digest()),
            put_together(new.unwrap_or(entry.name()), entry.new_tag(), entry.digest()),
        );
        let (Some(image), Some(rewritten)) = (image, rewritten) else {
            continue;
        };
        found.push(Named {
            image,
            rewritten,
            grade: Grade::Table,
            entry: Some((entry.index, entry.span)),
            digest: None,
            span: entry.name.as_ref().map_or(entry.span, |name| name.span),
            object: ObjectId::default(),
            path: Path::default().index(entry.index),
        });
    }
    found
}

/// What the `images` lists of an object name.
pub(crate) fn of_lists(root: Node<'_>, id: &ObjectId) -> Vec<Named> {
    let mut found = Vec::new();
    let spec = Path::default().key("spec");
    if id.kind == "Kustomization"
        && let Some(images) = root.at(&["spec", "images"])
    {
        list(images, &spec.key("images"), id, &mut found);
    }
    if id.kind == "HelmRelease" {
        let renderers = root.at(&["spec", "postRenderers"]);
        for (at, renderer) in renderers.into_iter().flat_map(Node::items).enumerate() {
            if let Some(images) = renderer.at(&["kustomize", "images"]) {
                let path = spec.key("postRenderers").index(at);
                list(images, &path.key("kustomize").key("images"), id, &mut found);
            }
        }
    }
    found
}

fn list(images: Node<'_>, path: &Path, id: &ObjectId, found: &mut Vec<Named>) {
    for (at, entry) in images.items().enumerate() {
        let text = |key: &str| entry.resolved().text_at(&[key]).unwrap_or_default();
        let Some(name) = entry.resolved().at(&["name"]) else {
            continue;
        };
        let new = Some(text("newName")).filter(|name| !name.is_empty());
        let parts = (text("newTag"), text("digest"));
        let image = put_together(text("name"), parts.0, parts.1);
        let rewritten = put_together(new.unwrap_or(text("name")), parts.0, parts.1);
        if let (Some(image), Some(rewritten)) = (image, rewritten) {
            found.push(Named {
                rewritten,
                object: id.clone(),
                ..Named::new(image, Grade::Table, name, path.index(at).key("name"))
            });
        }
    }
}

/// A reference of its parts; `None` where it has neither tag nor digest, or the name is a pattern.
fn put_together(name: &str, tag: &str, digest: &str) -> Option<String> {
    if tag.is_empty() && digest.is_empty() {
        return None;
    }
    let mut image = name.replace("\\.", ".");
    for (sign, part) in [(':', tag), ('@', digest)] {
        if !part.is_empty() {
            image.push(sign);
            image.push_str(part);
        }
    }
    Reference::parse(&image).is_ok().then_some(image)
}

//! Texts that are shaped like references: arguments, environment, annotations, values of charts and of
//! a `ConfigMap`; a `repository` beside its `tag`, or below one registry for all; an `oci://` address
//! beside its digest.
//!
//! A text counts where nothing else looks like it: a registry's host with a path and a tag or digest
//! anywhere; without tag and digest, or without a host, only where the key says that an image is
//! meant. Addresses (`host:443`, `https://…`) never do.

use std::collections::BTreeSet;

use super::{Grade, Named};
use crate::model::reference::Reference;
use crate::source::Span;
use crate::yaml::{Node, Path};

/// Keys whose values name no image whatever they look like, and tables, which are read as tables.
const OTHER: [&str; 7] = [
    "apiVersion",
    "fluxImageOverrides",
    "imageOverrides",
    "kind",
    "labels",
    "matchLabels",
    "status",
];

/// The texts of a tree that may be images, without those that stand at `certain`.
pub(super) fn images(root: Node<'_>, certain: &[Span]) -> Vec<Named> {
    let mut found = Vec::new();
    let certain: BTreeSet<Span> = certain.iter().copied().collect();
    let root = root.resolved();
    if let Some(text) = root.text() {
        for image in within(text, true) {
            found.push(Named::new(image, Grade::Possible, root, Path::default()));
        }
        return found;
    }
    let mut stack = vec![(root, Path::default(), false, None)];
    while let Some((node, path, about_images, registry)) = stack.pop() {
        for (at, item) in node.items().enumerate() {
            stack.push((item.resolved(), path.index(at), about_images, registry));
        }
        let taken = joined(node, &path, registry, &mut found);
        let address = node.text_at(&["registry", "address"]);
        let named = node.at(&["name"]).and_then(Node::text).unwrap_or_default();
        for (key, value) in node.entries() {
            let Some(name) = key.resolved().text() else {
                continue;
            };
            if OTHER.contains(&name) || taken.contains(&name) {
                continue;
            }
            // An environment variable says in its name what its value is.
            let about = says_image(name) || name == "value" && says_image(named);
            // One registry for all `images` beside it, as the chart of kube-ovn has it.
            let registry = address.filter(|_| name == "images").or(registry);
            stack.push((value.resolved(), path.key(name), about, registry));
        }
        let Some(text) = node.text() else { continue };
        if certain.contains(&node.span()) || node.is_null() {
            continue;
        }
        for image in within(text, about_images) {
            let image = below(registry, image);
            found.push(Named::new(image, Grade::Possible, node, path.clone()));
        }
    }
    found.sort_by(|one, other| (one.span, &one.image).cmp(&(other.span, &other.image)));
    found
}

/// An image below the registry that is named for it, where it names none itself.
fn below(registry: Option<&str>, image: &str) -> String {
    match registry.map(|it| it.trim_end_matches('/')) {
        Some(registry) if !registry.is_empty() && !has_host(image) => format!("{registry}/{image}"),
        _ => image.to_owned(),
    }
}

fn has_host(image: &str) -> bool {
    let first = image.split_once('/').map_or("", |(first, _)| first);
    first == "localhost" || first.contains(['.', ':'])
}

fn says_image(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("image") && !name.contains("pull") || name == "repository"
}

/// The image or artifact that several keys of a mapping make together, and those keys.
fn joined<'d>(
    node: Node<'d>,
    path: &Path,
    above: Option<&str>,
    found: &mut Vec<Named>,
) -> Vec<&'d str> {
    let text = |key: &str| {
        let value = node.at(&[key]).filter(|value| !value.is_null())?;
        value.text().filter(|text| !text.is_empty())
    };
    let mut taken = Vec::new();
    for (key, value) in node.entries() {
        let (Some(name), Some(url)) = (key.text(), value.resolved().text()) else {
            continue;
        };
        let Some(address) = url.strip_prefix("oci://") else {
            continue;
        };
        // `…Url` and `…Ref` of the installer's values; an OCIRepository is told by its fields.
        let Some(stem) = name.strip_suffix("Url").or(name.strip_suffix("URL")) else {
            continue;
        };
        let reference = node
            .entries()
            .find(|(key, _)| key.text() == Some(&format!("{stem}Ref")))
            .and_then(|(key, value)| Some((key.text()?, value.resolved().text()?)));
        let image = match reference.and_then(|(_, text)| text.split_once('=')) {
            Some(("digest", digest)) => format!("{address}@{digest}"),
            Some(("tag", tag)) => format!("{address}:{tag}"),
            _ => continue,
        };
        if Reference::parse(&image).is_ok() {
            found.push(Named::new(image, Grade::Artifact, value, path.key(name)));
            taken.extend(
                [Some(name), reference.map(|(key, _)| key)]
                    .into_iter()
                    .flatten(),
            );
        }
    }
    let parts = [("tag", ':'), ("digest", '@')];
    let pinned = parts.iter().any(|(key, _)| text(key).is_some());
    for (key, value) in node.entries() {
        let Some(name) = key.resolved().text() else {
            continue;
        };
        let others = above.is_some() && name.ends_with("Repository");
        if name != "repository" && !others {
            continue;
        }
        let Some(repository) = text(name) else {
            continue;
        };
        let mut image = match text("registry") {
            Some(registry) if !repository.starts_with(registry) => {
                format!("{registry}/{repository}")
            }
            Some(_) => repository.to_owned(),
            None => below(above, repository),
        };
        for (key, sign) in parts {
            if let Some(text) = text(key) {
                image.push(sign);
                image.push_str(text);
            }
        }
        let more = pinned || text("registry").is_some();
        let is_one = more || image.contains('/');
        if is_one && !image.contains("://") && Reference::parse(&image).is_ok() {
            let value = value.resolved();
            found.push(Named::new(image, Grade::Possible, value, path.key(name)));
            taken.extend([name, "registry", "tag", "digest"]);
        }
    }
    taken
}

/// The parts of a text that may be images; of `--flag=image` and `KEY=image` what stands behind.
fn within(text: &str, about_images: bool) -> impl Iterator<Item = &str> {
    let whole = !text.contains(char::is_whitespace);
    text.split(|c: char| c.is_whitespace() || "\"'`,;()[]{}<>|".contains(c))
        .map(|word| word.rsplit_once('=').map_or(word, |(_, behind)| behind))
        .map(|word| word.trim_end_matches(['.', ':']))
        .filter(move |word| looks_like_one(word, about_images && whole))
}

fn looks_like_one(word: &str, about_images: bool) -> bool {
    if word.is_empty() || word.contains("://") {
        return false;
    }
    let Ok(reference) = Reference::parse(word) else {
        return false;
    };
    let first = word.split('/').next().unwrap_or_default();
    let host = word.contains('/') && (first == "localhost" || first.contains(['.', ':']));
    let pinned = reference.tag.is_some() || reference.digest.is_some();
    reference.digest.is_some()
        || host && pinned
        || about_images && (host || pinned || word.contains('/'))
}

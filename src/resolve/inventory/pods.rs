//! What a kubelet pulls: the images of pod specs, wherever one stands, custom resources that embed
//! one included.

use super::{Grade, Named};
use crate::yaml::{Node, Path};

/// The lists of containers of a pod spec.
const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// The images of every pod spec in an object.
pub(super) fn images(root: Node<'_>) -> Vec<Named> {
    let mut found = Vec::new();
    let mut stack = vec![(root.resolved(), Path::default())];
    while let Some((node, path)) = stack.pop() {
        for (at, item) in node.items().enumerate() {
            stack.push((item.resolved(), path.index(at)));
        }
        for (key, value) in node.entries() {
            let Some(name) = key.resolved().text() else {
                continue;
            };
            // What runs already is told by the spec that made it run.
            if path.0.is_empty() && name == "status" {
                continue;
            }
            let (value, path) = (value.resolved(), path.key(name));
            if CONTAINERS.contains(&name) {
                for (at, element) in value.items().enumerate() {
                    found.extend(image(element, &["image"], &path.index(at)));
                }
            } else if name == "volumes" {
                for (at, element) in value.items().enumerate() {
                    found.extend(image(element, &["image", "reference"], &path.index(at)));
                }
            }
            if !value.kind().is_scalar() {
                stack.push((value, path));
            }
        }
    }
    found.sort_by(|one, other| (one.span, &one.path).cmp(&(other.span, &other.path)));
    found
}

fn image(element: Node<'_>, route: &[&str], path: &Path) -> Option<Named> {
    let node = element.at(route)?;
    let text = node
        .text()
        .filter(|text| !text.is_empty() && !node.is_null())?;
    let path = route.iter().fold(path.clone(), |path, key| path.key(*key));
    Some(Named::new(text, Grade::Certain, node, path))
}

//! Where the filter looks for images: the walk under `containers` and `initContainers`, and the six
//! field paths of a build.
//!
//! Source: kustomize api v0.20.1 `filters/imagetag/legacy.go`, `filters/fieldspec/fieldspec.go`,
//! `konfig/builtinpluginconsts/images.go`; `spec/image-semantics.md` sections 5 and 6.

use super::tree::{CellId, Shape, Tree};

/// Where and why the filter stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShapeFault {
    /// The cell at fault.
    pub(crate) cell: CellId,
    /// What kustomize says, without what it puts before it.
    pub(crate) message: String,
}

/// The images that one pass tests, in order and as often as it tests them, up to the first shape
/// that stops it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pass {
    /// The image cells.
    pub(crate) images: Vec<CellId>,
    /// What stops the pass behind them.
    pub(crate) fault: Option<ShapeFault>,
}

/// The six paths, in the order in which they are followed (rule 36). `[]` marks what is taken for
/// a list where it is null.
pub(crate) const FIELD_PATHS: [&[&str]; 6] = [
    &["spec", "containers[]", "image"],
    &["spec", "initContainers[]", "image"],
    &["spec", "volumes[]", "image", "reference"],
    &["spec", "template", "spec", "containers[]", "image"],
    &["spec", "template", "spec", "initContainers[]", "image"],
    &[
        "spec",
        "template",
        "spec",
        "volumes[]",
        "image",
        "reference",
    ],
];

/// The walk over a whole document, depth first (rules 33, 34, 41–43, 52).
pub(crate) fn containers(tree: &Tree<'_>, root: CellId) -> Pass {
    let mut pass = Pass::default();
    pass.fault = walk(tree, root, &mut pass.images).err();
    pass
}

fn walk(tree: &Tree<'_>, id: CellId, images: &mut Vec<CellId>) -> Result<(), ShapeFault> {
    for item in tree.items(id) {
        walk(tree, item, images)?;
    }
    for (key, value) in tree.entries(id) {
        // A repeated key visits the first entry of that name once more (rule 52).
        let name = tree.text(key);
        let value = tree.get(id, name).unwrap_or(value);
        walk(tree, value, images)?;
        if matches!(name, "containers" | "initContainers") {
            for element in tree.items(value) {
                images.extend(image_of(tree, element)?);
            }
        }
    }
    Ok(())
}

fn image_of(tree: &Tree<'_>, element: CellId) -> Result<Option<CellId>, ShapeFault> {
    if tree.is_null(element) {
        return Ok(None);
    }
    if tree.shape(element) != Shape::Mapping {
        return Err(wrong_kind(tree, element, Shape::Mapping));
    }
    let Some(image) = tree.get(element, "image") else {
        return Ok(None);
    };
    testable(tree, image).map(Some)
}

/// An image must be a scalar, or null in whatever shape (rules 43, 49).
fn testable(tree: &Tree<'_>, image: CellId) -> Result<CellId, ShapeFault> {
    if tree.is_null(image) || tree.shape(image) == Shape::Scalar {
        Ok(image)
    } else {
        Err(wrong_kind(tree, image, Shape::Scalar))
    }
}

fn wrong_kind(tree: &Tree<'_>, cell: CellId, expected: Shape) -> ShapeFault {
    let message = format!(
        "wrong node kind: expected {} but got {}",
        expected.go_name(),
        tree.shape(cell).go_name()
    );
    ShapeFault { cell, message }
}

/// One of the six paths. A null where it takes a list becomes one (rules 37, 45–48); those cells
/// are returned with the images.
pub(crate) fn field_path(tree: &mut Tree<'_>, root: CellId, path: &[&str]) -> (Pass, Vec<CellId>) {
    let mut pass = Pass::default();
    let mut listed = Vec::new();
    pass.fault = follow(tree, root, path, &mut pass.images, &mut listed).err();
    (pass, listed)
}

fn follow(
    tree: &mut Tree<'_>,
    id: CellId,
    path: &[&str],
    images: &mut Vec<CellId>,
    listed: &mut Vec<CellId>,
) -> Result<(), ShapeFault> {
    let Some((step, rest)) = path.split_first() else {
        images.push(testable(tree, id)?);
        return Ok(());
    };
    if tree.is_null(id) {
        return Ok(());
    }
    match tree.shape(id) {
        Shape::Sequence => {
            for item in tree.items(id).collect::<Vec<_>>() {
                follow(tree, item, path, images, listed).map_err(|fault| ShapeFault {
                    message: format!(
                        "visit traversal on path: [{}]: {}",
                        path.join(" "),
                        fault.message
                    ),
                    ..fault
                })?;
            }
            Ok(())
        }
        Shape::Mapping => {
            let name = step.strip_suffix("[]");
            let Some(field) = tree.get(id, name.unwrap_or(step)) else {
                return Ok(());
            };
            if name.is_some() && tree.is_null(field) {
                let cell = tree.cell_mut(field);
                cell.shape = Shape::Sequence;
                cell.tag = Some("");
                listed.push(field);
            }
            follow(tree, field, rest, images, listed)
        }
        Shape::Scalar | Shape::Alias(_) => Err(ShapeFault {
            cell: id,
            message: "expected sequence or mapping node".to_owned(),
        }),
    }
}

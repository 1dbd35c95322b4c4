//! The platform's table in the objects that carry it: HelmReleases among the inputs, where that is
//! asked for, and the values Secret.
//!
//! Source: `spec/package-rendering.md`, section 10.

use std::collections::{BTreeMap, BTreeSet};

use super::join::Read;
use super::packages::Options;
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::{Loaded, Role};
use crate::model::overrides::{OverrideTable, is_values_secret};
use crate::model::release::HelmRelease;
use crate::resolve::packages::Rendered;
use crate::resolve::plan::{Plan, objects_of};
use crate::resolve::releases::is_release;
use crate::rewrite::post_renderers::overridden;
use crate::rewrite::values_secret::with_table;
use crate::source::Edit;
use crate::yaml::Node;

/// What the table does to objects that are passed on.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Edits by the place of the input.
    pub(super) edits: BTreeMap<usize, Vec<Edit>>,
    /// What there is to say.
    pub(super) findings: Vec<Finding>,
    /// Whether no table is known, not even an empty one.
    pub(super) unknown: bool,
}

/// Puts the table where it belongs. Without a table, and without a Secret that says there is none,
/// nothing is known, and everything stays.
pub(super) fn carry(
    loaded: &Loaded,
    plan: &Plan,
    tables: &Read,
    rendered: &Rendered,
    options: &Options,
) -> Carried {
    let mut carried = Carried::default();
    let none = OverrideTable::default();
    let table = match &tables.tables.platform {
        Some(table) => table,
        None if tables.secret => &none,
        None => {
            carried.unknown = true;
            return carried;
        }
    };
    // A release that a Package makes stands for one of its name.
    let made: BTreeSet<(&str, &str)> = rendered
        .releases
        .iter()
        .map(|release| (release.namespace.as_str(), release.name.as_str()))
        .collect();
    for planned in &plan.objects {
        let input = &loaded.inputs[planned.input];
        if input.role != Role::Manifest {
            continue;
        }
        for object in objects_of(&input.docs[planned.doc], &["Secret", "HelmRelease"]) {
            let edits = carried.edits.entry(planned.input).or_default();
            if is_values_secret(object) {
                match with_table(object, table) {
                    Some(own) => edits.extend(own),
                    None => carried.findings.push(not_rewritten(object, &planned.id)),
                }
            } else if options.override_releases && is_release(object) {
                let view = HelmRelease::read(object);
                if made.contains(&(view.id.namespace.as_str(), view.id.name.as_str())) {
                    continue;
                }
                let done = overridden(object, table);
                edits.extend(done.edits);
                let kept = done.kept.iter().map(|span| {
                    let label = Label::new(*span).object(&view.id);
                    kept(label)
                });
                carried.findings.extend(kept);
                if done.refused {
                    carried.findings.push(not_overridden(&view));
                }
            }
        }
    }
    carried
}

fn kept(label: Label) -> Finding {
    let message = "this renderer holds only images and is not the platform's table: it is kept, and \
                   the table comes behind it";
    Finding::new("release-images-kept", Level::Note, label, message)
        .help("drop it if it is what an earlier table has left")
}

fn not_overridden(release: &HelmRelease) -> Finding {
    let message = "the platform's table cannot be put on this HelmRelease without changing what \
                   shares its text";
    let label = Label::new(release.span).object(&release.id);
    Finding::new("release-not-overridden", Level::Error, label, message)
        .help("write `spec` and `postRenderers` without anchors and aliases")
}

fn not_rewritten(secret: Node<'_>, id: &ObjectId) -> Finding {
    let span = secret
        .at(&["metadata", "name"])
        .map_or(secret.span(), Node::span);
    let message = "the platform's table cannot be written into this Secret's `values.yaml`, which \
                   carries another one";
    let label = Label::new(span).object(id);
    Finding::new("override-tables-differ", Level::Error, label, message)
        .help("write `_cluster` as a plain mapping")
}

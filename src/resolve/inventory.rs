//! Every image that the inputs name, where it stands and how sure it is that something pulls it.
//!
//! Pod specs are walked in [`pods`], texts that only look like references in [`shapes`], what
//! source-controller pulls in [`mod@artifacts`], tables in [`entries`]. What an entry makes of an image
//! is told by the filter's own visits, so that list and rewrite cannot differ; of what a chart will
//! put into a pod spec by [`applied`]. What is wrong with the list is in [`mod@judged`] and
//! [`mod@unseen`], what a bundle has to hold for it in [`mod@asked`].
//!
//! Source: `spec/bundle.md`, "The image list".

mod accepted;
mod applied;
mod artifacts;
pub(crate) mod asked;
mod entries;
mod judged;
mod pods;
mod shapes;
#[cfg(test)]
mod tests;
mod unseen;

use std::collections::BTreeMap;

use crate::finding::{Label, ObjectId};
use crate::model::overrides::OverrideTable;
use crate::resolve::images::Visit;
use crate::source::Span;
use crate::yaml::{Node, Path};

pub(crate) use accepted::Accepted;
pub(crate) use applied::Applied;
pub(crate) use artifacts::{addresses, artifacts};
pub(crate) use entries::{of_lists, of_table};
pub(crate) use judged::judged;
pub(crate) use unseen::{NOT_SEEN, unseen};

/// How sure it is that a reference is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Grade {
    /// A kubelet pulls it.
    Certain,
    /// source-controller pulls it.
    Artifact,
    /// An override entry or an `images` list names it.
    Table,
    /// A text that is shaped like a reference.
    Possible,
}

impl Grade {
    /// Its name in every output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Grade::Certain => "certain",
            Grade::Artifact => "artifact",
            Grade::Table => "table",
            Grade::Possible => "possible",
        }
    }
}

/// One place that names an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// As written, or as it is put together.
    pub(crate) image: String,
    /// As the tables make it.
    pub(crate) rewritten: String,
    /// How sure it is.
    pub(crate) grade: Grade,
    /// The last entry that matched: its number in its table, and where it stands.
    pub(crate) entry: Option<(usize, Span)>,
    /// Where it is named.
    pub(crate) span: Span,
    /// The object that names it; empty fields where it is none.
    pub(crate) object: ObjectId,
    /// The route in that object.
    pub(crate) path: Path,
}

impl Named {
    /// An image that no entry has met.
    fn new(image: impl Into<String>, grade: Grade, node: Node<'_>, path: Path) -> Named {
        let image = image.into();
        Named {
            rewritten: image.clone(),
            image,
            grade,
            entry: None,
            span: node.span(),
            object: ObjectId::default(),
            path,
        }
    }

    /// Its place, with the object where there is one.
    pub(crate) fn label(&self) -> Label {
        Label {
            object: (!self.object.kind.is_empty()).then(|| self.object.clone()),
            ..Label::new(self.span)
        }
    }

    /// Has a table meet a text that a chart puts into a pod spec; a post-renderer comes behind it.
    pub(crate) fn met_by(&mut self, table: &Applied<'_>) {
        if self.grade == Grade::Possible {
            let (rewritten, entry) = table.to(&self.image);
            self.rewritten = rewritten;
            self.entry = entry.map(|entry| (entry.index, entry.span));
        }
    }
}

/// What the filter did, by the place of the scalar.
pub(crate) type Visits<'v> = BTreeMap<Span, (&'v Visit<'v>, &'v OverrideTable)>;

/// The images that an object names: its pod specs' with what the filter makes of them, and texts
/// that look like images.
pub(crate) fn of_object(root: Node<'_>, id: &ObjectId, visits: &Visits<'_>) -> Vec<Named> {
    // The defaults in a schema are no pulls.
    if id.kind == "CustomResourceDefinition" {
        return Vec::new();
    }
    let mut found = pods::images(root);
    for named in &mut found {
        if let Some((visit, table)) = visits.get(&named.span) {
            visit.after().clone_into(&mut named.rewritten);
            let last = visit.hits.last();
            let entry = last.map(|hit| table.entry(hit.entry));
            named.entry = entry.map(|entry| (entry.index, entry.span));
        }
    }
    // The values of Secrets are shown to nobody.
    if id.kind != "Secret" {
        let certain: Vec<Span> = found.iter().map(|named| named.span).collect();
        found.extend(shapes::images(root, &certain));
    }
    for named in &mut found {
        named.object = id.clone();
    }
    found
}

/// The images that values of a chart name.
pub(crate) fn of_values(root: Node<'_>) -> Vec<Named> {
    shapes::images(root, &[])
}

//! What happened to each image: the entries that met it, in order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::tree::{CellId, Shape, Tree, is_merge_key};
use super::{Hit, Hits, Visit};
use crate::model::image::replace;
use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::{Pattern, PatternError};
use crate::yaml::{Kind, Path};

/// An entry with its compiled name.
pub(crate) struct Entry<'t> {
    /// The entry.
    pub(crate) entry: &'t Override,
    pattern: Result<&'t Pattern, &'t PatternError>,
}

/// A table, ready to be applied.
pub(crate) struct Entries<'t>(Vec<Entry<'t>>);

impl<'t> Entries<'t> {
    /// Compiles every name; a name that does not compile stops only a pass that tests an image.
    pub(crate) fn new(table: &'t OverrideTable) -> Entries<'t> {
        let compile = |entry: &'t Override| Entry {
            entry,
            pattern: entry.pattern(),
        };
        Entries(table.entries.iter().map(compile).collect())
    }

    /// Whether the table is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry<'t>> {
        self.0.iter()
    }
}

/// Why a pass stops at an image.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The entry's name is no pattern; kustomize panics (rule 16).
    Pattern(PatternError),
}

#[derive(Debug, Default)]
pub(super) struct Met<'d> {
    pub(super) before: Cow<'d, str>,
    pub(super) hits: Hits,
}

impl Met<'_> {
    /// Tests the text against an entry and takes down what the entry makes of it.
    pub(super) fn test(&mut self, entry: &Entry<'_>) -> Result<bool, Stop> {
        let pattern = match &entry.pattern {
            Ok(pattern) => pattern,
            Err(error) => return Err(Stop::Pattern(PatternError::clone(error))),
        };
        let text = self.hits.last().map_or(&*self.before, |hit| &hit.after);
        if !pattern.is_match(text) {
            return Ok(false);
        }
        let after = replace(entry.entry, text).into();
        self.hits.push(Hit {
            entry: entry.entry.index,
            after,
        });
        Ok(true)
    }
}

/// The images tested so far, by document and cell.
#[derive(Debug, Default)]
pub(crate) struct Record<'d>(BTreeMap<(usize, CellId), Met<'d>>);

impl<'d> Record<'d> {
    /// Tests one image against one entry and rewrites it where the name matches.
    pub(crate) fn test(
        &mut self,
        tree: &mut Tree<'d>,
        doc: usize,
        image: CellId,
        entry: &Entry<'_>,
    ) -> Result<(), Stop> {
        let met = self.0.entry((doc, image)).or_insert_with(|| Met {
            before: tree.shared_text(image),
            hits: Hits::default(),
        });
        if met.test(entry)? {
            let cell = tree.cell_mut(image);
            cell.shape = Shape::Scalar;
            cell.text = met.hits.last().map(|hit| hit.after.clone());
            cell.tag = Some("");
        }
        Ok(())
    }

    /// The visits of these trees, each document's in the order of its text.
    pub(crate) fn visits(&self, trees: &[(usize, &Tree<'_>, CellId)]) -> Vec<Visit<'d>> {
        let mut visits = Vec::with_capacity(self.0.len());
        for &(doc, tree, root) in trees {
            self.collect(doc, tree, root, &Path::default(), &mut visits);
        }
        visits.sort_by(|a, b| (a.doc, a.span, &a.path).cmp(&(b.doc, b.span, &b.path)));
        visits
    }

    /// Adds the visits below a cell whose route is `path`.
    pub(crate) fn collect(
        &self,
        doc: usize,
        tree: &Tree<'_>,
        root: CellId,
        path: &Path,
        visits: &mut Vec<Visit<'d>>,
    ) {
        if tree.is_straight() {
            let met = self.0.range((doc, root)..(doc, tree.behind(root)));
            visits.extend(met.map(|(&(_, id), met)| visit(tree, doc, id, None, met)));
            return;
        }
        // Cells with the step that leads to them and the place of the cell that it leads from; a
        // route is put together only where an image stands.
        let mut met = vec![(root, None)];
        let mut at = 0;
        while let Some(&(id, _)) = met.get(at) {
            let from = at;
            at += 1;
            if let Some(found) = self.0.get(&(doc, id)) {
                let mut steps = Vec::new();
                let mut place = from;
                while let Some((step, parent)) = met[place].1 {
                    steps.push(step);
                    place = parent;
                }
                let path = steps
                    .iter()
                    .rev()
                    .fold(path.clone(), |path, step| match *step {
                        Passed::Key(name) => path.key(name),
                        Passed::Index(index) => path.index(index),
                    });
                visits.push(visit(tree, doc, id, Some(path), found));
                continue;
            }
            let worth =
                |value| tree.shape(value) != Shape::Scalar || self.0.contains_key(&(doc, value));
            for (index, item) in tree.items(id).enumerate() {
                if worth(item) {
                    met.push((item, Some((Passed::Index(index), from))));
                }
            }
            for (name, value) in effective(tree, id) {
                if worth(value) {
                    met.push((value, Some((Passed::Key(name), from))));
                }
            }
        }
    }
}

/// A step on the way to a cell.
#[derive(Clone, Copy)]
enum Passed<'t> {
    Key(&'t str),
    Index(usize),
}

/// The entries of a mapping as a reader of the result sees them: a merge key that a build leaves
/// unexpanded (rule 56) brings what no earlier key has.
fn effective<'t>(tree: &'t Tree<'_>, id: CellId) -> Vec<(&'t str, CellId)> {
    let mut entries = Vec::new();
    let mut merged = Vec::new();
    for (key, value) in tree.entries(id) {
        if !tree.is_quoted(key) && is_merge_key(tree.node(key)) {
            merged.extend(tree.items(value));
            merged.push(value);
        } else {
            entries.push((tree.text(key), value));
        }
    }
    for source in merged {
        for (name, value) in effective(tree, source) {
            if !entries.iter().any(|&(own, _)| own == name) {
                entries.push((name, value));
            }
        }
    }
    entries
}

fn visit<'d>(
    tree: &Tree<'_>,
    doc: usize,
    id: CellId,
    path: Option<Path>,
    met: &Met<'d>,
) -> Visit<'d> {
    let node = tree.node(id);
    Visit {
        doc,
        node: node.id(),
        span: node.span(),
        path: path.map(Box::new),
        before: met.before.clone(),
        hits: met.hits.clone(),
        shown: None,
        rewritten: !met.hits.is_empty(),
        typed: !tree.is_quoted(id) && matches!(node.kind(), Kind::Plain | Kind::Mapping),
    }
}

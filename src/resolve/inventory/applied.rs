//! What the entries of a table make of one text, one after the other.
//!
//! Not here: which texts a filter visits ([`super::super::images`]).
//!
//! Source: `spec/image-semantics.md` rules 1 and 30.

use crate::model::image::replace;
use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::Pattern;

/// A table, its names compiled. A name that is no pattern matches nothing: the rules of tables say so.
#[derive(Debug, Default)]
pub(crate) struct Applied<'t>(Vec<(Pattern, &'t Override)>);

impl<'t> Applied<'t> {
    /// Compiles a table; none does nothing.
    pub(crate) fn of(table: Option<&'t OverrideTable>) -> Applied<'t> {
        let entries = table.into_iter().flat_map(|table| &table.entries);
        let compiled = entries.filter_map(|it| Some((Pattern::compile(it.name()).ok()?, it)));
        Applied(compiled.collect())
    }

    /// What becomes of an image, and the last entry that met it.
    pub(crate) fn to(&self, image: &str) -> (String, Option<&'t Override>) {
        let (mut text, mut last) = (image.to_owned(), None);
        for (pattern, entry) in &self.0 {
            if pattern.is_match(&text) {
                text = replace(entry, &text);
                last = Some(*entry);
            }
        }
        (text, last)
    }
}

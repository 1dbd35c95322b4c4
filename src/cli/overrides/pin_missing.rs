//! `overrides --pin` in a build without the feature `registry`: it says what is missing.

use anyhow::bail;

use super::super::Global;
use super::super::console::Console;
use super::relocate::Seen;
use super::{Arguments, Made};
use crate::load::Loaded;

/// Says what is missing.
pub(super) fn pinned(
    _: &Arguments,
    _: &Made,
    _: &Seen,
    _: &Loaded,
    _: &Global,
    _: &Console,
) -> anyhow::Result<Option<Made>> {
    bail!("`--pin` needs registries, and this forebay was built without the feature `registry`")
}

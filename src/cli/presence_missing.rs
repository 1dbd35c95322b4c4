//! `images --in` and `images --resolve` in a build without the feature `registry`: it says what is
//! missing.

use std::path::PathBuf;

use anyhow::bail;

use super::console::Console;
use super::inventory::Inventory;
use super::proof::NameKind;
use super::{Exit, Global};
use crate::finding::Finding;
use crate::resolve::inventory::Accepted;
use crate::resolve::inventory::asked::Wanted;

/// What was proved: never anything.
pub(super) enum Proved {}

/// What stayed open: nothing is ever asked.
pub(super) enum Unresolved {}

/// Says what is missing.
pub(super) fn prove(
    _: &str,
    _: Option<&PathBuf>,
    _: &Wanted,
    _: NameKind,
    _: &Global,
    _: &Console,
) -> anyhow::Result<Proved> {
    bail!("`--in` needs registries, and this forebay was built without the feature `registry`")
}

/// Says what is missing.
pub(super) fn resolve(
    _: &mut Inventory,
    _: Option<&Accepted>,
    _: NameKind,
    _: &Global,
    _: &Console,
) -> anyhow::Result<Unresolved> {
    bail!("`--resolve` needs registries, and this forebay was built without the feature `registry`")
}

impl Proved {
    /// Every image that would not be found.
    pub(super) fn findings(&self) -> &[Finding] {
        match *self {}
    }

    /// How the run ends.
    pub(super) fn tell(self, _: Exit, _: &Console) -> Exit {
        match self {}
    }
}

impl Unresolved {
    /// How the run ends.
    pub(super) fn tell(self, _: Exit) -> Exit {
        match self {}
    }
}

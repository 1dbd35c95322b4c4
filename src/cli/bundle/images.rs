//! Which images a bundle is to hold: the graded list of the inputs, and lists of references.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use crate::cli::console::Console;
use crate::cli::inputs::read;
use crate::cli::inventory::{InventoryArguments, With, accepted, text_of};
use crate::cli::{Global, join};
use crate::finding::Finding;
use crate::load::{FluxSource, Loaded, Request};
use crate::model::overrides::Tables;
use crate::resolve::inventory::asked::{Asked, Wanted, asked, listed, once};
use crate::resolve::inventory::{Accepted, Applied, judged};
use crate::source::Span;

/// What the commands over images take.
#[derive(Debug, Args)]
pub(super) struct ImageArguments {
    #[command(flatten)]
    inventory: InventoryArguments,
    /// Take images that are only possible as well
    #[arg(long, value_enum, value_name = "GRADE")]
    with: Option<With>,
    /// Places whose possible images are left out: `KIND/NAME/PATH` a line
    #[arg(long, value_name = "FILE", requires = "with")]
    accept: Option<PathBuf>,
    /// References, one a line, beside those of the inputs; `-` is stdin
    #[arg(long, visible_alias = "add", value_name = "FILE")]
    from: Vec<PathBuf>,
}

/// All that the inputs ask for.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// What has to be there.
    pub(super) wanted: Wanted,
    /// Releases whose charts were not looked into, `namespace/name`.
    pub(super) unseen: BTreeSet<String>,
    /// What is wrong with the inputs.
    pub(super) findings: Vec<Finding>,
    /// Whether that makes the list untrue.
    pub(super) stopped: bool,
    /// What was read.
    pub(super) loaded: Loaded,
}

impl ImageArguments {
    /// Whether manifests are named: PATHs, or Flux's own.
    fn names_manifests(&self) -> bool {
        let inventory = &self.inventory;
        !inventory.paths.paths.is_empty()
            || inventory.flux.source(FluxSource::None) != FluxSource::None
    }

    /// Reads the inputs; `None` where nothing is named.
    pub(super) fn read(
        &self,
        global: &Global,
        console: &Console,
    ) -> anyhow::Result<Option<Images>> {
        if !self.names_manifests() && self.from.is_empty() {
            return Ok(None);
        }
        let (mut images, tables) = self.of_inputs(global, console)?;
        let table = tables.platform.as_ref().or(tables.flux.as_ref());
        let table = Applied::of(table);
        let mut asked = std::mem::take(&mut images.wanted.asked);
        for list in &self.from {
            let text = text_of(list)?;
            let shown = list.display().to_string();
            let list = images.loaded.sources.add(shown, text);
            let listed = listed(&list, &table);
            // An entry that renames what a list names is of use.
            images.findings.retain(|finding| {
                let of = |it: &Asked| table.to(&it.image).1.map(|entry| entry.span);
                let at = finding.primary.span;
                let holds = |entry: Span| {
                    entry.source == at.source && entry.range().contains(&(at.start as usize))
                };
                let meets = |it: &Asked| of(it).is_some_and(holds);
                finding.rule != "override-unused" || !listed.iter().any(meets)
            });
            asked.extend(listed);
        }
        images.wanted.asked = once(asked.into_iter());
        Ok(Some(images))
    }

    /// The images of manifests, and the tables; without a PATH or Flux only the tables.
    fn of_inputs(&self, global: &Global, console: &Console) -> anyhow::Result<(Images, Tables)> {
        if !self.names_manifests() {
            let request = Request {
                values: self.inventory.tables.values.clone(),
                tables: self.inventory.tables.images.clone(),
                ..Request::default()
            };
            let loaded = read(&request, global, console)?;
            let tables = join::tables(&loaded, true);
            let images = Images {
                findings: [loaded.findings.clone(), tables.findings].concat(),
                loaded,
                ..Images::default()
            };
            return Ok((images, tables.tables));
        }
        let accepted = accepted(self.accept.as_ref())?;
        let (loaded, inventory) = self.inventory.read(FluxSource::None, global, console)?;
        let mut findings = inventory.findings;
        findings.extend(judged(&inventory.named, &[], &Accepted::default()));
        let images = Images {
            wanted: Wanted {
                asked: asked(&inventory.named, self.with.map(|_| &accepted)),
                open: inventory.open,
            },
            unseen: inventory.unseen,
            findings,
            stopped: inventory.stopped,
            loaded,
        };
        Ok((images, inventory.tables))
    }
}

//! `forebay images`: every image, with where it stands and what it becomes; and whether a registry or
//! a bundle has each.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use super::console::Console;
use super::inventory::{InventoryArguments, With, accepted};
use super::presence::{Proved, prove};
use super::proof::{NameKind, tell_unseen, without_unseen};
use super::{Exit, Global, findings};
use crate::load::FluxSource;
use crate::report::images::{ImageFormat, List, list};
use crate::resolve::inventory::asked::asked;
use crate::resolve::inventory::judged;

/// What `images` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    inventory: InventoryArguments,
    /// The format of the list
    #[arg(long, value_enum, default_value_t = ImageFormat::Text)]
    format: ImageFormat,
    /// One canonical reference an image, with registry, tag and all
    #[arg(long)]
    normalize: bool,
    /// Registries that images may come from in the end, each with a path if need be
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    allowed: Vec<String>,
    /// Places that `--allowed` and `--with` leave alone: `KIND/NAME/PATH` a line
    #[arg(long, value_name = "FILE")]
    accept: Option<PathBuf>,
    /// Prove that every image is there: in a bundle, or in the registry `oci://HOST[/PREFIX]`
    #[arg(long = "in", value_name = "BUNDLE|oci://HOST")]
    place: Option<String>,
    /// Prove it of images that are only possible as well
    #[arg(long, value_enum, value_name = "GRADE", requires = "place")]
    with: Option<With>,
    /// The names that images must be there under [default: rewritten]
    #[arg(long, value_enum, requires = "place")]
    names: Option<NameKind>,
    /// The earlier bundle that the bundle builds on
    #[arg(long, value_name = "OLD", requires = "place")]
    base: Option<PathBuf>,
    /// Accept that the charts of releases were not looked into
    #[arg(long, requires = "place")]
    accept_unseen: bool,
}

/// Lists what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    ensure!(
        arguments.accept.is_none() || !arguments.allowed.is_empty() || arguments.with.is_some(),
        "`--accept` names what `--allowed` and `--with` leave alone, expected one of the two"
    );
    let accepted = accepted(arguments.accept.as_ref())?;
    let (loaded, inventory) = arguments
        .inventory
        .read(FluxSource::Embedded, global, console)?;
    let mut said = inventory.findings;
    said.extend(judged(&inventory.named, &arguments.allowed, &accepted));
    let proved = match &arguments.place {
        Some(place) if !inventory.stopped => {
            let possible = arguments.with.map(|_| &accepted);
            let asked = asked(&inventory.named, possible);
            let base = arguments.base.as_ref();
            let names = arguments.names.unwrap_or(NameKind::Rewritten);
            Some(prove(place, base, &asked, names, global, console)?)
        }
        _ => None,
    };
    let proving = arguments.place.is_some();
    if arguments.accept_unseen {
        said = without_unseen(said);
    }
    let unproved = proving && !arguments.accept_unseen && !inventory.unseen.is_empty();
    said.extend(proved.iter().flat_map(Proved::findings).cloned());
    let stopped = inventory.stopped || unproved;
    let verdict = findings::decide(said, stopped, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    if inventory.stopped {
        return Ok(verdict.exit);
    }
    console.data(list(
        arguments.format,
        &List {
            named: &inventory.named,
            unseen: &inventory.unseen,
            findings: &verdict.findings,
            normalize: arguments.normalize,
        },
        &loaded.sources,
    ))?;
    if proving {
        tell_unseen(&inventory.unseen, unproved, console);
    }
    match proved {
        Some(proved) => Ok(proved.tell(verdict.exit, console)),
        None => Ok(verdict.exit),
    }
}

//! `forebay images`: every image, with where it stands and what it becomes; what its tag stands for, and
//! whether a registry or a bundle has it.

use std::path::PathBuf;

use anyhow::ensure;
use clap::{ArgGroup, Args};

use super::console::Console;
use super::inventory::{InventoryArguments, With, accepted};
use super::presence::{Proved, prove, resolve};
use super::proof::{NameKind, tell_unseen, without_unseen};
use super::{Exit, Global, findings};
use crate::load::FluxSource;
use crate::report::images::{ImageFormat, List, list};
use crate::resolve::inventory::asked::{Wanted, asked};
use crate::resolve::inventory::{OpenVersion, judged};

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "List every image, with where it stands and what it becomes";

/// What `images` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
#[command(group = ArgGroup::new("asking").multiple(true))]
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
    /// Ask registries what tags and ranges of versions stand for
    #[arg(long, group = "asking")]
    resolve: bool,
    /// Prove that every image is there: in a bundle, or in the registry `oci://HOST[/PREFIX]`
    #[arg(long = "in", value_name = "BUNDLE|oci://HOST", group = "asking")]
    place: Option<String>,
    /// Ask for images that are only possible as well
    #[arg(long, value_enum, value_name = "GRADE", requires = "asking")]
    with: Option<With>,
    /// The names that are asked for [default: rewritten for `--in`, original for `--resolve`]
    #[arg(long, value_enum, requires = "asking")]
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
    let (loaded, mut inventory) =
        arguments
            .inventory
            .read(FluxSource::Embedded, global, console)?;
    let possible = arguments.with.map(|_| &accepted);
    let mut unresolved = None;
    if arguments.resolve && !inventory.stopped {
        let names = arguments.names.unwrap_or(NameKind::Original);
        unresolved = Some(resolve(&mut inventory, possible, names, global, console)?);
    }
    let mut said = inventory.findings;
    said.extend(judged(&inventory.named, &arguments.allowed, &accepted));
    let mut proved = None;
    if let Some(place) = arguments.place.as_ref().filter(|_| !inventory.stopped) {
        let wanted = Wanted {
            asked: asked(&inventory.named, possible),
            open: inventory.open,
        };
        let base = arguments.base.as_ref();
        let names = arguments.names.unwrap_or(NameKind::Rewritten);
        proved = Some(prove(place, base, &wanted, names, global, console)?);
    } else {
        said.extend(inventory.open.iter().map(OpenVersion::finding));
    }
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
    let exit = match proved {
        Some(proved) => proved.tell(verdict.exit, console),
        None => verdict.exit,
    };
    Ok(match unresolved {
        Some(unresolved) => unresolved.tell(exit),
        None => exit,
    })
}

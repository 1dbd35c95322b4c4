//! `forebay bundle create`: every image that the inputs ask for, in one OCI layout.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::images::ImageArguments;
use super::{client, progress};
use crate::cli::console::{self, Console};
use crate::cli::proof::NameKind;
use crate::cli::{Exit, Global, findings};
use crate::registry::create::{Wishes, create, items};
use crate::registry::layout::Layout;
use crate::registry::store::Store;
use crate::report::images::not_looked_into;

/// What `create` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    images: ImageArguments,
    /// The bundle: a directory, or a tar where the name ends in `.tar`
    #[arg(short, long, value_name = "BUNDLE")]
    output: PathBuf,
    /// The name that is pulled: the original one with the new tag and digest, or the rewritten one
    #[arg(long, value_enum, default_value_t = NameKind::Original)]
    pull: NameKind,
    /// Bundle one platform (as `linux/amd64`) instead of all
    #[arg(long, value_name = "PLATFORM")]
    platform: Option<String>,
    /// Keep indexes whole although only one platform is there
    #[arg(long, requires = "platform")]
    sparse: bool,
    /// Leave out signatures, attestations and what else refers to an image
    #[arg(long)]
    no_signatures: bool,
    /// Leave out what an earlier bundle has
    #[arg(long, value_name = "OLD")]
    base: Option<PathBuf>,
}

/// Fetches what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let Some(images) = arguments.images.read(global, console)? else {
        bail!("nothing to bundle, expected a PATH, `--flux` or `--from`");
    };
    let pull_rewritten = arguments.pull == NameKind::Rewritten;
    let (items, faults) = items(&images.wanted.asked, pull_rewritten);
    let mut said = images.findings;
    said.extend(faults);
    let verdict = findings::decide(said, images.stopped, global, &images.loaded, false)?;
    verdict.file(global, &images.loaded.sources)?;
    verdict.talk(console, &images.loaded.sources);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    if items.is_empty() && images.wanted.open.is_empty() {
        bail!("the inputs ask for no image");
    }
    if !images.unseen.is_empty() {
        let which = not_looked_into(&images.unseen);
        console.note(&format!("{which}; their charts may ask for more"));
    }
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let base = arguments
        .base
        .as_ref()
        .map(|base| Layout::open(base))
        .transpose()?;
    let store = Store::begin(&arguments.output, base)?;
    let staging = store.staging().display().to_string();
    let wishes = Wishes {
        platform: arguments.platform.clone(),
        sparse: arguments.sparse,
        signatures: !arguments.no_signatures,
    };
    let created = create(&client, store, items, &images.wanted.open, &wishes)?;
    let requests = client.requests();
    // The bar goes before anything is printed for good.
    drop((client, watch));
    for note in &created.notes {
        console.note(note);
    }
    let Some(digest) = created.digest else {
        let count = created.failures.len();
        for (name, error) in created.failures {
            console::error(&anyhow::Error::new(error).context(format!("cannot bundle `{name}`")));
        }
        let failures = if count == 1 { "failure" } else { "failures" };
        console.note(&format!(
            "{count} {failures}, no bundle; what was fetched is in `{staging}`, and the next run \
             goes on from there"
        ));
        return Ok(Exit::Trouble);
    };
    console.note(&format!(
        "{} entries, {} blobs, {} fetched with {requests} requests",
        created.entries,
        created.blobs,
        progress::bytes(created.fetched)
    ));
    console.data(format!("{digest}\n"))?;
    Ok(Exit::Clean)
}

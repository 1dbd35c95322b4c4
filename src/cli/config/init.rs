//! `forebay init`: a first `forebay.yaml`, after a look at the working directory.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Context, bail};
use clap::Args;

use super::super::console::Console;
use super::super::{Exit, Global};
use super::NAME;
use crate::load::{Loaded, Request, load};
use crate::model::overrides::{FLUX_ROUTE, PLATFORM_ROUTE};
use crate::yaml::Doc;

/// What the command is for, as its help says.
pub(in crate::cli) const ABOUT: &str = "Write a first `forebay.yaml` for this repository";

/// What `init` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(in crate::cli) struct Arguments {}

/// How many files of a kind are named.
const MOST: usize = 10;

/// Looks at the working directory and writes the file. One that is there is left alone.
pub(in crate::cli) fn run(global: &Global, console: &Console) -> anyhow::Result<Exit> {
    let path = global.config.clone().unwrap_or_else(|| NAME.into());
    let shown = path.display().to_string();
    let there = || format!("`{shown}` is there already, and is left as it is");
    if path.exists() {
        bail!(there());
    }
    let request = Request {
        manifests: vec![".".into()],
        ..Request::default()
    };
    let loaded = load(&request, &mut std::io::empty())?;
    let text = text(&loaded);
    // A file that somebody made in the meantime is not written over either.
    let mut file = match std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
    {
        Ok(file) => file,
        Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => bail!(there()),
        Err(why) => return Err(why).with_context(|| format!("cannot write `{shown}`")),
    };
    file.write_all(text.as_bytes())
        .with_context(|| format!("cannot write `{shown}`"))?;
    console.note(&format!(
        "wrote `{shown}`; `forebay check .` reads it, `forebay check . --write-baseline FILE` lets \
         an old estate start green"
    ));
    Ok(Exit::Clean)
}

/// The first file for what was found.
fn text(loaded: &Loaded) -> String {
    let mut tables = BTreeSet::new();
    let mut definitions = BTreeSet::new();
    let (mut releases, mut packages, mut kustomizations) = (0, 0, 0);
    for input in &loaded.inputs {
        for doc in &input.docs {
            match kind(doc) {
                ("CustomResourceDefinition", _) => {
                    definitions.insert(input.source.path.as_str());
                }
                ("HelmRelease", _) => releases += 1,
                ("Package", api) if api.starts_with("cozystack.io/") => packages += 1,
                ("Kustomization", api) if api.starts_with("kustomize.toolkit") => {
                    kustomizations += 1;
                }
                ("", "") if holds_table(doc) => {
                    tables.insert(input.source.path.as_str());
                }
                _ => {}
            }
        }
    }
    let mut out =
        "# What this repository always wants of forebay. `forebay config schema` prints the \
                   schema.\n"
            .to_owned();
    let mut line = |text: std::fmt::Arguments<'_>| {
        out.write_fmt(text).expect("a string takes everything");
    };
    let counted = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    line(format_args!(
        "# Found here: {}, {}, {}.\n\n# The least level of a finding that fails a run.\nfail-on: \
         error\n",
        counted(releases, "HelmRelease"),
        counted(packages, "Package"),
        counted(kustomizations, "Kustomization"),
    ));
    if !tables.is_empty() {
        line(format_args!(
            "\n# Values with an override table; take out what does not belong to one estate.\nvalues:\n"
        ));
        for path in tables.iter().take(MOST) {
            line(format_args!("  - {}\n", quoted(path)));
        }
    }
    if definitions.is_empty() {
        line(format_args!(
            "\n# Definitions that the cluster has and this repository has not, to hold objects \
             against.\n# schemas: [crds]\n"
        ));
    }
    line(format_args!(
        "\n# Findings that are known and meant. One that silences nothing is reported.\nallow: []\n\
         #  - rule: depends-on-missing\n#    object: HelmRelease apps/web\n#    reason: the database \
         lives in another repository\n"
    ));
    out
}

/// Kind and `apiVersion`, empty where there are none.
fn kind(doc: &Doc) -> (&str, &str) {
    let text = |key| doc.root().and_then(|root| root.text_at(&[key]));
    (
        text("kind").unwrap_or_default(),
        text("apiVersion").unwrap_or_default(),
    )
}

fn holds_table(doc: &Doc) -> bool {
    let at = |route: &[&str]| doc.root().and_then(|root| root.at(route)).is_some();
    at(&PLATFORM_ROUTE) || at(&FLUX_ROUTE)
}

/// A path as a YAML scalar.
fn quoted(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._".contains(&byte);
    let word = path.starts_with(|first: char| first.is_ascii_alphabetic()) && path.contains('/');
    if word && path.bytes().all(|byte| plain(byte) || byte == b'-') {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "''"))
    }
}

//! `forebay bundle push`: a bundle into registries, digests unchanged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::{client, open, progress};
use crate::cli::console::{self, Console};
use crate::cli::{Exit, Global};
use crate::model::reference::Reference;
use crate::registry::contents::Bundle;
use crate::registry::digest::Digest;
use crate::registry::push::{Job, Target, push};

/// What `push` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A directory or a tar
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The registry, `oci://HOST` or `oci://HOST/PREFIX`, instead of the ones that the rewritten
    /// names have; their paths stay
    #[arg(value_name = "TARGET")]
    target: Option<String>,
    /// Name an entry that has no name
    #[arg(long, value_name = "DIGEST=REF", value_parser = named)]
    name: Vec<(String, String)>,
    /// Do not put a tag beside what is pushed by digest alone
    #[arg(long)]
    no_keep_tags: bool,
    /// The earlier bundle that it builds on
    #[arg(long, value_name = "OLD")]
    base: Option<PathBuf>,
}

fn named(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((digest, name)) if Digest::parse(digest).is_some() => {
            Ok((digest.to_owned(), name.to_owned()))
        }
        _ => Err("expected DIGEST=REF"),
    }
}

/// Pushes what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let bundle = open(&arguments.bundle, arguments.base.as_ref())?;
    let target = arguments.target.as_deref().map(target).transpose()?;
    let jobs = jobs(&bundle, target.as_ref(), &arguments.name)?;
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let pushed = push(&client, &bundle, &jobs, !arguments.no_keep_tags)?;
    let requests = client.requests();
    drop((client, watch));
    let mut text = String::new();
    for (reference, digest) in &pushed.references {
        let bare = Reference {
            digest: None,
            ..reference.clone()
        };
        writeln!(text, "{bare}@{digest}").expect("a string takes everything");
    }
    console.data(text)?;
    let count = pushed.failures.len();
    for (name, error) in pushed.failures {
        console::error(&anyhow::Error::new(error).context(format!("cannot push `{name}`")));
    }
    console.note(&format!(
        "{} references, {} blobs sent, {} taken over, {} there before, {requests} requests",
        pushed.references.len(),
        pushed.sent,
        pushed.mounted,
        pushed.before
    ));
    Ok(if count == 0 {
        Exit::Clean
    } else {
        Exit::Trouble
    })
}

/// A registry, and what stands before each repository there.
pub(in crate::cli) fn target(text: &str) -> anyhow::Result<Target> {
    let bare = text.strip_prefix("oci://").unwrap_or(text);
    let bare = bare.trim_end_matches('/');
    let (host, prefix) = bare.split_once('/').unwrap_or((bare, ""));
    // Read as part of a reference, so that nothing but a host is one.
    let read =
        Reference::parse(&format!("{host}/{prefix}/x").replace("//", "/")).with_context(|| {
            format!("`{text}` is no target, expected `oci://HOST` or `oci://HOST/PREFIX`")
        })?;
    ensure!(
        read.host == host,
        "`{text}` is no target, expected `oci://HOST` or `oci://HOST/PREFIX`"
    );
    Ok(Target {
        host: host.to_owned(),
        prefix: prefix.to_owned(),
    })
}

/// Where each entry goes.
fn jobs(
    bundle: &Bundle,
    target: Option<&Target>,
    names: &[(String, String)],
) -> anyhow::Result<Vec<Job>> {
    let mut given: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (digest, name) in names {
        given.entry(digest).or_default().push(name);
    }
    let mut jobs = Vec::new();
    for (at, entry) in bundle.layout.entries.iter().enumerate() {
        let digest = entry.descriptor.digest.as_str();
        let new = given.remove(digest);
        let own = entry.rewritten();
        let all = match &new {
            Some(names) => names,
            None => &own,
        };
        if all.is_empty() {
            bail!("the entry {digest} has no name, expected one with `--name {digest}=REF`");
        }
        for name in all {
            let reference = Reference::parse(name)
                .with_context(|| format!("cannot push the entry `{}`", entry.shown()))?;
            let moved = entry.name() != Some(*name) || new.is_some();
            let to = match target {
                Some(target) => target.of(&reference),
                None if moved => reference,
                None => bail!(
                    "`{name}` is not rewritten and would go back to where it came from, expected a \
                     target as `oci://HOST`"
                ),
            };
            let to = to.with_default_tag();
            jobs.push(Job { entry: at, to });
        }
    }
    if let Some(digest) = given.keys().next() {
        bail!("no entry of the bundle is {digest}, which `--name` names");
    }
    jobs.sort_by(|one, other| (&one.to, one.entry).cmp(&(&other.to, other.entry)));
    for pair in jobs.windows(2) {
        let digest = |job: &Job| &bundle.layout.entries[job.entry].descriptor.digest;
        let same = pair[0].to == pair[1].to && pair[0].to.digest.is_none();
        if same && digest(&pair[0]) != digest(&pair[1]) {
            bail!(
                "two entries would be pushed as `{}`, and they differ",
                pair[0].to
            );
        }
    }
    jobs.dedup_by(|one, other| one.to == other.to && one.entry == other.entry);
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_host_and_a_prefix() {
        let of = |text| target(text).map(|it| (it.host, it.prefix)).ok();
        let is = |host: &str, prefix: &str| Some((host.to_owned(), prefix.to_owned()));
        assert_eq!(of("oci://h.example"), is("h.example", ""));
        assert_eq!(of("oci://localhost:5000/"), is("localhost:5000", ""));
        assert_eq!(of("h.example/a/b"), is("h.example", "a/b"));
        assert_eq!(of("oci://no-host"), None);
        assert_eq!(of("oci://h.example/A"), None);
    }
}

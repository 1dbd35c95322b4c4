//! `images --in`: whether a bundle or a registry has each image.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::bundle::{client, open, progress, target};
use super::console::{self, Console};
use super::proof::NameKind;
use super::{Exit, Global};
use crate::finding::Finding;
use crate::registry::error::Error;
use crate::registry::presence::{Names, Proof, elsewhere, in_bundle, in_registry};
use crate::resolve::inventory::asked::Asked;

/// What was proved, and what could not be.
pub(super) struct Proved {
    findings: Vec<Finding>,
    /// How many were, in a few words.
    summary: String,
    /// What a registry gave no answer to, by reference.
    failures: Vec<(String, Error)>,
}

/// Looks for images in a bundle, which may build on `base`, or in a registry named `oci://HOST`.
pub(super) fn prove(
    place: &str,
    base: Option<&PathBuf>,
    asked: &[Asked],
    names: NameKind,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Proved> {
    if !place.starts_with("oci://") {
        let bundle = open(Path::new(place), base)?;
        let proof = in_bundle(&bundle, asked, names.into());
        return Ok(Proved::of(proof, asked, place, ""));
    }
    ensure!(
        base.is_none(),
        "`--base` is for bundles, and `{place}` is a registry"
    );
    let target = target(place)?;
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let proof = in_registry(&client, asked, names.into(), &target);
    let requests = format!(", told by {} requests", client.requests());
    // The bar goes before anything is printed for good.
    drop((client, watch));
    let others = elsewhere(asked, &target);
    if names == NameKind::Rewritten && !others.is_empty() {
        let others: Vec<String> = others.iter().map(|host| format!("`{host}`")).collect();
        console.note(&format!(
            "images that come from {} in the end were looked for in `{place}` as well: nodes find \
             them there by mirrors alone, and `--allowed {}` names each",
            others.join(", "),
            target.host
        ));
    }
    Ok(Proved::of(proof, asked, place, &requests))
}

impl Proved {
    fn of(proof: Proof, asked: &[Asked], place: &str, by: &str) -> Proved {
        let there = asked.len() - proof.findings.len() - proof.failures.len();
        let images = if asked.len() == 1 { "image" } else { "images" };
        Proved {
            summary: format!("{there} of {} {images} in `{place}`{by}", asked.len()),
            findings: proof.findings,
            failures: proof.failures,
        }
    }

    /// Every image that would not be found.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Says what came of it, and how the run ends for it.
    pub(super) fn tell(self, exit: Exit, console: &Console) -> Exit {
        console.note(&self.summary);
        if self.failures.is_empty() {
            return exit;
        }
        for (name, error) in self.failures {
            let error = anyhow::Error::new(error);
            console::error(&error.context(format!("cannot look for `{name}`")));
        }
        Exit::Trouble
    }
}

impl From<NameKind> for Names {
    fn from(kind: NameKind) -> Names {
        match kind {
            NameKind::Original => Names::Original,
            NameKind::Rewritten => Names::Rewritten,
        }
    }
}

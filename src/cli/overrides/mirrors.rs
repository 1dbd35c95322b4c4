//! The configuration of mirrors that matches a table, for containerd, Talos and k3s.
//!
//! Source: containerd `docs/hosts.md` (2.1); Talos 1.11 `machine.registries.mirrors`; k3s "Private
//! Registry Configuration".

use std::fmt::Write as _;

use super::super::console::Console;
use super::forms::Form;
use crate::emit::Tree;
use crate::model::overrides::OverrideTable;
use crate::resolve::mirrors::{Mirror, address, mirrors};

/// The mirrors of a table; entries that have none are named on the way.
pub(super) fn told(table: Option<&OverrideTable>, console: &Console) -> Vec<Mirror> {
    let (mirrors, without) = table.map(mirrors).unwrap_or_default();
    for entry in without {
        console.note(&format!(
            "entry {} for `{}` has no mirror: {}",
            entry.entry + 1,
            entry.name,
            entry.why
        ));
    }
    mirrors
}

/// The text of a form that is one file.
pub(super) fn text(form: Form, mirrors: &[Mirror]) -> String {
    if form == Form::K3s {
        k3s(mirrors)
    } else {
        talos(mirrors)
    }
}

/// containerd's tree: a folder for each registry.
pub(super) fn hosts(mirrors: &[Mirror], comment: &str) -> Tree {
    let file = |mirror: &Mirror| {
        let content = format!("{comment}{}", hosts_toml(mirror));
        (
            format!("{}/hosts.toml", mirror.upstream),
            content.into_bytes(),
        )
    };
    Tree {
        files: mirrors.iter().map(file).collect(),
    }
}

fn hosts_toml(mirror: &Mirror) -> String {
    let server = address(&mirror.upstream);
    let (place, path) = match full_path(mirror) {
        Some(place) => (place, "override_path = true\n"),
        None => (mirror.address(), ""),
    };
    format!(
        "server = \"{server}\"\n\n[host.\"{place}\"]\ncapabilities = [\"pull\", \"resolve\"]\n{path}"
    )
}

/// The address with the path that is asked, where there is one besides `/v2`.
fn full_path(mirror: &Mirror) -> Option<String> {
    (!mirror.prefix.is_empty()).then(|| format!("{}/v2/{}", mirror.address(), mirror.prefix))
}

fn talos(mirrors: &[Mirror]) -> String {
    let mut text = "machine:\n  registries:\n    mirrors:".to_owned();
    if mirrors.is_empty() {
        text.push_str(" {}");
    }
    text.push('\n');
    for mirror in mirrors {
        let (place, path) = match full_path(mirror) {
            Some(place) => (place, "        overridePath: true\n"),
            None => (mirror.address(), ""),
        };
        write!(
            text,
            "      \"{}\":\n        endpoints:\n        - \"{place}\"\n{path}",
            mirror.upstream
        )
        .expect("a text takes everything");
    }
    text
}

fn k3s(mirrors: &[Mirror]) -> String {
    let mut text = "mirrors:".to_owned();
    if mirrors.is_empty() {
        text.push_str(" {}");
    }
    text.push('\n');
    for mirror in mirrors {
        let place = mirror.address();
        write!(
            text,
            "  \"{}\":\n    endpoint:\n    - \"{place}\"\n",
            mirror.upstream
        )
        .expect("a text takes everything");
        if !mirror.prefix.is_empty() {
            write!(
                text,
                "    rewrite:\n      \"^(.*)$\": \"{}/$1\"\n",
                mirror.prefix
            )
            .expect("a text takes everything");
        }
    }
    text
}

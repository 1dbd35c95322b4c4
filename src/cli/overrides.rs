//! `forebay overrides`: the validated table in the form that a consumer takes.

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::console::Console;
use super::inputs::{PathArguments, TableArguments, read, request};
use super::{Exit, Global, findings, pipeline};
use crate::load::FluxSource;
use crate::model::overrides::{Override, OverrideTable};

/// What `overrides` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    /// The form
    #[arg(long, value_enum, default_value_t = Form::Yaml)]
    format: Form,
    /// Which table, where the inputs give two that differ
    #[arg(long, value_enum)]
    table: Option<Which>,
}

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A list, as `--images` takes it.
    Yaml,
    /// The same as JSON.
    Json,
    /// The operator's flag, as the installer passes it; nothing where the table is empty.
    Flag,
    /// A `kustomization.yaml`.
    Kustomization,
    /// Values of the installer's and the platform's charts.
    Values,
    /// The `postRenderers` of a `HelmRelease`.
    Postrenderer,
}

/// The two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Of Flux's own manifests.
    Flux,
    /// Of releases.
    Platform,
}

/// Prints the table that the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let request = request(&arguments.paths.paths, &arguments.tables, FluxSource::None)?;
    let loaded = read(&request, global, console)?;
    let (tables, usable) = pipeline::tables(&loaded, true);
    let mut said = loaded.findings.clone();
    said.extend(tables.findings);
    let verdict = findings::decide(said, !usable, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    let (flux, platform) = (tables.tables.flux.as_ref(), tables.tables.platform.as_ref());
    if arguments.format == Form::Values {
        console.data(values(flux, platform))?;
        return Ok(Exit::Clean);
    }
    let which = arguments.table.or(match arguments.format {
        Form::Flag => Some(Which::Flux),
        Form::Postrenderer => Some(Which::Platform),
        _ => None,
    });
    let table = match which {
        Some(Which::Flux) => flux,
        Some(Which::Platform) => platform,
        None => match (flux, platform) {
            (Some(one), Some(other)) if json(Some(one)) != json(Some(other)) => {
                bail!("the inputs give two tables that differ, expected `--table flux|platform`")
            }
            (one, other) => one.or(other),
        },
    };
    console.data(form(arguments.format, table))?;
    Ok(Exit::Clean)
}

/// A table in one of the forms that hold one.
fn form(form: Form, table: Option<&OverrideTable>) -> String {
    let empty = table.is_none_or(|table| table.entries.is_empty());
    match form {
        Form::Json => format!("{}\n", json(table)),
        Form::Flag if empty => String::new(),
        Form::Flag => format!("--flux-image-overrides={}\n", json(table)),
        Form::Kustomization => format!(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nimages:{}",
            list(table, 0, true)
        ),
        Form::Postrenderer if empty => "postRenderers: []\n".to_owned(),
        Form::Postrenderer => {
            format!(
                "postRenderers:\n- kustomize:\n    images:{}",
                list(table, 4, true)
            )
        }
        Form::Yaml | Form::Values => list(table, 0, false),
    }
}

/// Values that give each table to its chart.
fn values(flux: Option<&OverrideTable>, platform: Option<&OverrideTable>) -> String {
    let mut text = String::new();
    if flux.is_some() {
        text.push_str("cozystackOperator:\n  fluxImageOverrides:");
        text.push_str(&list(flux, 2, true));
    }
    if platform.is_some() {
        text.push_str("registries:\n  imageOverrides:");
        text.push_str(&list(platform, 2, true));
    }
    if text.is_empty() {
        "{}\n".to_owned()
    } else {
        text
    }
}

/// The fields of an entry that are there, in the order of kustomize's type.
fn fields(entry: &Override) -> impl Iterator<Item = (&'static str, &str)> {
    [
        ("name", entry.name()),
        ("newName", entry.new_name()),
        ("newTag", entry.new_tag()),
        ("digest", entry.digest()),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
}

/// The table as a list by lines, with every value quoted, so that no reader takes one for a number.
fn list(table: Option<&OverrideTable>, indent: usize, below_a_key: bool) -> String {
    let entries = table.map_or(&[][..], |table| &table.entries);
    let mut text = String::new();
    match (entries.is_empty(), below_a_key) {
        (true, true) => text.push_str(" []\n"),
        (true, false) => text.push_str("[]\n"),
        (false, true) => text.push('\n'),
        (false, false) => {}
    }
    let margin = " ".repeat(indent);
    for entry in entries {
        for (at, (key, value)) in fields(entry).enumerate() {
            let lead = if at == 0 { "- " } else { "  " };
            let value = serde_json::Value::from(value);
            text.extend([margin.as_str(), lead, key, ": ", &value.to_string(), "\n"]);
        }
    }
    text
}

/// The table as one JSON list.
fn json(table: Option<&OverrideTable>) -> String {
    let entries = table.map_or(&[][..], |table| &table.entries);
    let entry = |entry: &Override| {
        let fields = fields(entry).map(|(key, value)| (key.to_owned(), value.into()));
        serde_json::Value::Object(fields.collect())
    };
    serde_json::Value::Array(entries.iter().map(entry).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Spanned;
    use crate::source::Span;

    fn table() -> OverrideTable {
        let text = |value: &str| {
            Some(Spanned {
                value: value.to_owned(),
                span: Span::default(),
            })
        };
        let entry = Override {
            name: text("a/b"),
            new_tag: text("1.20"),
            ..Override::default()
        };
        OverrideTable {
            entries: vec![entry],
            span: Span::default(),
        }
    }

    #[test]
    fn every_form_holds_the_same_table() {
        let table = table();
        let print = |kind| form(kind, Some(&table));
        assert_eq!(print(Form::Yaml), "- name: \"a/b\"\n  newTag: \"1.20\"\n");
        let json = r#"[{"name":"a/b","newTag":"1.20"}]"#;
        assert_eq!(print(Form::Json), format!("{json}\n"));
        assert_eq!(
            print(Form::Flag),
            format!("--flux-image-overrides={json}\n")
        );
        assert!(
            print(Form::Postrenderer)
                .ends_with("    images:\n    - name: \"a/b\"\n      newTag: \"1.20\"\n")
        );
        assert!(
            print(Form::Kustomization).ends_with("images:\n- name: \"a/b\"\n  newTag: \"1.20\"\n")
        );
        assert!(values(Some(&table), None).contains("  fluxImageOverrides:\n  - name: \"a/b\"\n"));
    }

    #[test]
    fn an_empty_table_is_no_flag() {
        assert_eq!(form(Form::Flag, Some(&OverrideTable::default())), "");
        assert_eq!(form(Form::Yaml, None), "[]\n");
        assert_eq!(values(None, None), "{}\n");
    }
}

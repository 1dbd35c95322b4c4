//! The forms of a table: a list for each of those who take one.

use clap::ValueEnum;

use crate::model::overrides::{Override, OverrideTable};

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
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
    /// containerd's `hosts.toml`, a folder for each registry; `-o` says where.
    HostsToml,
    /// Talos' `machine.registries.mirrors`.
    Talos,
    /// k3s' `registries.yaml`.
    K3s,
}

impl Form {
    /// Whether it is a configuration of mirrors instead of a table.
    pub(super) fn is_of_mirrors(self) -> bool {
        matches!(self, Form::HostsToml | Form::Talos | Form::K3s)
    }

    /// Whether it takes comments.
    pub(super) fn takes_comments(self) -> bool {
        !matches!(self, Form::Json | Form::Flag)
    }
}

/// A table in one of the forms that hold one.
pub(super) fn form(form: Form, table: Option<&OverrideTable>) -> String {
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
        // Mirrors and the values of two tables have texts of their own.
        Form::Yaml | Form::Values | Form::HostsToml | Form::Talos | Form::K3s => {
            list(table, 0, false)
        }
    }
}

/// Values that give each table to its chart.
pub(super) fn values(flux: Option<&OverrideTable>, platform: Option<&OverrideTable>) -> String {
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
pub(super) fn json(table: Option<&OverrideTable>) -> String {
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

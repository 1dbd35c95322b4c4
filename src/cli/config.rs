//! `forebay.yaml`: what a repository always wants, and `forebay config schema`.
//!
//! An option that is typed stands over the file. Paths are as they are typed: from the working
//! directory. What is wrong in the file stops a run, since half a configuration is none.

pub(super) mod init;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};

use super::Exit;
use super::console::Console;
use super::findings::FailOn;
use crate::source::{SourceMap, Span};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Node, read_all};

/// The name that is looked for in the working directory.
pub(super) const NAME: &str = "forebay.yaml";

/// The schema of the file, as editors want it.
const SCHEMA: &str = include_str!("config/schema.json");

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "The configuration file's schema";

/// What `config` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the JSON schema of `forebay.yaml`
    Schema,
}

/// Prints what the arguments ask for.
pub(super) fn run(arguments: &Arguments, console: &Console) -> anyhow::Result<Exit> {
    match arguments.command {
        Command::Schema => console.data(SCHEMA)?,
    }
    Ok(Exit::Clean)
}

/// What the file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The name it is shown by, and its text; none without a file.
    pub(super) file: Option<(String, String)>,
    /// `fail-on`.
    pub(super) fail_on: Option<FailOn>,
    /// `values`, where neither `--values` nor `--images` is typed.
    pub(super) values: Vec<PathBuf>,
    /// `images`, likewise.
    pub(super) images: Vec<PathBuf>,
    /// `schemas`, where no `--schemas` is typed.
    pub(super) schemas: Vec<PathBuf>,
    /// `baseline`, where no `--baseline` is typed.
    pub(super) baseline: Option<PathBuf>,
    /// `allow`.
    pub(super) allow: Vec<Allow>,
}

/// An entry of `allow`.
#[derive(Clone, Debug)]
pub(super) struct Allow {
    /// A rule's code, or an id.
    pub(super) rule: String,
    /// Files, as a line of a `.gitignore` names them.
    pub(super) path: Option<String>,
    /// `namespace/name`, or `Kind namespace/name`.
    pub(super) object: Option<String>,
    /// Where it stands in the file.
    pub(super) span: Span,
}

/// The keys of the file and of an entry of `allow`.
const KEYS: [&str; 6] = [
    "allow", "baseline", "fail-on", "images", "schemas", "values",
];
const ALLOW_KEYS: [&str; 4] = ["object", "path", "reason", "rule"];

/// Reads the file that is named, or the one in the working directory if it is there.
pub(super) fn read(named: Option<&Path>) -> anyhow::Result<Settings> {
    let path = named.unwrap_or(Path::new(NAME));
    if named.is_none() && !path.is_file() {
        return Ok(Settings::default());
    }
    let shown = path.display().to_string().replace('\\', "/");
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{shown}`"))?;
    parse(&shown, &text)
}

/// Reads the text of a file.
fn parse(shown: &str, text: &str) -> anyhow::Result<Settings> {
    let source = SourceMap::default().add(shown, text);
    let at = |span: Span| format!("{shown}:{}", source.line_col(span.start));
    let mut settings = Settings {
        file: Some((shown.to_owned(), text.to_owned())),
        ..Settings::default()
    };
    for doc in read_all(&source) {
        let doc = match doc {
            Ok(doc) => doc,
            Err(fault) => bail!("{}: {}", at(fault.span), fault.message),
        };
        let Some(root) = doc
            .root()
            .map(Node::resolved)
            .filter(|root| !root.is_null())
        else {
            continue;
        };
        let reading = Reading { at: &at };
        reading.keys(root, &KEYS)?;
        settings.fail_on = reading.fail_on(root)?;
        settings.values = reading.paths(root, "values")?;
        settings.images = reading.paths(root, "images")?;
        settings.schemas = reading.paths(root, "schemas")?;
        settings.baseline = reading.text(root, "baseline")?.map(PathBuf::from);
        for entry in reading.list(root, "allow")? {
            settings.allow.push(reading.allow(entry)?);
        }
    }
    Ok(settings)
}

/// Reads values of the file, each fault with its place.
struct Reading<'a> {
    at: &'a dyn Fn(Span) -> String,
}

impl Reading<'_> {
    fn keys(&self, node: Node<'_>, known: &[&str]) -> anyhow::Result<()> {
        if !node.is_mapping() {
            bail!("{}: expected a mapping", (self.at)(node.span()));
        }
        for (key, _) in node.entries() {
            let name = key.text().unwrap_or_default();
            if !known.contains(&name) {
                let known = known.join("`, `");
                bail!(
                    "{}: unknown key `{name}`, expected one of `{known}`",
                    (self.at)(key.span())
                );
            }
        }
        Ok(())
    }

    fn list<'d>(&self, node: Node<'d>, key: &str) -> anyhow::Result<Vec<Node<'d>>> {
        let Some(list) = node.at(&[key]).filter(|list| !list.is_null()) else {
            return Ok(Vec::new());
        };
        if !list.is_sequence() {
            bail!("{}: `{key}` is no list", (self.at)(list.span()));
        }
        Ok(list.items().map(Node::resolved).collect())
    }

    fn string(&self, node: Node<'_>, key: &str) -> anyhow::Result<String> {
        match resolve(node, Reader::Kubernetes) {
            Some(Scalar::String(text) | Scalar::Timestamp(text)) if !text.is_empty() => {
                Ok(text.to_owned())
            }
            _ => bail!("{}: `{key}` holds no string", (self.at)(node.span())),
        }
    }

    fn text(&self, node: Node<'_>, key: &str) -> anyhow::Result<Option<String>> {
        let node = node.at(&[key]).filter(|node| !node.is_null());
        node.map(|node| self.string(node, key)).transpose()
    }

    /// One path or several.
    fn paths(&self, node: Node<'_>, key: &str) -> anyhow::Result<Vec<PathBuf>> {
        if let Some(one) = node.at(&[key]).filter(|node| node.kind().is_scalar()) {
            let one = (!one.is_null())
                .then(|| self.string(one, key))
                .transpose()?;
            return Ok(one.into_iter().map(PathBuf::from).collect());
        }
        let items = self.list(node, key)?.into_iter();
        items
            .map(|item| self.string(item, key).map(PathBuf::from))
            .collect()
    }

    fn fail_on(&self, root: Node<'_>) -> anyhow::Result<Option<FailOn>> {
        let Some(text) = self.text(root, "fail-on")? else {
            return Ok(None);
        };
        match FailOn::from_str(&text, false) {
            Ok(level) => Ok(Some(level)),
            Err(_) => bail!(
                "{}: `fail-on` is `{text}`, expected `error`, `warning`, `note` or `never`",
                (self.at)(root.at(&["fail-on"]).map_or(root.span(), Node::span))
            ),
        }
    }

    fn allow(&self, node: Node<'_>) -> anyhow::Result<Allow> {
        self.keys(node, &ALLOW_KEYS)?;
        let required = |key: &str| match self.text(node, key)? {
            Some(text) => Ok(text),
            None => bail!(
                "{}: an entry of `allow` has no `{key}`",
                (self.at)(node.span())
            ),
        };
        let rule = required("rule")?;
        required("reason")?;
        Ok(Allow {
            rule,
            path: self.text(node, "path")?,
            object: self.text(node, "object")?,
            span: node.at(&["rule"]).map_or(node.span(), Node::span),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        let keys = |value: &Value| -> Vec<String> {
            let map = value["properties"].as_object().expect("properties");
            let mut keys: Vec<String> = map.keys().cloned().collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(&schema), KEYS);
        let allow = &schema["properties"]["allow"]["items"];
        assert_eq!(keys(allow), ALLOW_KEYS);
        assert_eq!(allow["required"], serde_json::json!(["rule", "reason"]));
        let levels: Vec<String> = FailOn::value_variants()
            .iter()
            .filter_map(|level| Some(level.to_possible_value()?.get_name().to_owned()))
            .collect();
        assert_eq!(
            schema["properties"]["fail-on"]["enum"],
            serde_json::json!(levels)
        );
    }

    #[test]
    fn all_of_the_file_is_read() {
        let text = "fail-on: warning\nvalues: values.yaml\nimages: [a.yaml, b.yaml]\nbaseline: \
                    known.json\nallow:\n- {rule: HZ04, reason: another repository, path: apps/}\n";
        let settings = parse("forebay.yaml", text).expect("sound");
        assert_eq!(settings.fail_on, Some(FailOn::Warning));
        assert_eq!((settings.values.len(), settings.images.len()), (1, 2));
        assert_eq!(settings.allow[0].rule, "HZ04");
        assert_eq!(settings.allow[0].path.as_deref(), Some("apps/"));
        assert!(
            parse("forebay.yaml", "# nothing\n")
                .expect("sound")
                .allow
                .is_empty()
        );
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let why = |text: &str| parse("forebay.yaml", text).expect_err(text).to_string();
        assert!(why("fail_on: error\n").starts_with("forebay.yaml:1:1: unknown key `fail_on`"));
        assert!(why("fail-on: errors\n").contains("expected `error`"));
        assert!(why("allow:\n- rule: HZ04\n").contains("has no `reason`"));
        assert!(why("allow: HZ04\n").contains("is no list"));
        assert!(why("- a\n").contains("expected a mapping"));
        assert!(why("a: [\n").starts_with("forebay.yaml:"));
    }
}

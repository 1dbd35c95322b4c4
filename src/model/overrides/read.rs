//! Tables out of documents: where a table may stand, and what each of its nodes must be. Faults of
//! shape are collected, all at once.
//!
//! Source: the inputs of the command line's contract; `spec/package-rendering.md` section 10.

use super::secret::secret_table;
use super::{Override, OverrideTable};
use crate::finding::{Finding, Label, Level};
use crate::model::Spanned;
use crate::source::Span;
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node};

/// Which of the two tables is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Which {
    /// Flux's own manifests.
    Flux,
    /// Releases.
    Platform,
    /// One list for both.
    Both,
}

/// A table that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Which one it is.
    pub(crate) which: Which,
    /// Its entries.
    pub(crate) table: OverrideTable,
}

const FIELDS: [&str; 4] = ["name", "newName", "newTag", "digest"];

/// The tables of a file that is a table by itself: a bare list, or a list at a place that the
/// contract names. A table with a fault keeps its sound entries.
pub(crate) fn tables_in(doc: &Doc, findings: &mut Vec<Finding>) -> Vec<Found> {
    let Some(root) = doc.root().map(Node::resolved) else {
        return Vec::new();
    };
    if !root.is_mapping() {
        return vec![Found {
            which: Which::Both,
            table: read_table(root, findings),
        }];
    }
    let places: [(Which, &[&str]); 4] = [
        (Which::Both, &["images"]),
        (Which::Both, &["imageOverrides"]),
        (Which::Flux, &FLUX_ROUTE),
        (Which::Platform, &PLATFORM_ROUTE),
    ];
    let mut found: Vec<Found> = places
        .into_iter()
        .filter_map(|(which, route)| Some((which, root.at(route)?)))
        .filter(|(_, node)| !node.is_null())
        .map(|(which, node)| Found {
            which,
            table: read_table(node, findings),
        })
        .collect();
    found.extend(package_table(root, findings));
    found.extend(
        secret_table(root, findings)
            .and_then(|(_, table)| table)
            .map(|table| Found {
                which: Which::Platform,
                table,
            }),
    );
    if found.is_empty() {
        findings.extend(no_table(root));
    }
    found
}

/// What a table file that holds no table at any place deserves. Null, empty, and values that only
/// lack the table are not at fault.
fn no_table(root: Node<'_>) -> Option<Finding> {
    const PLACES: [&str; 4] = [
        "images",
        "imageOverrides",
        "registries",
        "cozystackOperator",
    ];
    let keys = || {
        root.entries()
            .filter_map(|(key, _)| Some((key, key.resolved().text()?)))
    };
    let (first, _) = keys().next()?;
    if keys().any(|(_, key)| PLACES.contains(&key)) || root.get("kind").is_some() {
        return None;
    }
    let near = keys()
        .flat_map(|(_, key)| PLACES.map(|place| (distance(key, place), key, place)))
        .min()
        .filter(|(steps, ..)| *steps <= 2);
    let help = match near {
        Some((_, key, place)) => format!("did you mean `{place}` for `{key}`?"),
        None => "write a bare list, or put it under `images`".to_owned(),
    };
    let message = "no override table here, expected a list, or one under `images`, \
                   `imageOverrides`, `registries.imageOverrides` or \
                   `cozystackOperator.fluxImageOverrides`";
    let place = Label::new(first.span());
    Some(Finding::new("override-not-a-list", Level::Error, place, message).help(help))
}

/// The platform's table inside an object, if that is the Package `cozystack.cozystack-platform`.
pub(crate) fn package_table(root: Node<'_>, findings: &mut Vec<Finding>) -> Option<Found> {
    let platform = root.text_at(&["kind"]) == Some("Package")
        && root.text_at(&["metadata", "name"]) == Some("cozystack.cozystack-platform");
    if !platform {
        return None;
    }
    let values = root.at(&["spec", "components", "platform", "values"])?;
    let node = values.at(&PLATFORM_ROUTE).filter(|node| !node.is_null())?;
    Some(Found {
        which: Which::Platform,
        table: read_table(node, findings),
    })
}

/// Where the installer's values hold Flux's table.
pub(crate) const FLUX_ROUTE: [&str; 2] = ["cozystackOperator", "fluxImageOverrides"];

/// Where the platform's values hold its table.
pub(crate) const PLATFORM_ROUTE: [&str; 2] = ["registries", "imageOverrides"];

/// The table that a node is.
pub(crate) fn read_table(node: Node<'_>, findings: &mut Vec<Finding>) -> OverrideTable {
    if !node.is_sequence() {
        let found = if node.is_mapping() {
            "a mapping"
        } else {
            "a single value"
        };
        findings.push(
            Finding::new(
                "override-not-a-list",
                Level::Error,
                Label::new(node.span()),
                format!("the override table is {found}, expected a list of entries"),
            )
            .help("write each entry as `- name: …` with `newName`, `newTag` or `digest` below it"),
        );
        return OverrideTable {
            entries: Vec::new(),
            span: node.span(),
        };
    }
    let entries = node
        .items()
        .enumerate()
        .filter_map(|(index, item)| entry(index, item.resolved(), findings))
        .collect();
    OverrideTable {
        entries,
        span: node.span(),
    }
}

fn entry(index: usize, node: Node<'_>, findings: &mut Vec<Finding>) -> Option<Override> {
    if !node.is_mapping() {
        let written = shortened(node.written());
        findings.push(
            Finding::new(
                "override-not-an-entry",
                Level::Error,
                Label::new(node.span()),
                format!(
                    "entry {} is `{written}`, expected a mapping with a `name`",
                    index + 1
                ),
            )
            .help(format!("write `- name: {written}` and what replaces it")),
        );
        return None;
    }
    let mut entry = Override {
        index,
        span: entry_span(node),
        ..Override::default()
    };
    let faults = findings.len();
    for (key, value) in node.entries() {
        let name = key.resolved().text().unwrap_or_default();
        let field = match name {
            "name" => &mut entry.name,
            "newName" => &mut entry.new_name,
            "newTag" => &mut entry.new_tag,
            "digest" => &mut entry.digest,
            _ => {
                findings.push(unknown_field(index, name, key));
                continue;
            }
        };
        *field = text(index, name, value, findings);
    }
    entry.faulty = findings.len() > faults;
    Some(entry)
}

/// An entry's place: its first line, so that a message does not print the whole table.
fn entry_span(node: Node<'_>) -> Span {
    node.children().nth(1).map_or(node.span(), |value| Span {
        end: value.span().end,
        ..node.span()
    })
}

/// A field's text; null and the empty text count as absent. A scalar that is no string is refused and
/// kept as it is written, so that no rule takes the field for absent.
fn text(
    index: usize,
    field: &str,
    value: Node<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Spanned<String>> {
    let node = value.resolved();
    let meaning = match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Null) => return None,
        Some(Scalar::String(text) | Scalar::Timestamp(text)) => {
            let value = Spanned {
                value: text.to_owned(),
                span: value.span(),
            };
            return (!text.is_empty()).then_some(value);
        }
        Some(Scalar::Bool(value)) => format!("the truth value {value}"),
        Some(Scalar::Integer(value)) => format!("the number {value}"),
        Some(Scalar::Float(value)) => format!("the number {value}"),
        None if node.is_mapping() => "a mapping".to_owned(),
        None => "a list".to_owned(),
    };
    let written = shortened(node.written());
    let help = if node.kind().is_scalar() {
        format!("quote it: `{field}: \"{written}\"`")
    } else {
        "write one text".to_owned()
    };
    findings.push(
        Finding::new(
            "override-not-a-string",
            Level::Error,
            Label::new(value.span()),
            format!(
                "`{field}` of entry {} is not a string: YAML reads `{written}` as {meaning}",
                index + 1
            ),
        )
        .help(help),
    );
    node.text().map(|text| Spanned {
        value: text.to_owned(),
        span: value.span(),
    })
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() > 60 {
        format!("{}…", line.chars().take(60).collect::<String>())
    } else {
        line.to_owned()
    }
}

fn unknown_field(index: usize, name: &str, key: Node<'_>) -> Finding {
    let finding = Finding::new(
        "override-unknown-field",
        Level::Error,
        Label::new(key.span()),
        format!(
            "unknown field `{}` in entry {}, expected `name`, `newName`, `newTag` or `digest`",
            shortened(name),
            index + 1
        ),
    );
    if name == "tagSuffix" {
        return finding
            .help("kustomize's `tagSuffix` is not offered here; write the whole `newTag`");
    }
    let near = FIELDS
        .into_iter()
        .map(|field| (distance(&name.to_lowercase(), &field.to_lowercase()), field))
        .min();
    match near {
        Some((steps, field)) if steps <= 2 => finding.help(format!("did you mean `{field}`?")),
        _ => finding.help("take the field out"),
    }
}

/// How many letters must be added, dropped or changed to make one text of the other.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, found) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for column in 1..row.len() {
            let change = diagonal + usize::from(found != other[column - 1]);
            diagonal = row[column];
            row[column] = change.min(row[column] + 1).min(row[column - 1] + 1);
        }
    }
    row[other.len()]
}

//! The list for people: the reference that is pulled first, then what it was and where it stands, the
//! spellings of one image together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::lines::canonical;
use super::{List, images, not_looked_into};
use crate::model::reference::Reference;
use crate::resolve::inventory::{Grade, Named};
use crate::source::SourceMap;

pub(super) fn text(list: &List<'_>, sources: &SourceMap) -> String {
    let mut text = String::new();
    let images = images(list);
    for spellings in groups(&images) {
        let first = &spellings[0][0].rewritten;
        let all_alike = spellings.iter().all(|places| places[0].rewritten == *first);
        let head = canonical(first, list.normalize || !all_alike);
        write(&mut text, format_args!("{head}\n"));
        for places in spellings {
            let shown = canonical(&places[0].rewritten, list.normalize);
            let indent = if shown == head {
                "  "
            } else {
                write(&mut text, format_args!("  spelt {shown}\n"));
                "    "
            };
            spelling(&mut text, places, indent, sources);
        }
    }
    summary(&mut text, list, &images);
    text
}

/// The spellings of each image, in the order of the first one of each.
fn groups<'l>(images: &[&'l [Named]]) -> Vec<Vec<&'l [Named]>> {
    let mut groups: Vec<Vec<&[Named]>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for spelling in images {
        let place = *places
            .entry(canonical(&spelling[0].rewritten, true))
            .or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(spelling),
            None => groups.push(vec![spelling]),
        }
    }
    groups
}

/// What one spelling was and where it stands.
fn spelling(text: &mut String, places: &[Named], indent: &str, sources: &SourceMap) {
    let first = &places[0];
    let moved = first.rewritten != first.image;
    if moved || first.grade != Grade::Certain {
        let was = if moved {
            format!(" was {}", first.image)
        } else {
            String::new()
        };
        write(text, format_args!("{indent}{}{was}\n", first.grade.name()));
    }
    if let Some(digest) = &first.digest {
        write(text, format_args!("{indent}is {digest}\n"));
    }
    for place in places {
        write(text, format_args!("{indent}{}\n", stands(place, sources)));
    }
}

/// Where an image stands.
pub(crate) fn stands(place: &Named, sources: &SourceMap) -> String {
    let source = sources.get(place.span.source);
    let at = format!("{}:{}", source.path, source.line_col(place.span.start));
    let object = &place.object;
    let name = match (object.kind.as_str(), object.namespace.as_str()) {
        ("", _) => String::new(),
        (kind, "") => format!(" {kind} {}", object.name),
        (kind, namespace) => format!(" {kind} {namespace}/{}", object.name),
    };
    match place.path.to_string().as_str() {
        "" => format!("{at}{name}"),
        path => format!("{at}{name} {path}"),
    }
}

fn summary(text: &mut String, list: &List<'_>, images: &[&[Named]]) {
    let count = |grade| {
        let of = images.iter().filter(|places| places[0].grade == grade);
        let distinct: BTreeSet<String> = of
            .map(|places| canonical(&places[0].rewritten, true))
            .collect();
        distinct.len()
    };
    let grades = [
        Grade::Certain,
        Grade::Artifact,
        Grade::Table,
        Grade::Possible,
    ];
    let counts: Vec<String> = grades
        .into_iter()
        .map(|grade| (grade, count(grade)))
        .filter(|(_, count)| *count > 0)
        .map(|(grade, count)| format!("{count} {}", grade.name()))
        .collect();
    let hosts: BTreeSet<String> = images
        .iter()
        .filter(|places| places[0].grade == Grade::Certain)
        .filter_map(|places| Some(Reference::parse(&places[0].rewritten).ok()?.host))
        .collect();
    if !counts.is_empty() {
        write(text, format_args!("\nimages: {}\n", counts.join(", ")));
    }
    if !hosts.is_empty() {
        let hosts: Vec<String> = hosts.into_iter().collect();
        write(text, format_args!("pulled from: {}\n", hosts.join(", ")));
    }
    if !list.unseen.is_empty() {
        write(text, format_args!("{}\n", not_looked_into(list.unseen)));
    }
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a text takes everything");
}

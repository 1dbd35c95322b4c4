//! The objects of both sides, found by identity.
//!
//! A text that stands on both sides is read once and its objects are not compared with themselves;
//! only what stands on one side becomes values. Duplicates, documents that are no objects and texts
//! that cannot be read are findings: a side that holds one is not compared at all.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::side::{Side, SideText};
use crate::load::{MALFORMED, malformed};
use crate::resolve::plan::{WITHOUT_KIND, first_line, identity_of, is_list, no_manifest};
use crate::source::{Source, Span};
use crate::yaml::json::{NoJson, to_json};
use crate::yaml::scalar::Reader;
use crate::yaml::split::{Piece, pieces};
use crate::yaml::{Doc, Node, read_piece};

/// An object of one side.
#[derive(Clone, Debug)]
pub(super) struct Located {
    /// What it is.
    pub(super) id: ObjectId,
    /// Which of several objects without a name it is.
    ordinal: usize,
    /// The place of its text in [`Texts`].
    text: usize,
    /// Its place in that text.
    at: usize,
    /// The path of its file in the side.
    pub(super) file: Arc<str>,
    /// Where it says what it is.
    place: Span,
}

/// Every text that was read, once.
pub(super) struct Texts {
    read: Vec<Read>,
}

/// The objects of both sides, each sorted by identity.
pub(super) struct Sides {
    /// What they were read from.
    pub(super) texts: Texts,
    /// The old objects.
    pub(super) old: Vec<Located>,
    /// The new objects.
    pub(super) new: Vec<Located>,
    /// How many documents found by walking are no objects.
    pub(super) skipped: usize,
    /// Documents that stand where no reader looks.
    pub(super) dropped: Vec<Span>,
}

impl Located {
    /// Whether two objects of two sides are the same text.
    pub(super) fn same_text(&self, other: &Located) -> bool {
        (self.text, self.at) == (other.text, other.at)
    }

    /// The order of identities: kind, namespace, name, group; a version is no part of it. Who names
    /// no namespace means `default`.
    pub(super) fn order(&self, other: &Located) -> Ordering {
        let key = |it: &'_ Located| it.ordinal;
        let namespace = |id: &ObjectId| match id.namespace.as_str() {
            "default" => String::new(),
            other => other.to_owned(),
        };
        let (one, two) = (&self.id, &other.id);
        one.kind
            .cmp(&two.kind)
            .then_with(|| {
                if one.namespace == two.namespace {
                    Ordering::Equal
                } else {
                    namespace(one).cmp(&namespace(two))
                }
            })
            .then_with(|| one.name.cmp(&two.name))
            .then_with(|| one.group().cmp(two.group()))
            .then_with(|| key(self).cmp(&key(other)))
    }
}

impl Texts {
    /// The value of an object; read again where the text stood on both sides.
    pub(super) fn value(&self, object: &Located) -> Arc<Value> {
        let read = &self.read[object.text];
        if let Some(value) = &read.objects[object.at].value {
            return Arc::clone(value);
        }
        let again = Read::new(&read.source, read.piece, true);
        let value = again
            .objects
            .into_iter()
            .nth(object.at)
            .and_then(|it| it.value);
        value.expect("a text that was read reads the same again")
    }
}

/// A piece of a side's text.
struct Part<'s> {
    of: &'s SideText,
    piece: Piece,
    text: usize,
}

/// Reads both sides; `keep` says which objects count. The error is what is wrong with them.
pub(super) fn read(
    old: &Side,
    new: &Side,
    keep: &(dyn Fn(&ObjectId) -> bool + Sync),
) -> Result<Sides, Vec<Finding>> {
    let mut wrong: Vec<Finding> = old.findings.iter().chain(&new.findings).cloned().collect();
    let cut = |side: &'_ Side| -> Vec<Vec<Piece>> {
        side.texts
            .par_iter()
            .map(|text| pieces(&text.source))
            .collect()
    };
    let (cut_old, cut_new) = rayon::join(|| cut(old), || cut(new));

    let mut distinct: HashMap<&str, usize> = HashMap::new();
    let mut firsts: Vec<(&Arc<Source>, Piece, [bool; 2])> = Vec::new();
    let mut parts: [Vec<Part<'_>>; 2] = [Vec::new(), Vec::new()];
    for (side, (texts, cut)) in [(&old.texts, cut_old), (&new.texts, cut_new)]
        .into_iter()
        .enumerate()
    {
        for (of, pieces) in texts.iter().zip(cut) {
            for piece in pieces {
                let text = &of.source.text[piece.start as usize..piece.end as usize];
                let at = *distinct.entry(text).or_insert_with(|| {
                    firsts.push((&of.source, piece, [false; 2]));
                    firsts.len() - 1
                });
                firsts[at].2[side] = true;
                parts[side].push(Part {
                    of,
                    piece,
                    text: at,
                });
            }
        }
    }
    drop(distinct);
    let read: Vec<Read> = firsts
        .into_par_iter()
        .map(|(source, piece, on)| Read::new(source, piece, on != [true; 2]))
        .collect();
    wrong.extend(read.iter().flat_map(|read| read.faults.iter().cloned()));

    let mut sides = Sides {
        texts: Texts { read },
        old: Vec::new(),
        new: Vec::new(),
        skipped: 0,
        dropped: Vec::new(),
    };
    let [old, new] = parts;
    sides.old = sides.locate(&old, keep, &mut wrong);
    sides.new = sides.locate(&new, keep, &mut wrong);
    if wrong.is_empty() {
        Ok(sides)
    } else {
        Err(wrong)
    }
}

impl Sides {
    /// The objects of one side, sorted; two of one identity are wrong.
    fn locate(
        &mut self,
        parts: &[Part<'_>],
        keep: &dyn Fn(&ObjectId) -> bool,
        wrong: &mut Vec<Finding>,
    ) -> Vec<Located> {
        let mut found = Vec::new();
        let mut nameless: BTreeMap<(String, String, String, String), usize> = BTreeMap::new();
        let mut file: (u32, Arc<str>) = (u32::MAX, Arc::from(""));
        for part in parts {
            let read = &self.texts.read[part.text];
            let place = |span: Span| Span {
                source: part.of.source.id,
                start: span.start - read.piece.start + part.piece.start,
                end: span.end - read.piece.start + part.piece.start,
            };
            self.dropped.extend(read.dropped.map(place));
            match &read.no_manifest {
                Some(fault) if part.of.explicit => {
                    let mut fault = fault.clone();
                    fault.primary.span = place(fault.primary.span);
                    wrong.push(fault);
                }
                Some(_) => self.skipped += 1,
                None => {}
            }
            if file.0 != part.of.source.id.0 {
                file = (part.of.source.id.0, Arc::from(part.of.name.as_str()));
            }
            for (at, object) in read
                .objects
                .iter()
                .enumerate()
                .filter(|(_, it)| keep(&it.id))
            {
                let mut ordinal = 0;
                if !object.named {
                    let id = &object.id;
                    let key = (
                        id.kind.to_string(),
                        id.namespace.clone(),
                        id.name.clone(),
                        id.group().to_owned(),
                    );
                    let count = nameless.entry(key).or_default();
                    *count += 1;
                    ordinal = *count;
                }
                found.push(Located {
                    id: object.id.clone(),
                    ordinal,
                    text: part.text,
                    at,
                    file: Arc::clone(&file.1),
                    place: place(object.place),
                });
            }
        }
        found.par_sort_by(Located::order);
        for pair in found
            .windows(2)
            .filter(|pair| pair[0].order(&pair[1]) == Ordering::Equal)
        {
            let message = format!("{} stands twice on one side, expected once", pair[1].id);
            let first = Label::new(pair[0].place).message("the first one");
            wrong.push(
                Finding::new(
                    "duplicate-object",
                    Level::Error,
                    Label::new(pair[1].place).object(&pair[1].id),
                    message,
                )
                .help("keep one of the two, or give one another name")
                .related(first),
            );
        }
        found
    }
}

/// What a piece holds.
struct Read {
    source: Arc<Source>,
    piece: Piece,
    objects: Vec<Object>,
    faults: Vec<Finding>,
    no_manifest: Option<Finding>,
    dropped: Option<Span>,
}

struct Object {
    id: ObjectId,
    named: bool,
    place: Span,
    value: Option<Arc<Value>>,
}

impl Read {
    fn new(source: &Arc<Source>, piece: Piece, values: bool) -> Read {
        let mut read = Read {
            source: Arc::clone(source),
            piece,
            objects: Vec::new(),
            faults: Vec::new(),
            no_manifest: None,
            dropped: None,
        };
        match read_piece(source, piece) {
            Ok(doc) => read.take(&doc, values),
            Err(fault) => read.faults.push(malformed(fault)),
        }
        read
    }

    fn take(&mut self, doc: &Doc, values: bool) {
        self.dropped = doc.dropped.map(|start| Span {
            source: doc.source.id,
            start,
            end: start,
        });
        let Some(root) = doc.root().map(Node::resolved).filter(|it| !it.is_null()) else {
            return;
        };
        self.object(root, None, values);
    }

    /// Takes an object, or the items of a list, each by itself.
    fn object(&mut self, node: Node<'_>, list: Option<&ObjectId>, values: bool) {
        let mut id = if node.is_mapping() {
            identity_of(node)
        } else {
            ObjectId::default()
        };
        if let Some(list) = list {
            // Items that an API lists do not repeat what they are.
            for (own, from) in [
                (
                    &mut id.kind,
                    list.kind.strip_suffix("List").unwrap_or_default(),
                ),
                (&mut id.api_version, &list.api_version),
            ] {
                if own.is_empty() {
                    *own = from.into();
                }
            }
        }
        if id.kind.is_empty() || id.api_version.is_empty() {
            let label = Label::new(first_line(node));
            let message = no_manifest(node, &id);
            let fault = Finding::new(WITHOUT_KIND, Level::Error, label, message)
                .help("only manifests are compared");
            if list.is_some() {
                self.faults.push(fault);
            } else {
                self.no_manifest = Some(fault);
            }
            return;
        }
        if is_list(node) {
            for item in node.at(&["items"]).into_iter().flat_map(Node::items) {
                self.object(item.resolved(), Some(&id), values);
            }
            return;
        }
        let place = node.at(&["metadata", "name"]).unwrap_or(node);
        let named = !id.name.is_empty();
        if !named && let Some(start) = node.text_at(&["metadata", "generateName"]) {
            id.name = format!("{start}*");
        }
        let mut value = None;
        if values {
            match to_json(node, Reader::Kubernetes) {
                Ok(mut found) => {
                    for (key, text) in [("apiVersion", &id.api_version), ("kind", &id.kind)] {
                        if found.get(key).is_none_or(Value::is_null) {
                            found[key] = Value::from(text.as_str());
                        }
                    }
                    value = Some(Arc::new(found));
                }
                Err(why) => self.faults.push(no_json(node, &id, why)),
            }
        }
        self.objects.push(Object {
            id,
            named,
            place: first_line(place),
            value,
        });
    }
}

/// Said of an object that cannot be sent to the API server, and so not be compared.
fn no_json(node: Node<'_>, id: &ObjectId, why: NoJson) -> Finding {
    let message = match why {
        NoJson::NotFinite => "a number is infinite or none, expected one that JSON can hold",
        NoJson::TooDeep => "the object is nested too deeply, expected at most 250 levels",
        NoJson::TooLarge => "aliases unfold the object to millions of values",
        NoJson::Key => "a key is a list, a mapping or null, expected a text",
    };
    let label = Label::new(first_line(node)).object(id);
    Finding::new(MALFORMED, Level::Error, label, message)
}

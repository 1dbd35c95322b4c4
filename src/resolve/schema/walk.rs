//! An object against a schema, value by value.
//!
//! The order of things is the API server's: unknown fields, nulls that are dropped, defaults, then
//! types and limits. An alias is followed; what unfolds without end is left at a bound.

use std::borrow::Cow;

use super::metadata::METADATA;
use super::structure::{
    Additional, Compiled, Flavour, ListType, Logic, Null, Schema, SchemaId, Type,
};
use super::{Fault, Violation, limits, lists, wording};
use crate::finding::ObjectId;
use crate::source::Span;
use crate::yaml::json::{entries, key_text};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Node, Path, Step};

/// How deep values may nest.
const DEEPEST: usize = 250;

/// How many values of one object are looked at.
const MOST: usize = 1_000_000;

/// A field of a mapping as the API server sees it.
struct Field<'d> {
    key: Cow<'d, str>,
    span: Span,
    value: Node<'d>,
}

/// One object on its way through a schema.
pub(super) struct Walk<'c> {
    compiled: &'c Compiled,
    object: &'c ObjectId,
    /// Whether `status` at the root is not looked at.
    no_status: bool,
    /// Whether unknown fields and nulls are told: not in schemas that only add conditions.
    strict: bool,
    /// Whether the root is an object of Kubernetes or, in a test, something else.
    rootless: bool,
    path: Vec<Step>,
    left: usize,
}

impl<'c> Walk<'c> {
    /// A walk for an object.
    pub(super) fn over(compiled: &'c Compiled, object: &'c ObjectId, no_status: bool) -> Walk<'c> {
        Walk {
            compiled,
            object,
            no_status,
            strict: true,
            rootless: false,
            path: Vec::new(),
            left: MOST,
        }
    }

    /// Checks the object from its root.
    pub(super) fn root(mut self, node: Node<'_>, found: &mut Vec<Violation>) {
        let anchor = node
            .entry("kind")
            .map_or(node.span(), |(key, _)| key.span());
        self.value(Compiled::ROOT, node, anchor, found);
    }

    /// Checks a value that is no object, so that it has no `metadata` of its own.
    #[cfg(test)]
    pub(super) fn value_at_root(mut self, node: Node<'_>, found: &mut Vec<Violation>) {
        self.rootless = true;
        self.value(Compiled::ROOT, node, node.span(), found);
    }

    fn say(&self, fault: Fault, span: Span, what: &str, help: Option<String>) -> Violation {
        let path = if self.path.is_empty() {
            "the object".to_owned()
        } else {
            format!("`{}`", Path(self.path.clone()))
        };
        Violation {
            fault,
            object: self.object.clone(),
            span,
            what: format!("{path} {what}"),
            help,
            exact: self.compiled.flavour == Flavour::Structural,
            client_side: false,
        }
    }

    /// Whether texts of the object may be shown.
    fn shown(&self) -> bool {
        self.object.kind != "Secret"
    }

    /// Checks a value; what it misses is told at `anchor`.
    fn value(&mut self, id: SchemaId, node: Node<'_>, anchor: Span, found: &mut Vec<Violation>) {
        if self.left == 0 || self.path.len() > DEEPEST {
            return;
        }
        self.left -= 1;
        let node = node.resolved();
        let schema = self.compiled.get(id);
        if node.is_null() {
            let go = self.compiled.flavour == Flavour::GoType;
            if !go && schema.null != Null::Taken && schema.kind != Type::Any {
                found.push(self.of_type(schema.kind, node));
            }
            return;
        }
        if is_substituted(node) {
            return;
        }
        if !fits(schema.kind, node) {
            found.push(self.of_type(schema.kind, node));
            return;
        }
        if let Some(limits) = &schema.limits {
            let faults = limits::faults(limits, node, self.shown());
            found.extend(
                faults
                    .iter()
                    .map(|what| self.say(Fault::Value, node.span(), what, None)),
            );
        }
        if node.is_mapping() {
            self.mapping(schema, node, anchor, found);
        } else if node.is_sequence() {
            self.sequence(schema, node, anchor, found);
        }
        if let Some(logic) = &schema.logic {
            self.logic(logic, node, anchor, found);
        }
    }

    fn of_type(&self, kind: Type, node: Node<'_>) -> Violation {
        let what = format!(
            "is {}, expected {}",
            wording::found(node, self.shown()),
            wording::expected(kind)
        );
        let quotable = matches!(kind, Type::String | Type::IntOrString)
            && node.kind().is_scalar()
            && !node.is_null();
        let help = quotable.then(|| match node.text().filter(|_| self.shown()) {
            Some(text) => format!("quote it: `\"{}\"`", wording::bounded(text)),
            None => "quote it".to_owned(),
        });
        self.say(Fault::Type, node.span(), &what, help)
    }

    fn mapping(
        &mut self,
        schema: &Schema,
        node: Node<'_>,
        anchor: Span,
        found: &mut Vec<Violation>,
    ) {
        let root = self.path.is_empty() && self.strict && !self.rootless;
        let fields = fields(node);
        let mut present: Vec<&str> = Vec::with_capacity(fields.len());
        for field in &fields {
            let key = field.key.as_ref();
            if root && self.no_status && key == "status" {
                present.push(key);
                continue;
            }
            self.path.push(Step::Key(key.to_owned()));
            let meta = matches!(key, "apiVersion" | "kind" | "metadata");
            let kept = if (root || schema.embedded) && meta {
                self.of_object(field, found);
                true
            } else {
                self.field(schema, field, found)
            };
            if kept {
                present.push(key);
            }
            self.path.pop();
        }
        self.absent(schema, &present, anchor, found);
        if let Some(limits) = &schema.limits {
            let count = u64::try_from(present.len()).unwrap_or(u64::MAX);
            if let Some(what) = limits::count(limits.properties, count, "entry") {
                found.push(self.say(Fault::Value, anchor, &what, None));
            }
        }
    }

    /// Says which required fields are not there once nulls are dropped and defaults are set.
    fn absent(&self, schema: &Schema, present: &[&str], anchor: Span, found: &mut Vec<Violation>) {
        let embedded: &[&str] = if schema.embedded && self.strict {
            &["apiVersion", "kind"]
        } else {
            &[]
        };
        let required = schema.required.iter().map(String::as_str);
        for name in required.chain(embedded.iter().copied()) {
            let defaulted = schema
                .properties
                .get(name)
                .is_some_and(|id| self.compiled.get(*id).null == Null::Defaulted);
            if !defaulted && !present.contains(&name) {
                let what = format!("has no `{name}`, which is required");
                found.push(self.say(Fault::Required, anchor, &what, None));
            }
        }
    }

    /// `apiVersion`, `kind` and `metadata` of an object.
    fn of_object(&mut self, field: &Field<'_>, found: &mut Vec<Violation>) {
        if field.key != "metadata" {
            if !fits(Type::String, field.value) {
                found.push(self.of_type(Type::String, field.value));
            }
            return;
        }
        let mut walk = Walk {
            compiled: &METADATA,
            object: self.object,
            no_status: false,
            strict: self.strict,
            rootless: self.rootless,
            path: std::mem::take(&mut self.path),
            left: self.left,
        };
        let from = found.len();
        walk.value(Compiled::ROOT, field.value, field.span, found);
        // Metadata is Go's own type in every object, and read as strictly.
        found[from..].iter_mut().for_each(|it| it.exact = true);
        (self.path, self.left) = (walk.path, walk.left);
    }

    /// Checks a field; false where the API server drops it.
    fn field(&mut self, schema: &Schema, field: &Field<'_>, found: &mut Vec<Violation>) -> bool {
        let id = match (schema.properties.get(field.key.as_ref()), schema.additional) {
            (Some(&id), _) | (None, Some(Additional::Schema(id))) => id,
            (None, Some(Additional::Scalars)) => {
                self.keys_below(field.value, found);
                return true;
            }
            (None, None) => {
                if self.strict && !schema.preserves {
                    found.push(self.unknown(schema, field));
                }
                return true;
            }
        };
        let below = self.compiled.get(id);
        if field.value.is_null() && below.null != Null::Taken {
            // A null where a value is required is told as the missing field that it becomes.
            let required = schema.required.iter().any(|name| *name == field.key)
                && below.null != Null::Defaulted;
            let structural = self.compiled.flavour == Flavour::Structural;
            if structural && self.strict && !required && below.kind != Type::Any {
                let what = format!("is null, expected {}", wording::expected(below.kind));
                found.push(self.say(Fault::Null, field.value.span(), &what, None));
            }
            return below.null == Null::Defaulted;
        }
        self.value(id, field.value, field.span, found);
        true
    }

    /// Under `additionalProperties: true` the API server keeps the fields and drops theirs.
    fn keys_below(&mut self, node: Node<'_>, found: &mut Vec<Violation>) {
        if self.strict && self.compiled.flavour == Flavour::Structural {
            for field in fields(node.resolved()) {
                self.path.push(Step::Key(field.key.clone().into_owned()));
                found.push(self.unknown(&Schema::default(), &field));
                self.path.pop();
            }
        }
    }

    fn unknown(&self, schema: &Schema, field: &Field<'_>) -> Violation {
        let known = schema.properties.keys().map(String::as_str);
        let help = match wording::alike(&field.key, known.clone()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if schema.properties.is_empty() => None,
            None => Some(format!(
                "the fields here are {}",
                wording::listed(known, "and")
            )),
        };
        let what = format!("is no field of {}", self.object.kind);
        self.say(Fault::Unknown, field.span, &what, help)
    }

    fn sequence(
        &mut self,
        schema: &Schema,
        node: Node<'_>,
        anchor: Span,
        found: &mut Vec<Violation>,
    ) {
        let items: Vec<Node<'_>> = node.items().map(Node::resolved).collect();
        if let Some(limits) = &schema.limits {
            let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
            if let Some(what) = limits::count(limits.items, count, "element") {
                found.push(self.say(Fault::Value, anchor, &what, None));
            }
        }
        let Some(id) = schema.items else {
            return;
        };
        for (at, item) in items.iter().enumerate() {
            self.path.push(Step::Index(at));
            let first = item.children().next().filter(|_| item.is_mapping());
            let anchor = first.unwrap_or(*item).span();
            // An element that is null takes the default; a lone one is refused by its type.
            if !(item.is_null() && self.compiled.get(id).null == Null::Defaulted) {
                self.value(id, *item, anchor, found);
            }
            self.path.pop();
        }
        if schema.list != ListType::Atomic {
            for (item, first, how) in lists::repeated(&schema.list, &items) {
                let at = items.iter().position(|other| *other == item).unwrap_or(0);
                self.path.push(Step::Index(at));
                let what = format!("{how} element {first}, expected each once");
                found.push(self.say(Fault::Value, item.span(), &what, None));
                self.path.pop();
            }
        }
    }

    fn logic(&mut self, logic: &Logic, node: Node<'_>, anchor: Span, found: &mut Vec<Violation>) {
        let strict = std::mem::replace(&mut self.strict, false);
        for id in &logic.all {
            self.value(*id, node, anchor, found);
        }
        let forms = |count: usize| match count {
            1 => "the form that is".to_owned(),
            _ => format!("any of the {count} forms that are"),
        };
        if !logic.any.is_empty() {
            let (fit, nearest) = self.fitting(&logic.any, node, anchor);
            if fit == 0 {
                let what = format!("does not have {} taken", forms(logic.any.len()));
                found.push(self.say(Fault::Value, node_or(anchor, node), &what, nearest));
            }
        }
        if !logic.one.is_empty() {
            let (fit, nearest) = self.fitting(&logic.one, node, anchor);
            if fit == 0 {
                let what = format!("does not have {} taken", forms(logic.one.len()));
                found.push(self.say(Fault::Value, node_or(anchor, node), &what, nearest));
            } else if fit > 1 {
                let what = format!("has {fit} of the forms that are taken, expected one of them");
                found.push(self.say(Fault::Value, node_or(anchor, node), &what, None));
            }
        }
        if let Some(id) = logic.not {
            let mut inner = Vec::new();
            self.value(id, node, anchor, &mut inner);
            if inner.is_empty() {
                let what = "has the one form that is not taken";
                found.push(self.say(Fault::Value, node_or(anchor, node), what, None));
            }
        }
        self.strict = strict;
    }

    /// How many of the schemas a value fits, and what keeps it from the nearest.
    fn fitting(
        &mut self,
        schemas: &[SchemaId],
        node: Node<'_>,
        anchor: Span,
    ) -> (usize, Option<String>) {
        let mut fit = 0;
        let mut nearest: Option<Vec<Violation>> = None;
        for id in schemas {
            let mut inner = Vec::new();
            self.value(*id, node, anchor, &mut inner);
            if inner.is_empty() {
                fit += 1;
            } else if nearest.as_ref().is_none_or(|old| inner.len() < old.len()) {
                nearest = Some(inner);
            }
        }
        let nearest = nearest.and_then(|inner| inner.into_iter().next());
        (
            fit,
            nearest.map(|inner| format!("for the nearest form, {}", inner.what)),
        )
    }
}

/// Whether a text waits for Flux's post-build substitution, so that it is not the value yet.
fn is_substituted(node: Node<'_>) -> bool {
    let opened = node.text().and_then(|text| text.split_once("${"));
    opened.is_some_and(|(_, behind)| behind.contains('}'))
}

/// Where to point at a value as a whole: a scalar itself, a collection by its key.
fn node_or(anchor: Span, node: Node<'_>) -> Span {
    if node.kind().is_scalar() {
        node.span()
    } else {
        anchor
    }
}

/// Whether a value that is not null has the type.
fn fits(kind: Type, node: Node<'_>) -> bool {
    let node = node.resolved();
    let scalar = resolve(node, Reader::Kubernetes);
    let text = matches!(scalar, Some(Scalar::String(_) | Scalar::Timestamp(_)));
    let number = matches!(scalar, Some(Scalar::Integer(_) | Scalar::Float(_)));
    let whole = scalar.as_ref().is_some_and(limits::is_whole);
    match kind {
        Type::Any => true,
        Type::Object => node.is_mapping(),
        Type::Array => node.is_sequence(),
        Type::String => text,
        Type::Integer => whole,
        Type::Number => number,
        Type::Boolean => matches!(scalar, Some(Scalar::Bool(_))),
        Type::IntOrString => text || whole,
        Type::NumberOrString => text || number,
    }
}

/// The fields of a mapping. Most mappings have neither merges nor keys that are no texts.
fn fields(node: Node<'_>) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    for (key, value) in node.entries() {
        match key.resolved().text() {
            Some("<<") => return merged(node),
            _ if matches!(
                resolve(key.resolved(), Reader::Kubernetes),
                Some(Scalar::String(_))
            ) =>
            {
                found.push(Field {
                    key: Cow::Borrowed(key.resolved().text().unwrap_or_default()),
                    span: key.span(),
                    value: value.resolved(),
                });
            }
            _ => found.extend(key_text(key, Reader::Kubernetes).map(|text| Field {
                key: Cow::Owned(text),
                span: key.span(),
                value: value.resolved(),
            })),
        }
    }
    found
}

fn merged(node: Node<'_>) -> Vec<Field<'_>> {
    entries(node, Reader::Kubernetes)
        .into_iter()
        .map(|entry| Field {
            key: Cow::Owned(entry.key),
            span: entry.key_span,
            value: entry.value,
        })
        .collect()
}

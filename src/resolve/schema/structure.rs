//! A schema in the form that objects are held against.
//!
//! Reading one is in `compile`; what its parts mean is in `walk`, `limits` and `lists`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;

use super::format::Format;
use crate::model::pattern::Expression;

/// The place of a [`Schema`] in its [`Compiled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SchemaId(pub(super) usize);

/// Whose rules a schema follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// A CustomResourceDefinition: structural, and exactly what is enforced.
    Structural,
    /// A description of a Go type: null is its zero value, and a missing field may be defaulted.
    GoType,
}

/// A schema with all schemas below it.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Whose rules they follow.
    pub(super) flavour: Flavour,
    /// All of them; the first is the root.
    pub(super) schemas: Vec<Schema>,
}

impl Compiled {
    /// The whole.
    pub(super) const ROOT: SchemaId = SchemaId(0);

    /// The schema of that number.
    pub(super) fn get(&self, id: SchemaId) -> &Schema {
        &self.schemas[id.0]
    }
}

/// What a value may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Type {
    /// Anything.
    #[default]
    Any,
    /// A mapping.
    Object,
    /// A list.
    Array,
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A truth value.
    Boolean,
    /// A whole number or a text (`x-kubernetes-int-or-string`).
    IntOrString,
    /// A number or a text: a quantity of a Go type.
    NumberOrString,
}

/// What becomes of a null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Null {
    /// It is dropped before validation where it is the value of a key.
    #[default]
    Dropped,
    /// The default takes its place, as it does where the key is absent.
    Defaulted,
    /// It is a value (`nullable`).
    Taken,
}

/// What keys without a property of their own may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Additional {
    /// A value whose own keys, if it has some, are unknown (`additionalProperties: true`).
    Scalars,
    /// What that schema takes.
    Schema(SchemaId),
}

/// How the elements of a list are told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ListType {
    /// They are not.
    #[default]
    Atomic,
    /// No element twice.
    Set,
    /// No two elements agree in these fields.
    Map(Vec<String>),
}

/// One schema.
#[derive(Debug, Default)]
pub(super) struct Schema {
    /// What the value may be.
    pub(super) kind: Type,
    /// What becomes of a null.
    pub(super) null: Null,
    /// Whether unknown fields are kept here.
    pub(super) preserves: bool,
    /// Whether the value is an object with `apiVersion`, `kind` and `metadata`.
    pub(super) embedded: bool,
    /// The fields.
    pub(super) properties: BTreeMap<String, SchemaId>,
    /// Other fields.
    pub(super) additional: Option<Additional>,
    /// The elements of a list.
    pub(super) items: Option<SchemaId>,
    /// The fields that must be there.
    pub(super) required: Vec<String>,
    /// How elements are told apart.
    pub(super) list: ListType,
    /// Bounds and forms.
    pub(super) limits: Option<Box<Limits>>,
    /// Schemas that the value must fit besides.
    pub(super) logic: Option<Box<Logic>>,
}

/// Bounds and forms of a value.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// The values that are taken.
    pub(super) choices: Vec<Value>,
    /// The expression that a text must match.
    pub(super) pattern: Option<Pattern>,
    /// The form that a text or a number must have.
    pub(super) format: Option<Format>,
    /// The least number, and whether it is out itself.
    pub(super) minimum: Option<(f64, bool)>,
    /// The greatest number, and whether it is out itself.
    pub(super) maximum: Option<(f64, bool)>,
    /// What a number must be a multiple of.
    pub(super) multiple_of: Option<f64>,
    /// How many characters, elements or fields there must be at least and may be at most.
    pub(super) length: Range,
    /// The same for elements.
    pub(super) items: Range,
    /// The same for fields.
    pub(super) properties: Range,
}

/// A least and a greatest count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    /// At least.
    pub(super) least: Option<u64>,
    /// At most.
    pub(super) most: Option<u64>,
}

/// Schemas joined by logic.
#[derive(Debug, Default)]
pub(super) struct Logic {
    /// Every one must fit.
    pub(super) all: Vec<SchemaId>,
    /// One at least must fit.
    pub(super) any: Vec<SchemaId>,
    /// Exactly one must fit.
    pub(super) one: Vec<SchemaId>,
    /// This must not fit.
    pub(super) not: Option<SchemaId>,
}

/// An expression in Go's syntax, compiled when a text first meets it.
#[derive(Debug)]
pub(super) struct Pattern {
    /// As written.
    pub(super) text: String,
    compiled: OnceLock<Option<Expression>>,
}

impl Pattern {
    /// The expression as written.
    pub(super) fn new(text: String) -> Pattern {
        Pattern {
            text,
            compiled: OnceLock::new(),
        }
    }

    /// Whether a text matches. One that Go refuses takes everything: the API server takes no
    /// definition with such an expression.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let compiled = self
            .compiled
            .get_or_init(|| Expression::compile(&self.text).ok());
        compiled
            .as_ref()
            .is_none_or(|expression| expression.is_match(text))
    }
}

//! What the API server says of an object by its schema: the definitions among the inputs, those of
//! `--schemas`, and the objects held against them.
//!
//! Definitions are found in [`definition`], read in [`compile`] into the form of [`structure`], only
//! when an object of their kind is there, and applied in [`walk`]. What a violation is called and
//! how grave it is belongs to the rules `schema-*`. CEL expressions are not evaluated. PackageSources
//! and Packages are left to `resolve::packages`, which knows what becomes of a refused one.
//!
//! Source: apiextensions-apiserver (`pkg/apiserver/schema`, structural schemas: pruning, defaulting,
//! list types, object metadata) and kube-openapi (`pkg/validation/validate`), Kubernetes 1.35.

mod compile;
mod definition;
mod format;
mod limits;
mod lists;
mod metadata;
mod structure;
mod walk;
mod wording;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;

pub(crate) use definition::{Schemas, is_definition};

use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::plan::{identity_of, unrolled};
use crate::source::Span;
use crate::yaml::Node;

/// How an object fails its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// A value is of another type.
    Type,
    /// A field that must be there is not.
    Required,
    /// A value of the right type is not one that is taken.
    Value,
    /// A field that the schema does not know.
    Unknown,
    /// A null where only a create takes one.
    Null,
    /// The version is not served.
    NotServed,
    /// The version is served, and deprecated.
    Deprecated,
}

/// One failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// How it fails.
    pub(crate) fault: Fault,
    /// The object.
    pub(crate) object: ObjectId,
    /// Where: the value, or the key of what misses a field.
    pub(crate) span: Span,
    /// What is wrong, without what follows from it.
    pub(crate) what: String,
    /// How to mend it, where that is known.
    pub(crate) help: Option<String>,
    /// Whether the schema is a CustomResourceDefinition's, which the API server follows to the
    /// letter; an OpenAPI document only describes what Go code does.
    pub(crate) exact: bool,
    /// Whether the object is known to be applied client-side, where no server-side apply is strict
    /// with it.
    pub(crate) client_side: bool,
}

impl Violation {
    /// The violation as a finding of a rule, with what follows from it for the object.
    pub(crate) fn finding(&self, rule: &'static str, level: Level, follows: &str) -> Finding {
        let message = format!("{}: {follows} {}", self.what, self.object);
        let label = Label::new(self.span).object(&self.object);
        let finding = Finding::new(rule, level, label, message);
        match &self.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        }
    }
}

/// What a JSON schema with `definitions` says of a value that is no object of Kubernetes: for tests
/// of what forebay writes itself.
#[cfg(test)]
pub(crate) fn against(schema: Node<'_>, value: Node<'_>) -> Vec<Violation> {
    let definitions = schema.at(&["definitions"]);
    let named = definitions.into_iter().flat_map(Node::entries);
    let references = named
        .filter_map(|(key, value)| Some((key.text()?, value.resolved())))
        .collect();
    let compiled = compile::compile(schema, structure::Flavour::GoType, &references);
    let mut found = Vec::new();
    walk::Walk::over(&compiled, &ObjectId::default(), false).value_at_root(value, &mut found);
    found
}

/// The group of PackageSources and Packages, which have a reader of their own.
const PACKAGES: &str = "cozystack.io";

/// What the schemas say of an object, the elements of a List in its place.
pub(crate) fn violations(schemas: &Schemas<'_>, root: Node<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for node in unrolled(root) {
        let id = identity_of(node);
        if id.group() != PACKAGES {
            schemas.check(node, &id, &mut found);
        }
    }
    found
}

//! From a written schema to its working form. What is not understood takes everything.

use std::collections::BTreeMap;

use super::definition::is_true;
use super::format::Format;
use super::structure::{
    Additional, Compiled, Flavour, Limits, ListType, Logic, Null, Pattern, Range, Schema, SchemaId,
    Type,
};
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::{Reader, Scalar, as_float, resolve};

/// The definitions of an OpenAPI document by name.
pub(super) type References<'d> = BTreeMap<&'d str, Node<'d>>;

/// What stands before the name in a reference.
const PREFIX: &str = "#/definitions/";

/// A quantity is text to OpenAPI, but Go reads a number as well.
const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/// How deep a schema may nest; the deepest real one has some forty levels.
const DEEPEST: usize = 250;

/// Reads a schema with all that it refers to.
pub(super) fn compile(root: Node<'_>, flavour: Flavour, references: &References<'_>) -> Compiled {
    let mut compiler = Compiler {
        flavour,
        references,
        named: BTreeMap::new(),
        schemas: Vec::new(),
    };
    compiler.schema(root, 0);
    Compiled {
        flavour,
        schemas: compiler.schemas,
    }
}

struct Compiler<'r, 'd> {
    flavour: Flavour,
    references: &'r References<'d>,
    /// The definitions that were read, or are being read.
    named: BTreeMap<String, SchemaId>,
    schemas: Vec<Schema>,
}

impl Compiler<'_, '_> {
    fn schema(&mut self, node: Node<'_>, depth: usize) -> SchemaId {
        let node = node.resolved();
        if let Some(name) = reference(node) {
            if let Some(&id) = self.named.get(name) {
                return id;
            }
            if let Some(&definition) = self.references.get(name) {
                let id = self.reserve();
                self.named.insert(name.to_owned(), id);
                self.schemas[id.0] = self.read(definition, depth);
                if name == QUANTITY {
                    self.schemas[id.0].kind = Type::NumberOrString;
                }
                return id;
            }
        }
        let id = self.reserve();
        self.schemas[id.0] = self.read(node, depth);
        id
    }

    fn reserve(&mut self) -> SchemaId {
        self.schemas.push(Schema::default());
        SchemaId(self.schemas.len() - 1)
    }

    fn read(&mut self, node: Node<'_>, depth: usize) -> Schema {
        let mut schema = Schema::default();
        if depth > DEEPEST || !node.is_mapping() || reference(node).is_some() {
            schema.preserves = true;
            return schema;
        }
        schema.kind = kind(node);
        let nullable = is_true(node.get("nullable")) || self.flavour == Flavour::GoType;
        let default = node.at(&["default"]).is_some_and(|value| !value.is_null());
        schema.null = match (nullable, default) {
            (_, true) => Null::Defaulted,
            (true, false) => Null::Taken,
            (false, false) => Null::Dropped,
        };
        schema.embedded = is_true(node.get("x-kubernetes-embedded-resource"));
        for (key, value) in node.at(&["properties"]).into_iter().flat_map(Node::entries) {
            if let Some(name) = key.resolved().text() {
                let id = self.schema(value, depth + 1);
                schema.properties.insert(name.to_owned(), id);
            }
        }
        if let Some(value) = node.at(&["additionalProperties"]) {
            schema.additional = if value.is_mapping() {
                Some(Additional::Schema(self.schema(value, depth + 1)))
            } else {
                is_true(Some(value)).then_some(Additional::Scalars)
            };
        }
        schema.items = node
            .at(&["items"])
            .map(|items| self.schema(items, depth + 1));
        schema.required = texts(node.at(&["required"]));
        // A Go type without fields reads itself, so that nothing is known of it.
        let opaque = self.flavour == Flavour::GoType
            && schema.properties.is_empty()
            && schema.additional.is_none();
        schema.preserves = is_true(node.get("x-kubernetes-preserve-unknown-fields")) || opaque;
        schema.list = match node.text_at(&["x-kubernetes-list-type"]) {
            Some("set") => ListType::Set,
            Some("map") => ListType::Map(texts(node.at(&["x-kubernetes-list-map-keys"]))),
            _ => ListType::Atomic,
        };
        // Go code reads the lists of its own types without looking for repeats.
        if self.flavour == Flavour::GoType {
            schema.list = ListType::Atomic;
        }
        schema.limits = limits(node).map(Box::new);
        schema.logic = self.logic(node, depth).map(Box::new);
        schema
    }

    fn logic(&mut self, node: Node<'_>, depth: usize) -> Option<Logic> {
        let mut list = |key: &str| -> Vec<SchemaId> {
            let items = node.at(&[key]).into_iter().flat_map(Node::items);
            items.map(|item| self.schema(item, depth + 1)).collect()
        };
        let (all, any, one) = (list("allOf"), list("anyOf"), list("oneOf"));
        let not = node.at(&["not"]).map(|node| self.schema(node, depth + 1));
        let some = !(all.is_empty() && any.is_empty() && one.is_empty()) || not.is_some();
        some.then_some(Logic { all, any, one, not })
    }
}

/// The name that a schema refers to.
fn reference(node: Node<'_>) -> Option<&str> {
    node.text_at(&["$ref"])?.strip_prefix(PREFIX)
}

fn kind(node: Node<'_>) -> Type {
    let format = node.text_at(&["format"]);
    if is_true(node.get("x-kubernetes-int-or-string")) || format == Some("int-or-string") {
        return Type::IntOrString;
    }
    match node.text_at(&["type"]) {
        Some("object") => Type::Object,
        Some("array") => Type::Array,
        Some("string") => Type::String,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("boolean") => Type::Boolean,
        _ => Type::Any,
    }
}

fn texts(list: Option<Node<'_>>) -> Vec<String> {
    let items = list.into_iter().flat_map(Node::items).map(Node::resolved);
    items
        .filter_map(|item| item.text().map(str::to_owned))
        .collect()
}

fn number(node: Option<Node<'_>>) -> Option<f64> {
    match resolve(node?, Reader::Kubernetes)? {
        Scalar::Integer(value) => Some(as_float(value)),
        Scalar::Float(value) => Some(value),
        _ => None,
    }
}

fn range(node: Node<'_>, least: &str, most: &str) -> Range {
    let count = |key: &str| match resolve(node.at(&[key])?, Reader::Kubernetes)? {
        Scalar::Integer(value) => u64::try_from(value).ok(),
        _ => None,
    };
    Range {
        least: count(least),
        most: count(most),
    }
}

fn limits(node: Node<'_>) -> Option<Limits> {
    const KEYS: [&str; 12] = [
        "enum",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ];
    let limited =
        |(key, _): (Node<'_>, Node<'_>)| key.text().is_some_and(|key| KEYS.contains(&key));
    if !node.entries().any(limited) {
        return None;
    }
    let choices = node.at(&["enum"]).into_iter().flat_map(Node::items);
    let bound = |key: &str, exclusive: &str| {
        number(node.at(&[key])).map(|bound| (bound, is_true(node.get(exclusive))))
    };
    Some(Limits {
        choices: choices
            .filter_map(|choice| to_json(choice, Reader::Kubernetes).ok())
            .collect(),
        pattern: node
            .text_at(&["pattern"])
            .filter(|text| !text.is_empty())
            .map(|text| Pattern::new(text.to_owned())),
        format: node.text_at(&["format"]).and_then(Format::named),
        minimum: bound("minimum", "exclusiveMinimum"),
        maximum: bound("maximum", "exclusiveMaximum"),
        multiple_of: number(node.at(&["multipleOf"])),
        length: range(node, "minLength", "maxLength"),
        items: range(node, "minItems", "maxItems"),
        properties: range(node, "minProperties", "maxProperties"),
    })
}

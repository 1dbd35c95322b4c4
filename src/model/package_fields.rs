//! Reading an object by the field rules of its CRD: what the API server refuses and what it drops
//! become findings with the route of the field.
//!
//! Source: the CRDs PackageSource and Package (`spec/package-rendering.md`, section 1); nulls under
//! keys are dropped before validation, as the API server does for fields without a default.

use super::Spanned;
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::json::{Entry, entries};
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// The code of a field that the CRD refuses.
pub(crate) const SCHEMA_VIOLATION: &str = "schema-violation";

/// The code of a field that the CRD does not know.
pub(crate) const UNKNOWN_FIELD: &str = "unknown-field";

/// A mapping with its entries as the API server sees them: merges followed, the last of two equal
/// keys, nulls gone.
pub(crate) struct Fields<'d> {
    /// Where the mapping stands.
    pub(crate) span: Span,
    /// Its route, empty for the document.
    pub(crate) route: String,
    entries: Vec<Entry<'d>>,
}

impl<'d> Fields<'d> {
    /// The entries in the order of the text.
    pub(crate) fn entries(&self) -> &[Entry<'d>] {
        &self.entries
    }

    /// The entry of that key.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry<'d>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The route of a field.
    pub(crate) fn route_of(&self, key: &str) -> String {
        if self.route.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.route)
        }
    }
}

/// What is read of one object, with what there is to say about it.
pub(crate) struct Schema {
    /// The object, for findings.
    pub(crate) object: ObjectId,
    /// Whether the API server refuses it.
    pub(crate) refused: bool,
    /// What was found.
    pub(crate) findings: Vec<Finding>,
}

impl Schema {
    /// A reading of the object.
    pub(crate) fn new(object: ObjectId) -> Schema {
        Schema {
            object,
            refused: false,
            findings: Vec::new(),
        }
    }

    /// Notes that the API server refuses the object: at `span`, `what` is wrong.
    pub(crate) fn refuse(&mut self, span: Span, what: &str) {
        self.refused = true;
        let message = format!(
            "{what}: the API server refuses {} `{}`, and nothing is made of it",
            self.object.kind, self.object.name
        );
        self.findings.push(
            Finding::new(
                SCHEMA_VIOLATION,
                Level::Error,
                Label::new(span).object(&self.object),
                message,
            )
            .id("SchemaViolation"),
        );
    }

    /// A mapping's fields. `None`, with a finding, for what is no mapping. Keys that are not in
    /// `known` are found; an empty list knows them all.
    pub(crate) fn open<'d>(
        &mut self,
        node: Node<'d>,
        route: String,
        known: &[&str],
    ) -> Option<Fields<'d>> {
        if !node.is_mapping() {
            self.refuse(
                node.span(),
                &format!("`{route}` must be a mapping, not {}", form(node)),
            );
            return None;
        }
        let mut fields = Fields {
            span: node.span(),
            route,
            entries: entries(node, Reader::Kubernetes),
        };
        if !known.is_empty() {
            for entry in &fields.entries {
                if !known.contains(&entry.key.as_str()) {
                    self.drop_unknown(&fields, entry, known);
                }
            }
        }
        fields.entries.retain(|entry| !entry.value.is_null());
        Some(fields)
    }

    fn drop_unknown(&mut self, fields: &Fields<'_>, entry: &Entry<'_>, known: &[&str]) {
        let message = format!(
            "`{}` is not in the schema of {}: the API server drops it without a word",
            fields.route_of(&entry.key),
            self.object.kind
        );
        let alike = known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(&entry.key));
        let help = match alike {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the fields here are {}", listed(known)),
        };
        self.findings.push(
            Finding::new(
                UNKNOWN_FIELD,
                Level::Warning,
                Label::new(entry.key_span).object(&self.object),
                message,
            )
            .id("UnknownField")
            .help(help),
        );
    }

    /// The mapping under a key.
    pub(crate) fn mapping<'d>(
        &mut self,
        fields: &Fields<'d>,
        key: &str,
        known: &[&str],
    ) -> Option<Fields<'d>> {
        let node = fields.get(key)?.value;
        self.open(node, fields.route_of(key), known)
    }

    /// The elements of the sequence under a key, each with its route.
    pub(crate) fn items<'d>(&mut self, fields: &Fields<'d>, key: &str) -> Vec<(Node<'d>, String)> {
        let Some(entry) = fields.get(key) else {
            return Vec::new();
        };
        let route = fields.route_of(key);
        if !entry.value.is_sequence() {
            let what = format!("`{route}` must be a list, not {}", form(entry.value));
            self.refuse(entry.value.span(), &what);
            return Vec::new();
        }
        let items = entry.value.items().enumerate();
        items
            .map(|(at, item)| (item.resolved(), format!("{route}[{at}]")))
            .collect()
    }

    /// The elements of a sequence of mappings under a key.
    pub(crate) fn mappings<'d>(
        &mut self,
        fields: &Fields<'d>,
        key: &str,
        known: &[&str],
    ) -> Vec<Fields<'d>> {
        let items = self.items(fields, key);
        items
            .into_iter()
            .filter_map(|(node, route)| self.open(node, route, known))
            .collect()
    }

    fn scalar(&mut self, node: Node<'_>, route: &str) -> Option<Spanned<String>> {
        if let Some(Scalar::String(text) | Scalar::Timestamp(text)) =
            resolve(node, Reader::Kubernetes)
        {
            return Some(Spanned {
                value: text.to_owned(),
                span: node.span(),
            });
        }
        // The operator's recorded results take a lone letter for text, though kubectl 1.35 sends a
        // boolean; the rule on YAML's words speaks of it wherever it stands.
        if let Some(letter @ ("y" | "Y" | "n" | "N")) = node.text() {
            return Some(Spanned {
                value: letter.to_owned(),
                span: node.span(),
            });
        }
        self.refuse(
            node.span(),
            &format!("`{route}` must be a string, not {}", form(node)),
        );
        None
    }

    /// The string under a key.
    pub(crate) fn text(&mut self, fields: &Fields<'_>, key: &str) -> Option<Spanned<String>> {
        let entry = fields.get(key)?;
        self.scalar(entry.value, &fields.route_of(key))
    }

    /// The string under a key that must be there. Where it is not, an empty one stands for it, in
    /// an object that is refused.
    pub(crate) fn required(&mut self, fields: &Fields<'_>, key: &str) -> Spanned<String> {
        if fields.get(key).is_none() {
            let what = format!("`{}` is required", fields.route_of(key));
            self.refuse(start_of(fields.span), &what);
        }
        let empty = || Spanned {
            value: String::new(),
            span: start_of(fields.span),
        };
        self.text(fields, key).unwrap_or_else(empty)
    }

    /// The string under a key that must be one of a few.
    pub(crate) fn choice(
        &mut self,
        fields: &Fields<'_>,
        key: &str,
        choices: &[&str],
    ) -> Option<Spanned<String>> {
        let text = self.text(fields, key)?;
        if !choices.contains(&text.value.as_str()) {
            let route = fields.route_of(key);
            let found = match text.value.as_str() {
                "" => "empty".to_owned(),
                found => format!("`{found}`"),
            };
            let what = format!("`{route}` is {found}, not one of {}", listed(choices));
            self.refuse(text.span, &what);
        }
        Some(text)
    }

    /// The strings of the list under a key.
    pub(crate) fn texts(&mut self, fields: &Fields<'_>, key: &str) -> Vec<Spanned<String>> {
        let items = self.items(fields, key);
        items
            .into_iter()
            .filter_map(|(node, route)| self.scalar(node, &route))
            .collect()
    }

    /// The truth value under a key.
    pub(crate) fn flag(&mut self, fields: &Fields<'_>, key: &str) -> Option<Spanned<bool>> {
        let node = fields.get(key)?.value;
        if let Some(Scalar::Bool(value)) = resolve(node, Reader::Kubernetes) {
            return Some(Spanned {
                value,
                span: node.span(),
            });
        }
        let route = fields.route_of(key);
        self.refuse(
            node.span(),
            &format!("`{route}` must be true or false, not {}", form(node)),
        );
        None
    }
}

/// The first line of a span is enough to point at a whole mapping.
fn start_of(span: Span) -> Span {
    Span {
        end: span.start,
        ..span
    }
}

/// Words for what a node is.
fn form(node: Node<'_>) -> String {
    if node.is_mapping() {
        return "a mapping".to_owned();
    }
    if node.is_sequence() {
        return "a list".to_owned();
    }
    let written = node.written();
    match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Null) => "null".to_owned(),
        Some(Scalar::Bool(value)) if written == value.to_string() => format!("the boolean {value}"),
        Some(Scalar::Bool(value)) => format!("`{written}`, which is the boolean {value}"),
        Some(Scalar::Integer(_) | Scalar::Float(_)) => format!("the number {written}"),
        _ => format!("the string {written}"),
    }
}

/// Names joined for a sentence.
fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

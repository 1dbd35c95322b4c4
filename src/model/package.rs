//! Packages: which variant of a PackageSource is installed, and how it is set, as written.
//!
//! Source: the CRD of the snapshot of 2026-08-21 (`spec/package-rendering.md`, section 1).

use serde_json::Value;

use super::Spanned;
use super::package_fields::{Fields, Schema};
use crate::finding::ObjectId;
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// A Package that the API server takes. Its name is that of its PackageSource.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    /// The object.
    pub(crate) id: ObjectId,
    /// Where its name stands.
    pub(crate) span: Span,
    /// The variant; absent and empty mean `default`.
    pub(crate) variant: Option<Spanned<String>>,
    /// Variant dependencies that it does not wait for.
    pub(crate) ignore_dependencies: Vec<Spanned<String>>,
    /// Settings of components, in order.
    pub(crate) components: Vec<ComponentOverride>,
    /// `spec` as data, to tell a repeated declaration from a contradicting one.
    pub(crate) content: Value,
}

/// What a Package sets for one component.
#[derive(Clone, Debug)]
pub(crate) struct ComponentOverride {
    /// The component's name; not the release's.
    pub(crate) name: Spanned<String>,
    /// Whether it is installed; absent means yes.
    pub(crate) enabled: Option<Spanned<bool>>,
    /// The release's values; null and absent are the same.
    pub(crate) values: Option<Spanned<Value>>,
}

/// Where the name of an object stands; the start of the object where it has none.
pub(crate) fn name_span(node: Node<'_>) -> Span {
    let start = Span {
        end: node.span().start,
        ..node.span()
    };
    node.at(&["metadata", "name"]).map_or(start, Node::span)
}

impl Package {
    /// Reads a document that is known to be a Package; `None` where the API server refuses it, with
    /// the reasons in `schema`.
    pub(crate) fn read(node: Node<'_>, schema: &mut Schema) -> Option<Package> {
        let top = ["apiVersion", "kind", "metadata", "spec", "status"];
        let root = schema.open(node, String::new(), &top)?;
        let content = root
            .get("spec")
            .and_then(|spec| to_json(spec.value, Reader::Kubernetes).ok());
        let mut package = Package {
            id: schema.object.clone(),
            span: name_span(node),
            variant: None,
            ignore_dependencies: Vec::new(),
            components: Vec::new(),
            content: content.unwrap_or_default(),
        };
        let known = ["variant", "ignoreDependencies", "components"];
        if let Some(spec) = schema.mapping(&root, "spec", &known) {
            package.variant = schema
                .text(&spec, "variant")
                .filter(|name| !name.value.is_empty());
            package.ignore_dependencies = schema.texts(&spec, "ignoreDependencies");
            if let Some(components) = schema.mapping(&spec, "components", &[]) {
                package.components = read_components(&components, schema);
            }
        }
        (!schema.refused).then_some(package)
    }

    /// The name of the variant that it asks for.
    pub(crate) fn variant_name(&self) -> &str {
        self.variant.as_ref().map_or("default", |name| &name.value)
    }

    /// What it sets for the component of that name.
    pub(crate) fn component(&self, name: &str) -> Option<&ComponentOverride> {
        self.components
            .iter()
            .find(|component| component.name.value == name)
    }

    /// Whether it switches the component of that name off.
    pub(crate) fn disables(&self, name: &str) -> bool {
        let enabled = self
            .component(name)
            .and_then(|component| component.enabled.as_ref());
        enabled.is_some_and(|enabled| !enabled.value)
    }
}

fn read_components(components: &Fields<'_>, schema: &mut Schema) -> Vec<ComponentOverride> {
    let mut overrides = Vec::new();
    for entry in components.entries() {
        let route = components.route_of(&entry.key);
        let Some(fields) = schema.open(entry.value, route, &["enabled", "values"]) else {
            continue;
        };
        let values = fields.get("values").and_then(|values| {
            let span = values.value.span();
            if let Ok(value) = to_json(values.value, Reader::Kubernetes) {
                return Some(Spanned { value, span });
            }
            let route = fields.route_of("values");
            schema.refuse(span, &format!("`{route}` cannot become JSON"));
            None
        });
        overrides.push(ComponentOverride {
            name: Spanned {
                value: entry.key.clone(),
                span: entry.key_span,
            },
            enabled: schema.flag(&fields, "enabled"),
            values,
        });
    }
    overrides
}

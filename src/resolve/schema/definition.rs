//! Where schemas come from: CustomResourceDefinitions and OpenAPI documents, by group and kind.
//!
//! Nothing of a schema is read before an object of its kind is there.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::compile::{self, References};
use super::structure::{Compiled, Flavour};
use super::walk::Walk;
use super::{Fault, Violation};
use crate::finding::ObjectId;
use crate::resolve::plan::unrolled;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// The definitions that are known, by group and kind.
#[derive(Debug, Default)]
pub(crate) struct Schemas<'d> {
    kinds: BTreeMap<(String, String), Vec<Version<'d>>>,
    documents: Vec<References<'d>>,
}

/// One version of a kind.
#[derive(Debug)]
struct Version<'d> {
    name: String,
    served: bool,
    deprecated: bool,
    /// The schema as written, and the document that its references lead into.
    schema: Option<Node<'d>>,
    document: Option<usize>,
    /// Whether `status` is written by another request and dropped from this one.
    status: bool,
    compiled: OnceLock<Compiled>,
}

fn is_crd(node: Node<'_>) -> bool {
    node.text_at(&["kind"]) == Some("CustomResourceDefinition")
        && node.text_at(&["apiVersion"]) == Some("apiextensions.k8s.io/v1")
}

/// The definitions of an OpenAPI version 2 document.
fn open_api(root: Node<'_>) -> Option<Node<'_>> {
    root.get("swagger")?;
    root.at(&["definitions"])
}

/// Whether a document is one that `--schemas` is for.
pub(crate) fn is_definition(root: Node<'_>) -> bool {
    open_api(root.resolved()).is_some() || unrolled(root).into_iter().any(is_crd)
}

impl<'d> Schemas<'d> {
    /// Takes in the definitions of a document. What is added later stands over what was added
    /// earlier; a CustomResourceDefinition always stands over an OpenAPI document.
    pub(crate) fn add(&mut self, root: Node<'d>) {
        if let Some(definitions) = open_api(root.resolved()) {
            self.add_open_api(definitions);
            return;
        }
        for node in unrolled(root).into_iter().filter(|node| is_crd(*node)) {
            self.add_crd(node);
        }
    }

    fn add_crd(&mut self, node: Node<'d>) {
        let text = |route: &[&str]| node.text_at(route).unwrap_or_default().to_owned();
        let (group, kind) = (text(&["spec", "group"]), text(&["spec", "names", "kind"]));
        let versions = node.at(&["spec", "versions"]).into_iter();
        let versions = versions.flat_map(Node::items).map(|version| {
            let version = version.resolved();
            Version {
                name: version.text_at(&["name"]).unwrap_or_default().to_owned(),
                served: is_true(version.get("served")),
                deprecated: is_true(version.get("deprecated")),
                schema: version.at(&["schema", "openAPIV3Schema"]),
                document: None,
                status: version.at(&["subresources", "status"]).is_some(),
                compiled: OnceLock::new(),
            }
        });
        self.kinds.insert((group, kind), versions.collect());
    }

    fn add_open_api(&mut self, definitions: Node<'d>) {
        let document = self.documents.len();
        let mut references = References::default();
        for (key, definition) in definitions.entries() {
            let (Some(name), definition) = (key.text(), definition.resolved()) else {
                continue;
            };
            references.insert(name, definition);
            let kinds = definition.at(&["x-kubernetes-group-version-kind"]);
            for kind in kinds.into_iter().flat_map(Node::items).map(Node::resolved) {
                let text = |key| kind.text_at(&[key]).unwrap_or_default().to_owned();
                let versions = self.kinds.entry((text("group"), text("kind"))).or_default();
                let name = text("version");
                // A definition among the inputs, or an earlier document, has said it.
                let known = |version: &Version<'_>| {
                    version.document != Some(document) || version.name == name
                };
                if versions.iter().any(known) {
                    continue;
                }
                versions.push(Version {
                    name,
                    served: true,
                    deprecated: false,
                    schema: Some(definition),
                    document: Some(document),
                    status: true,
                    compiled: OnceLock::new(),
                });
            }
        }
        self.documents.push(references);
    }

    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Whether an object's kind has a definition.
    pub(crate) fn knows(&self, id: &ObjectId) -> bool {
        let key = (id.group().to_owned(), id.kind.to_string());
        self.kinds.contains_key(&key)
    }

    /// What there is to say of an object; nothing where its kind is not known.
    pub(super) fn check(&self, node: Node<'_>, id: &ObjectId, found: &mut Vec<Violation>) {
        let key = (id.group().to_owned(), id.kind.to_string());
        let Some(versions) = self.kinds.get(&key) else {
            return;
        };
        let name = id
            .api_version
            .rsplit_once('/')
            .map_or(id.api_version.as_str(), |(_, version)| version);
        let version = versions.iter().find(|version| version.name == name);
        let mut say = |fault, what: String, help| {
            found.push(Violation {
                fault,
                object: id.clone(),
                span: node.at(&["apiVersion"]).unwrap_or(node).span(),
                what,
                help,
                exact: true,
                client_side: false,
            });
        };
        let others = || {
            let served = versions.iter().filter(|it| it.served && !it.deprecated);
            let names: Vec<String> = served.map(|it| format!("`{}`", it.name)).collect();
            (!names.is_empty()).then(|| format!("the definition serves {}", names.join(", ")))
        };
        match version {
            Some(version) if version.served => {
                if version.deprecated {
                    let what = format!("`{}` of {} is deprecated", id.api_version, id.kind);
                    say(Fault::Deprecated, what, others());
                }
                if let Some(schema) = version.schema {
                    let compiled = version
                        .compiled
                        .get_or_init(|| self.compile(version, schema));
                    Walk::over(compiled, id, version.status).root(node, found);
                }
            }
            _ => {
                let what = format!("`{}` of {} is not served", id.api_version, id.kind);
                say(Fault::NotServed, what, others());
            }
        }
    }

    fn compile(&self, version: &Version<'d>, schema: Node<'d>) -> Compiled {
        match version.document {
            Some(document) => compile::compile(schema, Flavour::GoType, &self.documents[document]),
            None => compile::compile(schema, Flavour::Structural, &References::default()),
        }
    }
}

/// Whether a node is the boolean true.
pub(super) fn is_true(node: Option<Node<'_>>) -> bool {
    node.and_then(|node| resolve(node.resolved(), Reader::Kubernetes)) == Some(Scalar::Bool(true))
}

//! The documents that packages are made of, each name once.

use std::collections::BTreeMap;

use super::reasons::{DUPLICATE_DECLARATION, INVALID_OBJECT};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::model::package::{Package, name_span};
use crate::model::package_fields::Schema;
use crate::model::release::{HelmRelease, is_object_name};
use crate::model::source_package::PackageSource;
use crate::resolve::plan::unrolled;
use crate::source::Span;
use crate::yaml::Node;

/// PackageSources, Packages and HelmReleases among the inputs.
#[derive(Debug, Default)]
pub(crate) struct Estate {
    /// By name; of several of one name the later stands.
    pub(crate) sources: BTreeMap<String, PackageSource>,
    /// By name; of several of one name the later stands.
    pub(crate) packages: BTreeMap<String, Package>,
    /// In the order of the inputs.
    pub(crate) releases: Vec<HelmRelease>,
    /// What was found while reading.
    pub(crate) findings: Vec<Finding>,
}

/// The group of Packages and PackageSources.
pub(crate) const GROUP: &str = "cozystack.io";

/// The only version of both.
const VERSION: &str = "v1alpha1";

impl Estate {
    /// Reads a document's root, the elements of a List in its place. What belongs to nobody here
    /// is passed over.
    pub(crate) fn add(&mut self, root: Node<'_>) {
        for node in unrolled(root) {
            let api = node.text_at(&["apiVersion"]).unwrap_or_default();
            let kind = node.text_at(&["kind"]).unwrap_or_default();
            let (group, version) = api.split_once('/').unwrap_or(("", api));
            match (group, kind) {
                (GROUP, "PackageSource") => self.add_source(node, version),
                (GROUP, "Package") => self.add_package(node, version),
                ("helm.toolkit.fluxcd.io", "HelmRelease") => {
                    self.releases.push(HelmRelease::read(node));
                }
                _ => {}
            }
        }
    }

    fn add_source(&mut self, node: Node<'_>, version: &str) {
        let Some(mut schema) = self.begin(node, version) else {
            return;
        };
        if let Some(source) = PackageSource::read(node, &mut schema) {
            if let Some(earlier) = self.sources.get(&source.id.name) {
                let same = earlier.content == source.content;
                self.findings
                    .push(twice(&source.id, source.span, earlier.span, same));
            }
            self.sources.insert(source.id.name.clone(), source);
        }
        self.findings.append(&mut schema.findings);
    }

    fn add_package(&mut self, node: Node<'_>, version: &str) {
        let Some(mut schema) = self.begin(node, version) else {
            return;
        };
        if let Some(package) = Package::read(node, &mut schema) {
            if let Some(earlier) = self.packages.get(&package.id.name) {
                let same = earlier.content == package.content;
                self.findings
                    .push(twice(&package.id, package.span, earlier.span, same));
            }
            self.packages.insert(package.id.name.clone(), package);
        }
        self.findings.append(&mut schema.findings);
    }

    /// Checks version and name, without which nothing else is looked at.
    fn begin(&mut self, node: Node<'_>, version: &str) -> Option<Schema> {
        let text = |route: &[&str]| node.text_at(route).unwrap_or_default().to_owned();
        let object = ObjectId {
            api_version: text(&["apiVersion"]).into(),
            kind: text(&["kind"]).into(),
            namespace: String::new(),
            name: text(&["metadata", "name"]),
        };
        let what = if version != VERSION {
            format!(
                "`{}` is not served, expected `{GROUP}/{VERSION}`",
                object.api_version
            )
        } else if !is_object_name(&object.name) {
            format!(
                "`{}` cannot be the name of a {}, expected lower-case letters, digits, `-` and \
                 `.`, at most 253",
                object.name, object.kind
            )
        } else {
            return Some(Schema::new(object));
        };
        let label = Label::new(name_span(node)).object(&object);
        let message = format!("{what}: the API server refuses it, and nothing is made of it");
        self.findings.push(INVALID_OBJECT.finding(label, message));
        None
    }
}

fn twice(id: &ObjectId, span: Span, earlier: Span, same: bool) -> Finding {
    let how = if same {
        "with the same content"
    } else {
        "with other content"
    };
    let message = format!(
        "{} `{}` is declared more than once, {how}: the cluster holds one, and this later one \
         stands",
        id.kind, id.name
    );
    let mut finding = DUPLICATE_DECLARATION
        .finding(Label::new(span).object(id), message)
        .related(
            Label::new(earlier)
                .message("declared here before")
                .object(id),
        )
        .help("keep one of the two, or give the other a name of its own");
    if same {
        finding.level = Level::Warning;
    }
    finding
}

//! For the tests of the rules: a table and manifests in, what one rule says of them out.

use std::sync::OnceLock;

use super::{Applied, Context, Made, RULES, Strictness, Subject};
use crate::finding::{Finding, ObjectId};
use crate::model::overrides::{Tables, tables_in};
use crate::resolve::builds::Builds;
use crate::resolve::claims::Claims;
use crate::resolve::claims::one_object::MOVE_ANNOTATION;
use crate::resolve::images::build_whole;
use crate::resolve::packages::{Estate, OperatorSettings, PlatformTable, render};
use crate::resolve::plan::{identity_of, unrolled};
use crate::resolve::releases::releases;
use crate::resolve::schema::{Schemas, violations};
use crate::source::SourceMap;
use crate::yaml::{Doc, parse};

fn docs(source: &std::sync::Arc<crate::source::Source>) -> Vec<Doc> {
    parse::read_all(source)
        .into_iter()
        .map(|doc| doc.expect("sound YAML"))
        .collect()
}

fn objects(docs: &[Doc]) -> Vec<Subject<'_>> {
    let roots = docs.iter().enumerate();
    let roots = roots.filter_map(|(at, doc)| Some((at, doc, doc.root()?)));
    let items = |(at, doc, root)| {
        let items = unrolled(root).into_iter().enumerate();
        items.map(move |(item, node)| Subject {
            place: (0, at, item),
            ..Subject::of(doc, node, identity_of(node).into())
        })
    };
    roots.flat_map(items).collect()
}

fn id(doc: &Doc) -> ObjectId {
    let text = |route: &[&str]| {
        doc.root()
            .and_then(|root| root.text_at(route))
            .unwrap_or_default()
            .to_owned()
    };
    ObjectId {
        api_version: text(&["apiVersion"]).into(),
        kind: text(&["kind"]).into(),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    }
}

/// What the rule of this code finds where a build applies the table to the manifests.
pub(super) fn findings(code: &str, table: &str, manifests: &str) -> Vec<Finding> {
    let mut sources = SourceMap::default();
    let table = sources.add("table.yaml", table);
    let table = docs(&table);
    let mut found = table.iter().flat_map(|doc| tables_in(doc, &mut Vec::new()));
    let tables = Tables {
        flux: None,
        platform: found.next().map(|found| found.table),
    };
    let source = sources.add("manifests.yaml", manifests);
    let docs = docs(&source);
    let filtered = tables
        .platform
        .as_ref()
        .map(|table| build_whole(&source, &docs, table));
    let applied = tables
        .platform
        .iter()
        .zip(&filtered)
        .map(|(table, filtered)| Applied {
            table,
            docs: &docs,
            passes: vec![filtered],
        });
    let roots = || docs.iter().filter_map(Doc::root);
    let mut estate = Estate::default();
    roots().for_each(|root| estate.add(root));
    let table_known = tables.platform.as_ref();
    let rendered = render(
        &estate,
        &OperatorSettings::default(),
        table_known.map_or(PlatformTable::Unknown, PlatformTable::Known),
    );
    let releases = releases(roots(), &rendered);
    let made = Made {
        estate: &estate,
        rendered: &rendered,
        releases: &releases,
    };
    let mut schemas = Schemas::default();
    roots().for_each(|root| schemas.add(root));
    let context = Context {
        made,
        by_kind: OnceLock::new(),
        graph: OnceLock::new(),
        violations: roots()
            .flat_map(|root| violations(&schemas, root))
            .collect(),
        tables: &tables,
        applied: applied.collect(),
        subjects: docs
            .iter()
            .filter(|doc| doc.root().is_some())
            .map(|doc| Subject::new(doc, id(doc).into()))
            .collect(),
        objects: objects(&docs),
        claims: Claims::of(&releases),
        before: None,
        cluster: None,
        move_annotation: MOVE_ANNOTATION,
        settings: table.iter().collect(),
        strictness: Strictness::Full,
        old: None,
        rendered: Vec::new(),
        builds: &Builds::default(),
        old_builds: &Builds::default(),
        named: [0].into(),
        flux_version: None,
        kubernetes_version: None,
    };
    let rule = RULES
        .iter()
        .find(|rule| rule.code == code)
        .expect("a rule of this code");
    let mut findings = Vec::new();
    (rule.check)(&context, &mut findings);
    assert!(
        findings
            .iter()
            .all(|finding| finding.rule == code && finding.level <= rule.level)
    );
    findings
}

/// The messages of what the rule finds.
pub(super) fn messages(code: &str, table: &str, manifests: &str) -> Vec<String> {
    findings(code, table, manifests)
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

/// A Pod that runs these images.
pub(super) fn pod(images: &[&str]) -> String {
    let head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n".to_owned();
    images
        .iter()
        .fold(head, |text, image| text + "  - image: '" + image + "'\n")
}

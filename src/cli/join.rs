//! Where the parts of the library meet: one thin function for each thing that a command asks of
//! tables, rules, the rewrite and the reports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::claims;
use super::inputs::Target;
use super::packages::Packages;
use super::schemas;
use super::subjects;
use crate::finding::{Finding, Label, Level};
use crate::load::{Loaded, Role, embedded};
use crate::model::overrides::{
    FLUX_ROUTE, Found, OverrideTable, PLATFORM_ROUTE, Tables, Which, package_table, read_table,
    secret_table, tables_in,
};
use crate::resolve::builds::Builds;
use crate::resolve::claims::Claims;
use crate::resolve::claims::one_object::MOVE_ANNOTATION;
use crate::resolve::images::{Filtered, Mode, build, legacy};
use crate::resolve::plan::{Plan, objects_of};
use crate::resolve::releases::AnyRelease;
use crate::resolve::values::{Merged, merge};
use crate::rules::{self, Applied, Context, Made, Strictness, Subject};
use crate::source::{Edit, Source, Span};
use crate::yaml::Doc;

pub(super) use super::reports::{report, report_audit};
pub(super) use crate::report::Format;

/// The two tables of a run, and what is wrong with them.
#[derive(Debug)]
pub(super) struct Read {
    /// The tables; none where nothing gives one.
    pub(super) tables: Tables,
    /// What is wrong with them.
    pub(super) findings: Vec<Finding>,
    /// Whether the values Secret is among the inputs: without it, a table that nothing gives is
    /// unknown and not empty.
    pub(super) secret: bool,
    /// Said of a Secret that carries another table than the one that stands.
    pub(super) stale: Vec<Finding>,
}

fn strictness(strict: bool) -> Strictness {
    if strict {
        Strictness::Full
    } else {
        Strictness::Primitive
    }
}

/// The tables that the inputs give. Where not `strict`, rules of values only warn (`rewrite`).
pub(super) fn tables(loaded: &Loaded, strict: bool) -> Read {
    let mut findings = Vec::new();
    let mut found = Vec::new();
    for doc in loaded.of(Role::Table).flat_map(|input| &input.docs) {
        let (tables, faults) = (found.len(), findings.len());
        found.extend(tables_in(doc, &mut findings));
        if (tables, faults) == (found.len(), findings.len()) {
            findings.extend(without_table(doc));
        }
    }
    let values = merge(loaded.of(Role::Values).flat_map(|input| &input.docs));
    for (which, route) in [(Which::Flux, FLUX_ROUTE), (Which::Platform, PLATFORM_ROUTE)] {
        // A table that is a mapping is refused where its last file has it.
        let last = || {
            let docs = loaded.of(Role::Values).flat_map(|input| &input.docs);
            docs.filter_map(|doc| doc.root()?.at(&route)).last()
        };
        let node = values.at(&route).and_then(|merged| match merged {
            Merged::Leaf(node) => Some(*node),
            Merged::Map(_) => last(),
        });
        found.extend(node.map(|node| Found {
            which,
            table: read_table(node, &mut findings),
        }));
    }
    let mut secrets = Vec::new();
    for role in [Role::Values, Role::Manifest] {
        let docs = loaded.of(role).flat_map(|input| &input.docs);
        for object in docs.flat_map(|doc| objects_of(doc, &["Package", "Secret"])) {
            found.extend(package_table(object, &mut findings));
            secrets.extend(secret_table(object, &mut findings));
        }
    }
    let mut tables = Tables::default();
    for Found { which, table } in found {
        if which != Which::Platform {
            settle(&mut tables.flux, &table, "Flux's", &mut findings);
        }
        if which != Which::Flux {
            settle(
                &mut tables.platform,
                &table,
                "the platform's",
                &mut findings,
            );
        }
    }
    let (secret, mut stale) = (!secrets.is_empty(), Vec::new());
    for (place, table) in secrets {
        let Some(table) = table else { continue };
        match &tables.platform {
            Some(stands) if stands.same_as(&table) || table.entries.is_empty() => {}
            Some(stands) => stale.push(outdated(place, stands.span)),
            None => tables.platform = Some(table),
        }
    }
    let (none, nothing) = (Packages::default(), Builds::default());
    findings.extend(rules::check_tables(&context(
        loaded,
        &tables,
        strict,
        (&nothing, &nothing),
        none.made(&[]),
    )));
    Read {
        tables,
        findings,
        secret,
        stale,
    }
}

/// Said of a file of `--images` that has a table at none of the places where one may stand; one
/// that is there and null is an empty table.
fn without_table(doc: &Doc) -> Option<Finding> {
    let root = doc.root()?.resolved();
    let places = [
        "images",
        "imageOverrides",
        "registries",
        "cozystackOperator",
        "spec",
    ];
    if root.is_null() || places.iter().any(|key| root.get(key).is_some()) {
        return None;
    }
    let (key, _) = root.entries().next()?;
    let message = "the file holds no override table, expected a list, or a mapping with one under \
                   `images` or `imageOverrides`";
    Some(
        Finding::new(
            "override-not-a-list",
            Level::Error,
            Label::new(key.span()),
            message,
        )
        .help("values of a chart go to `--values`"),
    )
}

/// Said of the values Secret: it is made of what gives the table, and follows it.
fn outdated(place: Span, stands: Span) -> Finding {
    let message = "the Secret `cozystack-values` carries another table than the one that is given: \
                   `render` rewrites it to match";
    Finding::new(
        "override-tables-differ",
        Level::Warning,
        Label::new(place),
        message,
    )
    .help("render the platform chart again, or leave the Secret out")
    .related(Label::new(stands).message("the table that stands"))
}

/// Takes a table, or says that it differs from the one taken before.
fn settle(
    place: &mut Option<OverrideTable>,
    table: &OverrideTable,
    whose: &str,
    findings: &mut Vec<Finding>,
) {
    match place {
        Some(first) if !first.same_as(table) => findings.push(
            Finding::new(
                "override-tables-differ",
                Level::Error,
                Label::new(table.span),
                format!("{whose} override table stands here and elsewhere, and the two differ"),
            )
            .help("give it once, or make the two equal")
            .related(Label::new(first.span).message("the other one")),
        ),
        Some(_) => {}
        None => *place = Some(table.clone()),
    }
}

/// What the rules that look at tables and settings need.
fn context<'c>(
    loaded: &'c Loaded,
    tables: &'c Tables,
    strict: bool,
    (builds, old_builds): (&'c Builds, &'c Builds),
    made: Made<'c>,
) -> Context<'c> {
    let settings = [Role::Table, Role::Values]
        .into_iter()
        .flat_map(|role| loaded.of(role))
        .flat_map(|input| &input.docs)
        .collect();
    Context {
        tables,
        applied: Vec::new(),
        subjects: Vec::new(),
        objects: Vec::new(),
        claims: Claims::default(),
        before: None,
        cluster: None,
        move_annotation: MOVE_ANNOTATION,
        settings,
        violations: Vec::new(),
        by_kind: OnceLock::new(),
        graph: OnceLock::new(),
        strictness: strictness(strict),
        old: None,
        rendered: Vec::new(),
        builds,
        old_builds,
        named: loaded.named(),
        flux_version: None,
        kubernetes_version: None,
        made,
    }
}

/// What a table does to the documents of one text, an outcome for each pass of the filter.
pub(super) fn filter<'d>(
    mode: Mode,
    source: &Arc<Source>,
    docs: &'d [Doc],
    table: &OverrideTable,
) -> Vec<Filtered<'d>> {
    match mode {
        Mode::Legacy => legacy(docs, table),
        Mode::Build => build(source, docs, table),
    }
}

/// The edits that an outcome makes.
pub(super) fn edits(filtered: &Filtered<'_>, docs: &[Doc], mode: Mode) -> Vec<Edit> {
    crate::rewrite::edits(docs, filtered, mode)
}

/// What the rules look at beside the inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<'c> {
    /// What the objects will meet.
    pub(super) target: &'c Target,
    /// The HelmReleases of the state before, where one is given.
    pub(super) before: Option<&'c [AnyRelease<'c>]>,
    /// The annotation that declares a move.
    pub(super) move_annotation: &'c str,
}

/// What a filter did, by the number of the input.
pub(super) type Passes<'l> = Vec<(usize, Filtered<'l>)>;

/// What the rules find. `filtered` is what the filter did; where the platform's table meets manifests
/// that are only passed on, what it would do to them counts.
pub(super) fn check<'l>(
    loaded: &'l Loaded,
    plan: &Plan,
    tables: &Tables,
    filtered: &Passes<'l>,
    made: Made<'_>,
    beside: Option<Beside<'_>>,
) -> Vec<Finding> {
    let done: BTreeSet<usize> = filtered.iter().map(|(at, _)| *at).collect();
    let mut passes = Passes::new();
    if let Some(platform) = &tables.platform {
        let texts = loaded.inputs.par_iter().enumerate();
        let tried = texts.flat_map_iter(|(at, input)| {
            let given = matches!(input.role, Role::Manifest | Role::Rendered);
            let tried =
                (given && !done.contains(&at)).then(|| tried(&input.source, &input.docs, platform));
            tried.into_iter().flatten().map(move |pass| (at, pass))
        });
        passes = tried.collect();
    }
    check_passes(loaded, plan, tables, (filtered, &passes), made, beside)
}

/// What the rules find where all passes are at hand: those that were done, and those that were tried on
/// what is only passed on.
pub(super) fn check_passes<'l>(
    loaded: &'l Loaded,
    plan: &Plan,
    tables: &Tables,
    (filtered, tried): (&Passes<'l>, &Passes<'l>),
    made: Made<'_>,
    beside: Option<Beside<'_>>,
) -> Vec<Finding> {
    let old_builds = Builds::read(loaded, Role::Old);
    let target = beside.map(|beside| beside.target);
    let mut context = context(
        loaded,
        tables,
        beside.is_some(),
        (&plan.builds, &old_builds),
        made,
    );
    context.subjects = subjects::documents(loaded, plan);
    if beside.is_some() {
        context.objects = subjects::planned(loaded, plan);
        context.old = subjects::old(loaded, &old_builds);
        context.rendered = subjects::rendered(loaded);
    }
    let told = target.and_then(|target| target.flux_version);
    context.flux_version = told.or_else(|| subjects::flux_version(&context));
    context.kubernetes_version = target.and_then(|target| target.kubernetes_version);
    if let Some(beside) = beside {
        context.claims = claims::claims(made, &context.objects, &plan.builds, &context.named);
        let old = context.old.as_deref().unwrap_or_default();
        context.before = beside
            .before
            .map(|before| claims::placed(before, old, &old_builds, &context.named));
        context.cluster = claims::cluster(loaded);
        context.move_annotation = beside.move_annotation;
        context.violations = schemas::violations(loaded, &context);
    }
    let refused = filtered.iter().filter(|(_, pass)| pass.refusal.is_some());
    let refused: BTreeSet<usize> = refused.map(|(at, _)| *at).collect();
    let tried = tried.iter().filter(|(at, _)| !plan.builds.is_inert(*at));
    // What a refused or unread text would have held is unknown: no entry is unused for it.
    let mut by_input: BTreeMap<usize, Vec<&Filtered<'_>>> = BTreeMap::new();
    for (at, pass) in filtered.iter().chain(tried) {
        if loaded.inputs[*at].whole && !refused.contains(at) {
            by_input.entry(*at).or_default().push(pass);
        }
    }
    for (at, passes) in by_input {
        let input = &loaded.inputs[at];
        let own = if input.role == Role::Flux {
            &tables.flux
        } else {
            &tables.platform
        };
        if let Some(table) = own.as_ref().or(tables.flux.as_ref()) {
            context.applied.push(Applied {
                table,
                docs: &input.docs,
                passes,
            });
        }
    }
    let mut findings = rules::check(&context);
    schemas::once(&mut findings);
    findings.extend(open_schemas(&context, loaded));
    findings
}

/// What a build would do to a text, or, where it would not build, what the filter would do to each
/// of its documents.
pub(super) fn tried<'d>(
    source: &Arc<Source>,
    docs: &'d [Doc],
    table: &OverrideTable,
) -> impl Iterator<Item = Filtered<'d>> {
    let mut passes = build(source, docs, table);
    if passes.iter().any(|pass| pass.refusal.is_some()) {
        passes = legacy(docs, table);
    }
    passes.into_iter()
}

/// The embedded set of our own writing has schemas that take anything.
fn open_schemas(context: &Context<'_>, loaded: &Loaded) -> Option<Finding> {
    let own = |subject: &&Subject<'_>| {
        subject.flux
            && subject.id.kind == "CustomResourceDefinition"
            && subject.doc.source.path.starts_with("embedded/")
    };
    if !embedded::is_own() || loaded.flux_origin.is_none() {
        return None;
    }
    let first = context.subjects.iter().find(own)?;
    let place = first.doc.root()?.at(&["kind"])?.span();
    Some(
        Finding::new(
            "flux-open-schemas",
            Level::Warning,
            Label::new(place).object(&first.id),
            "the embedded Flux set has open schemas: over a cluster's real definitions it would \
             loosen them",
        )
        .help(
            "for a cluster, name the platform's own set: `--flux PATH` or `--flux operator:PATH`",
        ),
    )
}

/// The code and the summary of every rule.
pub(super) fn rules() -> Vec<(&'static str, &'static str)> {
    rules::RULES
        .iter()
        .map(|rule| (rule.code, rule.summary))
        .collect()
}

/// The page of a rule, by its code or one of its ids.
pub(super) fn page(rule: &str) -> Option<String> {
    let rule = rules::find(rule)?;
    Some(format!(
        "{} ({}): {}\n\n{}",
        rule.code, rule.level, rule.summary, rule.explain
    ))
}

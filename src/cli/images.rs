//! `forebay images`: every image, with where it stands and what it becomes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::console::Console;
use super::inputs::{
    FluxArguments, PathArguments, TableArguments, read, rendered, request, tell_skipped,
};
use super::packages::{OperatorArguments, Options, Packages};
use super::{Exit, Global, findings, join, subjects};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::{ChartSource, FluxSource, Loaded, RenderedBy, Request, Role};
use crate::model::overrides::{OverrideTable, Tables};
use crate::model::reference::Reference;
use crate::report::images::{ImageFormat, List, list};
use crate::resolve::images::{Filtered, Mode};
use crate::resolve::inventory::{
    Grade, Named, Visits, artifacts, of_lists, of_object, of_table, of_values,
};
use crate::resolve::plan::{Plan, plan};
use crate::resolve::releases::AnyRelease;
use crate::yaml::Doc;

/// What `images` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    flux: FluxArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    /// The format of the list
    #[arg(long, value_enum, default_value_t = ImageFormat::Text)]
    format: ImageFormat,
    /// One canonical reference an image, with registry, tag and all
    #[arg(long)]
    normalize: bool,
    /// Registries that images may come from in the end, each with a path if need be
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    allowed: Vec<String>,
    /// Places whose images may come from elsewhere: `KIND/NAME/PATH` a line
    #[arg(long, value_name = "FILE", requires = "allowed")]
    accept: Option<PathBuf>,
    /// What the chart of a HelmRelease renders: a file or a directory
    #[arg(long, value_name = "NAMESPACE/NAME=PATH", value_parser = rendered)]
    rendered: Vec<(RenderedBy, PathBuf)>,
    /// Where a chart source's content is
    #[arg(long, value_name = "KIND/NAMESPACE/NAME=PATH", value_parser = charts)]
    charts: Vec<(ChartSource, PathBuf)>,
}

/// Reads `KIND/NAMESPACE/NAME=PATH`.
pub(super) fn charts(text: &str) -> Result<(ChartSource, PathBuf), String> {
    let parts = text.split_once('=').and_then(|(source, path)| {
        let mut parts = source.split('/').map(str::to_owned);
        let (kind, namespace, name) = (parts.next()?, parts.next()?, parts.next()?);
        let complete = [&kind, &namespace, &name]
            .iter()
            .all(|part| !part.is_empty());
        let source = ChartSource {
            kind,
            namespace,
            name,
        };
        (complete && parts.next().is_none() && !path.is_empty())
            .then(|| (source, PathBuf::from(path)))
    });
    parts.ok_or_else(|| "expected `KIND/NAMESPACE/NAME=PATH`".to_owned())
}

/// Lists what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let paths = &arguments.paths.paths;
    let fallback = if paths.is_empty() {
        FluxSource::Embedded
    } else {
        FluxSource::None
    };
    let request = Request {
        look_into_charts: true,
        charts: arguments.charts.clone(),
        rendered: arguments.rendered.clone(),
        ..request(paths, &arguments.tables, arguments.flux.source(fallback))?
    };
    let accepted = match &arguments.accept {
        Some(path) => std::fs::read_to_string(path)
            .with_context(|| format!("cannot read `{}`", path.display()))?,
        None => String::new(),
    };
    let loaded = read(&request, global, console)?;
    let options = Options {
        flags: arguments.operator.flags()?,
        ..Options::default()
    };
    let mut inventory = take(&loaded, &options, &arguments.charts);
    inventory.judge(&arguments.allowed, &accepted);
    let verdict = findings::judge(inventory.findings, inventory.stopped, global.fail_on);
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded, inventory.left_out, console);
    if inventory.stopped {
        return Ok(verdict.exit);
    }
    console.data(list(
        arguments.format,
        &List {
            named: &inventory.named,
            unseen: &inventory.unseen,
            findings: &verdict.findings,
            normalize: arguments.normalize,
        },
        &loaded.sources,
    ))?;
    Ok(verdict.exit)
}

/// All that is known of images.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Every place that names one, in byte order of the rewritten reference.
    pub(super) named: Vec<Named>,
    /// Releases whose charts were not looked into, `namespace/name`.
    pub(super) unseen: BTreeSet<String>,
    /// What is wrong, and what could not be looked into.
    pub(super) findings: Vec<Finding>,
    /// Whether something is wrong that makes the list untrue.
    pub(super) stopped: bool,
    /// How many documents are no manifests, and how many serve kustomizations.
    pub(super) left_out: (usize, usize),
}

/// Takes stock of what was read.
pub(super) fn take(
    loaded: &Loaded,
    options: &Options,
    charts: &[(ChartSource, PathBuf)],
) -> Inventory {
    let plan = plan(loaded);
    let tables = join::tables(loaded, true);
    let packages = Packages::of(loaded, &plan, &tables, options);
    let releases = packages.releases(loaded, &plan);
    let wrong = |finding: &Finding| finding.level == Level::Error;
    let mut inventory = Inventory {
        stopped: loaded.findings.iter().chain(&tables.findings).any(wrong),
        findings: loaded.findings.clone(),
        left_out: (plan.skipped, plan.inert),
        ..Inventory::default()
    };
    inventory.findings.extend(plan.findings.iter().cloned());
    inventory.findings.extend(packages.refused.iter().cloned());
    let passes = passes(loaded, &tables.tables);
    let mut visits = Visits::new();
    for (_, pass, table) in &passes {
        inventory.findings.extend(pass.refusal.as_deref().cloned());
        visits.extend(
            pass.visits
                .iter()
                .map(|visit| (visit.span, (visit, *table))),
        );
    }
    let seen = objects(loaded, &plan, &visits, &tables.tables, &mut inventory);
    inventory.unseen = unseen(&releases, loaded, charts, &seen, &mut inventory.findings);
    let flux = passes
        .into_iter()
        .filter(|(at, ..)| loaded.inputs[*at].role == Role::Flux);
    let filtered: Vec<_> = flux.map(|(at, pass, _)| (at, pass)).collect();
    let made = packages.made(&releases);
    let checked = join::check(loaded, &plan, &tables.tables, &filtered, made, None);
    let about = |finding: &Finding| {
        finding.rule.starts_with("override-") || finding.rule == "image-not-reached"
    };
    inventory.findings.extend(tables.findings);
    inventory.findings.extend(checked.into_iter().filter(about));
    inventory.named.sort_by(|a, b| {
        (&a.rewritten, &a.image, a.grade, a.span).cmp(&(&b.rewritten, &b.image, b.grade, b.span))
    });
    inventory
}

/// What the tables do to every text that they are for.
pub(super) fn passes<'t>(
    loaded: &'t Loaded,
    tables: &'t Tables,
) -> Vec<(usize, Filtered<'t>, &'t OverrideTable)> {
    let mut passes = Vec::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        let done: Vec<(Filtered<'_>, &OverrideTable)> =
            match (input.role, &tables.flux, &tables.platform) {
                (Role::Flux, Some(table), _) => {
                    join::filter(Mode::Legacy, &input.source, &input.docs, table)
                        .into_iter()
                        .map(|pass| (pass, table))
                        .collect()
                }
                (Role::Manifest | Role::Rendered, _, Some(table)) => {
                    join::tried(&input.source, &input.docs, table)
                        .map(|pass| (pass, table))
                        .collect()
                }
                _ => continue,
            };
        passes.extend(done.into_iter().map(|(pass, table)| (at, pass, table)));
    }
    passes
}

/// Puts every image that objects, values and tables name into the list; the releases that rendered
/// objects among the inputs belong to.
fn objects(
    loaded: &Loaded,
    plan: &Plan,
    visits: &Visits<'_>,
    tables: &Tables,
    inventory: &mut Inventory,
) -> BTreeSet<(String, String)> {
    let mut found = subjects::planned(loaded, plan);
    found.extend(subjects::rendered(loaded));
    let named = &mut inventory.named;
    for subject in &found {
        if let Some(root) = subject.root() {
            named.extend(of_object(root, &subject.id, visits));
            named.extend(of_lists(root, &subject.id));
        }
    }
    let roots = found.iter().filter_map(|it| Some((&*it.id, it.root()?)));
    let (pulled, open) = artifacts(roots);
    named.extend(pulled);
    for open in open {
        let place = Label::new(open.span).object(&open.object);
        let message = format!(
            "which version of `{}` source-controller pulls is known to its registry alone",
            open.message
        );
        inventory.findings.push(
            Finding::new(OPEN_VERSION, Level::Note, place, message)
                .help("name one version or a digest, so that it can be bundled"),
        );
    }
    for role in [Role::Values, Role::Chart] {
        let docs = loaded.of(role).flat_map(|input| &input.docs);
        named.extend(docs.filter_map(Doc::root).flat_map(of_values));
    }
    for table in tables.distinct() {
        let met: BTreeSet<usize> = visits
            .values()
            .filter(|(_, of)| of.span == table.span)
            .flat_map(|(visit, _)| visit.hits.iter().map(|hit| hit.entry))
            .collect();
        named.extend(of_table(table, &|entry| met.contains(&entry)));
    }
    found.into_iter().filter_map(|it| it.rendered_by).collect()
}

/// The rule of artifacts whose version is open.
const OPEN_VERSION: &str = "artifact-version-open";

/// The releases whose charts were not looked into: neither what they render nor their source's
/// content is given.
fn unseen(
    releases: &[AnyRelease<'_>],
    loaded: &Loaded,
    charts: &[(ChartSource, PathBuf)],
    rendered: &BTreeSet<(String, String)>,
    findings: &mut Vec<Finding>,
) -> BTreeSet<String> {
    let given: BTreeSet<(&str, &str)> = loaded
        .inputs
        .iter()
        .filter_map(|input| input.rendered_by.as_ref())
        .map(|release| (release.namespace.as_str(), release.name.as_str()))
        .collect();
    let mut unseen = BTreeSet::new();
    for release in releases {
        let id: &ObjectId = &release.id;
        let known = given.contains(&(id.namespace.as_str(), id.name.as_str()))
            || rendered.contains(&(id.namespace.clone(), id.name.clone()))
            || source_of(release).is_some_and(|source| charts.iter().any(|(it, _)| *it == source))
            || in_tree(release, loaded);
        if known || !unseen.insert(format!("{}/{}", id.namespace, id.name)) {
            continue;
        }
        let message = format!(
            "the chart of {}/{} was not looked into: its images are not in the list",
            id.namespace, id.name
        );
        findings.push(
            Finding::new(
                "chart-not-seen",
                Level::Warning,
                release.label.clone(),
                message,
            )
            .help("give its chart with `--charts`, or what it renders with `--rendered`"),
        );
    }
    unseen
}

/// The source that a release takes its chart from.
fn source_of(release: &AnyRelease<'_>) -> Option<ChartSource> {
    let spec = &release.value()["spec"];
    let source = match &spec["chartRef"] {
        reference if reference.is_object() => reference,
        _ => &spec["chart"]["spec"]["sourceRef"],
    };
    let text = |key: &str| source[key].as_str().filter(|text| !text.is_empty());
    Some(ChartSource {
        kind: text("kind")?.to_owned(),
        namespace: text("namespace")
            .unwrap_or(&release.id.namespace)
            .to_owned(),
        name: text("name")?.to_owned(),
    })
}

/// Whether the chart is a directory of its repository that is among the inputs.
fn in_tree(release: &AnyRelease<'_>, loaded: &Loaded) -> bool {
    let spec = &release.value()["spec"]["chart"]["spec"];
    let Some(chart) = spec["chart"].as_str().filter(|_| {
        matches!(
            spec["sourceRef"]["kind"].as_str(),
            Some("GitRepository" | "Bucket")
        )
    }) else {
        return false;
    };
    let chart = chart.trim_start_matches("./").trim_end_matches('/');
    !chart.is_empty()
        && loaded
            .skipped
            .trees
            .iter()
            .any(|tree| tree.ends_with(chart))
}

impl Inventory {
    /// Says which images are outside of what is allowed, and which have neither tag nor digest.
    fn judge(&mut self, allowed: &[String], accepted: &str) {
        let accepted: BTreeSet<&str> = accepted
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim())
            .filter(|line| !line.is_empty())
            .collect();
        let mut told: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for named in &self.named {
            let Ok(reference) = Reference::parse(&named.rewritten) else {
                continue;
            };
            let label = || Label {
                object: (!named.object.kind.is_empty()).then(|| named.object.clone()),
                ..Label::new(named.span)
            };
            let bare = reference.tag.is_none() && reference.digest.is_none();
            if named.grade == Grade::Certain && bare {
                if let Some(first) = told.get(&(named.rewritten.as_str(), true)) {
                    self.findings[*first].related.push(label());
                } else {
                    told.insert((&named.rewritten, true), self.findings.len());
                    let message = format!(
                        "`{}` has neither tag nor digest, so `latest` is pulled, whatever that is",
                        named.rewritten
                    );
                    let finding =
                        Finding::new("image-without-tag", Level::Warning, label(), message);
                    self.findings
                        .push(finding.help("name a tag, or better a digest"));
                }
            }
            let level = match named.grade {
                Grade::Certain | Grade::Artifact => Level::Error,
                Grade::Possible => Level::Warning,
                Grade::Table => continue,
            };
            let place = format!("{}/{}/{}", named.object.kind, named.object.name, named.path);
            let all = format!("{}/{}/*", named.object.kind, named.object.name);
            let free = accepted.contains(place.as_str()) || accepted.contains(all.as_str());
            if allowed.is_empty() || free || is_allowed(&reference, allowed) {
                continue;
            }
            let message = format!(
                "`{}` is pulled from `{}`, which is not allowed",
                named.rewritten, reference.host
            );
            self.findings.push(
                Finding::new("image-outside-allowed", level, label(), message).help(
                    "move it by an override entry or by the chart's values, or accept its place",
                ),
            );
        }
    }
}

/// Whether a reference stands on one of these registries, below the path where one is named.
fn is_allowed(reference: &Reference, allowed: &[String]) -> bool {
    let name = reference.name();
    allowed.iter().any(|place| {
        let rest = name.strip_prefix(place.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.starts_with('/'))
    })
}

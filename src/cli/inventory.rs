//! The graded list of images: the arguments that say what it is of, and taking stock of what was read.
//!
//! What counts as an image, and what there is to say of one, is `resolve::inventory`'s.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use super::console::Console;
use super::inputs::{
    FluxArguments, PathArguments, TableArguments, read, rendered, request, tell_skipped,
};
use super::packages::{OperatorArguments, Options, Packages};
use super::{Global, join, subjects};
use crate::finding::{Finding, Level};
use crate::load::{ChartContent, ChartSource, FluxSource, Loaded, RenderedBy, Request, Role};
use crate::model::overrides::{OverrideTable, Tables};
use crate::resolve::images::{Filtered, Mode};
use crate::resolve::inventory::{
    Accepted, Applied, Named, OpenVersion, Visits, artifacts, of_lists, of_object, of_table,
    of_values, unseen,
};
use crate::resolve::plan::{Plan, plan};
use crate::yaml::Doc;

/// What a list of images is of.
#[derive(Debug, Args)]
pub(super) struct InventoryArguments {
    #[command(flatten)]
    pub(super) paths: PathArguments,
    #[command(flatten)]
    pub(super) tables: TableArguments,
    #[command(flatten)]
    pub(super) flux: FluxArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    /// What the chart of a HelmRelease renders: a file or a directory
    #[arg(long, value_name = "NAMESPACE/NAME=PATH", value_parser = rendered)]
    rendered: Vec<(RenderedBy, PathBuf)>,
    /// Where a chart source's content is: a directory, or an artifact in a registry
    #[arg(long, value_name = "KIND/NAMESPACE/NAME=PATH|oci://REF", value_parser = charts)]
    charts: Vec<(ChartSource, ChartContent)>,
}

/// Grades that count only where they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum With {
    /// Texts that are only shaped like references.
    Possible,
}

/// Reads `KIND/NAMESPACE/NAME=PATH`, or with `oci://REF` in place of the path.
pub(super) fn charts(text: &str) -> Result<(ChartSource, ChartContent), String> {
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
            .then(|| (source, ChartContent::of(path)))
    });
    parts.ok_or_else(|| "expected `KIND/NAMESPACE/NAME=PATH` or `…=oci://REF`".to_owned())
}

/// The text of a file, or of stdin where the name is `-`.
pub(super) fn text_of(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text))
    }
    .with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(text)
}

/// The places that a file of `--accept` names; none without a file.
pub(super) fn accepted(path: Option<&PathBuf>) -> anyhow::Result<Accepted> {
    let text = path.map(|path| text_of(path)).transpose()?;
    Ok(Accepted::read(&text.unwrap_or_default()))
}

impl InventoryArguments {
    /// Reads what is named and takes stock of it. Without a PATH Flux's own manifests are
    /// `without_path`.
    pub(super) fn read(
        &self,
        without_path: FluxSource,
        global: &Global,
        console: &Console,
    ) -> anyhow::Result<(Loaded, Inventory)> {
        let paths = &self.paths.paths;
        let fallback = if paths.is_empty() {
            without_path
        } else {
            FluxSource::None
        };
        let request = Request {
            look_into_charts: true,
            charts: self.charts.clone(),
            rendered: self.rendered.clone(),
            ..request(paths, &self.tables, self.flux.source(fallback))?
        };
        let options = Options {
            flags: self.operator.flags()?,
            ..Options::default()
        };
        let loaded = read(&request, global, console)?;
        let inventory = take(&loaded, &options, &self.charts);
        tell_skipped(&loaded, inventory.left_out, console);
        Ok((loaded, inventory))
    }
}

/// All that is known of images.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Every place that names one, in byte order of the rewritten reference.
    pub(super) named: Vec<Named>,
    /// Artifacts that are asked for by a range of versions.
    pub(super) open: Vec<OpenVersion>,
    /// Releases whose charts were not looked into, `namespace/name`.
    pub(super) unseen: BTreeSet<String>,
    /// The tables that were applied.
    pub(super) tables: Tables,
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
    charts: &[(ChartSource, ChartContent)],
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
        let of_pass = pass.visits.iter();
        visits.extend(of_pass.map(|visit| (visit.span, (visit, *table))));
    }
    let seen = objects(loaded, &plan, &visits, &tables.tables, &mut inventory);
    let (unseen, said) = unseen(&releases, loaded, charts, &seen);
    inventory.unseen = unseen;
    inventory.findings.extend(said);
    let done = passes.into_iter().map(|(at, pass, _)| (at, pass));
    let (flux, tried): (join::Passes<'_>, join::Passes<'_>) =
        done.partition(|(at, _)| loaded.inputs[*at].role == Role::Flux);
    let made = packages.made(&releases);
    let checked = join::check_passes(loaded, &plan, &tables.tables, (&flux, &tried), made, None);
    let about = |finding: &Finding| {
        finding.rule.starts_with("override-") || finding.rule == "image-not-reached"
    };
    inventory.findings.extend(tables.findings);
    inventory.findings.extend(checked.into_iter().filter(about));
    inventory.tables = tables.tables;
    inventory.sort();
    inventory
}

impl Inventory {
    /// Brings the list into its order.
    pub(super) fn sort(&mut self) {
        self.named.sort_by(|a, b| {
            let of_b = (&b.rewritten, &b.image, b.grade, b.span);
            (&a.rewritten, &a.image, a.grade, a.span).cmp(&of_b)
        });
    }
}

/// What the tables do to every text that they are for.
pub(super) fn passes<'t>(
    loaded: &'t Loaded,
    tables: &'t Tables,
) -> Vec<(usize, Filtered<'t>, &'t OverrideTable)> {
    let mut passes = Vec::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        let (done, table): (Vec<Filtered>, _) = match (input.role, &tables.flux, &tables.platform) {
            (Role::Flux, Some(table), _) => {
                let done = join::filter(Mode::Legacy, &input.source, &input.docs, table);
                (done, table)
            }
            (Role::Manifest | Role::Rendered, _, Some(table)) => (
                join::tried(&input.source, &input.docs, table).collect(),
                table,
            ),
            _ => continue,
        };
        passes.extend(done.into_iter().map(|pass| (at, pass, table)));
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
    // What a release's chart makes of values is met by the post-renderer.
    let platform = Applied::of(tables.platform.as_ref());
    let named = &mut inventory.named;
    for subject in &found {
        if let Some(root) = subject.root() {
            let mut of_it = of_object(root, &subject.id, visits);
            if matches!(subject.id.kind.as_str(), "HelmRelease" | "Package") {
                for named in &mut of_it {
                    named.met_by(&platform);
                }
            }
            named.extend(of_it);
            named.extend(of_lists(root, &subject.id));
        }
    }
    let roots = found.iter().filter_map(|it| Some((&*it.id, it.root()?)));
    let (pulled, open) = artifacts(roots);
    named.extend(pulled);
    inventory.open = open;
    for role in [Role::Values, Role::Chart] {
        let docs = loaded.of(role).flat_map(|input| &input.docs);
        for mut of_it in docs.filter_map(Doc::root).flat_map(of_values) {
            if role == Role::Chart {
                of_it.met_by(&platform);
            }
            named.push(of_it);
        }
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

//! Packages on the command line: the operator's settings, and what it makes of the Packages among
//! the inputs.
//!
//! Source: `spec/package-rendering.md`, section 2.

use anyhow::anyhow;
use clap::Args;

use super::inputs::Target;
use super::join::Read;
use crate::finding::{Finding, Label, Level};
use crate::load::{Loaded, Role};
use crate::model::overrides::OverrideTable;
use crate::resolve::builds::Builds;
use crate::resolve::claims::one_object::MOVE_ANNOTATION;
use crate::resolve::owners::Owners;
use crate::resolve::packages::{
    DURATIONS, Estate, MAX_HISTORY, OperatorSettings, PlatformTable, Rendered, render,
};
use crate::resolve::plan::{Plan, may_hold};
use crate::resolve::releases::{AnyRelease, releases};
use crate::resolve::values::{Merged, merge};
use crate::rules::Made;
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node};

/// The operator's flags for the HelmReleases it makes.
#[derive(Debug, Default, Args)]
pub(super) struct OperatorArguments {
    /// The operator's interval for its HelmReleases [default: 5m]
    #[arg(long = "helmrelease-interval", value_name = "DURATION")]
    interval: Option<String>,
    /// The operator's interval after a failure [default: 30s]
    #[arg(long = "helmrelease-retry-interval", value_name = "DURATION")]
    retry_interval: Option<String>,
    /// The operator's timeout of an installation [default: 10m]
    #[arg(long = "helmrelease-install-timeout", value_name = "DURATION")]
    install_timeout: Option<String>,
    /// The operator's timeout of an upgrade [default: 10m]
    #[arg(long = "helmrelease-upgrade-timeout", value_name = "DURATION")]
    upgrade_timeout: Option<String>,
    /// How many revisions of a release the operator keeps; 0 keeps all [default: 5]
    #[arg(long = "helmrelease-max-history", value_name = "COUNT")]
    max_history: Option<String>,
}

impl OperatorArguments {
    /// The flags that are set, each found good: its name and its text.
    pub(super) fn flags(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let given = [
            &self.interval,
            &self.retry_interval,
            &self.install_timeout,
            &self.upgrade_timeout,
            &self.max_history,
        ];
        let mut flags = Vec::new();
        for (name, text) in names().map(|(_, flag)| flag).zip(given) {
            if let Some(text) = text {
                OperatorSettings::default()
                    .set(name, text)
                    .map_err(|why| anyhow!("`--{name}`: {why}"))?;
                flags.push((name, text.clone()));
            }
        }
        Ok(flags)
    }
}

/// The installer's value and the operator's flag of every setting.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    DURATIONS.into_iter().chain([MAX_HISTORY])
}

/// How Packages are rendered.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four wishes that do not depend on each other"
)]
pub(super) struct Options {
    /// The operator's flags, which stand over the installer's values.
    pub(super) flags: Vec<(&'static str, String)>,
    /// Whether PackageSources and Packages are passed on as well.
    pub(super) keep: bool,
    /// Whether the texts of objects are not wanted.
    pub(super) only_findings: bool,
    /// Whether what is waited for comes first.
    pub(super) by_dependence: bool,
    /// Whether HelmReleases among the inputs get the platform's table too.
    pub(super) override_releases: bool,
    /// What the objects will meet.
    pub(super) target: Target,
    /// The annotation that declares a move, where another than the default is asked for.
    pub(super) moved_by: Option<String>,
}

impl Options {
    /// The annotation on a HelmRelease that names the Package which may take it over.
    pub(super) fn move_annotation(&self) -> &str {
        self.moved_by.as_deref().unwrap_or(MOVE_ANNOTATION)
    }
}

/// Said where `--override-releases` has nothing to put on.
pub(super) const NO_TABLE: &str = "`--override-releases` changes nothing: no override table of the \
                                   platform is among the inputs";

/// The rule that a setting which the operator refuses falls under.
const REFUSED: &str = "operator-setting-refused";

/// The settings that values and flags give, and what is wrong with those of the values.
fn settings(loaded: &Loaded, options: &Options) -> (OperatorSettings, Vec<Finding>) {
    let mut settings = OperatorSettings::default();
    let mut findings = Vec::new();
    let values = merge(loaded.of(Role::Values).flat_map(|input| &input.docs));
    for (name, flag) in names() {
        let given = values.at(&["cozystackOperator", name]);
        let Some(given) = given.filter(|_| !options.flags.iter().any(|(set, _)| *set == flag))
        else {
            continue;
        };
        let (node, set) = match given {
            Merged::Leaf(node) => (*node, set(&mut settings, name, *node)),
            Merged::Map(entries) => match first_leaf(entries) {
                Some(node) => (node, Err("a mapping is no text for a flag".to_owned())),
                None => continue,
            },
        };
        if let Err(why) = set {
            let message = format!("`{name}`: {why}; the operator ends at start");
            let finding = Finding::new(REFUSED, Level::Error, Label::new(node.span()), message);
            findings.push(finding.help(format!("the chart passes it as `--{flag}`")));
        }
    }
    for (flag, text) in &options.flags {
        settings
            .set(flag, text)
            .expect("flags are found good when they are read");
    }
    (settings, findings)
}

fn first_leaf<'d>(entries: &[(&str, Merged<'d>)]) -> Option<Node<'d>> {
    entries.iter().find_map(|(_, value)| match value {
        Merged::Leaf(node) => Some(*node),
        Merged::Map(entries) => first_leaf(entries),
    })
}

/// Sets one from a value as the chart prints it.
fn set(settings: &mut OperatorSettings, name: &str, node: Node<'_>) -> Result<(), String> {
    let text = match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Null) => return Ok(()),
        Some(Scalar::String(text) | Scalar::Timestamp(text)) => text.to_owned(),
        Some(Scalar::Integer(value)) => value.to_string(),
        Some(Scalar::Float(value)) => value.to_string(),
        Some(Scalar::Bool(value)) => value.to_string(),
        None => return Err("a list is no text for a flag".to_owned()),
    };
    settings.set(name, &text)
}

/// The Packages among the inputs and what is made of them.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// What was read.
    pub(super) estate: Estate,
    /// What is made.
    pub(super) rendered: Rendered,
    /// What is wrong with the operator's settings: with it, nothing is made at all.
    pub(super) refused: Vec<Finding>,
}

impl Packages {
    /// Reads the Packages among the planned objects and runs the operator over them.
    pub(super) fn of(loaded: &Loaded, plan: &Plan, tables: &Read, options: &Options) -> Packages {
        Packages::from(roots(loaded, plan), loaded, tables, options)
    }

    /// The same for the state before, where one is given.
    pub(super) fn before(loaded: &Loaded, tables: &Read, options: &Options) -> Option<Packages> {
        loaded.of(Role::Old).next()?;
        let roots = old_roots(loaded).into_iter();
        Some(Packages::from(roots, loaded, tables, options))
    }

    fn from<'l>(
        roots: impl Iterator<Item = Node<'l>>,
        loaded: &Loaded,
        tables: &Read,
        options: &Options,
    ) -> Packages {
        let mut estate = Estate::default();
        let kinds = ["PackageSource", "Package", "HelmRelease"];
        let may = roots.filter(|root| may_hold(root.doc(), &kinds));
        may.for_each(|root| estate.add(root));
        let (settings, refused) = settings(loaded, options);
        let wrong = |finding: &Finding| finding.level == Level::Error;
        let none = OverrideTable::default();
        let table = match &tables.tables.platform {
            _ if tables.findings.iter().any(wrong) || !refused.is_empty() => PlatformTable::Refused,
            Some(table) => PlatformTable::Known(table),
            None if tables.secret => PlatformTable::Known(&none),
            None => PlatformTable::Unknown,
        };
        let mut rendered = render(&estate, &settings, table);
        let snapshot = loaded.of(Role::Snapshot).flat_map(|input| &input.docs);
        Owners::of(snapshot.filter_map(Doc::root)).put_on(&mut rendered);
        Packages {
            estate,
            rendered,
            refused,
        }
    }

    /// Every HelmRelease of the run.
    pub(super) fn releases<'c>(&'c self, loaded: &'c Loaded, plan: &Plan) -> Vec<AnyRelease<'c>> {
        releases(roots(loaded, plan), &self.rendered)
    }

    /// Every HelmRelease of the state before.
    pub(super) fn releases_before<'c>(&'c self, loaded: &'c Loaded) -> Vec<AnyRelease<'c>> {
        releases(old_roots(loaded), &self.rendered)
    }

    /// What rules see of it.
    pub(super) fn made<'c>(&'c self, releases: &'c [AnyRelease<'c>]) -> Made<'c> {
        Made {
            estate: &self.estate,
            rendered: &self.rendered,
            releases,
        }
    }
}

/// The roots of the manifests as they were, but for what their builds read as settings.
fn old_roots(loaded: &Loaded) -> Vec<Node<'_>> {
    let builds = Builds::read(loaded, Role::Old);
    let inputs = loaded.inputs.iter().enumerate();
    inputs
        .filter(|(at, input)| input.role == Role::Old && !builds.is_inert(*at))
        .flat_map(|(_, input)| &input.docs)
        .filter_map(Doc::root)
        .collect()
}

/// The roots of the manifests, in the order of the plan.
fn roots<'l>(loaded: &'l Loaded, plan: &Plan) -> impl Iterator<Item = Node<'l>> {
    plan.objects
        .iter()
        .filter(|planned| loaded.inputs[planned.input].role == Role::Manifest)
        .filter_map(|planned| loaded.inputs[planned.input].docs[planned.doc].root())
}

/// The documents of the plan, in its order.
pub(super) fn docs<'l>(loaded: &'l Loaded, plan: &Plan) -> Vec<&'l Doc> {
    let doc =
        |planned: &crate::resolve::plan::Planned| &loaded.inputs[planned.input].docs[planned.doc];
    plan.objects.iter().map(doc).collect()
}

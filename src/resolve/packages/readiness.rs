//! Which Packages get how far: source, variant, namespaces, the gate of their dependencies, and the
//! first component that stops them.
//!
//! Source: `spec/package-rendering.md`, section 4.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::reasons::{
    DEPENDENCIES_NOT_READY, EMPTY_NAMESPACE, INVALID_NAMESPACE, PACKAGE_SOURCE_NOT_FOUND,
    VARIANT_NOT_FOUND,
};
use super::releases::stop;
use super::{Estate, OperatorSettings};
use crate::finding::{Finding, Label};
use crate::model::Spanned;
use crate::model::package::Package;
use crate::model::release::is_dns_label_text;
use crate::model::source_package::{Component, PackageSource, Variant};
use crate::resolve::cycles::{circles, round_trip};

/// A Package with its source, its variant and what becomes of it.
#[derive(Debug)]
pub(super) struct Joined<'e> {
    /// The Package.
    pub(super) package: &'e Package,
    /// Its source and variant, where both are there.
    pub(super) active: Option<(&'e PackageSource, &'e Variant)>,
    /// The variant's components that are installed and not switched off, in order.
    pub(super) enabled: Vec<&'e Component>,
    /// The variant's components with an `install` section by name, the later of two.
    pub(super) installed: BTreeMap<&'e str, &'e Component>,
    /// Whether its Namespaces are made.
    pub(super) namespaces: bool,
    /// How many of the enabled components get a release once the gate is passed.
    pub(super) writes: usize,
    /// Whether everything that it waits for becomes ready.
    pub(super) passes: bool,
    /// The releases that its variant dependencies give, in order: places in the list of Packages.
    pub(super) waits_for: Vec<usize>,
}

impl<'e> Joined<'e> {
    fn new(package: &'e Package, estate: &'e Estate) -> Joined<'e> {
        let source = estate.sources.get(&package.id.name);
        let active =
            source.and_then(|source| Some((source, source.variant(package.variant_name())?)));
        let components = active.map_or(&[][..], |(_, variant)| &variant.components);
        let installed = components
            .iter()
            .filter(|component| component.install.is_some());
        let off: BTreeSet<&str> = package
            .components
            .iter()
            .filter(|set| set.enabled.as_ref().is_some_and(|enabled| !enabled.value))
            .map(|set| set.name.value.as_str())
            .collect();
        let on = |component: &&Component| !off.contains(component.name.value.as_str());
        let enabled = installed.clone().filter(on).collect();
        let installed = installed.map(|component| (component.name.value.as_str(), component));
        Joined {
            package,
            active,
            enabled,
            installed: installed.collect(),
            namespaces: false,
            writes: 0,
            passes: false,
            waits_for: Vec::new(),
        }
    }

    /// The variant dependencies that it does not ignore.
    fn dependencies(&self) -> Vec<&'e Spanned<String>> {
        let ignored: BTreeSet<&str> = self
            .package
            .ignore_dependencies
            .iter()
            .map(|name| name.value.as_str())
            .collect();
        let all = self
            .active
            .map_or(&[][..], |(_, variant)| &variant.depends_on);
        all.iter()
            .filter(|name| !ignored.contains(name.value.as_str()))
            .collect()
    }

    /// A label at the Package's name.
    pub(super) fn label(&self) -> Label {
        Label::new(self.package.span).object(&self.package.id)
    }
}

/// Joins the Packages with their sources and finds how far each gets, by name.
pub(super) fn join<'e>(
    estate: &'e Estate,
    settings: &OperatorSettings,
    findings: &mut Vec<Finding>,
) -> Vec<Joined<'e>> {
    let mut all: Vec<Joined<'e>> = estate
        .packages
        .values()
        .map(|package| Joined::new(package, estate))
        .collect();
    let places: BTreeMap<&str, usize> = all
        .iter()
        .enumerate()
        .map(|(at, one)| (one.package.id.name.as_str(), at))
        .collect();
    let mut finished = vec![false; all.len()];
    for (at, one) in all.iter_mut().enumerate() {
        let Some((source, _)) = one.active else {
            findings.push(absent(one, estate));
            continue;
        };
        if let Some(finding) = empty_namespace(one, source) {
            findings.push(finding);
            continue;
        }
        one.namespaces = true;
        if let Some(finding) = refused_namespace(one, source) {
            findings.push(finding);
        } else {
            let (writes, finding) = stop(one, settings);
            one.writes = writes;
            finished[at] = finding.is_none();
            findings.extend(finding);
        }
    }
    let needs: Vec<Vec<&Spanned<String>>> = all.iter().map(Joined::dependencies).collect();
    let edges: Vec<Vec<usize>> = needs
        .iter()
        .map(|needs| {
            needs
                .iter()
                .filter_map(|name| places.get(name.value.as_str()).copied())
        })
        .map(Iterator::collect)
        .collect();
    let (passes, ready) = settle(&needs, &edges, &finished);
    blocked(&all, &needs, &edges, &passes, &ready, &places, findings);
    for (at, edges) in edges.into_iter().enumerate() {
        all[at].passes = passes[at] && all[at].namespaces;
        all[at].waits_for = edges;
    }
    all
}

/// Which Packages pass their gate and which become ready: a Package is ready when it can finish and
/// all that it needs is ready.
fn settle(
    needs: &[Vec<&Spanned<String>>],
    edges: &[Vec<usize>],
    finished: &[bool],
) -> (Vec<bool>, Vec<bool>) {
    let count = edges.len();
    let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    for (at, targets) in edges.iter().enumerate() {
        for &target in targets {
            dependants[target].push(at);
        }
    }
    let (mut passes, mut ready) = (vec![false; count], vec![false; count]);
    let mut waiting: VecDeque<usize> = (0..count).filter(|at| open[*at] == 0).collect();
    while let Some(at) = waiting.pop_front() {
        passes[at] = true;
        if !finished[at] {
            continue;
        }
        ready[at] = true;
        for &dependant in &dependants[at] {
            open[dependant] -= 1;
            if open[dependant] == 0 {
                waiting.push_back(dependant);
            }
        }
    }
    (passes, ready)
}

fn absent(one: &Joined<'_>, estate: &Estate) -> Finding {
    let name = &one.package.id.name;
    let Some(source) = estate.sources.get(name) else {
        let message = format!(
            "there is no PackageSource `{name}`: the operator makes nothing of this Package, not \
             even Namespaces"
        );
        return PACKAGE_SOURCE_NOT_FOUND
            .finding(one.label(), message)
            .help("a Package is joined to the PackageSource of its own name");
    };
    let names: BTreeSet<&str> = source
        .variants
        .iter()
        .map(|variant| variant.name.value.as_str())
        .collect();
    let known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let has = if known.is_empty() {
        "none".to_owned()
    } else {
        known.join(", ")
    };
    let message = format!(
        "PackageSource `{name}` has no variant `{}` (it has: {has}): the operator makes nothing of \
         this Package, not even Namespaces",
        one.package.variant_name()
    );
    let label = one.package.variant.as_ref().map_or_else(
        || one.label(),
        |variant| Label::new(variant.span).object(&one.package.id),
    );
    let source = Label::new(source.span)
        .message("the PackageSource")
        .object(&source.id);
    VARIANT_NOT_FOUND.finding(label, message).related(source)
}

fn empty_namespace(one: &Joined<'_>, source: &PackageSource) -> Option<Finding> {
    let mut without = one
        .enabled
        .iter()
        .filter(|component| component.namespace().is_empty());
    let first = without.next()?;
    let message = format!(
        "component `{}` of `{}` has no namespace: the operator makes nothing of the Package, no \
         condition says so, and it tries again for ever",
        first.name.value, source.id.name
    );
    let label = Label::new(first.install_span()).object(&one.package.id);
    let package = one.label().message("installed here");
    let mut finding = EMPTY_NAMESPACE.finding(label, message).related(package);
    for other in without {
        let other = Label::new(other.install_span()).object(&source.id);
        finding = finding.related(other.message("here too"));
    }
    Some(finding.help("write `install.namespace`; there is no default"))
}

/// Whether the API server takes a Namespace of that name.
pub(super) fn is_namespace(name: &str) -> bool {
    name.len() <= 63 && is_dns_label_text(name)
}

fn refused_namespace(one: &Joined<'_>, source: &PackageSource) -> Option<Finding> {
    let component = one
        .enabled
        .iter()
        .find(|component| !is_namespace(component.namespace()))?;
    let message = format!(
        "`{}` cannot be a namespace, expected at most 63 of lower-case letters, digits and `-`: \
         the operator stops `{}` there, without a condition, and makes none of its HelmReleases",
        component.namespace(),
        source.id.name
    );
    let label = Label::new(component.install_span()).object(&one.package.id);
    Some(
        INVALID_NAMESPACE
            .finding(label, message)
            .related(one.label().message("installed here")),
    )
}

/// Finds the Packages that stop at their gate; of a ring, the first member names the whole.
fn blocked(
    all: &[Joined<'_>],
    needs: &[Vec<&Spanned<String>>],
    edges: &[Vec<usize>],
    passes: &[bool],
    ready: &[bool],
    places: &BTreeMap<&str, usize>,
    findings: &mut Vec<Finding>,
) {
    let mut rings: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for group in circles(edges) {
        if let Some(&first) = group.iter().find(|at| all[**at].namespaces) {
            rings.insert(first, round_trip(edges, &group));
        }
    }
    for (at, one) in all.iter().enumerate() {
        if passes[at] || !one.namespaces {
            continue;
        }
        let (mut gone, mut never, mut label) = (BTreeSet::new(), BTreeSet::new(), None);
        for name in &needs[at] {
            match places.get(name.value.as_str()) {
                None => gone.insert(name.value.as_str()),
                Some(place) if !ready[*place] => never.insert(name.value.as_str()),
                Some(_) => continue,
            };
            let here = || Label::new(name.span).object(&one.package.id);
            label.get_or_insert_with(here);
        }
        let mut why = Vec::new();
        if !gone.is_empty() {
            why.push(format!("there is no Package {}", short(gone)));
        }
        if !never.is_empty() {
            why.push(format!("never ready: {}", short(never)));
        }
        if let Some(ring) = rings.get(&at) {
            why.push(format!("they wait for each other: {}", way(all, ring)));
        }
        let message = format!(
            "`{}` waits for ever ({}): the operator makes its Namespaces and no HelmRelease",
            one.package.id.name,
            why.join("; ")
        );
        let label = label.unwrap_or_else(|| one.label());
        let mut finding = DEPENDENCIES_NOT_READY
            .finding(label, message)
            .related(one.label().message("installed here"));
        if rings.contains_key(&at) {
            finding = finding.id("HZ04");
        }
        findings.push(finding.help(
            "add what is missing, cut the circle, or name it in the Package's \
             `ignoreDependencies`",
        ));
    }
}

/// At most this many names are spelled out.
const SPELLED: usize = 8;

fn short(names: BTreeSet<&str>) -> String {
    let count = names.len();
    let shown: Vec<String> = names
        .into_iter()
        .take(SPELLED)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if count > SPELLED {
        format!(" and {} more", count - SPELLED)
    } else {
        String::new()
    };
    shown.join(", ") + &more
}

fn way(all: &[Joined<'_>], ring: &[usize]) -> String {
    let name = |at: &usize| format!("`{}`", all[*at].package.id.name);
    if ring.len() <= SPELLED + 1 {
        return ring.iter().map(name).collect::<Vec<_>>().join(" → ");
    }
    let start: Vec<String> = ring[..SPELLED].iter().map(name).collect();
    format!("{} → … ({} Packages)", start.join(" → "), ring.len() - 1)
}

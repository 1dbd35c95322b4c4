//! What Cozystack's operator makes of PackageSources and Packages: the settled state from an empty
//! cluster, where a Package counts as ready once everything it waits for is.
//!
//! Documents are joined in [`estate`]; each PackageSource becomes a generator in [`generator`];
//! each Package is judged in [`readiness`] and becomes releases in [`releases`]; what the whole
//! says together is in [`edges`] and [`collisions`]. Writing and printing are not here.
//!
//! Source: the operator of the snapshot of 2026-08-21 (`spec/package-rendering.md`).

mod collisions;
mod edges;
mod estate;
mod generator;
mod namespaces;
mod objects;
mod readiness;
pub(super) mod reasons;
mod releases;
mod settings;
mod silent;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;

pub(crate) use collisions::PackageClaim;
pub(crate) use estate::{Estate, GROUP};
pub(crate) use namespaces::SHARED_NAMESPACES;
pub(crate) use objects::{
    Generator, Namespace, Release, SYSTEM_NAMESPACE, images_of, post_renderers_of,
};
#[cfg(test)]
pub(crate) use reasons::ALL as REASONS;
pub(crate) use settings::{DURATIONS, MAX_HISTORY, OperatorSettings};

use std::sync::Arc;

use crate::finding::{Finding, sort};
use crate::model::overrides::OverrideTable;
use objects::Shared;

/// What is known of the platform's image table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum PlatformTable<'t> {
    /// Nothing: no values Secret and no table given. Releases are made without overrides.
    #[default]
    Unknown,
    /// A table that was found good; it may be empty.
    Known(&'t OverrideTable),
    /// A table that the operator refuses: it makes neither Namespaces nor HelmReleases. Whoever
    /// refused it has said so.
    Refused,
}

/// What the operator makes, and what there is to say about it.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// Namespaces by name.
    pub(crate) namespaces: Vec<Namespace>,
    /// ArtifactGenerators by name.
    pub(crate) generators: Vec<Generator>,
    /// HelmReleases by Package and place of the component. Of several with one namespace and name
    /// all but the first are [`Release::repeated`].
    pub(crate) releases: Vec<Release>,
    /// Who claims which HelmRelease, blocked or not, by Package and place of the component.
    pub(crate) claims: Vec<PackageClaim>,
    /// The findings, sorted. Two owners of one HelmRelease are told by `resolve::claims`.
    pub(crate) findings: Vec<Finding>,
}

/// Runs the operator's reconcilers over an estate. Takes time in proportion to documents and edges.
pub(crate) fn render(
    estate: &Estate,
    settings: &OperatorSettings,
    table: PlatformTable<'_>,
) -> Rendered {
    let mut rendered = Rendered {
        findings: estate.findings.clone(),
        ..Rendered::default()
    };
    let findings = &mut rendered.findings;
    let generation = generator::generate(estate, findings);
    let joined = readiness::join(estate, settings, findings);
    silent::check(&joined, findings);
    if !matches!(table, PlatformTable::Refused) {
        let table = match table {
            PlatformTable::Known(table) => Some(table),
            _ => None,
        };
        let shared = Arc::new(Shared::new(settings, table));
        rendered.namespaces = namespaces::make(&joined);
        rendered.releases = releases::make(&joined, &shared);
        generator::missing(&generation, &rendered.releases, &joined, findings);
        edges::check(estate, &joined, &rendered.releases, findings);
    }
    collisions::check(estate, &joined, findings);
    rendered.claims = collisions::claims(&joined);
    rendered.generators = generation.generators;
    sort(&mut rendered.findings);
    rendered
}

//! Who among the Packages claims which HelmRelease, and components of one variant that claim one.
//!
//! Claims of several Packages, and of Packages and others, meet in `resolve::claims::one_object`.
//! Source: `spec/collisions.md`, key K1, cases A1 to A3.

use std::collections::BTreeMap;

use super::Estate;
use super::objects::release_id;
use super::readiness::Joined;
use super::reasons::RELEASE_COLLISION;
use super::releases::target;
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::model::source_package::{Component, PackageSource};
use crate::source::Span;

/// A component of the active variant of an installed Package that is installed and not switched
/// off: it wants a HelmRelease.
#[derive(Clone, Debug)]
pub(crate) struct PackageClaim {
    /// The HelmRelease.
    pub(crate) id: ObjectId,
    /// Where its name stands in the PackageSource.
    pub(crate) span: Span,
    /// The Package.
    pub(crate) package: ObjectId,
    /// Where the Package's name stands.
    pub(crate) package_span: Span,
    /// The variant.
    pub(crate) variant: String,
    /// The component.
    pub(crate) component: String,
    /// The directory of its chart.
    pub(crate) path: String,
    /// Whether the release has the component's name because no other is written.
    pub(crate) defaulted: bool,
    /// Whether nothing blocks it. What is blocked claims its release later.
    pub(crate) stands: bool,
}

/// The claims by Package and place of the component.
pub(super) fn claims(joined: &[Joined<'_>]) -> Vec<PackageClaim> {
    let mut claims = Vec::new();
    for one in joined {
        let Some((_, variant)) = one.active else {
            continue;
        };
        for (at, component) in one.enabled.iter().enumerate() {
            if component.namespace().is_empty() {
                continue;
            }
            let (namespace, name) = target(component);
            let span = component.release_name().span;
            claims.push(PackageClaim {
                id: release_id(&namespace, &name),
                span,
                package: one.package.id.clone(),
                package_span: one.package.span,
                variant: variant.name.value.clone(),
                component: component.name.value.clone(),
                path: component.path.value.clone(),
                defaulted: span == component.name.span,
                stands: one.passes && at < one.writes,
            });
        }
    }
    claims
}

/// Finds components of one variant that claim one HelmRelease where no Package shows it.
pub(super) fn check(estate: &Estate, joined: &[Joined<'_>], findings: &mut Vec<Finding>) {
    for source in estate.sources.values() {
        within(source, joined, findings);
    }
}

/// Components of one variant that claim one release, where no Package shows it: nobody installs the
/// variant, or the Package switches all but one of them off.
fn within(source: &PackageSource, joined: &[Joined<'_>], findings: &mut Vec<Finding>) {
    let at = joined.binary_search_by(|one| one.package.id.name.cmp(&source.id.name));
    let installed = at.ok().map(|at| &joined[at]);
    for variant in &source.variants {
        let active = installed.filter(|one| {
            one.active
                .is_some_and(|(_, active)| std::ptr::eq(active, variant))
        });
        let mut groups: BTreeMap<(String, String), Vec<&Component>> = BTreeMap::new();
        for component in variant
            .components
            .iter()
            .filter(|one| !one.namespace().is_empty())
        {
            groups.entry(target(component)).or_default().push(component);
        }
        for ((namespace, name), components) in groups {
            let [first, others @ ..] = components.as_slice() else {
                continue;
            };
            let on = |component: &&&Component| {
                active.is_none_or(|one| !one.package.disables(&component.name.value))
            };
            let enabled = components.iter().filter(on).count();
            let Some(last) = others.last().filter(|_| active.is_none() || enabled < 2) else {
                continue;
            };
            let message = format!(
                "components `{}` and `{}` of variant `{}` of `{}` claim one HelmRelease \
                 `{namespace}/{name}`: where both are installed, the last one stands",
                first.name.value, last.name.value, variant.name.value, source.id.name
            );
            let id = release_id(&namespace, &name);
            let label = Label::new(last.release_name().span).object(&id);
            let mut finding = RELEASE_COLLISION
                .finding(label, message)
                .help("give one of them another `releaseName` or namespace");
            if active.is_some() {
                finding.level = Level::Warning;
            }
            for other in components
                .iter()
                .filter(|other| !std::ptr::eq(**other, *last))
            {
                let label = Label::new(other.release_name().span).object(&source.id);
                finding = finding.related(label.message("claimed here"));
            }
            findings.push(finding);
        }
    }
}

//! Packages become HelmReleases, one for each enabled component up to the first that fails.
//!
//! Source: `spec/package-rendering.md`, section 4, "The HelmRelease" and "dependsOn".

use std::collections::BTreeSet;
use std::sync::Arc;

use super::OperatorSettings;
use super::generator::artifact_name;
use super::objects::{Release, Shared};
use super::readiness::Joined;
use super::reasons::{DEPENDS_ON_FAILED, HELM_RELEASE_FAILED};
use crate::finding::{Finding, Label};
use crate::model::release::is_object_name;
use crate::model::source_package::{Component, Install};

/// How many releases a Package writes before it stops, and why it stops.
pub(super) fn stop(one: &Joined<'_>, settings: &OperatorSettings) -> (usize, Option<Finding>) {
    let Some((source, _)) = one.active else {
        return (0, None);
    };
    let label = |span| Label::new(span).object(&one.package.id);
    let end = |at: usize| {
        let written = match at {
            0 => "writes none of its HelmReleases".to_owned(),
            1 => format!("writes `{}` and stops", one.enabled[0].release_name().value),
            _ => format!("writes its first {at} HelmReleases and stops"),
        };
        format!("the operator {written}")
    };
    let missing = one
        .installed
        .values()
        .find(|component| component.namespace().is_empty());
    if let (Some(missing), false) = (missing, one.enabled.is_empty()) {
        let message = format!(
            "component `{}` of `{}` has no namespace; though it is switched off, the edges of the \
             others cannot be built: the operator makes the Namespaces and {}",
            missing.name.value, source.id.name, "no HelmRelease"
        );
        let finding = DEPENDS_ON_FAILED.finding(label(missing.install_span()), message);
        let finding = finding.related(one.label().message("installed here"));
        return (
            0,
            Some(finding.help("write `install.namespace`; there is no default")),
        );
    }
    for (at, component) in one.enabled.iter().enumerate() {
        let install = component.install.as_ref().into_iter();
        let mut names = install.flat_map(|install| &install.depends_on);
        let lost = names.find(|name| !one.installed.contains_key(name.value.as_str()));
        if let Some(lost) = lost {
            let message = format!(
                "component `{}` of `{}` depends on `{}`, which is no installed component of the \
                 variant: {}",
                component.name.value,
                source.id.name,
                lost.value,
                end(at)
            );
            let finding = DEPENDS_ON_FAILED.finding(label(lost.span), message);
            return (
                at,
                Some(finding.related(one.label().message("installed here"))),
            );
        }
        if let Some(what) = refusal(one, component, settings) {
            let message = format!(
                "the API server refuses HelmRelease `{}/{}` ({what}): {}",
                component.namespace(),
                component.release_name().value,
                end(at)
            );
            let span = component.release_name().span;
            let finding = HELM_RELEASE_FAILED.finding(label(span), message);
            return (
                at,
                Some(finding.related(one.label().message("installed here"))),
            );
        }
    }
    (one.enabled.len(), None)
}

/// Why the API server would not take a component's HelmRelease.
fn refusal(one: &Joined<'_>, component: &Component, settings: &OperatorSettings) -> Option<String> {
    let package = &one.package.id.name;
    let name = &component.release_name().value;
    if !is_object_name(name) {
        return Some(format!("`{name}` cannot be the name of an object"));
    }
    if package.len() > 63 {
        let length = package.len();
        return Some(format!(
            "the Package's name has {length} characters and cannot be the value of its label, \
             which holds 63"
        ));
    }
    let (flag, duration) = settings.refused()?;
    Some(format!(
        "`--{flag}` is printed `{duration}`, and only h, m, s and ms are taken"
    ))
}

/// The HelmReleases, by Package and place of the component.
pub(super) fn make(joined: &[Joined<'_>], shared: &Arc<Shared>) -> Vec<Release> {
    let mut releases = Vec::new();
    let mut seen = BTreeSet::new();
    for one in joined.iter().filter(|one| one.passes) {
        let Some((source, variant)) = one.active else {
            continue;
        };
        let mut edges = Vec::new();
        for &at in &one.waits_for {
            edges.extend(joined[at].enabled.iter().map(|component| target(component)));
        }
        for component in one.enabled.iter().take(one.writes) {
            let Some(install) = &component.install else {
                continue;
            };
            let (namespace, name) = target(component);
            let mut depends_on: Vec<(String, String)> = install
                .depends_on
                .iter()
                .filter_map(|name| one.installed.get(name.value.as_str()))
                .map(|component| target(component))
                .collect();
            depends_on.extend_from_slice(&edges);
            let component_name = component.name.value.clone();
            let set = one.package.component(&component_name);
            let values = set.and_then(|set| set.values.as_ref());
            releases.push(Release {
                repeated: !seen.insert((namespace.clone(), name.clone())),
                namespace,
                name,
                package: one.package.id.name.clone(),
                artifact: artifact_name(&source.id.name, &variant.name.value, &component_name),
                component: component_name,
                span: component.name.span,
                package_span: one.package.span,
                privileged: component.privileged(),
                values_files: component
                    .values_files
                    .iter()
                    .map(|f| f.value.clone())
                    .collect(),
                depends_on,
                upgrade_crds: install
                    .upgrade_crds
                    .as_ref()
                    .map(|policy| policy.value.clone()),
                values_from: !source.skip_values,
                values: values.map(|values| values.value.clone()),
                wait_strategy: wait_strategy(install),
                health_checks: install.health_checks.clone(),
                owner_uid: None,
                shared: Arc::clone(shared),
            });
        }
    }
    releases
}

/// The namespace and name of a component's release.
pub(super) fn target(component: &Component) -> (String, String) {
    (
        component.namespace().to_owned(),
        component.release_name().value.clone(),
    )
}

fn wait_strategy(install: &Install) -> Option<String> {
    match &install.wait_strategy {
        Some(strategy) => Some(strategy.value.clone()),
        None => (!install.health_checks.is_empty()).then(|| "poller".to_owned()),
    }
}

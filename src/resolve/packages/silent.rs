//! What a Package says that the operator accepts and does nothing with.
//!
//! Source: `spec/package-rendering.md`, section 4, "The HelmRelease" and section 13.

use std::collections::{BTreeMap, BTreeSet};

use super::readiness::Joined;
use super::reasons::{
    OVERRIDE_WITHOUT_INSTALL, UNKNOWN_COMPONENT, USELESS_IGNORE, VALUES_NOT_A_MAPPING,
};
use crate::finding::{Finding, Label};
use crate::model::source_package::Variant;

/// Finds settings without effect in Packages whose variant is there.
pub(super) fn check(joined: &[Joined<'_>], findings: &mut Vec<Finding>) {
    for one in joined {
        let Some((_, variant)) = one.active else {
            continue;
        };
        check_overrides(one, variant, findings);
        check_ignores(one, variant, findings);
    }
}

fn check_overrides(one: &Joined<'_>, variant: &Variant, findings: &mut Vec<Finding>) {
    let known: BTreeMap<&str, bool> = variant
        .components
        .iter()
        .map(|component| (component.name.value.as_str(), component.install.is_some()))
        .collect();
    for set in &one.package.components {
        let name = set.name.value.as_str();
        let label = Label::new(set.name.span).object(&one.package.id);
        if !known.contains_key(name) {
            let message = format!(
                "`components.{name}` names no component of variant `{}` of `{}`: its settings go \
                 nowhere",
                variant.name.value, one.package.id.name
            );
            let help = suggestion(name, variant);
            findings.push(UNKNOWN_COMPONENT.finding(label, message).help(help));
        } else if !one.installed.contains_key(name) {
            let message = format!(
                "component `{name}` of `{}` has no `install` section, so nothing reads its settings",
                one.package.id.name
            );
            findings.push(OVERRIDE_WITHOUT_INSTALL.finding(label, message));
        } else if let Some(values) = &set.values
            && !values.value.is_object()
            && !values.value.is_null()
            && !one.package.disables(name)
        {
            let label = Label::new(values.span).object(&one.package.id);
            let message = format!(
                "`components.{name}.values` is no mapping: the release carries it, and \
                 helm-controller drops it without a word"
            );
            findings.push(VALUES_NOT_A_MAPPING.finding(label, message));
        }
    }
}

/// The component that was probably meant, or all there are.
fn suggestion(name: &str, variant: &Variant) -> String {
    let plain = |text: &str| text.replace(['-', '_', '.'], "").to_lowercase();
    let names = || {
        variant
            .components
            .iter()
            .map(|component| component.name.value.as_str())
    };
    if let Some(meant) = names().find(|known| plain(known) == plain(name)) {
        return format!("did you mean `{meant}`?");
    }
    let by_release = variant
        .components
        .iter()
        .find(|one| one.release_name().value == name);
    if let Some(component) = by_release {
        let meant = &component.name.value;
        return format!("components are set by their own name, not the release's: `{meant}`");
    }
    let all: BTreeSet<&str> = names().collect();
    let all: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
    if all.is_empty() {
        return "the variant has no components".to_owned();
    }
    format!("the components are {}", all.join(", "))
}

fn check_ignores(one: &Joined<'_>, variant: &Variant, findings: &mut Vec<Finding>) {
    let known: BTreeSet<&str> = variant
        .depends_on
        .iter()
        .map(|name| name.value.as_str())
        .collect();
    for ignored in &one.package.ignore_dependencies {
        if !known.contains(ignored.value.as_str()) {
            let message = format!(
                "`{}` is ignored, but variant `{}` of `{}` does not depend on it",
                ignored.value, variant.name.value, one.package.id.name
            );
            let label = Label::new(ignored.span).object(&one.package.id);
            findings.push(USELESS_IGNORE.finding(label, message));
        }
    }
}

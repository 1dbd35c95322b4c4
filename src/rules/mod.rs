//! What is checked, a rule a file.
//!
//! A rule is a value: a code, a level, what to say of it, and a function over the [`Context`]. Some
//! facts are met elsewhere (while a table is read, while the filter runs); their rules have a page
//! here and a function that finds nothing.

use std::collections::BTreeSet;

use crate::finding::{Finding, Level};
use crate::model::overrides::{OverrideTable, Tables};
use crate::model::version::Version;
use crate::resolve::builds::Builds;
use crate::resolve::claims::Claims;
use crate::resolve::images::{Filtered, Visit};
use crate::resolve::packages::{Estate, Rendered};
use crate::resolve::releases::AnyRelease;
use crate::resolve::schema::{Fault, Violation};
use crate::yaml::Doc;

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Its code: the file's name with dashes.
    pub(crate) code: &'static str,
    /// The ids of specification entries that it answers to.
    pub(crate) ids: &'static [&'static str],
    /// The gravest level that it uses.
    pub(crate) level: Level,
    /// One line on what is wrong.
    pub(crate) summary: &'static str,
    /// The page of `forebay explain`: what, why it bites, an example, the fix, when it is quiet,
    /// where it comes from.
    pub(crate) explain: &'static str,
    /// Finds what there is to find.
    pub(crate) check: fn(&Context<'_>, &mut Vec<Finding>),
}

pub(crate) use context::Subject;

/// How strictly the table rules are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// `rewrite` takes what the real filter takes: values that make no image only warn.
    Primitive,
    /// `render` and `check` refuse them.
    Full,
}

/// What a table did to the documents of a text, or would do.
#[derive(Debug)]
pub(crate) struct Applied<'c> {
    /// The table.
    pub(crate) table: &'c OverrideTable,
    /// The documents that visits count in.
    pub(crate) docs: &'c [Doc],
    /// What happened.
    pub(crate) filtered: &'c Filtered,
}

impl Applied<'_> {
    /// The images visited.
    pub(crate) fn visits(&self) -> impl Iterator<Item = &Visit> {
        self.filtered.visits.iter()
    }
}

/// What the operator makes of the Packages among the inputs, and every HelmRelease of the run.
///
/// Findings about Packages themselves are the core's own ([`Rendered::findings`]) and are reported
/// already; rules must not tell them again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'c> {
    /// PackageSources, Packages and HelmReleases as they were read.
    pub(crate) estate: &'c Estate,
    /// Namespaces, generators and releases that are made; nothing under a refused table.
    pub(crate) rendered: &'c Rendered,
    /// Every HelmRelease: those among the inputs, Lists unrolled, then those made.
    pub(crate) releases: &'c [AnyRelease<'c>],
}

/// What the rules look at.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    /// The tables.
    pub(crate) tables: &'c Tables,
    /// What each table did, text by text.
    pub(crate) applied: Vec<Applied<'c>>,
    /// The documents that are objects, in the order of reading.
    pub(crate) subjects: Vec<Subject<'c>>,
    /// The HelmReleases of the run.
    pub(crate) claims: Claims<'c>,
    /// Those of the state that it is compared with (`--against`).
    pub(crate) before: Option<Claims<'c>>,
    /// The annotation that declares which Package may take a HelmRelease over.
    pub(crate) move_annotation: &'c str,
    /// The objects, Lists unrolled, in the same order.
    pub(crate) objects: Vec<Subject<'c>>,
    /// Documents that are no objects: tables and values.
    pub(crate) settings: Vec<&'c Doc>,
    /// Where objects fail their schemas.
    pub(crate) violations: Vec<Violation>,
    /// How strictly the table rules are meant.
    pub(crate) strictness: Strictness,
    /// The objects that stood before the change; `None` where no change is looked at.
    pub(crate) old: Option<Vec<Subject<'c>>>,
    /// What the charts of HelmReleases render, as far as it was given by itself.
    pub(crate) rendered: Vec<Subject<'c>>,
    /// What is built of directories, and applied.
    pub(crate) builds: &'c Builds,
    /// The same of what stood before the change.
    #[allow(dead_code, reason = "not every rule that reads it is written yet")]
    pub(crate) old_builds: &'c Builds,
    /// The texts that were named, or came on stdin, by number.
    pub(crate) named: BTreeSet<usize>,
    /// The version of Flux, where it was told.
    pub(crate) flux_version: Option<Version>,
    /// The version of Kubernetes, where it was told.
    pub(crate) kubernetes_version: Option<Version>,
    /// Packages and releases.
    pub(crate) made: Made<'c>,
}

impl Context<'_> {
    /// The level of a value that makes no image that can be pulled.
    pub(crate) fn value_level(&self) -> Level {
        match self.strictness {
            Strictness::Primitive => Level::Warning,
            Strictness::Full => Level::Error,
        }
    }

    /// The failures of one kind.
    pub(crate) fn failing(&self, fault: Fault) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |it| it.fault == fault)
    }

    /// The texts that a table was applied to.
    pub(crate) fn of<'s>(
        &'s self,
        table: &'s OverrideTable,
    ) -> impl Iterator<Item = &'s Applied<'s>> {
        self.applied
            .iter()
            .filter(move |applied| applied.table.span == table.span)
    }
}

/// For rules whose findings are made where the fact is met.
fn found_elsewhere(_: &Context<'_>, _: &mut Vec<Finding>) {}

/// Declares the modules of the rules and lists them.
macro_rules! rules {
    ($($name:ident,)*) => {
        $(mod $name;)*
        /// Every rule, by code.
        pub(crate) static RULES: &[&Rule] = &[$(&$name::RULE,)*];
    };
}

mod context;
#[cfg(test)]
mod fixture;

rules! {
    api_version_removed,
    artifact_collision,
    artifact_missing,
    build_changes_more,
    chart_name_changed,
    dangling_depends_on,
    definition_removed,
    dependencies_not_ready,
    depends_on_cycle,
    depends_on_disabled,
    depends_on_failed,
    document_without_kind,
    dropped_document,
    duplicate_artifact_name,
    duplicate_component,
    duplicate_declaration,
    duplicate_key,
    duplicate_merge_key,
    duplicate_object,
    duplicate_variant,
    duration_refused,
    empty_namespace,
    environment_not_injected,
    filter_refuses,
    finalizer_in_git,
    flux_open_schemas,
    force_with_server_side_apply,
    helm_chart_collision,
    helm_release_collision,
    helm_release_failed,
    image_not_reached,
    immutable_field_changed,
    invalid_artifact_name,
    invalid_copy,
    invalid_label,
    invalid_namespace,
    invalid_object,
    invalid_source_name,
    long_release_name,
    malformed_input,
    namespace_not_declared,
    namespace_removed,
    number_too_large,
    object_in_two_releases,
    object_rendered_twice,
    object_too_large,
    object_without_name,
    operator_setting_refused,
    orphan_label,
    override_chain,
    override_changes_nothing,
    override_drops_digest,
    override_duplicate_name,
    override_matches_empty,
    override_name_not_a_pattern,
    override_name_too_wide,
    override_not_a_list,
    override_not_a_string,
    override_not_an_entry,
    override_tables_differ,
    override_tag_carries_digest,
    override_unanchored,
    override_unknown_field,
    override_unused,
    override_value,
    override_without_install,
    override_without_name,
    package_source_not_found,
    parent_waits_for_child,
    recovery_of_another_release,
    recreate_over_rolling_update,
    release_cluster_changed,
    release_collision,
    release_collision_later,
    release_images_kept,
    release_name_refused,
    release_name_shortened,
    release_name_too_long,
    release_name_undecided,
    release_not_overridden,
    release_renamed,
    release_retargeted,
    release_target_shared,
    release_test_not_found,
    release_without_namespace,
    same_release_other_cluster,
    scalar_not_a_string,
    schema_field_missing,
    schema_null,
    schema_type,
    schema_unknown_field,
    schema_value,
    schema_version,
    schema_violation,
    server_owned_field,
    source_ref_not_set,
    suspended_in_git,
    too_many_artifacts,
    unknown_component,
    unknown_field,
    unknown_library,
    useless_ignore,
    values_from_missing,
    values_not_a_mapping,
    variable_not_substituted,
    variant_not_found,
    volume_blocks_surge,
    wait_for_suspended_release,
    yaml_word,
}

/// The rule of this code, or the one that answers to this id.
pub(crate) fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.code == name || rule.ids.contains(&name))
}

/// Everything that the rules find.
pub(crate) fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        let already = findings.len();
        (rule.check)(context, &mut findings);
        for finding in &mut findings[already..] {
            if finding.ids.is_empty() {
                finding.ids = rule.ids.to_vec();
            }
        }
    }
    without_repeats(&mut findings);
    findings
}

/// Drops what a schema says of a place that another rule speaks of with more to say.
fn without_repeats(findings: &mut Vec<Finding>) {
    let speaks = [
        "api-version-removed",
        "chart-reference",
        "duration-refused",
        "scalar-not-a-string",
    ];
    let told: BTreeSet<_> = findings
        .iter()
        .filter(|finding| speaks.contains(&finding.rule))
        .map(|finding| (finding.primary.span.source, finding.primary.span.start))
        .collect();
    findings.retain(|finding| {
        !finding.rule.starts_with("schema-")
            || !told.contains(&(finding.primary.span.source, finding.primary.span.start))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_the_operator_is_a_rule() {
        for reason in crate::resolve::packages::REASONS {
            let rule = find(reason.code).expect(reason.code);
            assert_eq!(
                (rule.ids, rule.level),
                (reason.ids, reason.level),
                "{}",
                rule.code
            );
        }
    }

    #[test]
    fn codes_are_unique_sorted_and_explained() {
        let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
        for rule in RULES {
            assert!(
                !rule.summary.is_empty() && rule.explain.len() > 100,
                "{}",
                rule.code
            );
        }
    }
}

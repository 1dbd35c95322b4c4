//! What is checked, a rule a file.
//!
//! A rule is a value: a code, a level, what to say of it, and a function over the [`Context`]. Some
//! facts are met elsewhere (while a table is read, while the filter runs); their rules have a page
//! here and a function that finds nothing.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::finding::{Finding, Level};

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

pub(crate) use context::{Applied, Context, Made, Strictness, Subject};

rules! {
    account_removed_with_release,
    allow_unused,
    api_version_removed,
    application_chart_missing,
    application_kind_collision,
    application_prefix,
    application_release_collision,
    artifact_collision,
    artifact_generator_taken,
    artifact_missing,
    artifact_version_open,
    build_changes_more,
    bundle_damaged,
    bundle_entry_unused,
    bundle_partial_index,
    chart_name_changed,
    chart_not_seen,
    chart_reference,
    dangling_depends_on,
    definition_removed,
    definitions_not_upgraded,
    deleted_under_foreign_suspension,
    deleted_while_held,
    deleted_without_fence,
    dependencies_not_ready,
    depends_on_cycle,
    depends_on_disabled,
    depends_on_failed,
    depends_on_missing,
    depends_on_suspended,
    document_without_kind,
    doubtful_image_entry,
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
    fence_applied_by_others,
    fence_left_after_uninstall,
    fence_under_foreign_suspension,
    fence_without_suspension,
    filter_refuses,
    finalizer_in_git,
    flux_open_schemas,
    force_on_stateful,
    force_with_server_side_apply,
    foreign_suspension,
    foreign_suspension_after_recovery,
    grace_too_short,
    held_by_other_finalizer,
    held_too_long,
    helm_chart_collision,
    helm_finalizer_missing,
    helm_release_collision,
    helm_release_failed,
    hook_outlives_timeout,
    hook_output_log_policy,
    image_missing,
    image_not_reached,
    image_outside_allowed,
    image_tables_merged,
    image_without_tag,
    immutable_field_changed,
    impersonated_account_missing,
    invalid_artifact_name,
    invalid_copy,
    invalid_label,
    invalid_namespace,
    invalid_object,
    invalid_source_name,
    kubeconfig_missing,
    kubeconfig_secret_missing,
    kubectl_request_timeout,
    kubectl_wait_proves_nothing,
    lease_too_short,
    lift_not_observed,
    long_release_name,
    malformed_input,
    name_too_long,
    namespace_labels_differ,
    namespace_not_declared,
    namespace_of_two_makers,
    namespace_privileged_by_another,
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
    package_in_tenant_namespace,
    package_source_not_found,
    parent_waits_for_child,
    post_renderer_order,
    processed_version_malformed,
    prune_flip,
    recovery_due,
    recovery_finds_wrong_key,
    recovery_guard_blocks,
    recovery_of_another_release,
    recovery_repeats,
    recovery_skips_remote,
    recovery_suspension,
    recovery_takes_only_revision,
    recreate_over_rolling_update,
    release_cluster_changed,
    release_collision,
    release_collision_later,
    release_history_empty,
    release_images_kept,
    release_left_in_storage,
    release_name_refused,
    release_name_shortened,
    release_name_too_long,
    release_name_undecided,
    release_not_overridden,
    release_record_missing,
    release_renamed,
    release_retargeted,
    release_taken,
    release_target_shared,
    release_test_not_found,
    release_unclaimed,
    release_without_namespace,
    resource_policy_not_keep,
    retarget_pending,
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
    shard_not_watched,
    shard_without_controller,
    shared_suspension,
    snapshot_without_managed_fields,
    snapshot_without_secrets,
    source_ref_not_set,
    status_without_storage_namespace,
    storage_key_shared,
    storage_secret_unlabelled,
    suspended_in_git,
    suspension_owner_hidden,
    suspension_without_fence,
    suspension_without_owner,
    too_many_artifacts,
    uninstall_already_skipped,
    uninstall_orphans_objects,
    uninstall_skips_hooks,
    uninstall_under_way,
    unknown_component,
    unknown_field,
    unknown_library,
    useless_ignore,
    values_from_missing,
    values_not_a_mapping,
    values_secret_overwritten,
    variable_not_substituted,
    variant_not_found,
    volume_blocks_surge,
    wait_for_suspended_release,
    writer_not_single,
    yaml_word,
}

/// The rule of this code, or the one that answers to this id.
pub(crate) fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.code == name || rule.ids.contains(&name))
}

/// Everything that the rules find, in their order; `rewrite` hears only of tables, of what
/// readers disagree on and of what they drop.
pub(crate) fn check(context: &Context<'_>) -> Vec<Finding> {
    check_only(context, |rule| {
        context.strictness == Strictness::Full
            || is_about_tables(rule)
            || matches!(
                rule.code,
                "image-not-reached" | "dropped-document" | "yaml-word" | "number-too-large"
            )
    })
}

/// What the rules that speak of tables and settings find in a context without objects.
pub(crate) fn check_tables(context: &Context<'_>) -> Vec<Finding> {
    check_only(context, is_about_tables)
}

fn is_about_tables(rule: &Rule) -> bool {
    rule.code.starts_with("override-") || rule.code == "duplicate-key"
}

fn check_only(context: &Context<'_>, wanted: impl Fn(&Rule) -> bool + Sync) -> Vec<Finding> {
    let found = |rule: &&Rule| {
        let mut findings = Vec::new();
        if wanted(rule) {
            (rule.check)(context, &mut findings);
        }
        for finding in &mut findings {
            if finding.ids.is_empty() {
                finding.ids = rule.ids.to_vec();
            }
        }
        findings
    };
    // Each by itself, since some take a thousand times as long as others.
    let found: Vec<_> = RULES.par_iter().with_max_len(1).map(found).collect();
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    without_repeats(&mut found);
    found
}

/// Drops what a schema says of a place that another rule speaks of with more to say.
fn without_repeats(findings: &mut Vec<Finding>) {
    let speaks = [
        "api-version-removed",
        "chart-reference",
        "duration-refused",
        "scalar-not-a-string",
    ];
    let place = |finding: &Finding| (finding.primary.span.source, finding.primary.span.start);
    let told: BTreeSet<_> = findings
        .iter()
        .filter(|finding| speaks.contains(&finding.rule))
        .map(place)
        .collect();
    findings
        .retain(|finding| !finding.rule.starts_with("schema-") || !told.contains(&place(finding)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::audit::code::Code;

    #[test]
    fn every_reason_of_the_operator_is_a_rule() {
        for reason in crate::resolve::packages::REASONS {
            let rule = find(reason.code).expect(reason.code);
            // A rule may tell graver facts besides, such as circles that no Package is part of.
            assert_eq!(rule.ids, reason.ids, "{}", rule.code);
            assert!(rule.level >= reason.level, "{}", rule.code);
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

    #[test]
    fn the_facts_of_an_audit_have_their_pages() {
        for code in Code::ALL {
            let rule = find(code.id()).expect("a rule with the id");
            assert_eq!((rule.code, rule.level), (code.rule(), code.level()));
        }
    }
}

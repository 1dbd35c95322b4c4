//! What is checked, a rule a file.
//!
//! A rule is a value: a code, a level, what to say of it, and a function over the [`Context`]. Some
//! facts are met elsewhere (while a table is read, while the filter runs); their rules have a page
//! here and a function that finds nothing.

use crate::finding::{Finding, Level, ObjectId};
use crate::model::overrides::{OverrideTable, Tables};
use crate::resolve::images::{Filtered, Visit};
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

/// How strictly the table rules are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// `rewrite` takes what the real filter takes: values that make no image only warn.
    Primitive,
    /// `render` and `check` refuse them.
    Full,
}

/// An object among the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Subject<'c> {
    /// Its document.
    pub(crate) doc: &'c Doc,
    /// What it is.
    pub(crate) id: ObjectId,
    /// Whether it is one of Flux's own.
    pub(crate) flux: bool,
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

/// What the rules look at.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    /// The tables.
    pub(crate) tables: &'c Tables,
    /// What each table did, text by text.
    pub(crate) applied: Vec<Applied<'c>>,
    /// The objects, in the order of reading.
    pub(crate) subjects: Vec<Subject<'c>>,
    /// Documents that are no objects: tables and values.
    pub(crate) settings: Vec<&'c Doc>,
    /// How strictly the table rules are meant.
    pub(crate) strictness: Strictness,
}

impl Context<'_> {
    /// The level of a value that makes no image that can be pulled.
    pub(crate) fn value_level(&self) -> Level {
        match self.strictness {
            Strictness::Primitive => Level::Warning,
            Strictness::Full => Level::Error,
        }
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

#[cfg(test)]
mod fixture;

rules! {
    build_changes_more,
    deleted_under_foreign_suspension,
    deleted_while_held,
    deleted_without_fence,
    document_without_kind,
    dropped_document,
    duplicate_key,
    duplicate_object,
    environment_not_injected,
    fence_applied_by_others,
    fence_left_after_uninstall,
    fence_under_foreign_suspension,
    fence_without_suspension,
    filter_refuses,
    flux_open_schemas,
    foreign_suspension,
    foreign_suspension_after_recovery,
    held_by_other_finalizer,
    held_too_long,
    helm_finalizer_missing,
    image_not_reached,
    impersonated_account_missing,
    kubeconfig_secret_missing,
    lift_not_observed,
    malformed_input,
    number_too_large,
    object_too_large,
    object_without_name,
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
    override_without_name,
    processed_version_malformed,
    recovery_due,
    recovery_finds_wrong_key,
    recovery_guard_blocks,
    recovery_repeats,
    recovery_skips_remote,
    recovery_suspension,
    recovery_takes_only_revision,
    release_history_empty,
    release_left_in_storage,
    release_record_missing,
    release_retargeted,
    release_unclaimed,
    shard_without_controller,
    shared_suspension,
    snapshot_without_managed_fields,
    snapshot_without_secrets,
    status_without_storage_namespace,
    storage_key_shared,
    storage_secret_unlabelled,
    suspension_owner_hidden,
    suspension_without_fence,
    suspension_without_owner,
    uninstall_already_skipped,
    uninstall_orphans_objects,
    uninstall_skips_hooks,
    uninstall_under_way,
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
        (rule.check)(context, &mut findings);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::audit::code::Code;

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

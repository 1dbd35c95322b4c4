//! The patches of an audit as files for a shell: one patch a file, the gravest first.
//!
//! Each file says what it does, what it was decided on, and what to do when it is refused. What is
//! merely offered lies in `offered/` and opens with what cannot be undone.

use std::cmp::Reverse;

use super::Tree;
use crate::resolve::audit::patch::{Operation, command};
use crate::resolve::audit::{Action, Audit, Verdict};

/// The files, by name.
pub(crate) fn patches(audit: &Audit<'_>) -> Tree {
    let mut verdicts: Vec<&Verdict<'_>> = audit.verdicts.iter().collect();
    verdicts.sort_by_key(|verdict| Reverse(verdict.level()));
    let decided = verdicts.iter().filter_map(|verdict| {
        let patch = verdict.patch.as_ref()?;
        Some((*verdict, verdict.action, patch))
    });
    let offered = verdicts.iter().filter_map(|verdict| {
        let (action, patch) = verdict.offered.as_ref()?;
        Some((*verdict, *action, patch))
    });
    let mut tree = Tree::default();
    file_each(&mut tree, "", decided.collect());
    file_each(&mut tree, "offered/", offered.collect());
    tree
}

fn file_each(tree: &mut Tree, folder: &str, patches: Vec<(&Verdict<'_>, Action, &Vec<Operation>)>) {
    let width = patches.len().to_string().len();
    for (at, (verdict, action, patch)) in patches.into_iter().enumerate() {
        let id = &verdict.release.id;
        let number = at + 1;
        // No name of Kubernetes' has an underscore, so the parts stay apart.
        let name = format!("{folder}{number:0width$}_{}_{}.sh", id.namespace, id.name);
        let text = text(verdict, action, patch, !folder.is_empty());
        tree.files.insert(name, text.into_bytes());
    }
}

fn text(verdict: &Verdict<'_>, action: Action, patch: &[Operation], offered: bool) -> String {
    let release = verdict.release;
    let mut lines = vec!["#!/bin/sh".to_owned()];
    let mut say = |text: &str| lines.push(format!("# {text}").trim_end().to_owned());
    if offered {
        say(&format!("CANNOT BE UNDONE: {}.", cost(action)));
        say("Offered only: the audit does not advise it, it is yours to decide.");
        say("");
    }
    say(&format!(
        "{}/{}: {}",
        release.id.namespace,
        release.id.name,
        does(action)
    ));
    say("");
    for finding in &verdict.findings {
        say(&one_line(&format!(
            "{}[{}]: {}",
            finding.level, finding.rule, finding.message
        )));
    }
    for line in &verdict.evidence {
        say(&one_line(&format!("  {line}")));
    }
    say("");
    say("Decided on a snapshot. The patch is applied whole or not at all, and only while");
    say(&one_line(&format!(
        "  - the object is still the one with the uid {}",
        release.uid
    )));
    say(&one_line(&format!(
        "  - nobody has written it since: its resourceVersion is still {}",
        release.resource_version
    )));
    if action.lifts() {
        say("  - it is still suspended");
    }
    if action.removes_fence() {
        say("  - the fence stands at the same place among its finalizers");
    }
    if action.lifts() {
        say("Before: see that no restore is running that relies on the suspension.");
    }
    say("flux-plunger, where it runs, does the same by itself.");
    say("Refused with 422, whatever the words: one of these no longer holds. Do not change the");
    say("patch: take a new snapshot and run `forebay audit` again. 404: the object is gone.");
    say("After: take a new snapshot in any case and run `forebay audit` again.");
    lines.push("set -eu".to_owned());
    lines.push(command(release, patch));
    lines.join("\n") + "\n"
}

/// A text that cannot leave its comment.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

fn does(action: Action) -> &'static str {
    match action {
        Action::LiftAndRemoveFence => "lifts the suspension and takes the uninstall fence off",
        Action::LiftSuspension => "lifts the suspension, keeps the fence",
        _ => "takes the uninstall fence off",
    }
}

/// What an offered patch may cost.
fn cost(action: Action) -> &'static str {
    match action {
        Action::LiftAndRemoveFence => {
            "a recovery that is still running loses its hold, and a delete in that moment may skip \
             the uninstall; only for when flux-plunger is gone"
        }
        Action::LiftSuspension => {
            "helm-controller will take the release for uninstalled and let its objects stay behind"
        }
        _ => {
            "the object is gone at once if it is being deleted, and what its release made stays \
             behind"
        }
    }
}

//! What a snapshot tells of each release: whose suspension it is, what a delete would come to, and
//! the guarded patch that mends it.
//!
//! Source: `spec/uninstall-fence.md`. Decisions are made in codes ([`live`], [`terminating`] over
//! [`owner`], [`skips`], [`recovery`]); [`sentences`] puts them into words, [`patch`] emits what may
//! be emitted. The proof that the advice is safe is the model in `protocol`.

mod case;
pub(crate) mod code;
mod evidence;
mod header;
mod live;
mod orphans;
mod owner;
pub(crate) mod patch;
#[cfg(test)]
mod protocol;
mod recovery;
mod sentences;
mod skips;
mod terminating;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::finding::{Finding, Level};
use crate::model::moment::Moment;
use crate::model::snapshot::Snapshot;
use crate::model::snapshot::observed::Observed;
use case::{Case, Keys};
use code::Code;
use owner::fence_is_applied_by_others;
use patch::Operation;
use skips::Foreseen;

pub(crate) use orphans::{Orphan, OrphanKind};

/// How an audit is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The time to count ages from; none without it.
    pub(crate) now: Option<Moment>,
    /// For how many minutes a suspension or a deletion may last before it is called stuck.
    pub(crate) hold: i64,
}

/// What a delete would come to, or comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// Live: Helm uninstalls.
    Uninstalls,
    /// Live: gone without an uninstall.
    Skips,
    /// The fence holds it.
    Held,
    /// There is nothing to uninstall.
    Nothing,
    /// The snapshot does not tell.
    Undecidable,
    /// Terminating: Helm is to uninstall.
    WillUninstall,
    /// Terminating: it will go without an uninstall.
    WillSkip,
    /// Terminating: helm-controller has yet to see the lifted suspension.
    Pending,
    /// Terminating: the uninstall was skipped.
    Skipped,
    /// Terminating: uninstalled.
    Done,
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Action {
    /// Nothing.
    None,
    /// Wait for the controllers.
    Wait,
    /// Look closer; no patch is safe.
    Investigate,
    /// Whoever suspended it decides.
    LeaveToOwner,
    /// Lift the suspension, keep the fence.
    LiftSuspension,
    /// Lift the suspension and take the fence off, in one patch.
    LiftAndRemoveFence,
    /// Take the fence off.
    RemoveFence,
}

/// What there is to say of a release.
#[derive(Debug)]
pub(crate) struct Verdict<'s> {
    /// The release.
    pub(crate) release: &'s Observed,
    /// The facts, the gravest first.
    pub(crate) findings: Vec<Finding>,
    /// What a delete comes to.
    pub(crate) outcome: Outcome,
    /// What to do.
    pub(crate) action: Action,
    /// The patch that does it, where it is one.
    pub(crate) patch: Option<Vec<Operation>>,
    /// A patch that is merely offered, since it cannot be undone or may come too early.
    pub(crate) offered: Option<(Action, Vec<Operation>)>,
    /// What it was told from, a line each.
    pub(crate) evidence: Vec<String>,
}

impl Verdict<'_> {
    /// The gravest level of its facts.
    pub(crate) fn level(&self) -> Option<Level> {
        self.findings.iter().map(|finding| finding.level).max()
    }
}

/// What a snapshot tells.
#[derive(Debug)]
pub(crate) struct Audit<'s> {
    /// Facts about the snapshot itself.
    pub(crate) snapshot: Vec<Finding>,
    /// The releases, by namespace and name.
    pub(crate) verdicts: Vec<Verdict<'s>>,
    /// Storage that nobody claims.
    pub(crate) orphans: Vec<Orphan<'s>>,
    /// How old it is and what it cannot tell, a line each.
    pub(crate) header: Vec<String>,
}

impl Audit<'_> {
    /// Every fact.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let releases = self.verdicts.iter().flat_map(|it| &it.findings);
        let orphans = self.orphans.iter().map(|orphan| &orphan.finding);
        self.snapshot.iter().chain(releases).chain(orphans)
    }
}

/// A decision in codes, before it is put into words.
#[derive(Debug)]
struct Decision {
    codes: Vec<Code>,
    outcome: Outcome,
    action: Action,
    offered: Option<Action>,
    unseen: Option<String>,
}

impl Decision {
    fn new(outcome: Outcome, action: Action) -> Decision {
        Decision {
            codes: Vec::new(),
            outcome,
            action,
            offered: None,
            unseen: None,
        }
    }

    /// The fence may go; only offered where somebody would put it back.
    fn remove_fence(&mut self, case: &Case<'_>) {
        if fence_is_applied_by_others(case.release) {
            self.action = Action::Investigate;
            self.offered = Some(Action::RemoveFence);
        } else {
            self.action = Action::RemoveFence;
        }
    }

    /// Adds what a deletion would meet.
    fn add(&mut self, foreseen: Foreseen) {
        self.codes.extend(foreseen.skips);
        self.codes.extend(foreseen.remarks);
        self.unseen = foreseen.unseen;
    }
}

/// Audits a snapshot that is finished.
pub(crate) fn audit<'s>(snapshot: &'s Snapshot, settings: &Settings) -> Audit<'s> {
    let mut keys = Keys::new();
    for release in &snapshot.releases {
        keys.entry(release.key()).or_default().push(release);
    }
    let mut unseen: BTreeMap<String, Case<'_>> = BTreeMap::new();
    let mut verdicts = Vec::with_capacity(snapshot.releases.len());
    for release in &snapshot.releases {
        let case = Case {
            release,
            snapshot,
            keys: &keys,
            settings: *settings,
        };
        let mut decision = decide(&case);
        let unseen_namespace = decision.unseen.take();
        // What a text that ends early lacks is not called missing.
        if let Some(namespace) = unseen_namespace.filter(|_| !snapshot.cut_short) {
            unseen.entry(namespace).or_insert(case);
        }
        verdicts.push(verdict(release, &case, decision));
    }
    let mut facts = Vec::new();
    if let Some(first) = snapshot.releases.first().filter(|_| !snapshot.managed) {
        facts.push(sentences::no_managed_fields(first));
    }
    if snapshot.storage.is_empty() {
        facts.extend(unseen.values().next().map(sentences::no_secrets));
    } else {
        let each = |(namespace, case): (&String, &Case<'_>)| {
            sentences::no_secrets_in(case.release, namespace)
        };
        facts.extend(unseen.iter().map(each));
    }
    Audit {
        snapshot: facts,
        verdicts,
        orphans: orphans::orphans(snapshot, &keys),
        header: header::header(snapshot, settings),
    }
}

fn decide(case: &Case<'_>) -> Decision {
    let mut decision = if case.release.deleted.is_some() {
        terminating::decide(case)
    } else {
        live::decide(case)
    };
    if case.fenced() && fence_is_applied_by_others(case.release) {
        decision.codes.push(Code::FenceApplied);
    }
    if recovery::is_malformed(case.release) {
        decision.codes.push(Code::ProcessedMalformed);
    }
    let shard = case.release.shard.as_deref();
    if shard.is_some_and(|shard| case.snapshot.controllers.nobody_watches(shard)) {
        decision.codes.push(Code::NobodyWatches);
    }
    decision
}

fn verdict<'s>(release: &'s Observed, case: &Case<'_>, mut decision: Decision) -> Verdict<'s> {
    let patch = patch::emit(decision.action, release);
    if patch.is_none() && decision.action.patches() {
        decision.action = Action::Investigate;
    }
    let offered = decision
        .offered
        .and_then(|action| Some((action, patch::emit(action, release)?)));
    let mut codes = decision.codes;
    codes.sort_by_key(|code| (std::cmp::Reverse(code.level()), *code));
    codes.dedup();
    let findings: Vec<Finding> = codes
        .iter()
        .map(|code| sentences::finding(*code, case, decision.outcome))
        .collect();
    Verdict {
        release,
        evidence: if findings.is_empty() {
            Vec::new()
        } else {
            evidence::evidence(case, decision.outcome)
        },
        findings,
        outcome: decision.outcome,
        action: decision.action,
        patch,
        offered,
    }
}

#[cfg(test)]
mod tests;

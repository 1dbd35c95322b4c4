//! What helm-controller would do with a deletion, suspension aside.
//!
//! Source: `spec/uninstall-fence.md`, section 5, in the order in which helm-controller v1.5.0
//! decides (`internal/controller/helmrelease_controller.go`, `reconcileDelete`).

use super::case::{Case, Stored};
use super::code::Code;
use crate::model::snapshot::observed::Remote;

/// What an unsuspended deletion comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deletion {
    /// Helm uninstalls.
    Uninstalls,
    /// The finalizer is dropped without an uninstall.
    Skips,
    /// There is nothing to uninstall.
    Nothing,
    /// The snapshot does not tell.
    Undecidable,
}

/// A deletion, and what there is to say of it.
#[derive(Debug)]
pub(super) struct Foreseen {
    /// What it comes to.
    pub(super) deletion: Deletion,
    /// Why it would skip.
    pub(super) skips: Vec<Code>,
    /// What else is true of it.
    pub(super) remarks: Vec<Code>,
    /// The storage namespace that had to be looked into and has no Secret here.
    pub(super) unseen: Option<String>,
}

/// What would come of deleting the release, or what its deletion comes to.
pub(super) fn foresee(case: &Case<'_>) -> Foreseen {
    let mut foreseen = Foreseen {
        deletion: Deletion::Nothing,
        skips: Vec::new(),
        remarks: Vec::new(),
        unseen: None,
    };
    if case.release.spec.one_chart {
        decide(case, &mut foreseen);
    } else {
        // The reconciliation ends before it looks at the deletion.
        foreseen.deletion = Deletion::Undecidable;
    }
    if foreseen.deletion != Deletion::Nothing && case.siblings().next().is_some() {
        foreseen.remarks.push(Code::KeyShared);
    }
    if matches!(
        foreseen.deletion,
        Deletion::Uninstalls | Deletion::Undecidable
    ) {
        if case.release.spec.orphans {
            foreseen.remarks.push(Code::LeavesObjects);
        }
        if case.release.spec.without_hooks {
            foreseen.remarks.push(Code::SkipsHooks);
        }
    }
    foreseen
}

fn decide(case: &Case<'_>, foreseen: &mut Foreseen) {
    let release = case.release;
    if release.storage_namespace.is_none() {
        foreseen.deletion = match case.stored_by_spec() {
            Stored::Records(_) => skip(foreseen, Code::NoStorageNamespace),
            Stored::Nothing => Deletion::Nothing,
            // What was never worked on has nothing to lose.
            Stored::Unseen | Stored::Remote if !release.handled_before() => Deletion::Nothing,
            Stored::Unseen => unseen(foreseen, release.key().storage_namespace),
            Stored::Remote => Deletion::Undecidable,
        };
        return;
    }
    if case.uninstalled() {
        return;
    }
    if release.spec.remote.is_some() {
        foreseen.deletion = if kubeconfig_is_missing(case) {
            skip(foreseen, Code::NoKubeConfig)
        } else {
            Deletion::Undecidable
        };
        return;
    }
    let stored = case.stored_by_status();
    let lost = match (&release.history, stored) {
        (None, Stored::Records(_)) => Some(Code::NoHistory),
        (None, Stored::Nothing) => return,
        (Some(_), Stored::Nothing) => Some(Code::RecordMissing),
        _ => None,
    };
    foreseen.deletion = match stored {
        Stored::Unseen => unseen(foreseen, case.status_key().0),
        _ => Deletion::Uninstalls,
    };
    if account_is_missing(case) {
        foreseen.deletion = skip(foreseen, Code::NoAccount);
    }
    if let Some(code) = lost {
        foreseen.deletion = skip(foreseen, code);
    }
}

fn skip(foreseen: &mut Foreseen, code: Code) -> Deletion {
    foreseen.skips.push(code);
    Deletion::Skips
}

fn unseen(foreseen: &mut Foreseen, namespace: String) -> Deletion {
    foreseen.unseen = Some(namespace);
    Deletion::Undecidable
}

/// Whether the Secret with the kubeconfig is not there; only where the namespace's Secrets that are
/// not Helm's are in the snapshot.
fn kubeconfig_is_missing(case: &Case<'_>) -> bool {
    let Some(Remote::Secret { name, .. }) = &case.release.spec.remote else {
        return false;
    };
    let known = case.snapshot.storage.others(&case.release.id.namespace);
    !case.snapshot.cut_short && known.is_some_and(|names| !names.contains(name))
}

/// Whether the account to impersonate is not there; only where the snapshot has ServiceAccounts.
fn account_is_missing(case: &Case<'_>) -> bool {
    let snapshot = case.snapshot;
    let Some(account) = account(case) else {
        return false;
    };
    let names = snapshot.accounts.get(&case.release.id.namespace);
    !snapshot.cut_short
        && !snapshot.accounts.is_empty()
        && !names.is_some_and(|names| names.contains(account))
}

/// The account that helm-controller impersonates for the release: its own, else the controller's
/// default.
pub(super) fn account<'s>(case: &Case<'s>) -> Option<&'s str> {
    let own = case.release.spec.account.as_deref();
    own.or_else(|| case.snapshot.controllers.default_account())
}

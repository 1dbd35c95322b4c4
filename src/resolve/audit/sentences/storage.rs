//! Facts about what a deletion would meet: what is so, what to do about it.

use super::super::case::Case;
use super::super::code::Code;
use super::super::skips::account;
use crate::model::snapshot::observed::Remote;

/// The sentence and the remedy.
pub(super) fn storage(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let release = case.release;
    let (storage, stored) = case.status_key();
    match code {
        Code::RecordMissing => (
            format!(
                "no record of `{stored}` is left in `{storage}`: helm-controller would take {name} \
                 for uninstalled and leave its objects"
            ),
            "restore the newest Secret of the release, or clean up by hand, before it is deleted"
                .to_owned(),
        ),
        Code::NoStorageNamespace => (
            format!(
                "`status.storageNamespace` of {name} is empty although `{storage}` has revisions \
                 of `{stored}`: a delete would skip the uninstall"
            ),
            "let helm-controller reconcile it once before it is deleted".to_owned(),
        ),
        Code::NoHistory => (
            format!(
                "`status.history` of {name} is empty although `{storage}` has revisions of \
                 `{stored}`: a delete would skip the uninstall"
            ),
            "let helm-controller reconcile it once before it is deleted".to_owned(),
        ),
        Code::NoKubeConfig => (
            format!(
                "the Secret `{}` with the kubeconfig of {name} is not there: a delete would skip \
                 the uninstall",
                match &release.spec.remote {
                    Some(Remote::Secret { name, .. }) => name,
                    _ => "",
                }
            ),
            "restore the Secret before the release is deleted".to_owned(),
        ),
        Code::NoAccount => (
            format!(
                "the ServiceAccount `{}` that {name} is run as is not there: a delete would skip \
                 the uninstall",
                account(case).unwrap_or_default()
            ),
            "restore the ServiceAccount before the release is deleted".to_owned(),
        ),
        Code::NoHelmFinalizer if case.fenced() => (
            format!("helm-controller's finalizer is not on {name}: only the fence holds it"),
            "keep the fence; find out why helm-controller does not put its finalizer back: shard \
             label, controller"
                .to_owned(),
        ),
        Code::NoHelmFinalizer => (
            format!(
                "no finalizer holds {name}: a delete would be over before helm-controller sees it"
            ),
            "helm-controller puts its finalizer back when it runs: look at the shard label and the \
             controller"
                .to_owned(),
        ),
        Code::Retargeted => (
            format!(
                "{name} points elsewhere than what is installed: its next run, unsuspended, \
                 uninstalls first ({})",
                case.moved()
                    .iter()
                    .map(|(what, then, now)| format!("{what} was `{then}`, is `{now}`"))
                    .collect::<Vec<_>>()
                    .join("; ")
            ),
            "put the spec back, or accept the uninstall, before it runs".to_owned(),
        ),
        _ => (
            format!(
                "{name} works on the same Helm release as {}: deleting either uninstalls it",
                case.siblings()
                    .map(|other| format!("`{}/{}`", other.id.namespace, other.id.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            "suspend the one that is to go before it is deleted, or give it another `releaseName`"
                .to_owned(),
        ),
    }
}

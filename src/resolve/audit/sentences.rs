//! Facts in words: what is so, then what to do about it.
//!
//! Source: `spec/uninstall-fence.md`, sections 4, 8 and 11, "Texts worth getting right".

mod deletion;
mod recovery;
mod storage;
mod suspension;

use super::Outcome;
use super::case::Case;
use super::code::Code;
use crate::finding::{Finding, Label};
use crate::model::snapshot::observed::Observed;

/// A restore writes nothing where flux-plunger holds the release already.
const RESTORES: &str =
    "first look for running RestoreJobs: one that started meanwhile wrote nothing and relies on it";

/// A fact about a release.
pub(super) fn finding(code: Code, case: &Case<'_>, outcome: Outcome) -> Finding {
    let name = format!("`{}/{}`", case.release.id.namespace, case.release.id.name);
    let (message, help) = match code {
        _ if code < Code::Uninstalling => suspension::suspension(code, case, &name),
        _ if code < Code::RecordMissing => deletion::deletion(code, case, &name, outcome),
        _ if code < Code::TakesOnlyRevision => storage::storage(code, case, &name),
        _ => recovery::recovery(code, case, &name),
    };
    let finding = bare(code, case.release, message);
    if help.is_empty() {
        finding
    } else {
        finding.help(help)
    }
}

fn bare(code: Code, release: &Observed, message: String) -> Finding {
    let place = Label::new(release.span).object(&release.id);
    Finding::new(code.rule(), code.level(), place, message).id(code.id())
}

/// No object of the snapshot has managed fields.
pub(super) fn no_managed_fields(first: &Observed) -> Finding {
    bare(
        Code::NoManagedFields,
        first,
        "no object of the snapshot has managed fields: whose a suspension is cannot be told"
            .to_owned(),
    )
    .help("take the snapshot again with `--show-managed-fields`")
}

/// The snapshot has no Secret at all.
pub(super) fn no_secrets(case: &Case<'_>) -> Finding {
    bare(
        Code::NoSecrets,
        case.release,
        "the snapshot has no Secret: what Helm's storage holds cannot be told".to_owned(),
    )
    .help("take the snapshot with Secrets; their `data` is not needed")
}

/// The snapshot has no Secret of a storage namespace.
pub(super) fn no_secrets_in(release: &Observed, namespace: &str) -> Finding {
    bare(
        Code::NoSecrets,
        release,
        format!(
            "the snapshot has no Secret of the namespace `{namespace}`: what Helm's storage holds \
             there cannot be told"
        ),
    )
    .help("see that whoever takes the snapshot may list the namespace's Secrets")
}

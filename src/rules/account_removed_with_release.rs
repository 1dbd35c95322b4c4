//! `account-removed-with-release`: a release goes together with the account that uninstalls it.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};

pub(crate) const RULE: Rule = Rule {
    code: "account-removed-with-release",
    ids: &["HZ32"],
    level: Level::Error,
    summary: "a release goes together with the account that uninstalls it",
    explain: "\
A HelmRelease with `serviceAccountName` is uninstalled as that account. Where the account goes first,
the uninstall is skipped and everything stays; where its RoleBinding goes first, the uninstall is
refused and the HelmRelease never goes. Within one change nothing says which goes first.

Example: `check new --against old`, where the HelmRelease and ServiceAccount `tenant-a` both stand in
`old` only, or the one Kustomization that applies both is gone.

Fix: two commits, the release first; or the account in an outer Kustomization.

Quiet: an account and bindings outside the change; those that are kept from pruning, or whose
Kustomization does not prune.

Source: `spec/hazards.md` HZ32; helm-controller#270, helm-controller#554, flux2#2595.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let leaving = context.leaving();
    for release in leaving.iter().filter(|old| kinds::is_release(&old.id)) {
        let account = release
            .root()
            .and_then(|root| field::string(root, &["spec", "serviceAccountName"]));
        let Some(account) = account else { continue };
        let gone = leaving.iter().find(|old| {
            (old.id.group(), old.id.kind.as_str()) == ("", "ServiceAccount")
                && old.id.name == account
                && release.may_share_namespace(old)
        });
        let bound = || leaving.iter().find(|old| binds(old, account, release));
        let (what, place, end) = match (gone, bound()) {
            (Some(place), _) => ("ServiceAccount", place, "skipped"),
            (None, Some(place)) => ("a RoleBinding of ServiceAccount", place, "stuck"),
            (None, None) => continue,
        };
        let message = format!(
            "{}: {what} `{account}` goes in the same change; the uninstall may be {end}",
            release.id
        );
        findings.push(
            Finding::new(RULE.code, Level::Error, release.label(), message)
                .help("two commits, the release first")
                .related(place.label().message("this goes too")),
        );
    }
}

/// Whether an object binds a role to the account of a release.
fn binds(old: &Subject<'_>, account: &str, release: &Subject<'_>) -> bool {
    let binding = matches!(old.id.kind.as_str(), "RoleBinding" | "ClusterRoleBinding");
    let Some(root) = old.root().filter(|_| binding) else {
        return false;
    };
    field::list(root, &["subjects"]).into_iter().any(|subject| {
        let namespace = field::string(subject, &["namespace"]);
        field::string(subject, &["kind"]) == Some("ServiceAccount")
            && field::string(subject, &["name"]) == Some(account)
            && namespace.is_none_or(|it| release.namespaces().contains(&it))
    })
}

//! `kubeconfig-missing`: a HelmRelease reaches its cluster through what is not there.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "kubeconfig-missing",
    ids: &["HZ31"],
    level: Level::Error,
    summary: "a HelmRelease reaches its cluster through what is not there",
    explain: "\
A HelmRelease with `kubeConfig` is applied through the kubeconfig in a Secret. When the Secret is gone,
deleting the HelmRelease skips the uninstall, and everything stays in the other cluster; flux-plunger
never recovers such a release. `kubeConfig` takes one of `secretRef` and `configMapRef`.

Example:

    spec: {kubeConfig: {secretRef: {name: edge}}}     # and no Secret `edge` in the namespace

or `check new --against old`, where the HelmRelease and its Secret go in one change.

Fix: keep the Secret until the releases are gone; correct the name.

Quiet: a Secret that is there, that a generator makes, or whose name another object has, such as an
ExternalSecret; the kubeconfig of a cluster or control plane among the inputs; a HelmRelease that a patch
may change; in a change, a Secret that stays. A note where a controller may make the Secret
(`*-kubeconfig`, as Kamaji and Cluster API do), where only a part of an estate is read, and where no Secret
of the namespace is. A reference that changes is told by
`release-cluster-changed`.

Source: `spec/hazards.md` HZ31; helm-controller v1.5.0; cozystack#2473.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for release in context.releases().filter(|it| !it.facts.patched) {
        let config = release
            .root()
            .and_then(|root| field::set(root, &["spec", "kubeConfig"]));
        findings.extend(config.and_then(|config| look(context, release, config)));
    }
    let leaving = context.leaving();
    for release in leaving.iter().filter(|old| kinds::is_release(&old.id)) {
        let Some((name, _)) = secret(release) else {
            continue;
        };
        let goes = |it: &&&Subject<'_>| is_secret(it, name) && release.may_share_namespace(it);
        if let Some(gone) = leaving.iter().find(goes) {
            let message = format!(
                "{}: kubeconfig Secret `{name}` goes in the same change: deleting skips the uninstall",
                release.id
            );
            findings.push(
                Finding::new(RULE.code, Level::Error, release.label(), message)
                    .help("remove the release first, the Secret in a later commit")
                    .related(gone.label().message("this Secret")),
            );
        }
    }
}

fn look(context: &Context<'_>, release: &Subject<'_>, config: Node<'_>) -> Option<Finding> {
    let refers = |kind| field::set(config, &[kind]).is_some();
    let (one, other) = (refers("secretRef"), refers("configMapRef"));
    if one == other {
        let which = if one { "both" } else { "neither" };
        let message = format!(
            "{}: {which} of `secretRef` and `configMapRef` under `kubeConfig`, expected one",
            release.id
        );
        let finding = Finding::new(RULE.code, Level::Error, release.at(config), message);
        return Some(finding.help("name one of the two"));
    }
    let (name, node) = secret(release).filter(|(name, _)| !name.contains("${"))?;
    let near = |it: &&Subject<'_>| release.may_share_namespace(it);
    let mut secrets = context.everything().filter(near).filter(|it| is_kind(it));
    let some = secrets.next().is_some();
    // Whatever has the name is the Secret, or makes it.
    let there = context
        .everything()
        .filter(near)
        .any(|it| it.id.name == name && it.place != release.place || makes(it, name));
    let made = context
        .builds
        .generated
        .iter()
        .any(|it| it.kind == "Secret" && it.name == name);
    if there || made {
        return None;
    }
    let by_controller = name.ends_with("-kubeconfig");
    let known = some && !by_controller && context.whole_estate();
    let level = if known { Level::Error } else { Level::Note };
    let by = if by_controller {
        ", unless a controller makes it"
    } else {
        ""
    };
    let message = format!(
        "{}: kubeconfig Secret `{name}` is not among the inputs{by}: without it deleting skips the \
         uninstall",
        release.id
    );
    let finding = Finding::new(RULE.code, level, release.at(node), message);
    Some(finding.help("keep the Secret until the releases are gone"))
}

/// Whether an object is the cluster, or its control plane, that a kubeconfig is named after.
fn makes(subject: &Subject<'_>, secret: &str) -> bool {
    let kind = subject.id.kind.as_str();
    let rest = secret.strip_prefix(subject.id.name.as_str());
    (kind.ends_with("Cluster") || kind.ends_with("ControlPlane"))
        && matches!(rest, Some("-kubeconfig" | "-admin-kubeconfig"))
}

fn is_kind(subject: &Subject<'_>) -> bool {
    (subject.id.group(), subject.id.kind.as_str()) == ("", "Secret")
}

fn is_secret(subject: &Subject<'_>, name: &str) -> bool {
    subject.id.name == name && is_kind(subject)
}

/// The Secret with the kubeconfig of a HelmRelease.
fn secret<'d>(release: &Subject<'d>) -> Option<(&'d str, Node<'d>)> {
    let route = ["spec", "kubeConfig", "secretRef", "name"];
    let root = release.root()?;
    Some((field::string(root, &route)?, root.at(&route)?))
}

//! `release-taken`: what a cluster holds belongs to somebody else.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::cluster::{Cluster, HeldObject, Owner, chart_name};
use crate::model::release::{LOCAL, ReleaseKey, shorten};
use crate::model::source_package::last_segment;
use crate::resolve::claims::Claim;
use crate::resolve::packages::PackageClaim;

pub(crate) const RULE: Rule = Rule {
    code: "release-taken",
    ids: &[],
    level: Level::Error,
    summary: "a release of the cluster would be taken from its owner",
    explain: "\
`--snapshot` says what a cluster holds: `kubectl get helmreleases,secrets,packages.cozystack.io -A -o
yaml`, or `helm list -A -o json`. A HelmRelease there that another Package, an application, a chart or
a person made is overwritten by a Package that claims it, and its Helm release with it. A Helm release
that no HelmRelease works on was installed with Helm: the upgrade to the other chart deletes what the
first had made.

Example: a component with `releaseName: cozystack` in `cozy-system` takes the installer's own release.

Fix: a `releaseName` of its own. A planned move says so with the annotation
`operator.cozystack.io/adopt-by` (or the key of `--move-annotation`) on the HelmRelease in the cluster,
which names the Package that may take it.

Quiet: an upgrade of the same Package, a document that is applied over its own object, a document with
the label of the Package that owns the object, and a Helm release whose chart is called as the
component or its directory, with or without `cozy-`: `helm list` says no more of who made it.

Source: the operator of the snapshot of 2026-08-21; helm-controller v1.5.0, which upgrades what it finds.
",
    check,
};

/// The chart of the platform's installer.
const INSTALLER: &str = "cozy-installer";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(cluster) = &context.cluster else {
        return;
    };
    let keys = cluster.by_key();
    let claims = &context.made.rendered.claims;
    let mut wanted: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut by_packages: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut owned: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for claim in claims {
        let (namespace, name) = (claim.id.namespace.as_str(), claim.id.name.as_str());
        by_packages.insert((namespace, name));
        owned.insert((&claim.package.name, namespace, name));
    }
    for claim in &context.claims.releases {
        let id = &claim.release.id;
        wanted.insert((&id.namespace, &id.name));
    }
    wanted.extend(&by_packages);
    let seen = Seen {
        cluster,
        annotation: context.move_annotation,
        owned,
    };
    // Another HelmRelease of the cluster that works on a release, unless it stays declared: then
    // the two are `helm-release-collision`.
    let worker = |key: &ReleaseKey| {
        let held = keys.get(key).copied();
        held.filter(|held| {
            let id = &held.release.id;
            !wanted.contains(&(id.namespace.as_str(), id.name.as_str()))
        })
    };
    for claim in claims {
        let key = ReleaseKey {
            cluster: LOCAL.to_owned(),
            storage_namespace: claim.id.namespace.clone(),
            name: shorten(&claim.id.name),
        };
        let managed = keys.contains_key(&key);
        if let Some(taken) = seen.by_package(claim, &key, worker(&key), managed) {
            let help = seen.suggestion(claim, &by_packages);
            let package = Label::new(claim.package_span).object(&claim.package);
            let label = Label::new(claim.span).object(&claim.id);
            let message = format!(
                "HelmRelease `{}/{}` of `Package/{}` (component `{}`) would take over {taken}",
                claim.id.namespace, claim.id.name, claim.package.name, claim.component
            );
            findings.push(
                Finding::new(RULE.code, RULE.level, label, message)
                    .related(package.message("installed here"))
                    .help(help),
            );
        }
    }
    let written = context.claims.releases.iter();
    for claim in written.filter(|claim| claim.made.is_none()) {
        let id = &claim.release.id;
        if by_packages.contains(&(id.namespace.as_str(), id.name.as_str())) {
            continue;
        }
        let Some(key) = claim.key() else {
            continue;
        };
        let managed = keys.contains_key(&key);
        if let Some(taken) = seen.by_document(claim, &key, worker(&key), managed) {
            let message = format!("HelmRelease `{}` would take over {taken}", claim.shown());
            findings.push(
                Finding::new(RULE.code, RULE.level, claim.label(), message)
                    .help("give it a name and a `releaseName` of its own"),
            );
        }
    }
}

/// What the cluster holds, and the annotation that declares a move.
struct Seen<'c> {
    cluster: &'c Cluster,
    annotation: &'c str,
    /// What Packages among the inputs claim: Package, namespace, name.
    owned: BTreeSet<(&'c str, &'c str, &'c str)>,
}

impl Seen<'_> {
    fn object(&self, namespace: &str, name: &str) -> Option<&HeldObject> {
        let place = (namespace.to_owned(), name.to_owned());
        self.cluster.objects.get(&place)
    }

    /// Whether the Package that owns it claims it among the inputs too: then the two are
    /// `release-collision`.
    fn contested(&self, held: &HeldObject) -> bool {
        let Owner::Package(owner) = &held.owner else {
            return false;
        };
        let id = &held.release.id;
        self.owned
            .contains(&(owner.as_str(), &id.namespace, &id.name))
    }

    /// The chart of a Helm release, empty where it is not known.
    fn chart(&self, key: &ReleaseKey) -> Option<&str> {
        let place = (key.storage_namespace.clone(), key.name.clone());
        let chart = self.cluster.releases.get(&place)?;
        (key.cluster == LOCAL).then_some(chart)
    }

    /// What a component takes, and from whom. `worker` is another HelmRelease of its Helm release
    /// that goes, `managed` whether there is any.
    fn by_package(
        &self,
        claim: &PackageClaim,
        key: &ReleaseKey,
        worker: Option<&HeldObject>,
        managed: bool,
    ) -> Option<String> {
        if let Some(held) = self.object(&claim.id.namespace, &claim.id.name) {
            let own = Owner::Package(claim.package.name.clone());
            let moved = held.release.annotations.get(self.annotation);
            let free = held.owner == own || moved == Some(&claim.package.name);
            return (!free && !self.contested(held)).then(|| object_of(held));
        }
        if let Some(held) = worker {
            return Some(release_of(key, held));
        }
        let chart = self.chart(key).filter(|_| !managed)?;
        if chart.is_empty() {
            return Some(format!(
                "Helm release `{key}`, which no HelmRelease of the cluster works on: whoever \
                 installed it with Helm owns it"
            ));
        }
        let name = chart_name(chart);
        let of_platform = claim.package.name.starts_with("cozystack.") && name.starts_with("cozy");
        let same = [last_segment(&claim.path), &claim.component]
            .iter()
            .any(|own| name == *own || name.strip_prefix("cozy-") == Some(own));
        let own = name != INSTALLER && (same || of_platform);
        (!own).then(|| installed(key, chart))
    }

    /// The same for a document.
    fn by_document(
        &self,
        claim: &Claim<'_>,
        key: &ReleaseKey,
        worker: Option<&HeldObject>,
        managed: bool,
    ) -> Option<String> {
        let release = &claim.release;
        if let Some(held) = self.object(&release.id.namespace, &release.id.name) {
            let labelled = |name: &str| release.labels.get(name) == held.release.labels.get(name);
            let same = match &held.owner {
                Owner::Package(name) => release
                    .package
                    .as_ref()
                    .is_some_and(|label| label.value == *name),
                Owner::Application(..) => labelled("apps.cozystack.io/application.kind"),
                Owner::Chart(..) => release.parent() == held.release.parent(),
                _ => true,
            };
            return (!same).then(|| object_of(held));
        }
        if let Some(held) = worker.filter(|held| !held.release.suspended) {
            return Some(release_of(key, held));
        }
        // Adopting a release that was installed with the same chart is how Flux takes it on.
        let chart = self.chart(key).filter(|_| !managed)?;
        let name = chart_name(chart);
        let own = release.chart.as_ref().and_then(|chart| chart.chart_name());
        let other = name == INSTALLER || own.is_some_and(|own| !name.is_empty() && own != name);
        other.then(|| installed(key, chart))
    }

    /// A name that is free, for the help.
    fn suggestion(&self, claim: &PackageClaim, wanted: &BTreeSet<(&str, &str)>) -> String {
        let namespace = &claim.id.namespace;
        let free = |name: &String| {
            let place = (namespace.clone(), name.clone());
            *name != claim.id.name
                && !wanted.contains(&(namespace.as_str(), name.as_str()))
                && !self.cluster.objects.contains_key(&place)
                && !self.cluster.releases.contains_key(&place)
        };
        let package = claim.package.name.replace('.', "-");
        let names = [
            claim.component.clone(),
            package.clone(),
            format!("{package}-{}", claim.component),
        ];
        let name = names.into_iter().find(free);
        let such = name.map_or_else(String::new, |name| format!(", such as `{name}`"));
        format!(
            "give component `{}` a `releaseName` of its own{such}",
            claim.component
        )
    }
}

fn object_of(held: &HeldObject) -> String {
    format!(
        "the HelmRelease of that name in the cluster, which {} owns",
        held.owner.shown()
    )
}

fn release_of(key: &ReleaseKey, held: &HeldObject) -> String {
    format!(
        "Helm release `{key}`, which HelmRelease `{}/{}` of the cluster works on ({} owns it)",
        held.release.id.namespace,
        held.release.id.name,
        held.owner.shown()
    )
}

fn installed(key: &ReleaseKey, chart: &str) -> String {
    let owner = if chart_name(chart) == INSTALLER {
        "the installer"
    } else {
        "whoever installed it with Helm"
    };
    format!(
        "Helm release `{key}`, which {owner} owns (chart `{chart}`): the upgrade deletes the \
         objects of that chart"
    )
}

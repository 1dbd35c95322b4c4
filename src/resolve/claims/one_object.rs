//! One HelmRelease with several owners, a Package among them: key K1 of `spec/collisions.md`, cases
//! A1 to A4, B1, B2 and B4; RN008 of `spec/release-names.md`.
//!
//! Two documents of one HelmRelease are `duplicate-object`; components of one variant that no
//! Package shows are `resolve::packages`'.

use std::collections::{BTreeMap, BTreeSet};

use super::{Claim, Claims};
use crate::finding::{Finding, Label, Level};
use crate::model::cluster::{Cluster, Owner};
use crate::resolve::packages::PackageClaim;
use crate::resolve::packages::reasons::{RELEASE_COLLISION, RELEASE_COLLISION_LATER};
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// The annotation on a HelmRelease that names the Package which may take it over, unless another
/// one is asked for.
pub(crate) const MOVE_ANNOTATION: &str = "operator.cozystack.io/adopt-by";

/// Somebody who wants a HelmRelease.
#[derive(Clone, Copy)]
enum Claimant<'c> {
    /// A component of an installed Package.
    Package(&'c PackageClaim),
    /// An object among the inputs.
    Written(&'c Claim<'c>),
}

impl Claimant<'_> {
    fn package(&self) -> Option<&str> {
        match self {
            Claimant::Package(claim) => Some(&claim.package.name),
            Claimant::Written(_) => None,
        }
    }

    fn stands(&self) -> bool {
        match self {
            Claimant::Package(claim) => claim.stands,
            Claimant::Written(_) => true,
        }
    }

    fn owner(&self) -> String {
        match self {
            Claimant::Package(claim) => {
                let how = if claim.defaulted {
                    ", whose name it gets for want of a `releaseName`"
                } else {
                    ""
                };
                format!(
                    "`Package/{}` (variant `{}`, component `{}`{how})",
                    claim.package.name, claim.variant, claim.component
                )
            }
            Claimant::Written(claim) => {
                if let Some((namespace, name)) = claim.release.parent() {
                    return format!("the chart of release `{namespace}/{name}`");
                }
                let path = claim.node.map(|node| node.doc().source.path.as_str());
                format!("the HelmRelease in `{}`", path.unwrap_or_default())
            }
        }
    }

    fn label(&self) -> Label {
        match self {
            Claimant::Package(claim) => Label::new(claim.span).object(&claim.id),
            Claimant::Written(claim) => claim.label(),
        }
    }
}

/// A HelmRelease and all that want it.
struct Contested<'c> {
    namespace: &'c str,
    name: &'c str,
    claimants: Vec<Claimant<'c>>,
}

/// One finding for each HelmRelease that a Package and somebody else want; one for all of them
/// where a PackageSource is a copy of another. `annotation` is the key of a declared
/// move, which may stand on the HelmRelease that the cluster holds.
pub(crate) fn collisions(
    packages: &[PackageClaim],
    claims: &Claims<'_>,
    annotation: &str,
    cluster: Option<&Cluster>,
) -> Vec<Finding> {
    let mut wanted: BTreeMap<(&str, &str), Vec<Claimant<'_>>> = BTreeMap::new();
    for claim in packages {
        let place = (claim.id.namespace.as_str(), claim.id.name.as_str());
        wanted
            .entry(place)
            .or_default()
            .push(Claimant::Package(claim));
    }
    for claim in claims.releases.iter().filter(|claim| claim.made.is_none()) {
        let id = &claim.release.id;
        if let Some(claimants) = wanted.get_mut(&(id.namespace.as_str(), id.name.as_str())) {
            claimants.push(Claimant::Written(claim));
        }
    }
    let made: BTreeMap<(&str, &str), &Claim<'_>> = claims
        .releases
        .iter()
        .filter(|claim| claim.made.is_some())
        .map(|claim| {
            let id = &claim.release.id;
            ((id.namespace.as_str(), id.name.as_str()), claim)
        })
        .collect();
    let contested = wanted
        .into_iter()
        .filter(|(_, claimants)| claimants.len() > 1)
        .map(|((namespace, name), claimants)| Contested {
            namespace,
            name,
            claimants,
        })
        .filter(|contested| !contested.is_declared_move(annotation, cluster))
        .collect();
    let (copied, single) = split_copies(contested, packages);
    let mut findings: Vec<Finding> = copied.iter().map(|copy| copy_of(copy)).collect();
    for contested in &single {
        let copy = made.get(&(contested.namespace, contested.name));
        findings.push(if contested.is_managed_twice(copy.copied()) {
            contested.managed_twice()
        } else {
            contested.finding(annotation)
        });
    }
    findings
}

impl Contested<'_> {
    /// The Packages among the claimants.
    fn packages(&self) -> BTreeSet<&str> {
        self.claimants
            .iter()
            .filter_map(Claimant::package)
            .collect()
    }

    fn written(&self) -> impl Iterator<Item = &Claim<'_>> {
        self.claimants.iter().filter_map(|claimant| match claimant {
            Claimant::Written(claim) => Some(*claim),
            Claimant::Package(_) => None,
        })
    }

    /// Whether the one document among the claimants, or else the HelmRelease in the cluster, names
    /// the one other claimant as the Package that may take it.
    fn is_declared_move(&self, annotation: &str, cluster: Option<&Cluster>) -> bool {
        let place = (self.namespace.to_owned(), self.name.to_owned());
        let held = cluster.and_then(|cluster| cluster.objects.get(&place));
        if let (Some(held), 0) = (held, self.written().count())
            && let (Owner::Package(holder), Some(to)) =
                (&held.owner, held.release.annotations.get(annotation))
        {
            let both = BTreeSet::from([holder.as_str(), to.as_str()]);
            return both.len() == 2 && both == self.packages();
        }
        let mut written = self.written();
        let (Some(one), None) = (written.next(), written.next()) else {
            return false;
        };
        let to = one.release.annotations.get(annotation);
        to.is_some_and(|to| self.packages() == BTreeSet::from([to.as_str()]))
    }

    /// Whether all but one claimant are documents that say what the one Package makes.
    fn is_managed_twice(&self, made: Option<&Claim<'_>>) -> bool {
        let Some(made) = made.and_then(|claim| claim.made) else {
            return false;
        };
        let spec = |claim: &Claim<'_>| {
            let mut value = to_json(claim.node?, Reader::Kubernetes).ok()?;
            let spec = value.get_mut("spec")?.as_object_mut()?;
            // The operator keeps what it finds there.
            spec.remove("suspend");
            Some(value["spec"].take())
        };
        let wanted = made.value();
        self.claimants.len() == self.written().count() + 1
            && self
                .written()
                .all(|claim| spec(claim).as_ref() == wanted.get("spec"))
    }

    fn managed_twice(&self) -> Finding {
        let message = format!(
            "HelmRelease `{}/{}` is managed twice: {} say the same, until one of them changes",
            self.namespace,
            self.name,
            self.owners()
        );
        let mut finding = self.placed(RELEASE_COLLISION.finding(self.last().label(), message));
        finding.level = Level::Warning;
        finding.help("leave it to one of them: the Package makes it without the document")
    }

    fn owners(&self) -> String {
        let owners: Vec<String> = self.claimants.iter().map(Claimant::owner).collect();
        owners.join(" and ")
    }

    /// The later claimant is the one that takes over.
    fn last(&self) -> &Claimant<'_> {
        self.claimants.last().expect("a collision has claimants")
    }

    /// The same finding with the other claimants' places and the Packages'.
    fn placed(&self, mut finding: Finding) -> Finding {
        let others = &self.claimants[..self.claimants.len() - 1];
        for claimant in others {
            let message = format!("claimed by {}", claimant.owner());
            finding = finding.related(claimant.label().message(message));
        }
        let mut seen = BTreeSet::new();
        for claimant in &self.claimants {
            if let Claimant::Package(claim) = claimant
                && seen.insert(&claim.package.name)
            {
                let label = Label::new(claim.package_span).object(&claim.package);
                finding = finding.related(label.message("installed here"));
            }
        }
        finding
    }

    fn finding(&self, annotation: &str) -> Finding {
        let standing = self.claimants.iter().filter(|one| one.stands()).count();
        let (reason, then) = if standing < 2 {
            (
                &RELEASE_COLLISION_LATER,
                "one of them is still blocked; once it is not, they take the release from each \
                 other",
            )
        } else if self.packages().len() == 1 && self.written().next().is_none() {
            (
                &RELEASE_COLLISION,
                "each reconcile writes one over the other, and the last one stands",
            )
        } else {
            (
                &RELEASE_COLLISION,
                "takeover: each writes it over the other's without end, and no condition says so; \
                 charts of different names are a reinstall, which deletes everything the first had \
                 made",
            )
        };
        let declared = self
            .written()
            .find_map(|claim| claim.release.annotations.get(annotation));
        let but = declared.map_or_else(String::new, |to| {
            format!("; its annotation `{annotation}` names `{to}`, not the one other claimant")
        });
        let message = format!(
            "HelmRelease `{}/{}` is claimed by {}: {then}{but}",
            self.namespace,
            self.name,
            self.owners()
        );
        self.placed(reason.finding(self.last().label(), message))
            .help("give one of them another `releaseName` or namespace, or switch it off")
    }
}

/// All that two Packages contest, where that is everything one of them has.
type Copy<'c> = Vec<Contested<'c>>;

/// Parts the releases of copied PackageSources from the others: two Packages alone contest more
/// than one release, and everything that one of them claims.
fn split_copies<'c>(
    contested: Vec<Contested<'c>>,
    packages: &'c [PackageClaim],
) -> (Vec<Copy<'c>>, Vec<Contested<'c>>) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for claim in packages {
        *count.entry(&claim.package.name).or_default() += 1;
    }
    let mut pairs: BTreeMap<(String, String), Copy<'c>> = BTreeMap::new();
    let mut single = Vec::new();
    for one in contested {
        match one.claimants.as_slice() {
            [Claimant::Package(a), Claimant::Package(b)]
                if a.package.name != b.package.name && a.stands && b.stands =>
            {
                let pair = (a.package.name.clone(), b.package.name.clone());
                pairs.entry(pair).or_default().push(one);
            }
            _ => single.push(one),
        }
    }
    let mut copied = Vec::new();
    for ((a, b), releases) in pairs {
        let all = [&a, &b].map(|name| count.get(name.as_str()).copied().unwrap_or_default());
        if releases.len() > 1 && all.contains(&releases.len()) {
            copied.push(releases);
        } else {
            single.extend(releases);
        }
    }
    (copied, single)
}

/// Two Packages that want the same releases: one finding with a list.
fn copy_of(releases: &[Contested<'_>]) -> Finding {
    let names: Vec<String> = releases
        .iter()
        .map(|one| format!("{}/{}", one.namespace, one.name))
        .collect();
    let owners: Vec<String> = releases[0]
        .packages()
        .iter()
        .map(|name| format!("`Package/{name}`"))
        .collect();
    let message = format!(
        "HelmReleases {} are claimed by {}, as a PackageSource and its copy do: takeover: each writes \
         them over the other's without end, and deleting either Package uninstalls them",
        super::spelled(&names),
        owners.join(" and ")
    );
    let (first, others) = releases.split_first().expect("a copy has releases");
    let mut finding = first.placed(RELEASE_COLLISION.finding(first.last().label(), message));
    for other in others {
        for claimant in &other.claimants {
            let message = format!("claimed by {}", claimant.owner());
            finding = finding.related(claimant.label().message(message));
        }
    }
    finding.help("keep one of the two; another variant is chosen by the Package's `spec.variant`")
}

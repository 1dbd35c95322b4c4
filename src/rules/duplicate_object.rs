//! `duplicate-object`: two documents are one object.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::builds::{Built, DocPlace, key, parts};
use crate::resolve::packages::{GROUP, SHARED_NAMESPACES};

pub(crate) const RULE: Rule = Rule {
    code: "duplicate-object",
    ids: &["RN008", "HZ14"],
    level: Level::Error,
    summary: "two documents are one object",
    explain: "\
Group, kind, namespace and name make one object in the cluster, in whatever file it stands and under
whatever version of its API: the one that is applied later wins, and every run of the other changes
it back. kustomize refuses such a build, and two Flux Kustomizations take turns every interval. A
HelmRelease that stands twice answers to RN008 and HZ14 as well.

Example: `kind: Deployment` `apps/web` under `./base` and under `./web`, both applied by a Flux
Kustomization of one cluster.

Fix: keep one of the two, or give one another name or namespace.

Quiet: the same name in another namespace, or in another API group; two builds (a base's two overlays,
two clusters' directories) that no two Flux Kustomizations apply to one cluster; a Kustomization that
a patch may change, since its path is not known; another kubeconfig. PackageSources and Packages
have `duplicate-declaration`, what charts render `object-rendered-twice` and `object-in-two-releases`. The Namespaces `cozy-system` and `cozy-fluxcd` have several writers by
design: the installer, Flux's manifests and the operator; `render` makes one document of all.

Source: kustomize 5.7.1 `may not add resource with an already registered id`; kustomize-controller
v1.8, which applies with server-side apply and takes fields over.
",
    check,
};

/// An object with the document that declares it.
type Declared<'r> = (&'r ObjectId, DocPlace);

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut rule = Duplicates {
        objects: &context.objects,
        places: OnceCell::new(),
        told: BTreeSet::new(),
        findings,
    };
    for built in context.builds.directories() {
        rule.one_group(declared(built), "stands twice in one build");
    }
    let mut by_key: BTreeMap<_, Vec<(usize, &Built)>> = BTreeMap::new();
    for (at, one) in context.builds.applied.iter().enumerate() {
        rule.one_group(declared(&one.built), "stands twice in one build");
        for built in one
            .built
            .iter()
            .filter(|built| !built.id.name.is_empty() && !is_told_elsewhere(&built.id))
        {
            by_key.entry(key(&built.id)).or_default().push((at, built));
        }
    }
    for claims in by_key.values().filter(|claims| claims.len() > 1) {
        rule.across(context, claims);
    }
    let mut loose: BTreeMap<String, Vec<Declared<'_>>> = BTreeMap::new();
    for subject in &context.objects {
        if !subject.facts.built && subject.rendered_by.is_none() {
            let group = group(context, subject);
            let declared = (&*subject.id, subject.place);
            loose.entry(group).or_default().push(declared);
        }
    }
    for group in loose.into_values() {
        rule.one_group(group, "stands twice among the inputs");
    }
}

fn declared(built: &[Built]) -> Vec<Declared<'_>> {
    built.iter().map(|built| (&built.id, built.place)).collect()
}

/// What a document that no build holds is rendered together with: all that was named, and the rest
/// of its directory; only of its file where builds say what belongs together.
fn group(context: &Context<'_>, subject: &Subject<'_>) -> String {
    let path = &subject.doc.source.path;
    if subject.flux || context.named.contains(&subject.place.0) {
        String::new()
    } else if context.builds.say_anything() {
        path.clone()
    } else {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("{directory}/")
    }
}

struct Duplicates<'r, 'c> {
    objects: &'r [Subject<'c>],
    /// The objects by their place, once one was asked for.
    places: OnceCell<BTreeMap<DocPlace, &'r Subject<'c>>>,
    /// The pairs that were told already.
    told: BTreeSet<(DocPlace, DocPlace)>,
    findings: &'r mut Vec<Finding>,
}

impl<'r, 'c> Duplicates<'r, 'c> {
    /// The object at a place.
    fn subject(&self, place: DocPlace) -> Option<&'r Subject<'c>> {
        let all = || self.objects.iter().map(|it| (it.place, it)).collect();
        self.places.get_or_init(all).get(&place).copied()
    }

    /// Tells what stands twice among objects that are applied together.
    fn one_group(&mut self, declared: Vec<Declared<'_>>, what: &str) {
        let mut seen: HashMap<_, DocPlace> = HashMap::with_capacity(declared.len());
        for (id, place) in declared {
            if id.name.is_empty() || is_told_elsewhere(id) {
                continue;
            }
            let first = *seen.entry(parts(id)).or_insert(place);
            if first != place {
                let message = format!("{id} {what}, expected once");
                self.tell(place, &[(first, "the first one".to_owned())], &message);
            }
        }
    }

    /// Tells what two Kustomizations apply to one cluster, with all places that declare it.
    fn across(&mut self, context: &Context<'_>, claims: &[(usize, &Built)]) {
        let applied = &context.builds.applied;
        for (at, (owner, built)) in claims.iter().enumerate() {
            let others: Vec<_> = claims[..at]
                .iter()
                .filter(|(other, first)| {
                    *other != *owner
                        && first.place != built.place
                        && applied[*other].shares_cluster(&applied[*owner])
                })
                .collect();
            let Some((other, _)) = others.first() else {
                continue;
            };
            let (own, other) = (&applied[*owner].id, &applied[*other].id);
            let message = format!(
                "{} is applied by {own} and by {other}, which change it back and forth every \
                 interval",
                built.id
            );
            let mut related = Vec::new();
            for (other, first) in others {
                let by = format!("applied by {}", applied[*other].id);
                if related.iter().all(|(place, _)| *place != first.place) {
                    related.push((first.place, by));
                }
            }
            self.tell(built.place, &related, &message);
        }
    }

    fn tell(&mut self, place: DocPlace, others: &[(DocPlace, String)], message: &str) {
        let Some(subject) = self.subject(place) else {
            return;
        };
        let fresh: Vec<_> = others
            .iter()
            .filter(|(other, _)| self.told.insert((place.min(*other), place.max(*other))))
            .collect();
        if fresh.is_empty() {
            return;
        }
        let mut finding = Finding::new(RULE.code, Level::Error, subject.label(), message)
            .help("keep one of the two, or give one another name");
        if subject.id.kind == "HelmRelease" {
            finding.ids = RULE.ids.to_vec();
        }
        for (other, label) in fresh {
            if let Some(other) = self.subject(*other) {
                let place: Label = other.label();
                finding = finding.related(place.message(label));
            }
        }
        self.findings.push(finding);
    }
}

/// Whether another rule speaks of two declarations, or several are meant.
fn is_told_elsewhere(id: &ObjectId) -> bool {
    match id.kind.as_str() {
        "Package" | "PackageSource" => id.group() == GROUP,
        "Namespace" => SHARED_NAMESPACES.contains(&id.name.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, messages};
    use super::*;

    #[test]
    fn items_of_a_list_are_objects_of_their_own() {
        let item = |name| format!("- {{apiVersion: v1, kind: Pod, metadata: {{name: {name}}}}}\n");
        let list = |items: &[String]| {
            format!(
                "---\napiVersion: v1\nkind: List\nitems:\n{}",
                items.concat()
            )
        };
        let told = |text: &str| messages(RULE.code, "[]", text).len();
        assert_eq!(told(&list(&[item("a"), item("b")])), 0);
        assert_eq!(told(&list(&[item("a"), item("a")])), 1);
        assert_eq!(told(&(list(&[item("a")]) + &list(&[item("a")]))), 1);
        let pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n".to_owned();
        assert_eq!(told(&(pod + &list(&[item("a")]))), 1);
    }

    #[test]
    fn one_identity_twice_is_told_with_both_places() {
        let object = |namespace| {
            format!(
                "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: {namespace}}}\n"
            )
        };
        let found = findings(RULE.code, "[]", &(object("x") + &object("x")));
        assert_eq!((found.len(), found[0].related.len()), (1, 1));
        assert!(messages(RULE.code, "[]", &(object("x") + &object("y"))).is_empty());
    }
}

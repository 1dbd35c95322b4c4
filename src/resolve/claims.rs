//! Who wants which HelmRelease, in which namespaces: what the rules over releases look at.
//!
//! Nothing here judges. A claim is a HelmRelease that is written, or that is made from a Package.

pub(crate) mod meeting;
pub(crate) mod one_object;
pub(crate) mod one_release;

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Label;
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::resolve::packages::Release;
use crate::resolve::releases::{AnyRelease, Origin};
use crate::yaml::Node;
use meeting::{Meetings, together};

/// How many names a message spells out.
const SPELLED: usize = 4;

/// Somebody who wants a HelmRelease.
#[derive(Clone, Debug)]
pub(crate) struct Claim<'c> {
    /// The HelmRelease.
    pub(crate) release: HelmRelease,
    /// Its mapping among the inputs; `None` for one that a Package makes.
    pub(crate) node: Option<Node<'c>>,
    /// What makes it, where a Package does.
    pub(crate) made: Option<&'c Release>,
    /// Where it meets others; empty where it may meet any.
    pub(crate) meetings: Meetings,
    /// Whether builds put it into several namespaces, so that it is several HelmReleases.
    pub(crate) spread: bool,
    /// The path of its file below the PATH that was given.
    pub(crate) below: String,
}

impl Claim<'_> {
    /// The Helm release that it works on, where manifests decide it.
    pub(crate) fn key(&self) -> Option<ReleaseKey> {
        let own = self.release.decided_key();
        own.filter(|_| !self.spread)
    }

    /// A label at the claim's name.
    pub(crate) fn label(&self) -> Label {
        Label::new(self.release.span).object(&self.release.id)
    }

    /// Namespace and name as people write them; `?` where no namespace is written.
    pub(crate) fn shown(&self) -> String {
        let id = &self.release.id;
        let namespace = match id.namespace.as_str() {
            "" => "?",
            namespace => namespace,
        };
        format!("{namespace}/{}", id.name)
    }
}

/// The HelmReleases of a state, and the namespaces it declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims<'c> {
    /// The claims: those among the inputs in the order of reading, then those of Packages.
    pub(crate) releases: Vec<Claim<'c>>,
    /// The names of Namespaces among the inputs, Flux's own aside.
    pub(crate) namespaces: BTreeSet<String>,
    /// The names of Namespaces that the operator makes.
    pub(crate) made_namespaces: BTreeSet<String>,
}

impl<'c> Claims<'c> {
    /// The claims that the HelmReleases of a run are.
    pub(crate) fn of(releases: &'c [AnyRelease<'c>]) -> Claims<'c> {
        let claim = |release: &'c AnyRelease<'c>| match &release.origin {
            Origin::Written { node, view } => Claim {
                release: (**view).clone(),
                node: Some(*node),
                made: None,
                meetings: Meetings::new(),
                spread: false,
                below: String::new(),
            },
            Origin::Made(made) => Claim {
                release: HelmRelease::plain(release.id.clone(), release.label.span),
                node: None,
                made: Some(made),
                meetings: Meetings::new(),
                spread: false,
                below: String::new(),
            },
        };
        Claims {
            releases: releases.iter().map(claim).collect(),
            ..Claims::default()
        }
    }

    /// The claims whose key manifests decide, each HelmRelease once: of two that may stand in one
    /// cluster the first.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&Claim<'c>, ReleaseKey)> {
        let mut seen: BTreeMap<_, Vec<&Claim<'c>>> = BTreeMap::new();
        self.releases.iter().filter_map(move |claim| {
            let key = claim.key()?;
            let id = &claim.release.id;
            let before = seen.entry((&id.namespace, &id.name)).or_default();
            if before.iter().any(|other| other.meets(claim)) {
                return None;
            }
            before.push(claim);
            Some((claim, key))
        })
    }

    /// The claims by the Helm release that they work on, where manifests decide it.
    pub(crate) fn by_key(&self) -> BTreeMap<ReleaseKey, Vec<&Claim<'c>>> {
        let mut keys: BTreeMap<ReleaseKey, Vec<&Claim<'c>>> = BTreeMap::new();
        for (claim, key) in self.decided() {
            keys.entry(key).or_default().push(claim);
        }
        keys
    }

    /// The decided claims that are alike by what a function makes of them and may stand in one
    /// cluster: in the order of that, sets of more than one HelmRelease.
    pub(crate) fn alike<K: Ord + Clone>(
        &self,
        by: impl Fn(&Claim<'c>, ReleaseKey) -> Option<K>,
    ) -> Vec<(K, Vec<&Claim<'c>>)> {
        let mut groups: BTreeMap<K, Vec<&Claim<'c>>> = BTreeMap::new();
        for claim in &self.releases {
            if let Some(key) = claim.key().and_then(|key| by(claim, key)) {
                groups.entry(key).or_default().push(claim);
            }
        }
        let mut found = Vec::new();
        for (key, claims) in groups.into_iter().filter(|(_, claims)| claims.len() > 1) {
            found.extend(together(&claims).into_iter().map(|set| (key.clone(), set)));
        }
        found
    }

    /// The claims of a state before with what became of them: of several clusters' HelmReleases of
    /// one name, those of one file belong together. The later ones decide the order.
    pub(crate) fn pairs<'b>(
        &'b self,
        before: &'b Claims<'c>,
    ) -> Vec<(&'b Claim<'c>, &'b Claim<'c>)> {
        let (old, new) = (before.by_object(), self.by_object());
        let was = |claim: &'b Claim<'c>| {
            let id = &claim.release.id;
            let place = (id.namespace.as_str(), id.name.as_str());
            let earlier = old.get(&place)?;
            let alone = earlier.len() == 1 && new.get(&place).is_some_and(|own| own.len() == 1);
            let mut same = earlier.iter().filter(|it| alone || it.below == claim.below);
            same.next().map(|old| (*old, claim))
        };
        self.decided().filter_map(|(claim, _)| was(claim)).collect()
    }

    /// The claims by namespace and name.
    pub(crate) fn by_object(&self) -> BTreeMap<(&str, &str), Vec<&Claim<'c>>> {
        let mut claims: BTreeMap<(&str, &str), Vec<&Claim<'c>>> = BTreeMap::new();
        for claim in &self.releases {
            let id = &claim.release.id;
            let place = (id.namespace.as_str(), id.name.as_str());
            claims.entry(place).or_default().push(claim);
        }
        claims
    }
}

/// Names in quotes, joined for a sentence; the last ones as a count where they are many.
pub(crate) fn spelled<T: AsRef<str>>(names: &[T]) -> String {
    let quoted = |name: &T| format!("`{}`", name.as_ref());
    if names.len() > SPELLED {
        let shown: Vec<_> = names[..SPELLED - 1].iter().map(quoted).collect();
        let more = names.len() - shown.len();
        return format!("{} and {more} more", shown.join(", "));
    }
    match names {
        [] => String::new(),
        [one] => quoted(one),
        [before @ .., last] => {
            let before: Vec<_> = before.iter().map(quoted).collect();
            format!("{} and {}", before.join(", "), quoted(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::packages::Rendered;
    use crate::resolve::releases::releases;
    use crate::source::SourceMap;
    use crate::yaml::read_first;

    #[test]
    fn a_claim_without_a_namespace_has_no_key() {
        let text = "kind: List\nitems:\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: \
                    HelmRelease\n  metadata: {name: a, namespace: ns}\n  spec: {targetNamespace: \
                    ns}\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: \
                    {name: b}\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let rendered = Rendered::default();
        let releases = releases(doc.root(), &rendered);
        let claims = Claims::of(&releases);
        let shown: Vec<String> = claims.releases.iter().map(Claim::shown).collect();
        assert_eq!(shown, ["ns/a", "?/b"]);
        let keys: Vec<String> = claims.decided().map(|(_, key)| key.to_string()).collect();
        assert_eq!(keys, ["ns/ns-a"]);
    }

    #[test]
    fn names_are_spelled_or_counted() {
        assert_eq!(spelled(&["a"]), "`a`");
        assert_eq!(spelled(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(
            spelled(&["a", "b", "c", "d", "e"]),
            "`a`, `b`, `c` and 2 more"
        );
    }
}

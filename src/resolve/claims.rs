//! Who wants which HelmRelease, in which namespaces: what the rules over releases look at.
//!
//! Nothing here judges. A claim is a HelmRelease that is written, or that is made from a Package.

pub(crate) mod one_object;
pub(crate) mod one_release;

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Label;
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::resolve::packages::Release;
use crate::resolve::releases::{AnyRelease, Origin};
use crate::yaml::Node;

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
}

impl Claim<'_> {
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
            },
            Origin::Made(made) => Claim {
                release: HelmRelease::plain(release.id.clone(), release.label.span),
                node: None,
                made: Some(made),
            },
        };
        Claims {
            releases: releases.iter().map(claim).collect(),
            ..Claims::default()
        }
    }

    /// The claims whose key manifests decide, each HelmRelease once.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&Claim<'c>, ReleaseKey)> {
        let mut seen = BTreeSet::new();
        self.releases.iter().filter_map(move |claim| {
            let key = claim.release.decided_key()?;
            let id = &claim.release.id;
            seen.insert((&id.namespace, &id.name))
                .then_some((claim, key))
        })
    }

    /// The decided claims by what a function makes of them, those alike together.
    pub(crate) fn grouped<K: Ord>(
        &self,
        by: impl Fn(&Claim<'c>, ReleaseKey) -> Option<K>,
    ) -> BTreeMap<K, Vec<&Claim<'c>>> {
        let mut groups: BTreeMap<K, Vec<&Claim<'c>>> = BTreeMap::new();
        for (claim, key) in self.decided() {
            if let Some(key) = by(claim, key) {
                groups.entry(key).or_default().push(claim);
            }
        }
        groups
    }

    /// The first claim of each HelmRelease by namespace and name.
    pub(crate) fn by_object(&self) -> BTreeMap<(&str, &str), &Claim<'c>> {
        let mut claims = BTreeMap::new();
        for claim in &self.releases {
            let id = &claim.release.id;
            claims
                .entry((id.namespace.as_str(), id.name.as_str()))
                .or_insert(claim);
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

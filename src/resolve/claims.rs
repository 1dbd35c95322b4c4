//! Who wants which HelmRelease, in which namespaces: what the rules over releases look at.
//!
//! Nothing here judges. A claim is a HelmRelease that is written, or that is made from a Package.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Label;
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::resolve::plan::{identity_of, unrolled};
use crate::yaml::Node;

/// How many names a message spells out.
const SPELLED: usize = 4;

/// Somebody who wants a HelmRelease.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// The HelmRelease.
    pub(crate) release: HelmRelease,
}

impl Claim {
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
pub(crate) struct Claims {
    /// The claims in the order of reading.
    pub(crate) releases: Vec<Claim>,
    /// The names of Namespaces among the inputs, Flux's own aside.
    pub(crate) namespaces: BTreeSet<String>,
}

impl Claims {
    /// Takes in a document, the elements of a List in its place.
    pub(crate) fn add(&mut self, root: Node<'_>, flux: bool) {
        for node in unrolled(root) {
            let id = identity_of(node);
            match (id.group(), id.kind.as_str()) {
                ("helm.toolkit.fluxcd.io", "HelmRelease") => {
                    let release = HelmRelease::read(node);
                    self.releases.push(Claim { release });
                }
                ("", "Namespace") if !flux => {
                    self.namespaces.insert(id.name);
                }
                _ => {}
            }
        }
    }

    /// The claims whose key manifests decide, each HelmRelease once.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&Claim, ReleaseKey)> {
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
        by: impl Fn(&Claim, ReleaseKey) -> Option<K>,
    ) -> BTreeMap<K, Vec<&Claim>> {
        let mut groups: BTreeMap<K, Vec<&Claim>> = BTreeMap::new();
        for (claim, key) in self.decided() {
            if let Some(key) = by(claim, key) {
                groups.entry(key).or_default().push(claim);
            }
        }
        groups
    }

    /// The first claim of each HelmRelease by namespace and name.
    pub(crate) fn by_object(&self) -> BTreeMap<(&str, &str), &Claim> {
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
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    fn claims(text: &str) -> Claims {
        let source = SourceMap::default().add("a.yaml", text);
        let mut claims = Claims::default();
        for doc in read_all(&source) {
            if let Some(root) = doc.expect("sound YAML").root() {
                claims.add(root, false);
            }
        }
        claims
    }

    #[test]
    fn the_elements_of_lists_are_claims_and_an_undecided_key_is_none() {
        let found = claims(
            "kind: List\nitems:\n- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  \
             metadata: {name: a, namespace: n}\n  spec: {targetNamespace: n}\n- apiVersion: \
             helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: {name: b}\n- {apiVersion: \
             v1, kind: Namespace, metadata: {name: n}}\n",
        );
        assert_eq!(found.releases.len(), 2);
        assert_eq!(found.releases[1].shown(), "?/b");
        let keys: Vec<String> = found.decided().map(|(_, key)| key.to_string()).collect();
        assert_eq!(keys, ["n/n-a"]);
        assert!(found.namespaces.contains("n"));
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

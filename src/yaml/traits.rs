//! What is rare in documents, told once for each of them, so that whoever looks for it passes the
//! others by. A trait that is set says "perhaps", one that is not set says "surely not".

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::scalar::{Reader, Scalar, plain};
use super::split::offset;
use super::{Doc, Kind, Node, NodeData, NodeId};

/// What a document may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Traits {
    /// Some mapping may have a key twice.
    pub(crate) repeated_keys: bool,
    /// Some key may be no scalar, no text to kustomize, or not written on its line as it is.
    pub(crate) odd_keys: bool,
    /// Some plain scalar may be a word or a time to one reader and a text to the other.
    pub(crate) ambiguous: bool,
    /// Some plain scalar may be a whole number that fills 64 bits.
    pub(crate) long_numbers: bool,
    /// Some plain scalar may be a number that is not finite.
    pub(crate) infinite: bool,
    /// Some scalar under a key of the root may end in `List`, or be an alias.
    pub(crate) lists: bool,
    /// Some text holds `<<`, which may be a merge key.
    pub(crate) merges: bool,
    /// Some key may be one of those that the API server writes ([`is_server_key`]).
    pub(crate) server_keys: bool,
    /// Some key may be one of helm-controller's labels.
    pub(crate) helm_labels: bool,
    /// The keys of the root and the scalars under them, each as a number made of its text.
    said: [u16; SAID],
    /// How many of these there are; one more than there is room for where there are too many.
    count: u8,
}

/// How much of the root is kept in mind.
const SAID: usize = 12;

/// How a label of helm-controller begins.
const HELM_LABEL: &[u8] = b"helm.toolkit.fluxcd.io/";

/// What may be a merge key.
static MERGE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("<<"));

/// A number made of a text.
fn number(text: &str) -> u16 {
    let mixed = text.bytes().fold(0x811C_9DC5_u32, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let [low, high, lower, higher] = mixed.to_le_bytes();
    u16::from_le_bytes([low ^ lower, high ^ higher])
}

impl Traits {
    /// Nothing is known: whoever looks for something looks everywhere.
    pub(crate) const UNKNOWN: Traits = Traits {
        repeated_keys: true,
        odd_keys: true,
        ambiguous: true,
        long_numbers: true,
        infinite: true,
        lists: true,
        merges: true,
        server_keys: true,
        helm_labels: true,
        said: [0; SAID],
        count: u8::MAX,
    };

    /// Whether the root may have a key of this text, or a scalar under one.
    pub(crate) fn may_say(&self, text: &str) -> bool {
        let said = self.said.get(..usize::from(self.count));
        said.is_none_or(|said| said.contains(&number(text)))
    }

    fn say(&mut self, text: &str) {
        match self.said.get_mut(usize::from(self.count)) {
            Some(place) => {
                *place = number(text);
                self.count += 1;
            }
            None => self.say_anything(),
        }
    }

    /// The root may say anything.
    fn say_anything(&mut self) {
        self.count = u8::MAX;
    }
}

/// Looks once at every node.
pub(super) fn of(doc: &Doc) -> Traits {
    let merge = |text: &str| MERGE.find(text.as_bytes()).is_some();
    let mut traits = Traits {
        merges: merge(doc.text()) || merge(&doc.decoded),
        ..Traits::default()
    };
    for (key, value) in doc.root().into_iter().flat_map(Node::entries) {
        traits.say(key.text().unwrap_or_default());
        match value.text() {
            Some(text) => {
                traits.say(text);
                traits.lists |= text.ends_with("List");
            }
            None if value.kind() == Kind::Alias => {
                traits.lists = true;
                traits.say_anything();
            }
            None => {}
        }
    }
    for (at, node) in doc.nodes.iter().enumerate() {
        match node.kind {
            Kind::Plain if node.extra => {
                let text = doc.node(NodeId(offset(at))).text();
                traits.scalar(text.unwrap_or_default().as_bytes());
            }
            Kind::Plain => traits.scalar(&doc.source.text.as_bytes()[written(node)]),
            Kind::Mapping => traits.keys(doc, at),
            _ => {}
        }
    }
    traits
}

/// Where a node is written.
fn written(node: &NodeData) -> std::ops::Range<usize> {
    node.start as usize..node.end as usize
}

impl Traits {
    fn scalar(&mut self, bytes: &[u8]) {
        let Some(&first) = bytes.first() else { return };
        if !NOTED[usize::from(first)] {
            return;
        }
        self.ambiguous |= may_differ(bytes);
        let number = matches!(first, b'0'..=b'9' | b'+' | b'-');
        self.long_numbers |= number && bytes.len() >= 18;
        // Not the paths of printer columns (`.spec`), which every definition has.
        let unsigned = match bytes {
            [b'+' | b'-', rest @ ..] => rest,
            all => all,
        };
        self.infinite |= matches!(unsigned, [b'.', b'i' | b'I' | b'n' | b'N', _, _]);
    }

    /// Looks at the keys of the mapping of that number.
    fn keys(&mut self, doc: &Doc, mapping: usize) {
        let (nodes, text) = (&doc.nodes, &doc.source.text);
        let behind = nodes[mapping].next as usize;
        // One bit for each key; two keys that are equal have one bit.
        let mut seen = 0_u64;
        let mut compared = self.repeated_keys;
        let mut at = mapping + 1;
        while at < behind {
            let key = &nodes[at];
            let range = match key.kind {
                Kind::Plain if !key.extra => written(key),
                Kind::SingleQuoted | Kind::DoubleQuoted if !key.extra => {
                    key.start as usize + 1..key.end as usize - 1
                }
                _ => {
                    self.odd_key();
                    self.repeated_keys |= repeats(doc, mapping);
                    return;
                }
            };
            let bytes = &text.as_bytes()[range.clone()];
            let first = bytes.first().copied().unwrap_or_default();
            let last = bytes.last().copied().unwrap_or_default();
            let sum = bytes.len() + 7 * usize::from(first) + 31 * usize::from(last);
            let bit = 1 << (sum % 64);
            if seen & bit != 0 && !compared {
                self.repeated_keys |= repeats(doc, mapping);
                compared = true;
            }
            seen |= bit;
            let word = key.kind == Kind::Plain
                && may_be_no_text(bytes)
                && !matches!(plain(&text[range], Reader::Kustomize), Scalar::String(_));
            self.odd_keys |= word;
            self.server_keys |= is_server_key(bytes);
            self.helm_labels |= first == b'h' && bytes.starts_with(HELM_LABEL);
            at = nodes
                .get(key.next as usize)
                .map_or(behind, |value| value.next as usize);
        }
    }

    /// Some key may be anything.
    fn odd_key(&mut self) {
        (self.odd_keys, self.server_keys, self.helm_labels) = (true, true, true);
    }
}

/// The bytes that begin what [`Traits::scalar`] looks for.
static NOTED: [bool; 256] = {
    let mut noted = [false; 256];
    let beginnings = b"yYnNoO0123456789+-.";
    let mut at = 0;
    while at < beginnings.len() {
        noted[beginnings[at] as usize] = true;
        at += 1;
    }
    noted
};

/// Whether kustomize may read a plain scalar as something else than a text: it does not begin with a
/// letter, or it has the letters of `null`, `true` or `false` in the places that tell these from others.
fn may_be_no_text(bytes: &[u8]) -> bool {
    match bytes {
        [
            b'n' | b'N' | b't' | b'T' | b'f' | b'F',
            _,
            third,
            _,
            rest @ ..,
        ] => rest.len() < 2 && b"lLuU".contains(third),
        [first, ..] => !first.is_ascii_alphabetic(),
        [] => true,
    }
}

/// Whether a key is one of those that the API server writes: of an object, of its metadata, of its
/// annotations.
pub(crate) fn is_server_key(key: &[u8]) -> bool {
    // Length and first letter tell nearly all others apart.
    let known: &[u8] = match (key.len(), key.first()) {
        (3, Some(b'u')) => b"uid",
        (6, Some(b's')) => b"status",
        (8, Some(b's')) => b"selfLink",
        (10, Some(b'g')) => b"generation",
        (13, Some(b'm')) => b"managedFields",
        (15, Some(b'r')) => b"resourceVersion",
        (15, Some(b'o')) => b"ownerReferences",
        (17, Some(b'd')) => b"deletionTimestamp",
        (17, Some(b'c')) => b"creationTimestamp",
        (48, Some(b'k')) => b"kubectl.kubernetes.io/last-applied-configuration",
        _ => return false,
    };
    key == known
}

/// Whether two keys have one text.
fn repeats(doc: &Doc, mapping: usize) -> bool {
    let mapping = doc.node(NodeId(offset(mapping)));
    let texts = mapping.entries().map(|(key, _)| key.resolved().text());
    let mut texts: Vec<&str> = texts.flatten().collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a text may be one of those that readers take differently: a short word, or what begins
/// like a date.
pub(crate) fn may_differ(bytes: &[u8]) -> bool {
    match bytes {
        [b'y' | b'Y' | b'n' | b'N' | b'o' | b'O', rest @ ..] => rest.len() < 3,
        [first, _, _, _, b'-', ..] => first.is_ascii_digit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    fn traits(text: &str) -> Traits {
        let source = SourceMap::default().add("a.yaml", text);
        read_all(&source)[0].as_ref().expect("readable").traits
    }

    #[test]
    fn ordinary_documents_have_none() {
        let text = "apiVersion: v1\nmetadata: {name: a, labels: {b: c}}\nspec:\n- replicas: 2\n  \
                    size: 100m\n  fine: true\n  \"quoted\": 1.5\n  text: |\n    on: 1\n    on: 1\n";
        let plain = traits(text);
        assert!(plain.may_say("v1") && plain.may_say("spec") && !plain.may_say("Secret"));
        let (said, count) = ([0; SAID], 0);
        let rare = Traits {
            said,
            count,
            ..plain
        };
        assert_eq!(rare, Traits::default());
        let many: Vec<_> = (0..20).map(|at| format!("k{at}: v\n")).collect();
        assert!(traits(&many.concat()).may_say("anything"));
    }

    #[test]
    fn each_rarity_is_seen() {
        for text in ["a: 1\nb: 2\na: 3\n", "x: &k a\nm: {a: 1, *k : 2}\n"] {
            assert!(traits(text).repeated_keys, "{text}");
        }
        for text in [
            "1: a\n",
            "~: a\n",
            "? [a]\n: b\n",
            "\"a\\x20\": b\n",
            "!!str a: b\n",
        ] {
            assert!(traits(text).odd_keys, "{text}");
        }
        for text in ["a: no\n", "a: [Y]\n", "a: 2024-01-02\n", "on: x\n"] {
            assert!(traits(text).ambiguous, "{text}");
        }
        assert!(traits("a: {uid: b}\n").server_keys && traits("\"\\x75id\": a\n").server_keys);
        assert!(traits("a: [{'helm.toolkit.fluxcd.io/name': b}]\n").helm_labels);
        let written = "resourceVersion uid managedFields deletionTimestamp generation creationTimestamp \
                       selfLink ownerReferences status \
                       kubectl.kubernetes.io/last-applied-configuration";
        assert!(written.split(' ').all(|key| is_server_key(key.as_bytes())));
        assert!(traits("kind: PodList\n").lists && traits("a: &k b\nkind: *k\n").lists);
        assert!(traits("a: -9223372036854775809\n").long_numbers);
        assert!(traits("a: {<<: {b: c}}\n").merges && traits("\"\\x3c<\": a\n").merges);
        assert!(!traits("a: .spec.name\nb: '.inf'\nc: .svc\n").infinite);
        for text in ["a: .inf\n", "a: -.Inf\n", "a: .nan\n"] {
            assert!(traits(text).infinite, "{text}");
        }
    }
}

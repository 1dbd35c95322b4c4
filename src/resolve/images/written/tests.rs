//! What kustomize 5.7.1 says of values that it writes anew, as kubectl 1.35 was seen to say it.

use super::super::tree::Tree;
use super::{binary, decode};
use crate::source::SourceMap;
use crate::yaml::read_all;

/// What stops a build that writes this; empty where nothing does.
fn refusal(text: &str) -> String {
    let source = SourceMap::default().add("a.yaml", text);
    let docs = read_all(&source);
    let (tree, root) = Tree::new(docs[0].as_ref().expect("readable")).expect("it has a node");
    let checked = decode(&tree, root).and_then(|decoded| decoded.check_root(&tree));
    checked
        .err()
        .map_or_else(String::new, |refusal| refusal.finding().message)
}

#[test]
fn keys_below_the_root_are_strings_by_their_tag() {
    for text in [
        "a: {!!str k: v}",
        "a: {! k: v}",
        "!!binary abcd: v",
        "!x k: v",
    ] {
        assert_eq!(refusal(text), "", "{text}");
    }
    for text in [
        "a: {!!binary abcd: v}",
        "a: {!x k: v}",
        "a: {!!int 1: v}",
        "a: {1: v}",
    ] {
        let says = "unsupported type: map[interface {}]interface {}";
        assert!(refusal(text).ends_with(says), "{text}: {}", refusal(text));
    }
}

#[test]
fn binary_is_base64_as_go_reads_it() {
    for text in ["a: !!binary a", "!!binary a: v", "a: [!!binary 'a b=']"] {
        assert!(refusal(text).contains("invalid base64"), "{text}");
    }
    for text in [
        "a: !!binary bmdpbng=",
        "a: !!binary ''",
        "a: !!binary |\n  bmdp\n  bng=",
    ] {
        assert_eq!(refusal(text), "", "{text}");
    }
    // Bits behind the last byte are passed over.
    assert_eq!(binary("YR=="), Some(b"a".to_vec()));
    assert_eq!(binary("YQ="), None);
}

#[test]
fn a_value_fits_its_tag() {
    for (text, says) in [
        ("a: !!timestamp soon", "!!str `soon` as a !!timestamp"),
        ("a: !!timestamp '1'", "!!int `1` as a !!timestamp"),
        ("a: !!timestamp", "!!null `` as a !!timestamp"),
        ("!!timestamp ~: v", "!!null `~` as a !!timestamp"),
        ("a: [!!int 1.5]", "!!float `1.5` as a !!int"),
        ("a: !!bool 2001-01-01", "!!str `2001-01-01` as a !!bool"),
    ] {
        let refused = refusal(text);
        assert!(
            refused.contains(&format!("cannot decode {says}")),
            "{text}: {refused}"
        );
    }
    for text in [
        "a: !!timestamp '2001-1-1'",
        "a: !!float 0x1F",
        "a: !!str 1",
        "a: !x 1",
    ] {
        assert_eq!(refusal(text), "", "{text}");
    }
}

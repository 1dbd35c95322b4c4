//! Where a listing is cut, line by line: every line comes out once, in an item or in the rest of its
//! document, and those of payloads come out empty.

use std::io;

use super::super::json::Cursor;
use super::{Part, cut};

/// The parts of a text, each with the line and the byte that it begins at.
fn parts(text: &str) -> Vec<(usize, u64, String)> {
    let mut found = Vec::new();
    let mut keep = |part: Part| {
        let text = String::from_utf8(part.text).unwrap();
        found.push((part.start.place.line, part.start.offset, text));
        Ok(())
    };
    cut(&mut text.as_bytes(), Cursor::START, &mut keep).unwrap();
    found
}

/// The same without the places.
fn texts(text: &str) -> Vec<String> {
    parts(text).into_iter().map(|(_, _, text)| text).collect()
}

#[test]
fn items_are_parts_and_payloads_are_empty_lines() {
    let text = "\
apiVersion: v1
items:
- kind: A
  data:
    x: y
# inside
    z: w

  metadata: {}
# behind it

- kind: B
  stringData:
  spec:
    data:
      kept: 1
-   binaryData:
      a: b
    kind: C
kind: List
";
    let whole = |line: usize| -> u64 {
        let before = text.lines().take(line - 1);
        before.map(|line| line.len() as u64 + 1).sum()
    };
    let part = |line: usize, text: &str| (line, whole(line), text.to_owned());
    assert_eq!(
        parts(text),
        [
            part(
                3,
                "- kind: A\n  data:\n\n# inside\n\n\n  metadata: {}\n# behind it\n\n"
            ),
            part(
                12,
                "- kind: B\n  stringData:\n  spec:\n    data:\n      kept: 1\n"
            ),
            part(17, "-   binaryData:\n\n    kind: C\n"),
            part(1, "apiVersion: v1\nitems:\nkind: List\n"),
        ]
    );
}

#[test]
fn markers_end_a_document_and_what_stands_behind_them_begins_the_next() {
    assert_eq!(
        parts("a: 1\n---x: 2\n--- b: 3\n...\nc: 4\n---"),
        [
            (1, 0, "a: 1\n---x: 2\n".to_owned()),
            (3, 13, "    b: 3\n".to_owned()),
            (4, 22, "   \nc: 4\n".to_owned()),
            (6, 31, "   ".to_owned()),
        ]
    );
    // A payload ends with its document, and so do the items.
    assert_eq!(
        texts("data:\n  a: b\n---\n  c: d\nitems:\n---\n- e\n"),
        ["data:\n\n", "   \n  c: d\nitems:\n", "   \n- e\n"]
    );
}

#[test]
fn dashes_further_in_are_no_items() {
    let text = "\
items:
  - kind: A
    list:
    - x
    -
  -
    kind: B
  - -
  -y
";
    assert_eq!(
        texts(text),
        [
            "  - kind: A\n    list:\n    - x\n    -\n",
            "  -\n    kind: B\n",
            "  - -\n",
            "items:\n  -y\n",
        ]
    );
}

#[test]
fn only_a_list_at_the_left_edge_is_cut() {
    for text in [
        "spec:\n  items:\n  - a\n",
        "items: []\n",
        "items:\nfoo: 1\n- a\n",
        "- a\n- b\n",
        "items:\n# nothing\n",
    ] {
        assert_eq!(texts(text), [text]);
    }
}

#[test]
fn payloads_of_an_object_alone_are_empty_lines() {
    assert_eq!(
        texts("kind: Secret\ndata:\n  a: b\n\n# c\n  d: |\n    e\ntype: x\n  data:\n    f: g\n"),
        ["kind: Secret\ndata:\n\n\n# c\n\n\ntype: x\n  data:\n    f: g\n"]
    );
    // What is not a payload's key alone is read.
    for text in ["data: {a: b}\n", "metadata:\n  a: b\n", "data2:\n  a: b\n"] {
        assert_eq!(texts(text), [text]);
    }
}

#[test]
fn what_takes_the_parts_can_end_it() {
    let mut taken = 0;
    let mut refuse = |_: Part| {
        taken += 1;
        Err(io::Error::other("enough"))
    };
    let text = "items:\n- a\n- b\n";
    assert!(cut(&mut text.as_bytes(), Cursor::START, &mut refuse).is_err());
    assert_eq!(taken, 1);
}

//! `object-too-large`: an object is too large for client-side apply.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::kinds::LAST_APPLIED;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

pub(crate) const RULE: Rule = Rule {
    code: "object-too-large",
    ids: &[],
    level: Level::Warning,
    summary: "an object is too large for client-side apply",
    explain: "\
`kubectl apply` keeps the whole object as JSON in the annotation
`kubectl.kubernetes.io/last-applied-configuration`, and all annotations of an object together may have
262144 bytes. A large CustomResourceDefinition does not fit, and the API server answers
`metadata.annotations: Too long: may not be more than 262144 bytes`.

Fix: `kubectl apply --server-side`, which keeps no copy; Flux applies that way. `kubectl create` and
`kubectl replace` keep none either.

Quiet: objects whose JSON fits, however long their YAML is.

Source: apimachinery `pkg/api/validation/objectmeta.go` `TotalAnnotationSizeLimitB`; kubectl
`pkg/util/apply.go`.
",
    check,
};

/// What all annotations of an object may have, names and values, in bytes.
const LIMIT: usize = 262_144;

/// Where measuring ends: aliases can stand for far more than is written, even without end.
const ENOUGH: usize = 16 * LIMIT;

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in &context.objects {
        let Some(root) = subject.root() else {
            continue;
        };
        if root.written().len() < LIMIT / 7 && subject.doc.is_straight() {
            continue;
        }
        let own: usize = root
            .at(&["metadata", "annotations"])
            .into_iter()
            .flat_map(Node::entries)
            .filter(|(key, _)| key.text() != Some(LAST_APPLIED))
            .map(|(key, value)| {
                let length = |node: Node<'_>| node.resolved().text().map_or(0, str::len);
                length(key) + length(value)
            })
            .sum();
        let beside = LAST_APPLIED.len() + 1 + own;
        if subject.doc.is_straight() && at_most(root) + beside < LIMIT {
            continue;
        }
        // The JSON ends in a line end.
        let size = json_length(root) + beside;
        if size > LIMIT {
            let place = root.children().next().map_or(root.span(), Node::span);
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(place).object(&subject.id),
                    format!(
                        "{} is too large for client-side apply: its annotations would take {size} \
                         bytes, {LIMIT} is the limit",
                        subject.id
                    ),
                )
                .help("apply it with `--server-side`, as Flux does"),
            );
        }
    }
}

/// A length that a subtree surely does not exceed as JSON, aliases apart: each letter takes as many
/// bytes as it has, six where it is escaped, and each line adds a few marks.
fn at_most(root: Node<'_>) -> usize {
    let text = root.written();
    if text.len() > LIMIT {
        return text.len();
    }
    let (mut marks, mut escaped) = (0, 0);
    // In parts of fewer than a byte can count, which the compiler counts many at a time.
    for part in text.as_bytes().chunks(128) {
        let (mut marks_here, mut escaped_here) = (0_u8, 0_u8);
        for byte in part {
            marks_here += u8::from(matches!(byte, b'\n' | b',' | b'[' | b'{'));
            // The last begins the separators of lines and paragraphs.
            let longer = matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\\' | 0xE2);
            escaped_here += u8::from(*byte < b' ' || longer);
        }
        marks += usize::from(marks_here);
        escaped += usize::from(escaped_here);
    }
    text.len() + 5 * escaped + 8 * (marks + 1)
}

/// How long a subtree is as the compact JSON that Go writes, or [`ENOUGH`].
fn json_length(root: Node<'_>) -> usize {
    let mut length = 0;
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if length >= ENOUGH {
            return ENOUGH;
        }
        let node = node.resolved();
        length += match resolve(node, Reader::Kubernetes) {
            Some(Scalar::Null | Scalar::Bool(true)) => 4,
            Some(Scalar::Bool(false)) => 5,
            Some(Scalar::Integer(value)) => value.to_string().len(),
            Some(Scalar::Float(_)) => node.text().map_or(0, str::len),
            Some(Scalar::String(text) | Scalar::Timestamp(text)) => quoted(text),
            None => {
                let entries = node.entries().count();
                let keys: usize = node
                    .entries()
                    .map(|(key, _)| quoted(key.resolved().text().unwrap_or_default()) + 1)
                    .sum();
                let elements = entries + node.items().count();
                stack.extend(node.items().chain(node.entries().map(|(_, value)| value)));
                2 + keys + elements.saturating_sub(1)
            }
        };
    }
    length
}

/// The length of a text in JSON, quotes included, as Go's encoder escapes it.
fn quoted(text: &str) -> usize {
    let escaped = |found: char| match found {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => 6,
        _ => found.len_utf8(),
    };
    2 + text.chars().map(escaped).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::parse;

    fn length(text: &str) -> usize {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = parse::read_all(&source).remove(0).expect("sound YAML");
        json_length(doc.root().expect("a node"))
    }

    #[test]
    fn the_length_is_that_of_compact_json() {
        for (yaml, json) in [
            (
                "a: [1, 0x10, true, null, b, {}]",
                r#"{"a":[1,16,true,null,"b",{}]}"#,
            ),
            ("a: \"x\\ty\\\"z\"\nb: []", r#"{"a":"x\ty\"z","b":[]}"#),
            ("a: <&\n1: no", r#"{"a":"\u003c\u0026","1":false}"#),
            ("a: &x [1]\nb: *x", r#"{"a":[1],"b":[1]}"#),
        ] {
            assert_eq!(length(yaml), json.len(), "{yaml}");
        }
    }

    #[test]
    fn aliases_without_end_are_measured_in_finite_time() {
        let bomb = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, at| {
            let inner = at - 1;
            text + &format!("a{at}: &a{at} [*a{inner}, *a{inner}]\n")
        });
        assert_eq!(length(&bomb), ENOUGH);
    }

    #[test]
    fn only_objects_over_the_limit_are_told() {
        let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ";
        let told =
            |bytes: usize| messages(RULE.code, "[]", &format!("{head}{}\n", "x".repeat(bytes)));
        let json =
            r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":""}}"#;
        let room = LIMIT - LAST_APPLIED.len() - 1 - json.len();
        assert!(told(room).is_empty());
        assert_eq!(told(room + 1).len(), 1);
    }
}

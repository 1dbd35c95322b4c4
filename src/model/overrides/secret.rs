//! The platform's table as the cluster carries it: in the text `values.yaml` of the Secret
//! `cozystack-values`.
//!
//! Source: `spec/package-rendering.md` sections 6 and 10. Every place in the result is the Secret's
//! name: a snippet of the text itself would print what a Secret holds.

use std::sync::Arc;

use super::OverrideTable;
use super::read::read_table;
use crate::finding::{Finding, Label, Level};
use crate::source::{Source, Span};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node, parse};

/// Whether an object is the Secret that the platform chart writes. Copies of it in other namespaces
/// are the operator's own and say nothing new.
pub(crate) fn is_values_secret(root: Node<'_>) -> bool {
    let namespace = root.text_at(&["metadata", "namespace"]).unwrap_or_default();
    root.text_at(&["kind"]) == Some("Secret")
        && root.text_at(&["metadata", "name"]) == Some("cozystack-values")
        && matches!(namespace, "" | "cozy-system")
}

/// The place of the Secret, if the object is that, and the table that it carries, if it carries
/// one. Faults go to `findings`.
pub(crate) fn secret_table(
    root: Node<'_>,
    findings: &mut Vec<Finding>,
) -> Option<(Span, Option<OverrideTable>)> {
    let place = root.at(&["metadata", "name"])?.span();
    if !is_values_secret(root) {
        return None;
    }
    let text = if let Some(text) = root.text_at(&["stringData", "values.yaml"]) {
        text.to_owned()
    } else {
        let Some(encoded) = root.text_at(&["data", "values.yaml"]) else {
            return Some((place, None));
        };
        let Some(text) = decoded(encoded) else {
            findings.push(unreadable(place, "no text in base64"));
            return Some((place, None));
        };
        text
    };
    let table = table_in(text, &["_cluster", "image-overrides"], place, findings);
    Some((place, table))
}

/// The table under a route of an embedded text, or one text further in where a text stands there.
fn table_in(
    text: String,
    route: &[&str],
    place: Span,
    findings: &mut Vec<Finding>,
) -> Option<OverrideTable> {
    let source = Arc::new(Source::new(place.source, String::new(), text));
    let doc: Doc = match parse::read_all(&source).into_iter().next()? {
        Ok(doc) => doc,
        Err(fault) => {
            let line = source.line_col(fault.span.start).line;
            findings.push(unreadable(place, &format!("no YAML at its line {line}")));
            return None;
        }
    };
    let node = doc.root()?.at(route).filter(|node| !node.is_null())?;
    if let Some(Scalar::String(inner)) = resolve(node, Reader::Kubernetes)
        && !route.is_empty()
    {
        return table_in(inner.to_owned(), &[], place, findings);
    }
    let before = findings.len();
    let mut table = read_table(node, findings);
    for finding in &mut findings[before..] {
        finding.primary.span = place;
        finding.related.clear();
    }
    table.span = place;
    for entry in &mut table.entries {
        entry.span = place;
        let fields = [
            &mut entry.name,
            &mut entry.new_name,
            &mut entry.new_tag,
            &mut entry.digest,
        ];
        for field in fields.into_iter().flatten() {
            field.span = place;
        }
    }
    Some(table)
}

fn unreadable(place: Span, what: &str) -> Finding {
    Finding::new(
        "malformed-input",
        Level::Error,
        Label::new(place),
        format!("`values.yaml` of the Secret `cozystack-values` is {what}"),
    )
    .help("take the Secret from the cluster or from the platform chart's output again")
}

/// Standard base64 with padding, line ends passed over as Go does; `None` where it is none or no
/// UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !b"\r\n".contains(byte))
        .collect();
    let padding = digits
        .iter()
        .rev()
        .take_while(|byte| **byte == b'=')
        .count();
    if !digits.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    for group in digits[..digits.len() - padding].chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            let value = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn read(text: &str) -> (Option<OverrideTable>, Vec<Finding>) {
        let source = SourceMap::default().add("secret.yaml", text);
        let doc = parse::read_all(&source).remove(0).expect("sound YAML");
        let mut findings = Vec::new();
        let found = secret_table(doc.root().expect("a root"), &mut findings);
        (found.and_then(|(_, table)| table), findings)
    }

    const HEAD: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: cozystack-values}\n";

    #[test]
    fn base64_is_read_as_go_reads_it() {
        assert_eq!(decoded("YQ==").as_deref(), Some("a"));
        assert_eq!(decoded("YWI=").as_deref(), Some("ab"));
        assert_eq!(decoded("YW\nJj").as_deref(), Some("abc"));
        assert_eq!(decoded("").as_deref(), Some(""));
        for text in ["YQ", "Y===", "Y*==", "/w=="] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }

    #[test]
    fn the_table_of_the_secret_points_to_its_name() {
        let text = format!(
            "{HEAD}stringData:\n  values.yaml: |\n    _cluster:\n      image-overrides:\n      - \
             name: a\n        newTag: \"1\"\n      - name: b\n        newTag: 1.20\n"
        );
        let (found, findings) = read(&text);
        let table = found.expect("a table");
        assert_eq!(table.entries.len(), 2);
        assert_eq!(&text[table.span.range()], "cozystack-values");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].rule, "override-not-a-string");
        assert_eq!(&text[findings[0].primary.span.range()], "cozystack-values");
    }

    #[test]
    fn encoded_data_and_a_text_inside_the_text_are_read() {
        // _cluster: {image-overrides: '[{"name":"a"}]'}
        let data = "X2NsdXN0ZXI6IHtpbWFnZS1vdmVycmlkZXM6ICdbeyJuYW1lIjoiYSJ9XSd9";
        let (found, findings) = read(&format!("{HEAD}data: {{values.yaml: {data}}}\n"));
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(found.expect("a table").entries[0].name(), "a");
    }

    #[test]
    fn a_secret_that_cannot_be_read_keeps_its_content() {
        let (found, findings) = read(&format!(
            "{HEAD}stringData: {{values.yaml: \"a: [hush\"}}\n"
        ));
        assert!(found.is_none());
        assert_eq!(findings[0].rule, "malformed-input");
        assert!(!format!("{findings:?}").contains("hush"));
    }

    #[test]
    fn other_secrets_and_copies_are_passed_over() {
        for head in [
            "kind: Secret\nmetadata: {name: other}\n",
            "kind: ConfigMap\nmetadata: {name: cozystack-values}\n",
            "kind: Secret\nmetadata: {name: cozystack-values, namespace: tenant-a}\n",
        ] {
            let (found, findings) = read(&format!("{head}data: {{values.yaml: \"*\"}}\n"));
            assert!(found.is_none() && findings.is_empty(), "{head}");
        }
    }
}

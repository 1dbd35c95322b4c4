//! Secret values out of texts that are shown.

use std::collections::BTreeMap;

use crate::source::{SourceMap, Span};
use crate::yaml::{Path, Step, read_all};

/// The annotation in which kubectl keeps a copy of the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Both sides of a change with the values of Secrets masked: equal values as `***`, values that
/// differ as `*** (before)` and `*** (after)`.
pub(super) fn masked(
    before: Option<String>,
    after: Option<String>,
) -> (Option<String>, Option<String>) {
    let (old, new) = (before.as_deref().map(values), after.as_deref().map(values));
    let mask = |text: Option<String>, own: &Option<Found>, other: &Option<Found>, word: &str| {
        let text = text?;
        let Some(Found(own)) = own else {
            return Some(text);
        };
        let Some(own) = own else {
            return Some("# not shown: a Secret that cannot be read\n".to_owned());
        };
        let other = other.as_ref().and_then(|Found(other)| other.as_ref());
        let mut edits: Vec<(Span, &str)> = own
            .iter()
            .map(|(path, (span, value))| {
                let theirs = other.and_then(|other| other.get(path));
                let differs = theirs.is_some_and(|(_, theirs)| theirs != value);
                (*span, if differs { word } else { "\"***\"" })
            })
            .collect();
        edits.sort_unstable();
        edits.dedup_by_key(|(span, _)| *span);
        let mut masked = text;
        for (span, word) in edits.into_iter().rev() {
            let line_end = masked[span.range()].ends_with('\n');
            masked.replace_range(span.range(), word);
            if line_end {
                masked.insert(span.start as usize + word.len(), '\n');
            }
        }
        Some(masked)
    };
    let before = mask(before, &old, &new, "\"*** (before)\"");
    (before, mask(after, &new, &old, "\"*** (after)\""))
}

/// The secret values of a text by their routes; `None` where it cannot be read.
struct Found(Option<BTreeMap<(usize, Path), (Span, String)>>);

fn values(text: &str) -> Found {
    let mut found = BTreeMap::new();
    if !text.contains("Secret") {
        return Found(Some(found));
    }
    let source = SourceMap::default().add("", text);
    for (at, doc) in read_all(&source).into_iter().enumerate() {
        let Ok(doc) = doc else {
            return Found(None);
        };
        let Some(root) = doc.root() else { continue };
        let mut open = vec![(root, Path::default(), false)];
        while let Some((node, path, secret)) = open.pop() {
            let node = node.resolved();
            if let Some(value) = node.text().filter(|_| secret) {
                found.insert((at, path), (node.span(), value.to_owned()));
                continue;
            }
            let is_secret = node.text_at(&["kind"]) == Some("Secret");
            for (index, item) in node.items().enumerate() {
                open.push((item, path.index(index), secret));
            }
            for (key, value) in node.entries() {
                let name = key.resolved().text().unwrap_or_default();
                let hides = secret
                    || is_secret && matches!(name, "data" | "stringData")
                    || name == LAST_APPLIED && stands_in_annotations(&path);
                open.push((value, path.key(name), hides));
            }
        }
    }
    Found(Some(found))
}

fn stands_in_annotations(path: &Path) -> bool {
    matches!(path.0.last(), Some(Step::Key(key)) if key == "annotations")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lists_and_copies_are_masked() {
        let text = "kind: List\nitems:\n- kind: Secret\n  metadata:\n    annotations:\n      \
                    kubectl.kubernetes.io/last-applied-configuration: '{\"data\":1}'\n  \
                    stringData:\n    a: |\n      top\n      secret\n    b: &x plain\n    c: *x\n";
        let (before, after) = masked(Some(text.to_owned()), None);
        let before = before.expect("a side");
        assert!(after.is_none());
        assert!(!before.contains("top") && !before.contains("plain") && !before.contains("1}"));
        assert!(
            before.contains("    a: \"***\"\n    b: &x \"***\"\n"),
            "{before}"
        );
    }

    #[test]
    fn a_secret_that_cannot_be_read_is_not_shown() {
        let (before, _) = masked(Some("kind: Secret\ndata: [".to_owned()), None);
        assert!(!before.expect("a side").contains("data"));
    }
}

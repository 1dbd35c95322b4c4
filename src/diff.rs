//! Two trees compared, file by file, as unified text.
//!
//! The values of Secrets are masked ([`secrets`]); what changed is still told.

mod secrets;

use std::borrow::Cow;
use std::collections::BTreeSet;

use similar::TextDiff;

use crate::emit::Tree;

/// The unified diff of two trees, in the order of their paths; empty where they are equal.
pub(crate) fn unified(old: &Tree, new: &Tree, show_secrets: bool) -> String {
    let paths: BTreeSet<_> = old.files.keys().chain(new.files.keys()).collect();
    let mut patch = String::new();
    for path in paths {
        let (before, after) = (old.files.get(path), new.files.get(path));
        if before == after {
            continue;
        }
        let text =
            |side: Option<&Vec<u8>>| side.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (mut before, mut after) = (text(before), text(after));
        if !show_secrets {
            (before, after) = secrets::masked(before, after);
        }
        let name = |side: &Option<String>, letter: &str| match side {
            Some(_) => Cow::from(format!("{letter}/{path}")),
            None => Cow::from("/dev/null"),
        };
        let (old_name, new_name) = (name(&before, "a"), name(&after, "b"));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let diff = TextDiff::from_lines(before.as_str(), after.as_str());
        let hunks = diff
            .unified_diff()
            .context_radius(3)
            .header(&old_name, &new_name)
            .to_string();
        if hunks.is_empty() {
            // An empty file that comes or goes has no lines to show.
            patch += &format!("--- {old_name}\n+++ {new_name}\n");
        }
        patch.push_str(&hunks);
    }
    patch
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
        Tree {
            files: files.iter().map(file).collect(),
        }
    }

    #[test]
    fn files_that_differ_come_and_go_in_path_order() {
        let old = tree(&[("a", "1\n2\n"), ("b", "x\n"), ("d", "same\n")]);
        let new = tree(&[("a", "1\n3\n"), ("c", "y\n"), ("d", "same\n")]);
        let expected = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n\
                        --- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                        --- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+y\n";
        assert_eq!(unified(&old, &new, false), expected);
        assert_eq!(unified(&old, &old, false), "");
    }

    #[test]
    fn values_of_secrets_are_masked_and_their_change_is_told() {
        let secret = |value: &str| format!("kind: Secret\ndata:\n  a: {value}\n  b: c2FtZQ==\n");
        let (old, new) = (secret("b2xk"), secret("bmV3"));
        let (old, new) = (tree(&[("s", &old)]), tree(&[("s", &new)]));
        let masked = unified(&old, &new, false);
        assert!(masked.contains("-  a: \"*** (before)\"\n+  a: \"*** (after)\"\n   b: \"***\"\n"));
        assert!(unified(&old, &new, true).contains("-  a: b2xk\n"));
    }
}

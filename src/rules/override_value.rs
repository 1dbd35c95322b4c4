//! `override-value`: a value of an entry makes no image that can be pulled.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::Spanned;
use crate::model::overrides::{Fault, digest_fault, new_name_fault, new_tag_fault};

/// What a field's text must be.
type Grammar = fn(&str) -> Option<Fault>;

pub(crate) const RULE: Rule = Rule {
    code: "override-value",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "a value of an entry makes no image that can be pulled",
    explain: "\
kustomize pastes the values as they are. `newName` with a tag in it, a scheme, an upper-case letter
or a blank, a `newTag` that begins with a colon or holds a `+`, a digest without algorithm or of the
wrong length: each gives a text that no registry serves, and the pod waits in ImagePullBackOff.

Fix: as the finding says; most often a part belongs into another field.

Quiet: what registries take. `rewrite` only warns, since the real filter takes anything.

Source: the reference grammar of the distribution project.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let values: [(&Option<Spanned<String>>, Grammar); 3] = [
                (&entry.new_name, new_name_fault),
                (&entry.new_tag, new_tag_fault),
                (&entry.digest, digest_fault),
            ];
            for (value, fault_of) in values {
                let Some(value) = value else { continue };
                let Some(fault) = fault_of(&value.value) else {
                    continue;
                };
                findings.push(
                    Finding::new(
                        RULE.code,
                        context.value_level(),
                        Label::new(value.span),
                        format!("{} (entry {})", fault.message, entry.index + 1),
                    )
                    .help(fault.help),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn every_fault_of_a_table_is_told() {
        let table = "- {name: a, newName: 'https://r.io/a', newTag: ':1', digest: abc}\n- {name: b, \
                     newName: 'r.io/$1'}\n- {name: c, newName: r.io/c, newTag: v1}\n";
        let found = messages(RULE.code, table, &pod(&[]));
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(
            found[3].contains("not expanded") && found[3].contains("entry 2"),
            "{found:?}"
        );
    }
}

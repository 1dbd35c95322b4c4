//! `yaml-word`: kubectl and kustomize read a value differently.

use std::cell::LazyCell;

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::plan::{identity_of, is_list, unrolled};
use crate::yaml::scalar::{self, Reader, Scalar};
use crate::yaml::traits::may_differ;
use crate::yaml::{Kind, Node, Traits};

pub(crate) const RULE: Rule = Rule {
    code: "yaml-word",
    ids: &[],
    level: Level::Warning,
    summary: "kubectl and kustomize read a value differently",
    explain: "\
YAML 1.1 takes `y`, `yes`, `on`, `n`, `no` and `off` for truth values, YAML 1.2 for texts. kubectl and
the API server follow the one, kustomize the other: a country `NO` is false when the manifest is
applied by hand, and `\"NO\"` when it went through a post-renderer. An unquoted date stays a text for
kubectl, while kustomize makes a time of it.

Fix: quote it, or write `true` or `false`.

Quiet: values on which both agree; quoted ones; text inside larger texts; what
`scalar-not-a-string` speaks of.

Source: sigs.k8s.io/yaml v1.6; go.yaml.in/yaml/v3.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let told = LazyCell::new(|| super::scalar_not_a_string::told(context));
    each_plain_scalar(
        context,
        |traits| traits.ambiguous,
        |node, text, id| {
            if !may_differ(text.as_bytes()) || told.contains(&node.span()) {
                return;
            }
            let readings = (
                scalar::plain(text, Reader::Kubernetes),
                scalar::plain(text, Reader::Kustomize),
            );
            let message = match readings {
                (Scalar::Bool(value), Scalar::String(_)) => {
                    format!("kubectl reads `{text}` as {value}, kustomize as the text `{text}`")
                }
                (_, Scalar::Timestamp(_)) => {
                    format!("kubectl reads `{text}` as a text, kustomize makes a time of it")
                }
                _ => return,
            };
            let label = Label::new(node.span()).object(id);
            findings.push(
                Finding::new(RULE.code, Level::Warning, label, message)
                    .help(format!("quote it: `\"{text}\"`")),
            );
        },
    );
}

/// Calls `told` for the plain scalars of the documents that may hold what is wanted, which readers
/// take for what they look like, each with its text and the object that it belongs to. Those of Secrets are shown to nobody.
pub(super) fn each_plain_scalar<'c>(
    context: &'c Context<'_>,
    wanted: fn(Traits) -> bool,
    mut told: impl FnMut(Node<'c>, &'c str, &ObjectId),
) {
    let subjects = context.subjects.iter();
    for subject in subjects.filter(|subject| wanted(subject.doc.traits)) {
        let list = subject.root().filter(|root| is_list(*root));
        let items = list.into_iter().flat_map(unrolled);
        let mut items: Vec<_> = items.map(|item| (item, identity_of(item))).collect();
        items.sort_by_key(|(item, _)| item.id());
        let plain = |node: &Node<'_>| node.kind() == Kind::Plain && node.tag().is_none();
        for node in subject.doc.nodes().filter(plain) {
            let behind = items.partition_point(|(item, _)| item.id() <= node.id());
            let before = behind.checked_sub(1).map(|at| &items[at]);
            let item = before.filter(|(item, _)| node.id() < item.end());
            let owner = item.map_or(&*subject.id, |(_, id)| id);
            if let Some(text) = node.text().filter(|_| owner.kind != "Secret") {
                told(node, text, owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;

    #[test]
    fn the_words_of_a_secret_are_not_shown_even_in_a_list() {
        let secret = "{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {a: on}}";
        let told = |text: &str| messages(RULE.code, "[]", text).len();
        assert_eq!(told(secret), 0);
        let list = format!(
            "apiVersion: v1\nkind: List\nx: off\nitems:\n- {secret}\n- {{kind: A, v: no}}\n"
        );
        assert_eq!(told(&list), 2);
    }

    #[test]
    fn only_what_the_two_readers_take_differently_is_told() {
        let told = |value| {
            messages(
                RULE.code,
                "[]",
                &format!("kind: A\nmetadata: {{name: a}}\nv: {value}\n"),
            )
            .len()
        };
        for value in [
            "NO",
            "y",
            "on",
            "off",
            "2024-01-02",
            "2001-12-14t21:59:43.10-05:00",
        ] {
            assert_eq!(told(value), 1, "{value}");
        }
        for value in [
            "true", "True", "'no'", "\"on\"", "null", "0755", "0o400", "12:30:45", "nope",
        ] {
            assert_eq!(told(value), 0, "{value}");
        }
        assert_eq!(
            messages(RULE.code, "[]", "kind: A\nmetadata: {name: a}\non: x\n").len(),
            1
        );
    }
}

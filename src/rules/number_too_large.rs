//! `number-too-large`: a whole number does not survive the way to the API server.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::yaml::{Kind, Node};

pub(crate) const RULE: Rule = Rule {
    code: "number-too-large",
    ids: &[],
    level: Level::Warning,
    summary: "a whole number does not survive the way to the API server",
    explain: "\
kubectl turns YAML into JSON, and a whole number beyond 64 bits with a sign becomes a float on the
way: 18446744073709551616 arrives as 1.8446744073709552e+19. An id or a serial number is then another
one.

Fix: quote it, if the field takes a string.

Quiet: numbers that fit.

Source: sigs.k8s.io/yaml v1.6, Go `encoding/json`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    // A message would show the value, and those of Secrets are shown to nobody.
    for subject in context.subjects.iter().filter(|subject| subject.id.kind != "Secret") {
        let plain = |node: &Node<'_>| node.kind() == Kind::Plain && node.tag().is_none();
        for node in subject.doc.nodes().filter(plain) {
            let text = node.text().unwrap_or_default();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            if digits.len() < 18 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            if text.parse::<i64>().is_ok() {
                continue;
            }
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(node.span()).object(&subject.id),
                    format!("the number `{text}` does not fit 64 bits: kubectl makes a float of it"),
                )
                .help(format!("quote it if it is meant as text: `\"{text}\"`")),
            );
        }
    }
}

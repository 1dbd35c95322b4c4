//! `number-too-large`: a whole number does not survive the way to the API server.

use super::yaml_word::each_plain_scalar;
use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

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
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    each_plain_scalar(
        context,
        |traits| traits.long_numbers,
        |node, text, id| {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let whole = digits.len() >= 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
            if !whole || text.parse::<i64>().is_ok() {
                return;
            }
            let message =
                format!("the number `{text}` does not fit 64 bits: kubectl makes a float of it");
            let label = Label::new(node.span()).object(id);
            findings.push(
                Finding::new(RULE.code, Level::Warning, label, message)
                    .help(format!("quote it if it is meant as text: `\"{text}\"`")),
            );
        },
    );
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;

    #[test]
    fn whole_numbers_beyond_64_bits_are_told() {
        let told = |value| {
            messages(
                RULE.code,
                "[]",
                &format!("kind: A\nmetadata: {{name: a}}\nv: {value}\n"),
            )
            .len()
        };
        for value in [
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775809",
        ] {
            assert_eq!(told(value), 1, "{value}");
        }
        for value in [
            "9223372036854775807",
            "9007199254740993",
            "'18446744073709551616'",
            "1e30",
        ] {
            assert_eq!(told(value), 0, "{value}");
        }
    }
}

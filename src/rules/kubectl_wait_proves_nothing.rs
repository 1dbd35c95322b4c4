//! `kubectl-wait-proves-nothing`: a script takes `kubectl wait` for a proof.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::script::{Script, option, scripts};

pub(crate) const RULE: Rule = Rule {
    code: "kubectl-wait-proves-nothing",
    ids: &["HZ44"],
    level: Level::Note,
    summary: "a script takes `kubectl wait` for a proof",
    explain: "\
`kubectl wait --for=delete` with a selector succeeds at once when nothing matches, be it that all is gone
or that the selector is wrong. A negative `--timeout` means a week, and one that is computed may turn out
negative.

Example:

    command: [sh, -c, \"kubectl wait --for=delete pod -l app=x --timeout=$((D-N))s && exit 0\"]

Fix: list the objects again afterwards; keep the computed timeout above zero.

Quiet: a wait that a `kubectl get` follows in the same script; objects by their names; a timeout whose
sum chooses (`?`).

Source: `spec/hazards.md` HZ44; kubectl's `wait`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.everything() {
        let Some(root) = subject.root() else { continue };
        for script in scripts(root, &subject.id) {
            for (what, help) in doubts(&script) {
                let Some(node) = script.text_with("wait") else {
                    continue;
                };
                let message = format!("{}: `kubectl wait` {what}", subject.id);
                let label = subject.at_text(node, "kubectl wait");
                findings.push(Finding::new(RULE.code, Level::Note, label, message).help(help));
            }
        }
    }
}

/// What is doubtful of the waits in a script, each once.
fn doubts(script: &Script<'_>) -> Vec<(&'static str, &'static str)> {
    let verb = |words: &[String]| words.first().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for (at, words) in script.calls.iter().enumerate() {
        if verb(words) != "wait" {
            continue;
        }
        let selects = ["-l", "--selector", "--all"]
            .iter()
            .any(|name| option(words, name).is_some());
        let listed = script.calls[at..].iter().any(|words| verb(words) == "get");
        if option(words, "--for") == Some("delete") && selects && !listed {
            found.push((
                "succeeds when nothing matches",
                "list the objects afterwards",
            ));
        }
        let timeout = option(words, "--timeout").unwrap_or_default();
        if timeout.starts_with('-') {
            found.push((
                "with a negative timeout waits a week",
                "a timeout above zero",
            ));
        } else if timeout.starts_with("$((") && timeout.contains('-') && !timeout.contains('?') {
            found.push((
                "may get a negative timeout, which means a week",
                "keep it above zero",
            ));
        }
    }
    found.dedup();
    found
}

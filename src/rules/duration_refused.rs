//! `duration-refused`: an interval or a timeout is none, or is missing.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::duration::Duration;
use crate::model::{field, kinds};
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

pub(crate) const RULE: Rule = Rule {
    code: "duration-refused",
    ids: &["HZ11"],
    level: Level::Error,
    summary: "an interval or a timeout is none, or is missing",
    explain: "\
Flux takes durations as Go writes them: a number with a unit, `ms`, `s`, `m` or `h`, and more of them.
There is no unit for days or weeks, and a number alone is none: `1d`, `60`, `5 m` and `0` are refused,
`0s` passes. More than 2562047 hours fit the pattern and cannot be read. `interval` is required as soon
as there is a `spec`. `retryInterval` goes only with the strategy `RetryOnFailure`.

Example:

    spec: {interval: 1d}

Fix: `24h` for `1d`; add `interval`.

Quiet: a field that a patch may add; texts with a `${variable}`; objects without `spec`.

Source: `spec/hazards.md` HZ11, run against the CRDs of Flux 2.8; Go's `time.ParseDuration`.
",
    check,
};

/// The kinds that require an interval.
const WITH_INTERVAL: [&str; 8] = [
    "HelmRelease",
    "Kustomization",
    "GitRepository",
    "OCIRepository",
    "Bucket",
    "HelmChart",
    "ImageRepository",
    "ImageUpdateAutomation",
];

/// Where durations stand besides `interval`, `timeout` and `retryInterval`.
const DEEPER: [&[&str]; 9] = [
    &["chart", "spec", "interval"],
    &["install", "timeout"],
    &["install", "strategy", "retryInterval"],
    &["upgrade", "timeout"],
    &["upgrade", "strategy", "retryInterval"],
    &["test", "timeout"],
    &["rollback", "timeout"],
    &["uninstall", "timeout"],
    &["verify", "interval"],
];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flux = |subject: &&Subject<'_>| {
        let group = subject.id.group();
        group.ends_with(".toolkit.fluxcd.io") && !kinds::is_definition(&subject.id)
    };
    for subject in context.everything().filter(flux) {
        let Some((key, spec)) = subject.root().and_then(|root| root.entry("spec")) else {
            continue;
        };
        let spec = spec.resolved();
        if !spec.is_mapping() {
            continue;
        }
        let top = [&["interval"][..], &["timeout"], &["retryInterval"]];
        for route in top.into_iter().chain(DEEPER) {
            if let Some(node) = spec.at(route) {
                findings.extend(look(subject, route, node));
            }
        }
        let needs = WITH_INTERVAL.contains(&subject.id.kind.as_str());
        if needs && !subject.facts.patched && field::set(spec, &["interval"]).is_none() {
            let label = Label::new(key.span()).object(&subject.id);
            let message = format!("{}: `interval` is required", subject.id);
            findings.push(
                Finding::new(RULE.code, Level::Error, label, message).help("add `interval: 10m`"),
            );
        }
        for action in ["install", "upgrade"] {
            findings.extend(retries(subject, spec, action));
        }
    }
}

fn look(subject: &Subject<'_>, route: &[&str], node: Node<'_>) -> Option<Finding> {
    let name = format!("spec.{}", route.join("."));
    let what = match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Null) => return None,
        Some(Scalar::String(text)) if text.contains("${") || takes(text) => return None,
        Some(Scalar::String(text)) if matches_pattern(text) => {
            format!("`{text}` is more than Go can count, expected at most 2562047h")
        }
        _ => {
            let written = node.written();
            format!("`{written}` is no duration, expected numbers with `ms`, `s`, `m` or `h`")
        }
    };
    let message = format!("{}: `{name}`: {what}", subject.id);
    let finding = Finding::new(RULE.code, Level::Error, subject.at(node), message);
    Some(match suggestion(node.text().unwrap_or_default()) {
        Some(better) => finding.help(format!("`{better}`")),
        None => finding.help("`10m`, `1h30m`, `24h`"),
    })
}

fn takes(text: &str) -> bool {
    matches_pattern(text) && Duration::parse(text).is_some()
}

/// The pattern of the CRDs: `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`.
fn matches_pattern(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text;
    while !rest.is_empty() {
        let whole = digits(rest);
        if whole == 0 {
            return false;
        }
        rest = &rest[whole..];
        if let Some(behind) = rest.strip_prefix('.') {
            let fraction = digits(behind);
            if fraction == 0 {
                return false;
            }
            rest = &behind[fraction..];
        }
        let Some(unit) = ["ms", "s", "m", "h"]
            .iter()
            .find(|unit| rest.starts_with(**unit))
        else {
            return false;
        };
        rest = &rest[unit.len()..];
    }
    !text.is_empty()
}

/// What a text that is no duration most likely means.
fn suggestion(text: &str) -> Option<String> {
    let hours = |text: &str, each: u64| {
        let count: u64 = text.trim().parse().ok()?;
        Some(format!("{}h", count.checked_mul(each)?))
    };
    if let Some(days) = text.strip_suffix('d') {
        return hours(days, 24);
    }
    if let Some(weeks) = text.strip_suffix('w') {
        return hours(weeks, 7 * 24);
    }
    let compact: String = text.split_whitespace().collect();
    if compact != text && takes(&compact) {
        return Some(compact);
    }
    text.parse::<u64>().ok().map(|count| format!("{count}s"))
}

/// An interval of retries beside a strategy that has none.
fn retries(subject: &Subject<'_>, spec: Node<'_>, action: &str) -> Option<Finding> {
    let strategy = spec.at(&[action, "strategy"])?;
    let node = field::set(strategy, &["retryInterval"])?;
    let name = field::string(strategy, &["name"])?;
    if name == "RetryOnFailure" || subject.facts.patched {
        return None;
    }
    let message = format!(
        "{}: `retryInterval` goes only with the strategy `RetryOnFailure`, and this one is `{name}`",
        subject.id
    );
    let finding = Finding::new(RULE.code, Level::Error, subject.at(node), message);
    Some(finding.help("drop it, or change the strategy"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_is_that_of_the_definitions() {
        for text in ["0s", "10m", "1h30m", "1.5h", "500ms", "9999999h"] {
            assert!(matches_pattern(text), "{text}");
        }
        for text in ["60", "1d", "5 m", "1w", "0", "", "1us", ".5h", "1.h", "-1s"] {
            assert!(!matches_pattern(text), "{text}");
        }
        assert!(!takes("9999999h"));
        assert_eq!(suggestion("1w").as_deref(), Some("168h"));
        assert_eq!(suggestion("5 m").as_deref(), Some("5m"));
    }
}

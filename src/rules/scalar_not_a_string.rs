//! `scalar-not-a-string`: an unquoted value is not the text it looks like.
//!
//! Lives here: what is said. Which places hold texts is in [`places`].

mod places;

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::{field, kinds};
use crate::resolve::packages::GROUP;
use crate::source::Span;
use crate::yaml::json::to_json;
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Kind, Node};

pub(crate) const RULE: Rule = Rule {
    code: "scalar-not-a-string",
    ids: &["HZ03"],
    level: Level::Error,
    summary: "an unquoted value is not the text it looks like",
    explain: "\
kubectl and Flux read YAML 1.1: `1.20` is the number 1.2, `0362525` is octal and 124245, `706798e8` is a
float, `1_000` is 1000, `yes` and `on` are true. Where the API server wants a text (a label, an
annotation, `env[].value`, `data` of a ConfigMap, `postBuild.substitute`) it refuses anything else. In
the `values` of a HelmRelease the number is stored, and the chart prints what is left of it: `tag: 1.20`
deploys `:1.2`.

Example:

    spec:
      values: {image: {tag: 1.20}}

Fix: quote it.

Quiet: null; ports, replicas and other whole numbers that print as they are written, where no text is
expected; file modes, and decimals under a name that speaks of an amount (`sampleRate: 1.0`); true and
false in values; image tables in post-renderers
(`override-not-a-string`). The values of Secrets are not shown.

Source: `spec/hazards.md` HZ03, tried with sigs.k8s.io/yaml and kube-apiserver 1.36; kustomize#1303,
flux2#3128, cozystack#5137.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let subjects: Vec<_> = context
        .everything()
        .filter(|subject| !subject.flux)
        .collect();
    let found = subjects.into_par_iter().flat_map_iter(|subject| {
        let mut found = Vec::new();
        places::texts(subject, &mut |place| found.extend(refused(subject, place)));
        for values in values_of(subject) {
            converted(subject, values, &mut found);
        }
        found
    });
    findings.par_extend(found);
}

/// The values of a HelmRelease, or those that a Package gives the HelmReleases made of it.
fn values_of<'d>(subject: &Subject<'d>) -> Vec<Node<'d>> {
    let Some(root) = subject.root() else {
        return Vec::new();
    };
    if kinds::is_release(&subject.id) {
        return field::set(root, &["spec", "values"]).into_iter().collect();
    }
    if (subject.id.group(), subject.id.kind.as_str()) != (GROUP, "Package") {
        return Vec::new();
    }
    let components = field::map(root, &["spec", "components"]);
    let values = components.map(|(_, component)| component);
    values
        .filter_map(|component| field::set(component, &["values"]))
        .collect()
}

/// The places that this rule speaks of, for rules that would tell the same of them.
pub(super) fn told(context: &Context<'_>) -> BTreeSet<Span> {
    let subjects = context.everything().filter(|subject| !subject.flux);
    let mut told = BTreeSet::new();
    for subject in subjects {
        places::texts(subject, &mut |place| {
            if misread(place).is_some() {
                told.insert(place.span());
            }
        });
    }
    told
}

/// What a plain scalar is read as instead of a text, by the first reader that does.
fn misread(node: Node<'_>) -> Option<(&'static str, String)> {
    if node.kind() != Kind::Plain || node.tag().is_some() {
        return None;
    }
    for reader in [Reader::Kubernetes, Reader::Kustomize] {
        let kind = match resolve(node, reader)? {
            Scalar::Bool(_) => "a truth value",
            Scalar::Integer(_) | Scalar::Float(_) => "a number",
            Scalar::Null => return None,
            Scalar::Timestamp(_) | Scalar::String(_) => continue,
        };
        let printed = to_json(node, reader).map_or_else(|_| String::new(), |it| it.to_string());
        return Some((kind, printed));
    }
    None
}

/// Said of a place where the API server wants a text.
fn refused(subject: &Subject<'_>, node: Node<'_>) -> Option<Finding> {
    let (kind, printed) = misread(node)?;
    let written = node.written();
    let read = if subject.id.kind == "Secret" {
        format!("{}: a value is read as {kind}", subject.id)
    } else {
        format!(
            "{}: `{written}` is read as {kind} (`{printed}`)",
            subject.id
        )
    };
    let label = Label::new(node.span()).object(&subject.id);
    let message = format!("{read}, expected a text: the API server refuses it");
    let finding = Finding::new(RULE.code, Level::Error, label, message);
    Some(finding.help(quote(subject, written)))
}

fn quote(subject: &Subject<'_>, written: &str) -> String {
    if subject.id.kind == "Secret" {
        "quote it".to_owned()
    } else {
        format!("quote it: `\"{written}\"`")
    }
}

/// Looks through the values of HelmReleases.
fn converted(subject: &Subject<'_>, values: Node<'_>, findings: &mut Vec<Finding>) {
    let mut waiting = vec![("", values)];
    let mut found = Vec::new();
    while let Some((name, node)) = waiting.pop() {
        // An alias is looked at where its anchor stands.
        if node.is_mapping() {
            waiting.extend(
                node.entries()
                    .map(|(key, value)| (key.text().unwrap_or(""), value)),
            );
        } else if node.is_sequence() {
            waiting.extend(node.items().map(|item| (name, item)));
        } else {
            found.extend(value(subject, name, node));
        }
    }
    found.sort_by_key(|finding: &Finding| finding.primary.span);
    findings.extend(found);
}

fn value(subject: &Subject<'_>, name: &str, node: Node<'_>) -> Option<Finding> {
    let (kind, printed) = misread(node)?;
    let written = node.written();
    let text = places::is_text_name(name);
    let secret = places::is_secret_name(name);
    if kind != "a number" || text && places::counts(name) && printed == written {
        return None;
    }
    let shown = if secret {
        "the value".to_owned()
    } else {
        format!("`{written}`")
    };
    let (level, message) = if printed != written && (text || !places::is_amount(name, written)) {
        let left = if secret {
            String::new()
        } else {
            format!(" {printed}")
        };
        let message =
            format!("`{name}`: {shown} is read as the number{left}, not as it is written");
        (Level::Error, message)
    } else if text {
        let message = format!("`{name}`: {shown} is read as a number, where a text may be meant");
        (Level::Warning, message)
    } else {
        return None;
    };
    let label = Label::new(node.span()).object(&subject.id);
    let help = if secret {
        "quote it".to_owned()
    } else {
        quote(subject, written)
    };
    Some(Finding::new(RULE.code, level, label, message).help(help))
}

//! `variable-not-substituted`: a `${…}` meets a substitution that does not know it, or none.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::field;
use crate::resolve::builds::DocPlace;
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "variable-not-substituted",
    ids: &["HZ07"],
    level: Level::Error,
    summary: "a variable meets a substitution that does not know it, or none",
    explain: "\
A Flux Kustomization with `postBuild` replaces every `${NAME}` in what it applies, in scripts and
dashboards too. A name that it is not given fails the whole Kustomization from Flux 2.9 on; before, it
became nothing, without a word. A Kustomization without `postBuild` replaces none: a name
`${app:=web}` reaches Helm or the API server as it stands and is refused.

Example:

    data: {run.sh: 'echo \"${PLEX_TOKEN}\"'}     # applied with postBuild

Fix: give a default, `${NAME:=}`; write `$${NAME}` for text that is not Flux's; or annotate the object
with `kustomize.toolkit.fluxcd.io/substitute: disabled`.

Quiet: names with a default; `$NAME` and `$(NAME)`; a `substituteFrom` whose object is not among the
inputs, since its names are unknown; a Kustomization that a patch may change.

Source: `spec/hazards.md` HZ07; kustomize-controller 1.9 (`StrictPostBuildSubstitutions`), flux2#2148,
kustomize-controller#1011.
",
    check,
};

const SWITCH: &str = "kustomize.toolkit.fluxcd.io/substitute";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let applied = context.builds.applied.iter();
    let mut applied = applied.filter(|applied| !applied.patched).peekable();
    if applied.peek().is_none() {
        return;
    }
    let objects: BTreeMap<DocPlace, &Subject<'_>> = context
        .objects
        .iter()
        .map(|subject| (subject.place, subject))
        .collect();
    let mut told = BTreeSet::new();
    for applied in applied {
        let Some(owner) = objects.get(&applied.place) else {
            continue;
        };
        let Some(root) = owner.root() else { continue };
        let given =
            field::set(root, &["spec", "postBuild"]).map(|node| names(context, owner, node));
        for built in &applied.built {
            let Some(subject) = objects
                .get(&built.place)
                .filter(|_| !told.contains(&built.place))
            else {
                continue;
            };
            let found = match &given {
                Some(Some(names)) => unknown(context, owner, subject, names),
                Some(None) => continue,
                None => never(owner, subject),
            };
            if !found.is_empty() {
                told.insert(built.place);
            }
            findings.extend(found);
        }
    }
}

/// The names that a substitution is given; `None` where not all are known.
fn names<'d>(
    context: &Context<'d>,
    owner: &Subject<'d>,
    substitution: Node<'d>,
) -> Option<BTreeSet<&'d str>> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    names.extend(field::map(substitution, &["substitute"]).map(|(name, _)| name));
    for reference in field::list(substitution, &["substituteFrom"]) {
        let kind = field::string(reference, &["kind"])?;
        let name = field::string(reference, &["name"])?;
        let mut found = context.objects.iter().filter(|subject| {
            subject.id.kind == kind && subject.id.name == name && owner.may_share_namespace(subject)
        });
        let from = found.next().filter(|from| !from.facts.patched)?.root()?;
        for map in ["data", "stringData"] {
            names.extend(field::map(from, &[map]).map(|(name, _)| name));
        }
    }
    Some(names)
}

/// The names that a text asks for, with whether each has a default.
fn asked(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let escaped = rest[..at].ends_with('$');
        let inside = &rest[at + 2..];
        let name = inside
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(inside, |end| &inside[..end]);
        let behind = &inside[name.len()..];
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if named && !escaped && behind.contains('}') {
            let default = [":=", ":-", "=", "-"]
                .iter()
                .any(|mark| behind.starts_with(mark));
            if default || behind.starts_with('}') {
                found.push((name, default));
            }
        }
        rest = inside;
    }
    found
}

/// Every scalar of an object, in order.
fn scalars(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if node.kind().is_scalar() {
            found.push(node);
        } else {
            waiting.extend(node.children());
        }
    }
    found.sort_by_key(|node| node.span());
    found
}

fn unknown(
    context: &Context<'_>,
    owner: &Subject<'_>,
    subject: &Subject<'_>,
    names: &BTreeSet<&str>,
) -> Vec<Finding> {
    let Some(root) = subject.root() else {
        return Vec::new();
    };
    let off = [field::annotation(root, SWITCH), field::label(root, SWITCH)];
    if off.contains(&Some("disabled")) {
        return Vec::new();
    }
    let strict = context.flux_version.map(|version| version.reaches(2, 9));
    let (level, what) = match strict {
        Some(true) => (Level::Error, "the Kustomization fails"),
        Some(false) => (Level::Warning, "it becomes nothing"),
        None => (
            Level::Warning,
            "it becomes nothing, and from Flux 2.9 on the Kustomization fails",
        ),
    };
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for node in scalars(root) {
        for (name, default) in node.text().map(asked).unwrap_or_default() {
            if default || names.contains(name) || !seen.insert(name) {
                continue;
            }
            let message = format!(
                "{}: `${{{name}}}` is given no value by {}: {what}",
                subject.id, owner.id
            );
            found.push(
                Finding::new(RULE.code, level, place(subject, node, name), message).help(format!(
                    "`${{{name}:=}}` for a default, `$${{{name}}}` for text that is not Flux's"
                )),
            );
        }
    }
    found
}

/// The place of a name in a scalar, so that a long text shows the right line.
fn place(subject: &Subject<'_>, node: Node<'_>, name: &str) -> Label {
    let mut span = node.span();
    let token = format!("${{{name}");
    if let Some(at) = node.written().find(&token) {
        span.start += u32::try_from(at).unwrap_or_default();
        span.end = span.start + u32::try_from(token.len() + 1).unwrap_or_default();
    }
    Label::new(span).object(&subject.id)
}

/// What stands in fields that name something and is never substituted.
fn never(owner: &Subject<'_>, subject: &Subject<'_>) -> Vec<Finding> {
    let Some(root) = subject.root() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for route in [["metadata", "name"], ["metadata", "namespace"]] {
        places.extend(root.at(&route).map(|node| (node, Level::Error)));
    }
    if subject.id.group().ends_with(".toolkit.fluxcd.io") {
        for route in ["releaseName", "targetNamespace", "storageNamespace"] {
            places.extend(root.at(&["spec", route]).map(|node| (node, Level::Error)));
        }
        for route in [
            &["path"][..],
            &["url"],
            &["ref"],
            &["sourceRef"],
            &["chart"],
            &["chartRef"],
        ] {
            let route: Vec<&str> = ["spec"].iter().chain(route).copied().collect();
            let nodes = root.at(&route).map(scalars).unwrap_or_default();
            places.extend(nodes.into_iter().map(|node| (node, Level::Warning)));
        }
    }
    let mut found = Vec::new();
    for (node, level) in places {
        let text = node.text().unwrap_or_default();
        let Some((name, _)) = asked(text).first().copied() else {
            continue;
        };
        let message = format!(
            "{}: `${{{name}…}}` is never substituted: {} has no `postBuild`",
            subject.id, owner.id
        );
        found.push(
            Finding::new(RULE.code, level, place(subject, node, name), message)
                .help("give the Kustomization a `postBuild`, or write the value"),
        );
    }
    found
}

//! `application-release-collision`: two applications come to one release.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::application::{
    Definition, is_application, is_definition, known_prefix, suffixes,
};

pub(crate) const RULE: Rule = Rule {
    code: "application-release-collision",
    ids: &[],
    level: Level::Error,
    summary: "an application and something else come to one release",
    explain: "\
An application's release is called after the prefix of its definition and its own name, in its
namespace; some charts make further releases with `-system`, `-db` or an addon's name behind it. Two
applications can come to one name. The API refuses the second with `already exists`; but a child that a
chart makes is force-applied: it replaces chart and settings of the application that was there first.

Example: `Bucket` `a`, whose chart makes `bucket-a-system`, and `Bucket` `a-system`.

Fix: another name for one of them.

Quiet: the same name in two namespaces, a HelmRelease that is the application (its label says so), and
kinds that neither a definition among the inputs nor the platform knows.

Source: `spec/collisions.md`, B3; cozystack-api of the snapshot of 2026-08-21.
",
    check,
};

/// Somebody who makes a release.
struct Maker {
    what: String,
    label: Label,
    /// Whether it is an application, or the chart of one.
    application: bool,
    /// The application, as kind and name.
    of: (String, String),
}

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut prefixes: BTreeMap<String, String> = BTreeMap::new();
    for subject in context.everything().filter(|it| is_definition(&it.id)) {
        let definition = subject.root().map(Definition::read);
        if let Some(definition) = definition
            && let Some(kind) = &definition.kind
        {
            prefixes.insert(kind.value.clone(), definition.prefix().to_owned());
        }
    }
    let mut makers: BTreeMap<(String, String), Vec<Maker>> = BTreeMap::new();
    for subject in context.objects.iter().filter(|it| is_application(&it.id)) {
        let id = &subject.id;
        let known = prefixes.get(id.kind.as_str()).cloned();
        let Some(prefix) = known.or_else(|| known_prefix(&id.kind)) else {
            continue;
        };
        let release = format!("{prefix}{}", id.name);
        let place = |name: String| (id.namespace.clone(), name);
        let own = maker(subject, format!("application `{}/{}`", id.kind, id.name));
        makers.entry(place(release.clone())).or_default().push(own);
        for suffix in suffixes(&id.kind) {
            let what = format!("the chart of application `{}/{}`", id.kind, id.name);
            let name = format!("{release}{suffix}");
            let child = maker(subject, what);
            makers.entry(place(name)).or_default().push(child);
        }
    }
    add_others(context, &mut makers);
    for ((namespace, name), makers) in &makers {
        let Some((last, others)) = makers.split_last() else {
            continue;
        };
        if !others.iter().any(|other| other.of != last.of) {
            continue;
        }
        let what: Vec<&str> = makers.iter().map(|maker| maker.what.as_str()).collect();
        let message = format!(
            "HelmRelease `{namespace}/{name}` is made by {}: an application is refused where the \
             release is there, and a chart replaces what is there",
            what.join(" and by ")
        );
        let mut finding = Finding::new(RULE.code, RULE.level, last.label.clone(), message)
            .help("give one of the applications another name");
        for other in others {
            finding = finding.related(other.label.clone().message("and by this"));
        }
        findings.push(finding);
    }
}

fn maker(subject: &Subject<'_>, what: String) -> Maker {
    Maker {
        what,
        label: subject.label(),
        application: true,
        of: (subject.id.kind.to_string(), subject.id.name.clone()),
    }
}

/// HelmReleases and Packages that come to a name of an application.
fn add_others(context: &Context<'_>, makers: &mut BTreeMap<(String, String), Vec<Maker>>) {
    let written = context.claims.releases.iter();
    for claim in written.filter(|claim| claim.made.is_none()) {
        let id = &claim.release.id;
        let place = (id.namespace.clone(), id.name.clone());
        let Some(makers) = makers.get_mut(&place) else {
            continue;
        };
        let labels = &claim.release.labels;
        let kind = labels.get("apps.cozystack.io/application.kind");
        let parent = claim.release.parent().is_some();
        // What an application or its chart has made is no other.
        if parent || makers.iter().any(|maker| kind == Some(&maker.of.0)) {
            continue;
        }
        makers.push(Maker {
            what: "a HelmRelease among the inputs".to_owned(),
            label: claim.label(),
            application: false,
            of: (String::new(), id.name.clone()),
        });
    }
    for claim in &context.made.rendered.claims {
        let place = (claim.id.namespace.clone(), claim.id.name.clone());
        if let Some(makers) = makers.get_mut(&place)
            && makers.iter().any(|maker| maker.application)
        {
            makers.push(Maker {
                what: format!("`Package/{}`", claim.package.name),
                label: Label::new(claim.span).object(&claim.id),
                application: false,
                of: ("Package".to_owned(), claim.package.name.clone()),
            });
        }
    }
}

//! `depends-on-missing`: an object waits for one that is not among the inputs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::overrides::distance;
use crate::resolve::dependencies::{Edge, End, Graph, Kind, Place, Unit};

pub(crate) const RULE: Rule = Rule {
    code: "depends-on-missing",
    ids: &["HZ04"],
    level: Level::Error,
    summary: "an object waits for one that is not among the inputs",
    explain: "\
helm-controller reads the end of every `dependsOn` straight from the API server, and waits as long as
it is not there: for ever, if nothing makes it. It looks for HelmReleases only, kustomize-controller
for Kustomizations only, and both in the object's own namespace where none is named.

    kind: HelmRelease
    metadata: {name: web, namespace: apps}
    spec: {dependsOn: [{name: prereqs, namespace: infra}]}   # infra/prereqs is a Kustomization

It is an error where the end is there as the other kind, and where all of the estate is read: whole git
work trees, or files outside of one, without remote bases. In a part of an estate a name that is nearly,
or in another namespace exactly, that of an object among the inputs is a warning.

Fix: correct the reference. To wait for a Kustomization, let the Kustomization that applies the
HelmRelease depend on it.

Quiet, as a note: a part of an estate, or stdin, since the end may live elsewhere; altogether where an object of that name has no
namespace yet, so that it is wherever it is applied. A `readyExpr` changes nothing. Releases that
Packages make are told by `dangling-depends-on`.

Source: helm-controller v1.5.0, kustomize-controller v1.8.0 `checkDependencies`; hazard HZ04.
",
    check,
};

/// How many pairs of names are compared at most.
const MOST_PAIRS: usize = 1_000_000;

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let graph = context.graph();
    let near = Near::of(graph);
    let stdin = context.objects.iter().any(|it| it.doc.source.path == "-");
    let complete = context.builds.complete() && !stdin;
    let level = |lesser| if complete { Level::Error } else { lesser };
    for unit in graph.units.iter().filter(|unit| unit.package.is_none()) {
        let mut told = Vec::new();
        for edge in &unit.edges {
            if let End::Missing(at) = edge.end
                && !told.contains(&at)
            {
                told.push(at);
                let to = &graph.missing[at];
                if !near.unsettled(to) {
                    findings.push(finding(graph, &near, unit, edge, to, &level));
                }
            }
        }
    }
}

/// The objects among the inputs by name, and by namespace.
struct Near<'g> {
    names: BTreeMap<&'g str, Vec<&'g Place>>,
    /// The names that may come to stand in any namespace.
    unsettled: BTreeSet<(Kind, &'g str)>,
    namespaces: BTreeMap<&'g str, Vec<&'g Place>>,
    compares: bool,
}

impl<'g> Near<'g> {
    fn of(graph: &'g Graph<'_>) -> Near<'g> {
        let mut near = Near {
            names: BTreeMap::new(),
            unsettled: BTreeSet::new(),
            namespaces: BTreeMap::new(),
            compares: graph.missing.len().saturating_mul(graph.units.len()) <= MOST_PAIRS,
        };
        for unit in &graph.units {
            let place = &unit.place;
            if !unit.settled {
                near.unsettled.insert((place.kind, &place.name));
                continue;
            }
            near.names.entry(&place.name).or_default().push(place);
            near.namespaces
                .entry(&place.namespace)
                .or_default()
                .push(place);
        }
        near
    }

    /// Whether an object that nobody has put into a namespace yet may be what is looked for.
    fn unsettled(&self, to: &Place) -> bool {
        self.unsettled.contains(&(to.kind, to.name.as_str()))
    }

    /// The same name in another namespace, where there is exactly one.
    fn elsewhere(&self, to: &Place) -> Option<&'g Place> {
        let mut same = self
            .names
            .get(to.name.as_str())?
            .iter()
            .filter(|place| place.kind == to.kind);
        let first = same.next()?;
        same.next().is_none().then_some(*first)
    }

    /// A name in the same namespace that differs in one letter or two.
    fn misspelt(&self, to: &Place, from: &Place) -> Option<&'g Place> {
        let names = self.namespaces.get(to.namespace.as_str())?.iter();
        let names = names.filter(|place| self.compares && place.kind == to.kind && **place != from);
        let nearest = names
            .map(|place| (distance(&to.name, &place.name), *place))
            .min_by_key(|(steps, _)| *steps)?;
        (nearest.0 <= 2 && to.name.len() > 4).then_some(nearest.1)
    }
}

fn finding(
    graph: &Graph<'_>,
    near: &Near<'_>,
    unit: &Unit<'_>,
    edge: &Edge,
    to: &Place,
    level: &dyn Fn(Level) -> Level,
) -> Finding {
    let from = &unit.place;
    let waits = format!(
        "{} `{}/{}` depends on `{}/{}`",
        from.kind.name(),
        from.namespace,
        from.name,
        to.namespace,
        to.name
    );
    let label = Label::new(edge.span);
    let label = match unit.owners.first().and_then(|owner| owner.object.as_ref()) {
        Some(object) => label.object(object),
        None => label,
    };
    let new =
        |level, message: String| Finding::new(RULE.code, level, label.clone(), message).id("HZ04");
    let other = Place {
        kind: to.kind.other(),
        ..to.clone()
    };
    if let Some(at) = graph
        .find(&other)
        .filter(|at| graph.units[*at].settled && unit.settled)
    {
        let message = format!(
            "{waits}, which is a {}; a {} only waits for its own kind, and will never be reconciled",
            other.kind.name(),
            from.kind.name()
        );
        let found = new(Level::Error, message)
            .help("let the Kustomizations that apply the two depend on each other instead");
        return match graph.units[at].owners.first() {
            Some(owner) => found.related(owner.clone().message("what has that name")),
            None => found,
        };
    }
    let absent = format!("{waits}, which is not among the inputs");
    if let Some(place) = near
        .elsewhere(to)
        .filter(|_| unit.settled || edge.qualified)
    {
        let message = format!("{absent}; one of that name is in `{}`", place.namespace);
        let how = if edge.qualified { "name" } else { "add" };
        return new(level(Level::Warning), message)
            .help(format!("{how} `namespace: {}`", place.namespace));
    }
    if let Some(place) = near.misspelt(to, from) {
        return new(level(Level::Warning), absent).help(format!("did you mean `{}`?", place.name));
    }
    let found = level(Level::Note);
    let message = match found {
        Level::Error => format!("{absent}: it will never be reconciled"),
        _ => format!("{absent}: unless the cluster has it, it will never be reconciled"),
    };
    new(found, message)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    fn release(name: &str, namespace: &str, on: &str) -> String {
        format!(
            "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: {name}, \
             namespace: {namespace}}}\nspec: {{dependsOn: [{on}]}}\n"
        )
    }

    fn told(manifests: &str) -> Vec<(Level, Option<String>)> {
        let found = findings(RULE.code, "[]", manifests);
        found.into_iter().map(|it| (it.level, it.help)).collect()
    }

    #[test]
    fn only_the_other_kind_is_an_error() {
        let kustomization = "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
                             metadata: {name: prereqs, namespace: infra}\n";
        let web = release("web", "apps", "{name: prereqs, namespace: infra}");
        let found = told(&(web.clone() + kustomization));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, Level::Error);
        assert_eq!(told(&web), [(Level::Note, None)]);
    }

    #[test]
    fn near_names_are_warnings() {
        let web = release("web", "apps", "{name: database}, {name: database}");
        let found = told(&(web.clone() + &release("database", "infra", "")));
        assert_eq!(
            found,
            [(Level::Warning, Some("add `namespace: infra`".to_owned()))]
        );
        let found = told(&(web + &release("databases", "apps", "")));
        assert_eq!(
            found,
            [(Level::Warning, Some("did you mean `databases`?".to_owned()))]
        );
    }

    #[test]
    fn what_has_no_namespace_yet_may_be_meant() {
        let db =
            "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: db}\n";
        let web = release("web", "apps", "{name: db, namespace: infra}");
        assert_eq!(told(&(web + db)), []);
    }

    #[test]
    fn ends_that_are_there_are_quiet() {
        let web = release("web", "apps", "{name: db}, {name: db, namespace: infra}");
        assert_eq!(
            told(&(web + &release("db", "infra", "") + &release("db", "apps", ""))),
            []
        );
    }
}

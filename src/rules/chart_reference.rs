//! `chart-reference`: a HelmRelease names no chart, two, or one that is not there.
//!
//! Lives here: what one HelmRelease says of its chart. How helm-controller runs is in [`flags`].

mod flags;

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::{field, kinds};
use crate::resolve::packages::SYSTEM_NAMESPACE;
use crate::resolve::releases::AnyRelease;
use crate::yaml::Node;
use flags::Flags;

pub(crate) const RULE: Rule = Rule {
    code: "chart-reference",
    ids: &["HZ33"],
    level: Level::Error,
    summary: "a HelmRelease names no chart, two, or one that is not there",
    explain: "\
A HelmRelease has either `chart` or `chartRef`: both and neither are refused (`either chart or chartRef
must be set`). One without any `spec` passes, does nothing, and can never be deleted, which is a warning.
A source in another namespace is refused by controllers that run with `--no-cross-namespace-refs`, an
ExternalArtifact by those without its feature gate, and a source that is not there is waited for without
end.

Example:

    spec:
      chart: {spec: {chart: x, sourceRef: {kind: HelmRepository, name: r}}}
      chartRef: {kind: OCIRepository, name: x}

Fix: one reference; the source in the same namespace, or the controller's flag changed.

Quiet: a HelmRelease that a patch may change; names that are substituted; a source that may stand outside
of what is read: a part of an estate, a Kustomization that is not followed, a namespace without any source
of its kind; flags of controllers that are not among the inputs, differ, or may be patched.

Source: `spec/hazards.md` HZ33, run against the CRDs of Flux 2.8; helm-controller v1.5.0.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let flags = Flags::of(context);
    let sources = Sources::of(context);
    for release in context.releases().filter(|release| !release.facts.patched) {
        let Some(root) = release.root() else { continue };
        let fault = match reference(root) {
            Ok(reference) => sources.fault(&flags, release, reference),
            Err(fault) => Some(fault),
        };
        if let Some(fault) = fault {
            let label = fault
                .node
                .map_or_else(|| release.label(), |it| release.at(it));
            findings.push(fault.told(label, &release.id.to_string()));
        }
    }
    made(context, &flags, findings);
}

/// What is wrong with a reference.
struct Fault<'d> {
    node: Option<Node<'d>>,
    level: Level,
    message: String,
    help: &'static str,
}

impl Fault<'_> {
    fn told(&self, label: Label, who: &str) -> Finding {
        let message = format!("{who}: {}", self.message);
        Finding::new(RULE.code, self.level, label, message).help(self.help)
    }
}

fn fault<'d>(node: Option<Node<'d>>, message: impl Into<String>, help: &'static str) -> Fault<'d> {
    Fault {
        node,
        level: Level::Error,
        message: message.into(),
        help,
    }
}

/// The one reference to a source; `None` where it has no shape.
fn reference(root: Node<'_>) -> Result<Option<Node<'_>>, Fault<'_>> {
    let Some(spec) = field::set(root, &["spec"]) else {
        let message = "it has no `spec`: it does nothing and can never be deleted";
        return Err(Fault {
            level: Level::Warning,
            ..fault(None, message, "write a `spec`, or drop it")
        });
    };
    match (
        field::set(spec, &["chart"]),
        field::set(spec, &["chartRef"]),
    ) {
        (Some(_), Some(node)) => {
            let message = "both `chart` and `chartRef` are set, expected one";
            Err(fault(Some(node), message, "keep one of the two"))
        }
        (None, None) => {
            let message = "neither `chart` nor `chartRef` is set, expected one";
            Err(fault(None, message, "write `chart` or `chartRef`"))
        }
        (None, Some(node)) => Ok(Some(node)),
        (Some(node), None) => Ok(node.at(&["spec", "sourceRef"])),
    }
}

/// The sources among the inputs, by kind and name.
struct Sources<'s, 'c> {
    by_name: BTreeMap<(&'s str, &'s str), Vec<&'s Subject<'c>>>,
    whole: bool,
}

impl<'s, 'c> Sources<'s, 'c> {
    fn of(context: &'s Context<'c>) -> Sources<'s, 'c> {
        let mut by_name: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for source in context
            .everything()
            .filter(|it| it.id.group() == kinds::SOURCE)
        {
            let name = (source.id.kind.as_str(), source.id.name.as_str());
            by_name.entry(name).or_default().push(source);
        }
        let whole = !by_name.is_empty() && context.whole_estate();
        Sources { by_name, whole }
    }

    fn fault<'d>(
        &self,
        flags: &Flags,
        release: &Subject<'_>,
        reference: Option<Node<'d>>,
    ) -> Option<Fault<'d>> {
        let reference = reference?;
        let kind = field::string(reference, &["kind"])?;
        let name = field::string(reference, &["name"])?;
        let written = field::string(reference, &["namespace"]);
        let own = release.namespaces();
        let far = written.filter(|far| !own.is_empty() && !own.contains(far));
        if let Some(far) = far.filter(|_| flags.stays_inside) {
            return Some(fault(
                reference.at(&["namespace"]),
                flags::far(kind, far, name),
                flags::NEAR,
            ));
        }
        if kind == "ExternalArtifact" {
            let node = reference.at(&["kind"]);
            return flags
                .without_gate
                .then(|| fault(node, flags::UNGATED, flags::GATE));
        }
        let variable = |text: &str| text.contains("${");
        if !self.whole || variable(name) || written.is_some_and(variable) {
            return None;
        }
        let near = |source: &Subject<'_>| match written {
            Some(namespace) => {
                let spaces = source.namespaces();
                spaces.is_empty() || spaces.contains(&namespace)
            }
            None => release.may_share_namespace(source),
        };
        let mut there = self.by_name.get(&(kind, name)).into_iter().flatten();
        let mut alike = self.by_name.iter().filter(|((of, _), _)| *of == kind);
        if there.any(|it| near(it)) || !alike.any(|(_, sources)| sources.iter().any(|it| near(it)))
        {
            return None;
        }
        let namespace = written.or(own.first().copied()).unwrap_or("?");
        let message = format!("{kind} {namespace}/{name} is not among the inputs");
        let help = "make the source, or correct the reference";
        Some(fault(reference.at(&["name"]), message, help))
    }
}

/// Packages make HelmReleases of ExternalArtifacts in the system's namespace: told once for all.
fn made(context: &Context<'_>, flags: &Flags, findings: &mut Vec<Finding>) {
    let own = |it: &&AnyRelease<'_>| it.made().is_some_and(|it| !it.repeated);
    let all: Vec<_> = context.made.releases.iter().filter(own).collect();
    let far = all
        .iter()
        .filter(|it| flags.stays_inside && it.id.namespace != SYSTEM_NAMESPACE);
    let ungated = all.iter().filter(|_| flags.without_gate);
    let message = |it: &&AnyRelease<'_>| {
        let artifact = it.made().map_or("", |it| it.artifact.as_str());
        flags::far("ExternalArtifact", SYSTEM_NAMESPACE, artifact)
    };
    for (releases, help) in [
        (far.collect::<Vec<_>>(), flags::NEAR),
        (ungated.collect(), flags::GATE),
    ] {
        let Some(first) = releases.first() else {
            continue;
        };
        let message = if help == flags::GATE {
            flags::UNGATED.to_owned()
        } else {
            message(first)
        };
        let who = match releases.len() - 1 {
            0 => first.id.to_string(),
            more => format!("{} and {more} more that Packages make", first.id),
        };
        findings.push(fault(None, message, help).told(first.label.clone(), &who));
    }
}

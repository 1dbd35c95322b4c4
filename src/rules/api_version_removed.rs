//! `api-version-removed`: nobody serves the version of an API that an object names.
//!
//! Lives here: what is asked of which object. Which versions went when is in [`table`].

mod table;

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::version::Version;
use crate::model::{field, kinds};
use crate::yaml::Node;
use table::{Program, removal};

pub(crate) const RULE: Rule = Rule {
    code: "api-version-removed",
    ids: &["HZ05"],
    level: Level::Error,
    summary: "an object names a version of its API that is gone or going",
    explain: "\
An apply of a version that the API server does not serve is refused. Flux 2.7 no longer serves
`helm.toolkit.fluxcd.io/v2beta1`, 2.8 no longer `v2beta2`, nor the beta versions of Kustomizations and
sources; Kubernetes removes versions too. The versions in a Kustomization's `healthChecks` count as
well.

Example:

    apiVersion: helm.toolkit.fluxcd.io/v2beta2
    kind: HelmRelease

Fix: `flux migrate -f PATH` rewrites manifests. The stored objects must be migrated before the CRDs
are replaced. From v2beta1 to v2 drift detection moved to `driftDetection`, and `chartRef` came.

Quiet: versions that are served. An error needs to know the target: by a CRD among the inputs, by
`--flux-version` or the images of Flux's manifests, by `--kubernetes-version`. Without it, a warning,
once for each kind.

Source: `spec/hazards.md` HZ05; helm-controller's changelog 1.4.0 and 1.5.0; flux2#4490, flux2#4524;
Kubernetes' deprecation guide.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut rule = Served {
        context,
        definitions: definitions(context),
        told: BTreeSet::new(),
        findings,
    };
    // Versions of kinds that nothing is to be said of.
    let mut quiet: BTreeSet<(&str, &str)> = BTreeSet::new();
    for subject in context.everything() {
        let Some(root) = subject.root() else { continue };
        let id = (subject.id.api_version.as_str(), subject.id.kind.as_str());
        if !quiet.contains(&id) {
            let told = rule.findings.len();
            rule.look(subject, root);
            if rule.findings.len() == told {
                quiet.insert(id);
            }
        }
        if kinds::is_flux_kustomization(&subject.id) {
            for node in field::list(root, &["spec", "healthChecks"]) {
                rule.look(subject, node);
            }
        }
    }
}

/// The versions that CRDs among the inputs serve, by group and kind, and whether each is deprecated.
fn definitions(context: &Context<'_>) -> BTreeMap<(String, String), BTreeMap<String, bool>> {
    let mut found: BTreeMap<_, BTreeMap<String, bool>> = BTreeMap::new();
    let all = context.everything_of("CustomResourceDefinition");
    for subject in all.filter(|subject| kinds::is_definition(&subject.id)) {
        let Some(root) = subject.root() else { continue };
        let text = |route| field::string(root, route).map(str::to_owned);
        let Some(key) = text(&["spec", "group"]).zip(text(&["spec", "names", "kind"])) else {
            continue;
        };
        let versions = found.entry(key).or_default();
        for version in field::list(root, &["spec", "versions"]) {
            if field::is_true(version, &["served"])
                && let Some(name) = field::string(version, &["name"])
            {
                let deprecated = field::is_true(version, &["deprecated"]);
                versions.insert(name.to_owned(), deprecated);
            }
        }
    }
    found.retain(|_, versions| !versions.is_empty());
    found
}

struct Served<'r, 'c> {
    context: &'r Context<'c>,
    definitions: BTreeMap<(String, String), BTreeMap<String, bool>>,
    /// What was told already without knowing the target.
    told: BTreeSet<String>,
    findings: &'r mut Vec<Finding>,
}

impl Served<'_, '_> {
    fn look(&mut self, subject: &Subject<'_>, node: Node<'_>) {
        let (Some(place), Some(kind)) = (node.at(&["apiVersion"]), field::string(node, &["kind"]))
        else {
            return;
        };
        let Some(written) = place.text() else { return };
        let (group, version) = written.split_once('/').unwrap_or(("", written));
        let key = (group.to_owned(), kind.to_owned());
        let what = format!("`{written}` {kind}");
        if let Some(served) = self.definitions.get(&key) {
            let (level, message) = match served.get(version) {
                Some(false) => return,
                Some(true) => (
                    Level::Warning,
                    format!("{what} is deprecated by its CustomResourceDefinition"),
                ),
                None => (
                    Level::Error,
                    format!("{what} is not served by its CustomResourceDefinition"),
                ),
            };
            let names: Vec<&str> = served.keys().map(String::as_str).collect();
            let help = format!("it serves {}", names.join(", "));
            self.tell(subject, place, level, &message, &help);
            return;
        }
        let Some(removal) = removal(group, version, kind) else {
            return;
        };
        let (target, help) = match removal.program {
            Program::Flux => (
                self.context.flux_version,
                "`flux migrate -f PATH` rewrites it",
            ),
            Program::Kubernetes => (
                self.context.kubernetes_version,
                "use the version that took over",
            ),
        };
        self.against(
            subject,
            place,
            &what,
            target,
            removal.program,
            removal.removed,
            help,
        );
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one place, one removal, one target"
    )]
    fn against(
        &mut self,
        subject: &Subject<'_>,
        place: Node<'_>,
        what: &str,
        target: Option<Version>,
        program: Program,
        removed: Option<Version>,
        help: &str,
    ) {
        let (level, message) = match (target, removed) {
            (Some(target), Some(removed)) if target >= removed => (
                Level::Error,
                format!("{what} is not served by {program} {target} (removed in {removed})"),
            ),
            (_, Some(removed)) => (
                Level::Warning,
                format!("{what} is deprecated and not served from {program} {removed} on"),
            ),
            (_, None) => (Level::Warning, format!("{what} is deprecated by {program}")),
        };
        if target.is_none() && !self.told.insert(what.to_owned()) {
            return;
        }
        self.tell(subject, place, level, &message, help);
    }

    fn tell(
        &mut self,
        subject: &Subject<'_>,
        place: Node<'_>,
        level: Level,
        what: &str,
        help: &str,
    ) {
        let label = Label::new(place.span()).object(&subject.id);
        self.findings
            .push(Finding::new(RULE.code, level, label, what).help(help));
    }
}

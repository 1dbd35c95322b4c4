//! `definitions-not-upgraded`: a chart's CRDs change and the release leaves them as they are.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::kinds;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

pub(crate) const RULE: Rule = Rule {
    code: "definitions-not-upgraded",
    ids: &["HZ37"],
    level: Level::Note,
    summary: "a chart's CRDs change and the release leaves them as they are",
    explain: "\
What a chart has under `crds/` is installed once. On an upgrade `upgrade.crds` decides, and it is `Skip`
unless said otherwise: the CRDs stay as they were, and the new version of the program meets the old ones.
`Create` makes new ones and changes none; `CreateReplace` replaces.

Example: `check new.yaml --rendered shop/web=new-output.yaml --against old-output.yaml`, where a CRD with
the comment `# Source: web/crds/widgets.yaml`, as `helm template --include-crds` writes it, differs.

Fix: `upgrade: {crds: CreateReplace}`, after reading the difference.

Quiet: `CreateReplace`; a CRD in templates, which an upgrade changes; a CRD that another release or a
manifest has too; a HelmRelease that is not among the inputs or that a patch may change.

Source: `spec/hazards.md` HZ37; helm-controller v1.5.0 API, `spec.upgrade.crds`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if context.old.is_none() {
        return;
    }
    for (old, new) in context.changed() {
        let bare = kinds::is_definition(&new.id) && new.rendered_by.is_some() && is_under_crds(new);
        if !bare || spec(old) == spec(new) {
            continue;
        }
        let mut others = context.everything().filter(|it| it.id.kind == new.id.kind);
        if others.any(|it| it.key() == new.key() && it.rendered_by != new.rendered_by) {
            continue;
        }
        let Some(parent) = context.parent(new) else {
            continue;
        };
        let policy = parent.spec.pointer("/upgrade/crds");
        let policy = policy.and_then(|it| it.as_str()).unwrap_or("Skip");
        if policy == "CreateReplace" {
            continue;
        }
        let message = format!(
            "{} changes under `crds/`, and `upgrade.crds` is {policy}: the old one stays",
            new.id
        );
        findings.push(
            Finding::new(RULE.code, Level::Note, new.label(), message)
                .help("`upgrade: {crds: CreateReplace}`, after reading the difference")
                .related(parent.label.message("rendered by this")),
        );
    }
}

fn spec(subject: &Subject<'_>) -> Option<serde_json::Value> {
    to_json(subject.root()?.at(&["spec"])?, Reader::Kubernetes).ok()
}

/// Whether Helm's comment, which stands before the object, says that it stands in the `crds` directory of
/// a chart or subchart.
fn is_under_crds(subject: &Subject<'_>) -> bool {
    let doc = subject.doc;
    let opens = doc.root().map_or(doc.start, |root| root.span().start);
    let mut lines = doc.source.text[doc.start as usize..opens as usize].lines();
    let Some(path) = lines.find_map(|line| line.strip_prefix("# Source: ")) else {
        return false;
    };
    let mut steps = path.split('/').skip(1);
    let mut step = steps.next();
    while step == Some("charts") {
        step = steps.nth(1);
    }
    step == Some("crds")
}

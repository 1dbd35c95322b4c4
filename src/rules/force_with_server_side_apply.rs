//! `force-with-server-side-apply`: force does not go with server-side apply.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::field;
use crate::model::version::Version;

pub(crate) const RULE: Rule = Rule {
    code: "force-with-server-side-apply",
    ids: &["HZ18"],
    level: Level::Error,
    summary: "`force` does not go with server-side apply",
    explain: "\
`upgrade.force` and `rollback.force` replace objects, which server-side apply cannot: helm-controller 1.5.0
to 1.5.3 fails with `cannot use force conflicts and force replace together`, from 1.5.4 on it ignores the
field. Releases are applied server-side by default since 1.5 (Flux 2.8).

Example:

    spec: {upgrade: {force: true}}

Fix: drop it, or set `serverSideApply: disabled` beside it.

Quiet: server-side apply that is disabled; Flux before 2.8. A note where force is only ignored, or where
the version of Flux is not known.

Source: `spec/hazards.md` HZ18; helm-controller#1453.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let controller = context.flux_version.and_then(Version::helm_controller);
    if controller.is_some_and(|version| !version.reaches(1, 5)) {
        return;
    }
    let fails = controller.is_some_and(|version| (version.0, version.1) == (1, 5) && version.2 < 4);
    for release in context.releases() {
        let Some(root) = release.root() else { continue };
        for action in ["upgrade", "rollback"] {
            let route = ["spec", action, "force"];
            let Some(node) = root.at(&route).filter(|_| field::is_true(root, &route)) else {
                continue;
            };
            let method = ["spec", action, "serverSideApply"];
            if field::string(root, &method) == Some("disabled") {
                continue;
            }
            let (level, what) = match (fails, controller) {
                (true, Some(version)) => {
                    let patch = version.2;
                    (
                        Level::Error,
                        format!("fails on helm-controller {version}.{patch}"),
                    )
                }
                (_, Some(version)) => (
                    Level::Note,
                    format!("is ignored on helm-controller {version}"),
                ),
                (_, None) => (
                    Level::Note,
                    "fails on helm-controller 1.5.0 to 1.5.3 and is ignored later".to_owned(),
                ),
            };
            let message = format!(
                "{}: `{action}.force` with server-side apply {what}",
                release.id
            );
            findings.push(
                Finding::new(RULE.code, level, release.at(node), message)
                    .help("remove it, or set `serverSideApply: disabled`"),
            );
        }
    }
}

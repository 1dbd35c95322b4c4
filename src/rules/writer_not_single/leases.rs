//! Whether the account of a controller may write Leases in its namespace.

use super::RULE;
use crate::finding::{Finding, Level};
use crate::model::field;
use crate::rules::{Context, Subject};
use crate::yaml::Node;

/// Said of a controller that elects and may not; `None` where it may or it is not known.
pub(super) fn missing(
    context: &Context<'_>,
    subject: &Subject<'_>,
    spec: Node<'_>,
) -> Option<Finding> {
    let node = spec.at(&["serviceAccountName"])?;
    let account = node.text()?;
    // What one chart renders holds its bindings too; of manifests all must be read.
    let known = subject.rendered_by.is_some() || context.whole_estate();
    let bindings: Vec<&Subject<'_>> = context
        .everything()
        .filter(|it| it.id.kind.ends_with("RoleBinding") && binds(it, account, subject))
        .collect();
    if !known || bindings.is_empty() {
        return None;
    }
    for binding in bindings {
        let root = binding.root()?;
        let kind = root.text_at(&["roleRef", "kind"])?;
        let name = root.text_at(&["roleRef", "name"])?;
        let role = context.everything().find(|it| {
            it.id.kind == kind
                && it.id.name == name
                && (kind == "ClusterRole" || it.may_share_namespace(binding))
        })?;
        let role_root = role.root().filter(|_| !role.facts.patched)?;
        if role_root.at(&["aggregationRule"]).is_some() || writes_leases(role_root) {
            return None;
        }
    }
    let message = format!(
        "{} elects a leader, but ServiceAccount `{account}` may not write leases",
        subject.id
    );
    let finding = Finding::new(RULE.code, Level::Warning, subject.at(node), message);
    Some(finding.help("a Role on `leases` of `coordination.k8s.io`: get, create, update"))
}

/// Whether a binding names the account.
fn binds(binding: &Subject<'_>, account: &str, subject: &Subject<'_>) -> bool {
    let Some(root) = binding.root() else {
        return false;
    };
    field::list(root, &["subjects"]).into_iter().any(|it| {
        let namespace = it.text_at(&["namespace"]);
        let spaces = subject.namespaces();
        let near = namespace.is_none_or(|it| spaces.is_empty() || spaces.contains(&it));
        // A group may hold every account.
        it.text_at(&["kind"]) == Some("Group") || near && it.text_at(&["name"]) == Some(account)
    })
}

/// Whether a role lets Leases be written, or ConfigMaps, which older controllers elect with.
fn writes_leases(role: Node<'_>) -> bool {
    let holds = |rule: Node<'_>, key: &str, wanted: &[&str]| {
        let list = field::list(rule, &[key]);
        list.iter()
            .filter_map(|it| it.text())
            .any(|it| it == "*" || wanted.contains(&it))
    };
    field::list(role, &["rules"]).into_iter().any(|rule| {
        holds(rule, "resources", &["leases", "configmaps"])
            && holds(rule, "verbs", &["update", "patch"])
    })
}

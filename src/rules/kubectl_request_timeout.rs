//! `kubectl-request-timeout`: kubectl in a Pod forgets the cluster that it is in.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::duration::Duration;
use crate::model::field;
use crate::model::script::{Script, option, scripts};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "kubectl-request-timeout",
    ids: &["HZ24"],
    level: Level::Error,
    summary: "kubectl in a Pod forgets the cluster that it is in",
    explain: "\
kubectl takes the configuration of the Pod it runs in only while nothing else is configured. A flag of
the client, `--request-timeout` among them, counts as configuration, so it talks to localhost:8080
instead: a hook fails that passed on a workstation.

Example:

    command: [sh, -c, \"kubectl get pods --request-timeout=20s\"]

Fix: `timeout 30 kubectl ...`.

Quiet: `--kubeconfig`, `--server` or `--context` beside it; KUBECONFIG as a variable or in the script; a
`.kube` directory that is mounted; `kubectl config` in the script; a timeout of 0, which is the default;
texts of a ConfigMap that are no scripts.

Source: `spec/hazards.md` HZ24, read in client-go; kubernetes#49343, kubernetes#93474, cozystack#4293.
",
    check,
};

const FLAG: &str = "--request-timeout";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.everything() {
        let Some(root) = subject.root() else { continue };
        for script in scripts(root, &subject.id) {
            if let (true, Some(node)) = (is_lost(&script), script.text_with(FLAG)) {
                let message = format!(
                    "{}: `kubectl {FLAG}` in a Pod talks to localhost:8080",
                    subject.id
                );
                let finding = Finding::new(
                    RULE.code,
                    Level::Error,
                    subject.at_text(node, FLAG),
                    message,
                );
                findings.push(finding.help("`timeout 30 kubectl ...`"));
            }
        }
    }
}

/// Whether a call has the flag and nothing tells kubectl where its cluster is.
fn is_lost(script: &Script<'_>) -> bool {
    let told = |words: &&Vec<String>| {
        let by = ["--kubeconfig", "--server", "-s", "--context", "--cluster"];
        by.iter().any(|name| option(words, name).is_some())
    };
    let timed = |words: &&Vec<String>| {
        option(words, FLAG).is_some_and(|it| Duration::parse(it) != Some(Duration(0)))
    };
    let configures = |words: &Vec<String>| words.first().is_some_and(|verb| verb == "config");
    script
        .calls
        .iter()
        .any(|words| timed(&words) && !told(&words))
        && !script.calls.iter().any(configures)
        && script.text_with("KUBECONFIG").is_none()
        && !script.container.is_some_and(is_configured)
}

/// Whether a container is given a kubeconfig.
fn is_configured(container: Node<'_>) -> bool {
    let named = |it: &Node<'_>| it.text_at(&["name"]) == Some("KUBECONFIG");
    let mounted = |it: &Node<'_>| {
        it.text_at(&["mountPath"])
            .is_some_and(|path| path.contains(".kube"))
    };
    field::list(container, &["env"]).iter().any(named)
        || field::list(container, &["volumeMounts"])
            .iter()
            .any(mounted)
}

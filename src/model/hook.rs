//! Helm's hooks: when Helm runs an object, as its annotations say, and how long it then waits.
//!
//! Not here: what a hook does.
//!
//! Source: Helm 4.1.4 `pkg/release/v1/util/manifest_sorter.go`; the actions' fields of
//! helm-controller's API v2 (v1.5.0).

use serde_json::Value;

use super::duration::Duration;
use super::field;
use crate::yaml::Node;

/// What Helm does around a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `install`
    Install,
    /// `upgrade`
    Upgrade,
    /// `rollback`
    Rollback,
    /// `uninstall`
    Uninstall,
    /// `test`
    Test,
}

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Helm's name for it.
    pub(crate) name: &'static str,
    /// Around what.
    pub(crate) action: Action,
}

/// Helm's events; `test-success` is an old name of `test`.
const EVENTS: [Event; 10] = [
    event("pre-install", Action::Install),
    event("post-install", Action::Install),
    event("pre-upgrade", Action::Upgrade),
    event("post-upgrade", Action::Upgrade),
    event("pre-rollback", Action::Rollback),
    event("post-rollback", Action::Rollback),
    event("pre-delete", Action::Uninstall),
    event("post-delete", Action::Uninstall),
    event("test", Action::Test),
    event("test-success", Action::Test),
];

const fn event(name: &'static str, action: Action) -> Event {
    Event { name, action }
}

/// An object that Helm runs rather than installs.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    /// When.
    pub(crate) events: Vec<Event>,
    /// Its place among those of one event: the least first.
    pub(crate) weight: i64,
}

/// How long Helm waits where nothing says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::seconds(300);

/// The hook that an object is; `None` for one that is installed, and for one with an event that
/// Helm does not know, which it leaves out.
pub(crate) fn hook(root: Node<'_>) -> Option<Hook> {
    let events = annotated(root, "helm.sh/hook")?
        .map(|name| EVENTS.into_iter().find(|event| name == event.name))
        .collect::<Option<Vec<_>>>()?;
    let weight = field::annotation(root, "helm.sh/hook-weight");
    Some(Hook {
        events,
        weight: weight.and_then(|it| it.parse().ok()).unwrap_or(0),
    })
}

/// The values of an annotation that is a list, as Helm reads it: case and blanks count for nothing.
pub(crate) fn annotated(root: Node<'_>, name: &str) -> Option<impl Iterator<Item = String>> {
    let list = field::annotation(root, name)?;
    Some(list.split(',').map(|it| it.trim().to_lowercase()))
}

impl Event {
    /// Whether a HelmRelease of this spec runs it.
    pub(crate) fn runs(self, spec: &Value) -> bool {
        let is_true = |path: &str| spec.pointer(path) == Some(&Value::Bool(true));
        match self.action {
            Action::Test => is_true("/test/enable"),
            action => !is_true(&format!("/{}/disableHooks", action.field())),
        }
    }
}

impl Action {
    /// Its field in a HelmRelease.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Action::Install => "install",
            Action::Upgrade => "upgrade",
            Action::Rollback => "rollback",
            Action::Uninstall => "uninstall",
            Action::Test => "test",
        }
    }

    /// How long it may take in a HelmRelease of this spec; `None` for what is no duration.
    pub(crate) fn timeout(self, spec: &Value) -> Option<Duration> {
        let own = spec.pointer(&format!("/{}/timeout", self.field()));
        match own.or_else(|| spec.get("timeout")) {
            Some(Value::String(text)) => Duration::parse(text),
            Some(_) => None,
            None => Some(DEFAULT_TIMEOUT),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_first;

    fn read(annotations: &str) -> Option<Hook> {
        let text = format!("metadata: {{annotations: {{{annotations}}}}}\n");
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        hook(doc.root().expect("a root"))
    }

    #[test]
    fn events_are_read_as_helm_reads_them() {
        let own = read("helm.sh/hook: ' Pre-Delete,test', helm.sh/hook-weight: '-5'");
        let own = own.expect("a hook");
        let names: Vec<_> = own.events.iter().map(|event| event.name).collect();
        assert_eq!((names, own.weight), (vec!["pre-delete", "test"], -5));
        assert!(read("helm.sh/hook: crd-install").is_none() && read("").is_none());
    }

    #[test]
    fn a_release_says_what_runs_and_how_long() {
        let spec = json!({"timeout": "2m", "uninstall": {"disableHooks": true, "timeout": "9m"}});
        assert!(!event("pre-delete", Action::Uninstall).runs(&spec));
        assert!(event("pre-install", Action::Install).runs(&spec));
        assert!(!event("test", Action::Test).runs(&spec));
        let timeout = |action: Action, spec| action.timeout(spec).map(|it| it.to_string());
        assert_eq!(timeout(Action::Uninstall, &spec).as_deref(), Some("9m0s"));
        assert_eq!(timeout(Action::Install, &spec).as_deref(), Some("2m0s"));
        assert_eq!(timeout(Action::Test, &json!({})).as_deref(), Some("5m0s"));
    }
}

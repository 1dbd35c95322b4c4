//! Who runs: helm-controller and flux-plunger by their Deployments, and the newest sign of life in
//! their Leases.
//!
//! Source: `spec/uninstall-fence.md`, sections 5 (UF217) and 9; helm-controller v1.5.0 `main.go`
//! (`--watch-label-selector`, `--default-service-account`).

use serde_json::Value;

use super::observed::SHARD;
use super::{items, text};
use crate::model::image::split;
use crate::model::moment::Moment;

/// The controllers whose workings the audit reasons about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controller {
    /// Flux's.
    Helm,
    /// Cozystack's.
    Plunger,
}

impl Controller {
    /// What its container, its image and its Lease are called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Controller::Helm => "helm-controller",
            Controller::Plunger => "flux-plunger",
        }
    }
}

/// A container of a Deployment that runs one of them.
#[derive(Debug)]
pub(crate) struct Running {
    /// Which.
    pub(crate) controller: Controller,
    /// The Deployment's namespace and name.
    pub(crate) deployment: String,
    /// How many replicas are wanted.
    pub(crate) wanted: i64,
    /// How many are available.
    pub(crate) available: i64,
    /// `--watch-label-selector`.
    selector: Option<String>,
    /// `--default-service-account`.
    default_account: Option<String>,
}

/// What is known of them.
#[derive(Debug, Default)]
pub(crate) struct Controllers {
    /// Their containers.
    pub(crate) running: Vec<Running>,
    /// The newest `spec.renewTime` of a Lease named after each.
    pub(crate) renewed: Vec<(Controller, Moment)>,
}

impl Controllers {
    /// Takes in a Deployment.
    pub(super) fn deployment(&mut self, object: &Value) {
        let count = |route: &str| object.pointer(route).and_then(Value::as_i64);
        let containers = items(object, &["spec", "template", "spec", "containers"]);
        for container in containers {
            let image = text(container, &["image"]).unwrap_or_default();
            let image = split(image).name.rsplit('/').next().unwrap_or_default();
            let name = text(container, &["name"]).unwrap_or_default();
            let known = [Controller::Helm, Controller::Plunger];
            let Some(controller) = known
                .into_iter()
                .find(|it| [name, image].contains(&it.name()))
            else {
                continue;
            };
            let arguments: Vec<&str> = ["args", "command"]
                .iter()
                .flat_map(|field| items(container, &[field]))
                .filter_map(Value::as_str)
                .collect();
            self.running.push(Running {
                controller,
                deployment: format!(
                    "{}/{}",
                    text(object, &["metadata", "namespace"]).unwrap_or_default(),
                    text(object, &["metadata", "name"]).unwrap_or_default()
                ),
                wanted: count("/spec/replicas").unwrap_or(1),
                available: count("/status/availableReplicas").unwrap_or_default(),
                selector: option(&arguments, "watch-label-selector"),
                default_account: option(&arguments, "default-service-account"),
            });
        }
    }

    /// Takes in a Lease.
    pub(super) fn lease(&mut self, object: &Value) {
        let name = text(object, &["metadata", "name"]).unwrap_or_default();
        let renewed = text(object, &["spec", "renewTime"]).and_then(Moment::parse);
        for controller in [Controller::Helm, Controller::Plunger] {
            if let Some(renewed) = renewed.filter(|_| name.contains(controller.name())) {
                self.renewed.push((controller, renewed));
            }
        }
    }

    /// The containers of a controller.
    pub(crate) fn of(&self, controller: Controller) -> impl Iterator<Item = &Running> {
        self.running
            .iter()
            .filter(move |it| it.controller == controller)
    }

    /// When a Lease of a controller was last renewed.
    pub(crate) fn last_renewed(&self, controller: Controller) -> Option<Moment> {
        let own = self.renewed.iter().filter(|(of, _)| *of == controller);
        own.map(|(_, moment)| *moment).max()
    }

    /// The ServiceAccount that helm-controller impersonates where a release names none.
    pub(crate) fn default_account(&self) -> Option<&str> {
        self.of(Controller::Helm)
            .find_map(|it| it.default_account.as_deref())
    }

    /// Whether helm-controllers are known and none of them looks at a shard.
    pub(crate) fn nobody_watches(&self, shard: &str) -> bool {
        let mut known = self.of(Controller::Helm).peekable();
        known.peek().is_some() && !known.any(|it| it.wanted > 0 && it.watches(shard))
    }
}

impl Running {
    fn watches(&self, shard: &str) -> bool {
        watches(self.selector.as_deref(), shard)
    }
}

/// Whether a controller with this `--watch-label-selector` takes the objects of a shard; a selector
/// that is not understood counts as yes.
pub(crate) fn watches(selector: Option<&str>, shard: &str) -> bool {
    let Some((before, behind)) = selector.and_then(|selector| selector.split_once(SHARD)) else {
        return true;
    };
    let behind = behind.trim_start();
    let listed = |list: &str| {
        let list = list.trim_start().trim_start_matches('(');
        let list = list.split(')').next().unwrap_or_default();
        list.split(',').any(|item| item.trim() == shard)
    };
    if before.trim_end().ends_with('!') {
        return false;
    }
    if let Some(list) = behind.strip_prefix("notin") {
        return !listed(list);
    }
    if let Some(list) = behind.strip_prefix("in") {
        return listed(list);
    }
    let value = |text: &str| text.split(',').next().unwrap_or_default().trim() == shard;
    if let Some(text) = behind.strip_prefix("!=") {
        return !value(text);
    }
    match behind.strip_prefix("==").or(behind.strip_prefix('=')) {
        Some(text) => value(text),
        None => true,
    }
}

/// The value of `--NAME=VALUE` or `--NAME VALUE`.
fn option(arguments: &[&str], name: &str) -> Option<String> {
    let bare = |argument: &str| argument.trim_start_matches('-') == name;
    arguments.iter().enumerate().find_map(|(at, argument)| {
        let value = match argument.split_once('=') {
            Some((option, value)) if bare(option) => Some(value),
            None if bare(argument) => arguments.get(at + 1).copied(),
            _ => None,
        };
        value
            .filter(|value| !value.is_empty())
            .map(ToOwned::to_owned)
    })
}

//! The guarded patches: RFC 6902, one object each, whole or not at all.
//!
//! Source: `spec/uninstall-fence.md`, section 7. The uid guards against an object of the same name
//! made anew, the resourceVersion against any write since the snapshot, the index tests against a
//! reordered list. `remove` leaves what `flux resume` leaves and makes no new owner.

use serde::Serialize;
use serde_json::{Value, json};

use super::Action;
use crate::model::release::is_object_name;
use crate::model::snapshot::observed::{FENCE, Observed};

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Operation {
    /// `test` or `remove`.
    op: &'static str,
    /// The JSON pointer.
    path: String,
    /// What must stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
}

impl Operation {
    fn test(path: impl Into<String>, value: Value) -> Operation {
        Operation {
            op: "test",
            path: path.into(),
            value: Some(value),
        }
    }

    fn remove(path: impl Into<String>) -> Operation {
        Operation {
            op: "remove",
            path: path.into(),
            value: None,
        }
    }
}

impl Action {
    /// Whether it lifts the suspension.
    pub(crate) fn lifts(self) -> bool {
        matches!(self, Action::LiftSuspension | Action::LiftAndRemoveFence)
    }

    /// Whether it takes the fence off.
    pub(crate) fn removes_fence(self) -> bool {
        matches!(self, Action::RemoveFence | Action::LiftAndRemoveFence)
    }

    /// Whether it is a patch.
    pub(crate) fn patches(self) -> bool {
        self.lifts() || self.removes_fence()
    }
}

/// The patch that does an action; `None` where the action is none, or where the snapshot lacks what
/// guards it.
pub(crate) fn emit(action: Action, release: &Observed) -> Option<Vec<Operation>> {
    let named = is_object_name(&release.id.name) && is_object_name(&release.id.namespace);
    if !action.patches() || !named || release.uid.is_empty() || release.resource_version.is_empty()
    {
        return None;
    }
    let mut patch = vec![
        Operation::test("/metadata/uid", json!(release.uid)),
        Operation::test("/metadata/resourceVersion", json!(release.resource_version)),
    ];
    if action.lifts() {
        patch.push(Operation::test("/spec/suspend", json!(true)));
        patch.push(Operation::remove("/spec/suspend"));
    }
    if action.removes_fence() {
        // From the last to the first, so that an index still holds when its turn comes.
        for (at, _) in release
            .finalizers
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, finalizer)| ***finalizer == *FENCE)
        {
            let place = format!("/metadata/finalizers/{at}");
            patch.push(Operation::test(place.clone(), json!(FENCE)));
            patch.push(Operation::remove(place));
        }
    }
    Some(patch)
}

/// The command that applies a patch, in one line for a shell.
pub(crate) fn command(release: &Observed, patch: &[Operation]) -> String {
    let text = serde_json::to_string(patch).expect("operations have a form in JSON");
    format!(
        "kubectl patch helmrelease {} -n {} --type json -p '{}'",
        release.id.name,
        release.id.namespace,
        text.replace('\'', "'\\''")
    )
}

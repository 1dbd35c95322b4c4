//! How the helm-controllers among the inputs run, as far as it decides which sources they take.

use memchr::memmem::Finder;

use super::{Context, Subject};
use crate::model::workload;

/// What all of them agree on; false where there is none, or one that a patch may change.
pub(super) struct Flags {
    /// They refuse references to other namespaces.
    pub(super) stays_inside: bool,
    /// They have no feature gate for ExternalArtifacts.
    pub(super) without_gate: bool,
}

/// Whose flags they are: its container's name, or its image's.
const CONTROLLER: &str = "helm-controller";

/// What mends a reference to another namespace.
pub(super) const NEAR: &str = "use a source of the same namespace";

/// What lets ExternalArtifacts in.
pub(super) const GATE: &str = "`--feature-gates=ExternalArtifact=true`";

/// Said of an `ExternalArtifact` that is refused.
pub(super) const UNGATED: &str = "an ExternalArtifact needs the feature gate `ExternalArtifact`, which \
                                  helm-controller runs without";

/// Said of a source that is refused for its namespace.
pub(super) fn far(kind: &str, namespace: &str, name: &str) -> String {
    format!(
        "{kind} {namespace}/{name} is in another namespace, which helm-controller refuses \
         (`--no-cross-namespace-refs`)"
    )
}

impl Flags {
    pub(super) fn of(context: &Context<'_>) -> Flags {
        let (mut all, mut inside, mut ungated) = (0, 0, 0);
        let name = Finder::new(CONTROLLER);
        let told = |it: &&Subject<'_>| workload::is_workload(&it.id) && it.may_hold(&name);
        for subject in context.objects.iter().filter(told) {
            let spec = subject
                .root()
                .and_then(|root| workload::pod_spec(root, &subject.id));
            for (_, container) in spec.into_iter().flat_map(workload::containers) {
                if !workload::runs(container, CONTROLLER) {
                    continue;
                }
                all += 1;
                if subject.facts.patched {
                    continue;
                }
                let no_far = workload::option(container, "no-cross-namespace-refs");
                inside += usize::from(no_far.is_some_and(|(_, value)| value != "false"));
                let feature = workload::option(container, "feature-gates");
                let gated = feature.is_some_and(|(_, it)| it.contains("ExternalArtifact=true"));
                ungated += usize::from(!gated);
            }
        }
        Flags {
            stays_inside: all > 0 && inside == all,
            without_gate: all > 0 && ungated == all,
        }
    }
}

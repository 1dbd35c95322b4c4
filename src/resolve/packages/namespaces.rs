//! The Namespaces that Packages are installed into.
//!
//! Source: `spec/package-rendering.md`, section 5.

use std::collections::{BTreeMap, BTreeSet};

use super::objects::Namespace;
use super::readiness::{Joined, is_namespace};
use crate::model::source_package::Component;

/// The Namespaces that the installer or Flux's manifests write too: the cluster holds the union of
/// all writers.
pub(crate) const SHARED_NAMESPACES: [&str; 2] = ["cozy-system", "cozy-fluxcd"];

/// The Namespaces of the enabled components, by name. A Package that is blocked by its dependencies
/// counts; one that stops before its Namespaces counts only towards `privileged`.
pub(super) fn make(joined: &[Joined<'_>]) -> Vec<Namespace> {
    let privileged: BTreeSet<&str> = joined
        .iter()
        .flat_map(|one| one.enabled.iter().copied())
        .filter(|component| component.privileged())
        .map(Component::namespace)
        .collect();
    let names: BTreeSet<&str> = joined
        .iter()
        .filter(|one| one.namespaces)
        .flat_map(|one| one.enabled.iter().copied())
        .map(Component::namespace)
        .filter(|name| is_namespace(name))
        .collect();
    let own = |text: &str| text.to_owned();
    names
        .into_iter()
        .map(|name| {
            let mut labels = BTreeMap::new();
            if !name.starts_with("tenant-") {
                labels.insert(own("cozystack.io/system"), own("true"));
            }
            if privileged.contains(name) {
                labels.insert(own("pod-security.kubernetes.io/enforce"), own("privileged"));
            }
            let keep = (own("helm.sh/resource-policy"), own("keep"));
            Namespace {
                name: own(name),
                labels,
                annotations: BTreeMap::from([keep]),
            }
        })
        .collect()
}

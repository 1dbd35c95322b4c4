//! What is known of kinds by their name: Flux's own, and which have no namespace; and the annotation
//! that kubectl gives objects of every kind.
//!
//! Not here: schemas. A kind that nobody knows counts as one with a namespace.

use crate::finding::ObjectId;

/// The API group of HelmReleases.
pub(crate) const HELM: &str = "helm.toolkit.fluxcd.io";

/// The API group of Flux's Kustomizations.
pub(crate) const KUSTOMIZE: &str = "kustomize.toolkit.fluxcd.io";

/// The API group of Flux's sources.
pub(crate) const SOURCE: &str = "source.toolkit.fluxcd.io";

/// The API group of CRDs.
pub(crate) const DEFINITIONS: &str = "apiextensions.k8s.io";

/// The annotation in which kubectl keeps a copy of the whole object (`pkg/util/apply.go`).
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Kinds of Kubernetes and its usual company that have no namespace.
const WITHOUT_NAMESPACE: [&str; 33] = [
    "APIService",
    "CSIDriver",
    "CSINode",
    "CertificateSigningRequest",
    "ClusterIssuer",
    "ClusterPolicy",
    "ClusterRole",
    "ClusterRoleBinding",
    "ClusterSecretStore",
    "ComponentStatus",
    "CustomResourceDefinition",
    "DeviceClass",
    "FlowSchema",
    "GatewayClass",
    "IngressClass",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "Namespace",
    "Node",
    "Package",
    "PackageSource",
    "PersistentVolume",
    "PriorityClass",
    "PriorityLevelConfiguration",
    "RuntimeClass",
    "ServiceCIDR",
    "StorageClass",
    "StorageVersionMigration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
    "VolumeAttributesClass",
];

/// Whether objects of the kind stand in a namespace.
pub(crate) fn has_namespace(kind: &str) -> bool {
    WITHOUT_NAMESPACE.binary_search(&kind).is_err()
}

/// Whether it is a HelmRelease.
pub(crate) fn is_release(id: &ObjectId) -> bool {
    id.kind == "HelmRelease" && id.group() == HELM
}

/// Whether it is a Kustomization of Flux (and not one of kustomize's own files).
pub(crate) fn is_flux_kustomization(id: &ObjectId) -> bool {
    id.kind == "Kustomization" && id.group() == KUSTOMIZE
}

/// Whether it is a CRD.
pub(crate) fn is_definition(id: &ObjectId) -> bool {
    id.kind == "CustomResourceDefinition" && id.group() == DEFINITIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_without_namespace_are_found() {
        assert!(WITHOUT_NAMESPACE.is_sorted());
        assert!(!has_namespace("Namespace") && has_namespace("Deployment"));
    }
}

//! When which version of which API went.
//!
//! Source: `spec/hazards.md` HZ05 and the CRDs of Flux 2.8; Kubernetes' deprecation guide up to 1.36.

use std::fmt;

use crate::model::version::Version;

/// Whose version counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// Flux.
    Flux,
    /// Kubernetes.
    Kubernetes,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Program::Flux => "Flux",
            Program::Kubernetes => "Kubernetes",
        })
    }
}

/// A version that is gone or going.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removal {
    /// Whose version counts.
    pub(super) program: Program,
    /// The first that does not serve it; `None` where it is only deprecated.
    pub(super) removed: Option<Version>,
}

/// Flux's: group without `.toolkit.fluxcd.io`, version, and the minor number of 2.x.
const FLUX: [(&str, &str, Option<u32>); 11] = [
    ("helm", "v2beta1", Some(7)),
    ("helm", "v2beta2", Some(8)),
    ("kustomize", "v1beta1", Some(7)),
    ("kustomize", "v1beta2", Some(8)),
    ("source", "v1beta1", Some(7)),
    ("source", "v1beta2", Some(8)),
    ("notification", "v1beta1", Some(7)),
    ("notification", "v1beta2", None),
    ("image", "v1alpha2", Some(7)),
    ("image", "v1beta1", Some(8)),
    ("image", "v1beta2", None),
];

/// Kubernetes': group, version, kinds (none for all), and the minor number of 1.x.
const KUBERNETES: [(&str, &str, &[&str], u32); 26] = [
    ("extensions", "v1beta1", &["Ingress"], 22),
    ("extensions", "v1beta1", &[], 16),
    ("apps", "v1beta1", &[], 16),
    ("apps", "v1beta2", &[], 16),
    (
        "networking.k8s.io",
        "v1beta1",
        &["Ingress", "IngressClass"],
        22,
    ),
    ("apiextensions.k8s.io", "v1beta1", &[], 22),
    ("apiregistration.k8s.io", "v1beta1", &[], 22),
    (
        "admissionregistration.k8s.io",
        "v1beta1",
        &[
            "MutatingWebhookConfiguration",
            "ValidatingWebhookConfiguration",
        ],
        22,
    ),
    ("rbac.authorization.k8s.io", "v1beta1", &[], 22),
    ("rbac.authorization.k8s.io", "v1alpha1", &[], 23),
    ("scheduling.k8s.io", "v1beta1", &["PriorityClass"], 22),
    ("coordination.k8s.io", "v1beta1", &["Lease"], 22),
    (
        "certificates.k8s.io",
        "v1beta1",
        &["CertificateSigningRequest"],
        22,
    ),
    ("storage.k8s.io", "v1beta1", &["CSIStorageCapacity"], 27),
    (
        "storage.k8s.io",
        "v1beta1",
        &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
        22,
    ),
    ("batch", "v1beta1", &["CronJob"], 25),
    ("batch", "v2alpha1", &["CronJob"], 21),
    ("discovery.k8s.io", "v1beta1", &["EndpointSlice"], 25),
    ("events.k8s.io", "v1beta1", &["Event"], 25),
    ("autoscaling", "v2beta1", &["HorizontalPodAutoscaler"], 25),
    ("autoscaling", "v2beta2", &["HorizontalPodAutoscaler"], 26),
    (
        "policy",
        "v1beta1",
        &["PodDisruptionBudget", "PodSecurityPolicy"],
        25,
    ),
    ("node.k8s.io", "v1beta1", &["RuntimeClass"], 25),
    ("flowcontrol.apiserver.k8s.io", "v1beta1", &[], 26),
    ("flowcontrol.apiserver.k8s.io", "v1beta2", &[], 29),
    ("flowcontrol.apiserver.k8s.io", "v1beta3", &[], 32),
];

/// What is known of a version of a kind; `None` where it is served, or unknown.
pub(super) fn removal(group: &str, version: &str, kind: &str) -> Option<Removal> {
    if let Some(name) = group.strip_suffix(".toolkit.fluxcd.io") {
        let (_, _, minor) = FLUX.iter().find(|row| (row.0, row.1) == (name, version))?;
        return Some(Removal {
            program: Program::Flux,
            removed: minor.map(|minor| Version(2, minor, 0)),
        });
    }
    let of = |row: &&(&str, &str, &[&str], u32)| {
        (row.0, row.1) == (group, version) && (row.2.is_empty() || row.2.contains(&kind))
    };
    let (_, _, _, minor) = KUBERNETES.iter().find(of)?;
    Some(Removal {
        program: Program::Kubernetes,
        removed: Some(Version(1, *minor, 0)),
    })
}

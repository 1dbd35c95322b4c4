//! Applications and their definitions: which HelmRelease an application becomes, and which ones the
//! charts of applications make beside it.
//!
//! Source: the platform of the snapshot of 2026-08-21 (`spec/collisions.md`, B3 and F).

use super::Spanned;
use crate::finding::ObjectId;
use crate::yaml::Node;

/// The group of applications.
const GROUP: &str = "apps.cozystack.io";

/// The kinds whose releases are called like the application.
const WITHOUT_PREFIX: [&str; 8] = [
    "BootBox",
    "ComputePlane",
    "Etcd",
    "ExternalDNS",
    "Info",
    "Ingress",
    "Monitoring",
    "SeaweedFS",
];

/// The other kinds of the platform, as its packages call them; a kind is the same in letters.
const WITH_PREFIX: [&str; 23] = [
    "bucket",
    "clickhouse",
    "foundationdb",
    "harbor",
    "http-cache",
    "kafka",
    "kubernetes",
    "kubernetes-nodes",
    "mariadb",
    "mongodb",
    "nats",
    "openbao",
    "opensearch",
    "postgres",
    "qdrant",
    "rabbitmq",
    "redis",
    "tcp-balancer",
    "tenant",
    "virtualprivatecloud",
    "vm-disk",
    "vm-instance",
    "vpn",
];

/// What the chart of a tenant cluster appends to its release for the addons it installs.
const ADDONS: [&str; 20] = [
    "-cert-manager",
    "-cert-manager-crds",
    "-cilium",
    "-coredns",
    "-csi",
    "-fluxcd",
    "-gateway-api-crds",
    "-gpu-operator",
    "-hami",
    "-ingress-nginx",
    "-metrics-server",
    "-monitoring-agents",
    "-nfs-driver",
    "-ouroboros",
    "-prometheus-operator-crds",
    "-velero",
    "-vertical-pod-autoscaler",
    "-vertical-pod-autoscaler-crds",
    "-victoria-metrics-operator",
    "-volumesnapshot-crd",
];

/// Whether an object is an application.
pub(crate) fn is_application(id: &ObjectId) -> bool {
    id.group() == GROUP
}

/// Whether an object is the definition of a kind of applications.
pub(crate) fn is_definition(id: &ObjectId) -> bool {
    id.group() == "cozystack.io" && id.kind == "ApplicationDefinition"
}

/// What the platform puts before an application's name; `None` for a kind that it does not have.
pub(crate) fn known_prefix(kind: &str) -> Option<String> {
    if WITHOUT_PREFIX.contains(&kind) {
        return Some(String::new());
    }
    let letters = |name: &str| name.replace('-', "");
    let kind = kind.to_lowercase();
    let name = WITH_PREFIX.iter().find(|name| letters(name) == kind)?;
    Some(format!("{name}-"))
}

/// What the charts of a kind append to the release for the releases that they make.
pub(crate) fn suffixes(kind: &str) -> &'static [&'static str] {
    match kind {
        "Bucket" | "Harbor" | "NATS" | "OpenBAO" | "Qdrant" | "ExternalDNS" | "Monitoring" => {
            &["-system"]
        }
        "SeaweedFS" => &["-system", "-db"],
        "Ingress" => &["-nginx-system"],
        "ComputePlane" => &["-cluster"],
        "Kubernetes" => &ADDONS,
        _ => &[],
    }
}

/// An `ApplicationDefinition`.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// `spec.application.kind`.
    pub(crate) kind: Option<Spanned<String>>,
    /// `spec.application.plural`.
    pub(crate) plural: Option<Spanned<String>>,
    /// `spec.release.prefix`; absent and empty are the same.
    pub(crate) prefix: Option<Spanned<String>>,
    /// The name under `spec.release.chartRef`, where that is an ExternalArtifact.
    pub(crate) artifact: Option<Spanned<String>>,
}

impl Definition {
    /// Reads a document that is known to be one.
    pub(crate) fn read(node: Node<'_>) -> Definition {
        let text = |route: &[&str]| {
            let node = node.at(route)?;
            Some(Spanned {
                value: node.text()?.to_owned(),
                span: node.span(),
            })
        };
        let chart = node.text_at(&["spec", "release", "chartRef", "kind"]);
        let artifact = text(&["spec", "release", "chartRef", "name"]);
        Definition {
            kind: text(&["spec", "application", "kind"]),
            plural: text(&["spec", "application", "plural"]),
            prefix: text(&["spec", "release", "prefix"]),
            artifact: artifact.filter(|_| chart == Some("ExternalArtifact")),
        }
    }

    /// What stands before an application's name.
    pub(crate) fn prefix(&self) -> &str {
        self.prefix.as_ref().map_or("", |prefix| &prefix.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_their_letters() {
        for (kind, prefix) in [
            ("KubernetesNodes", Some("kubernetes-nodes-")),
            ("VMDisk", Some("vm-disk-")),
            ("Etcd", Some("")),
            ("Widget", None),
        ] {
            assert_eq!(known_prefix(kind).as_deref(), prefix, "{kind}");
        }
    }
}

//! HelmReleases as they are written by hand or by a chart: who they are and which Helm release
//! they work on. What a Package makes is in `resolve::packages`.
//!
//! Source: helm-controller v1.5.0 `internal/release/name.go` and the getters of the API;
//! `spec/release-names.md`, sections 1 and 2.

mod sha256;

use super::Spanned;
use crate::finding::ObjectId;
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// The longest name that Helm takes.
const LONGEST: usize = 53;

/// What of a longer name is kept, before a dash and twelve digits of its digest.
const KEPT: usize = 40;

/// The name that helm-controller gives a Helm release of this full name: itself up to 53 bytes,
/// else its first 40, a dash and 12 digits of the SHA-256 of the whole.
pub(crate) fn shorten(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let kept = name.floor_char_boundary(KEPT);
    format!("{}-{}", &name[..kept], &sha256::hex(name.as_bytes())[..12])
}

/// The full name of a release: as given, else behind the target namespace, else the object's own.
pub(crate) fn full_name(explicit: Option<&str>, target: Option<&str>, name: &str) -> String {
    match (explicit, target) {
        (Some(explicit), _) => explicit.to_owned(),
        (None, Some(target)) => format!("{target}-{name}"),
        (None, None) => name.to_owned(),
    }
}

/// Whether Helm takes a release name: labels of lower-case letters, digits and inner dashes, joined
/// by dots, in at most 53 bytes.
pub(crate) fn helm_takes(name: &str) -> bool {
    name.len() <= LONGEST && name.split('.').all(is_dns_label_text)
}

/// Whether a text is a DNS label but for its length: the form of RFC 1123.
pub(crate) fn is_dns_label_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends =
        |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    ends(bytes.first())
        && ends(bytes.last())
        && bytes
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
}

/// Whether the API server takes a text as the name of an object: a DNS subdomain of RFC 1123.
pub(crate) fn is_object_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_dns_label_text)
}

/// What a Helm release is for helm-controller; nothing else belongs to its identity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReleaseKey {
    /// The cluster: empty for the one that the HelmRelease is in, else the reference to a
    /// kubeconfig. Different references may be one cluster; that cannot be told here.
    pub(crate) cluster: String,
    /// Where Helm keeps its records.
    pub(crate) storage_namespace: String,
    /// The name, shortened.
    pub(crate) name: String,
}

/// A HelmRelease among the inputs.
#[derive(Clone, Debug)]
pub(crate) struct HelmRelease {
    /// The object.
    pub(crate) id: ObjectId,
    /// Where `metadata.name` stands, or the document's first value.
    pub(crate) span: Span,
    /// `spec.releaseName`.
    pub(crate) release_name: Option<Spanned<String>>,
    /// `spec.targetNamespace`.
    pub(crate) target_namespace: Option<Spanned<String>>,
    /// `spec.storageNamespace`.
    pub(crate) storage_namespace: Option<Spanned<String>>,
    /// The reference under `spec.kubeConfig`, empty without one.
    pub(crate) cluster: String,
    /// `spec.suspend`.
    pub(crate) suspended: bool,
    /// `spec.dependsOn` as namespace and name.
    pub(crate) depends_on: Vec<(String, String)>,
    /// The label `cozystack.io/package`.
    pub(crate) package: Option<Spanned<String>>,
}

impl HelmRelease {
    /// Reads a document that is known to be a HelmRelease. Nothing is checked: what is not a string
    /// counts as absent. A missing namespace is `default`.
    pub(crate) fn read(node: Node<'_>) -> HelmRelease {
        let name = field(node, &["metadata", "name"]);
        let namespace = field(node, &["metadata", "namespace"]);
        let namespace = namespace.map_or_else(|| "default".to_owned(), |text| text.value);
        let span = name.as_ref().map_or(node.span(), |name| name.span);
        let depends_on = node
            .at(&["spec", "dependsOn"])
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|item| {
                let item = item.resolved();
                let of = field(item, &["namespace"]);
                let of = of.map_or_else(|| namespace.clone(), |text| text.value);
                Some((of, field(item, &["name"])?.value))
            })
            .collect();
        HelmRelease {
            cluster: cluster(node, &namespace),
            id: ObjectId {
                api_version: node.text_at(&["apiVersion"]).unwrap_or_default().to_owned(),
                kind: "HelmRelease".to_owned(),
                namespace,
                name: name.map(|name| name.value).unwrap_or_default(),
            },
            span,
            release_name: field(node, &["spec", "releaseName"]),
            target_namespace: field(node, &["spec", "targetNamespace"]),
            storage_namespace: field(node, &["spec", "storageNamespace"]),
            suspended: node
                .at(&["spec", "suspend"])
                .and_then(|node| resolve(node, Reader::Kubernetes))
                .is_some_and(|scalar| scalar == Scalar::Bool(true)),
            depends_on,
            package: field(node, &["metadata", "labels", "cozystack.io/package"]),
        }
    }

    /// The Helm release that it works on.
    pub(crate) fn key(&self) -> ReleaseKey {
        fn text(field: Option<&Spanned<String>>) -> Option<&str> {
            field.map(|field| field.value.as_str())
        }
        let namespace = text(self.storage_namespace.as_ref());
        ReleaseKey {
            cluster: self.cluster.clone(),
            storage_namespace: namespace.unwrap_or(&self.id.namespace).to_owned(),
            name: shorten(&full_name(
                text(self.release_name.as_ref()),
                text(self.target_namespace.as_ref()),
                &self.id.name,
            )),
        }
    }
}

/// A string under a route; an empty one counts as absent, as Go's omitted fields do.
fn field(node: Node<'_>, route: &[&str]) -> Option<Spanned<String>> {
    let node = node.at(route)?;
    match resolve(node, Reader::Kubernetes)? {
        Scalar::String("") => None,
        Scalar::String(text) | Scalar::Timestamp(text) => Some(Spanned {
            value: text.to_owned(),
            span: node.span(),
        }),
        _ => None,
    }
}

/// The kubeconfig reference as one text. A Secret without a key is read at `value`.
fn cluster(node: Node<'_>, namespace: &str) -> String {
    let name = |kind: &str, what: &str| field(node, &["spec", "kubeConfig", kind, what]);
    if let Some(secret) = name("secretRef", "name") {
        let key = name("secretRef", "key").map_or_else(|| "value".to_owned(), |key| key.value);
        return format!("Secret {namespace}/{} {key}", secret.value);
    }
    name("configMapRef", "name").map_or_else(String::new, |map| {
        format!("ConfigMap {namespace}/{}", map.value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_over_53_bytes_are_shortened() {
        assert_eq!(shorten(&"a".repeat(53)), "a".repeat(53));
        assert_eq!(
            shorten(&"a".repeat(54)),
            format!("{}-a3f01b693925", "a".repeat(40))
        );
        assert_eq!(
            shorten("release-name-with-very-long-name-which-is-longer-than-53-characters"),
            "release-name-with-very-long-name-which-i-788ca0d0d7b0"
        );
        let dotted = shorten("tenant-acme-prod-eu-certificates.issuer.acme.example.internal");
        assert_eq!(
            dotted,
            "tenant-acme-prod-eu-certificates.issuer.-71333eae6b3f"
        );
        assert!(!helm_takes(&dotted));
        assert!(helm_takes(
            "tenant-acme-production1-monitoring-pool--0dd937647e36"
        ));
    }

    #[test]
    fn object_names_are_dns_subdomains() {
        assert!(is_object_name("cozystack.cert-manager"));
        for name in ["", "../x", "A", "a..b", "-a", "a_b"] {
            assert!(!is_object_name(name), "{name}");
        }
    }
}

//! The names of Helm releases, and what makes one the same as another. HelmReleases as they are
//! written are in [`object`]; what a Package makes is in `resolve::packages`.
//!
//! Source: helm-controller v1.5.0 `internal/release/name.go`; `spec/release-names.md`, sections 1
//! and 2.

mod object;
mod sha256;

use std::fmt;

pub(crate) use object::HelmRelease;

/// The longest name that Helm takes; also how many characters `spec.releaseName` may have.
pub(crate) const LONGEST: usize = 53;

/// The cluster of a HelmRelease without `spec.kubeConfig`.
pub(crate) const LOCAL: &str = "local";

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
    /// The cluster: [`LOCAL`] for the one that the HelmRelease is in, else the reference to a
    /// kubeconfig, `secret:NAMESPACE/NAME#KEY` or `configmap:NAMESPACE/NAME`. Different references
    /// may be one cluster; that cannot be told here.
    pub(crate) cluster: String,
    /// Where Helm keeps its records.
    pub(crate) storage_namespace: String,
    /// The name, shortened.
    pub(crate) name: String,
}

impl fmt::Display for ReleaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.storage_namespace, self.name)
    }
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

//! An image reference as registries and runtimes read it: host, repository, tag, digest.
//!
//! Not here: how kustomize cuts an image text ([`super::image`]), which is by position and takes
//! anything.
//!
//! Source: `github.com/distribution/reference` v0.6.0 `reference.go`, `normalize.go`.

use std::fmt;

/// The host that a name without one means.
const HUB: &str = "docker.io";

/// A reference with its defaults filled in: `redis` is `docker.io/library/redis`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Reference {
    /// The registry, with its port where one was written. Docker Hub is `docker.io` in each of its
    /// spellings.
    pub(crate) host: String,
    /// The repository on it.
    pub(crate) repository: String,
    /// The tag, where one was written.
    pub(crate) tag: Option<String>,
    /// The digest with its algorithm, where one was written.
    pub(crate) digest: Option<String>,
}

/// Why a text is no reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no image reference: {why}")]
pub(crate) struct ReferenceError {
    /// The text.
    pub(crate) text: String,
    /// What is wrong, then what was expected.
    pub(crate) why: &'static str,
}

impl Reference {
    /// Reads a reference; a leading `oci://` or `docker://` is passed over.
    ///
    /// # Errors
    ///
    /// Where the text is no reference, with the part that is wrong.
    pub(crate) fn parse(text: &str) -> Result<Reference, ReferenceError> {
        let fault = |why| ReferenceError {
            text: text.to_owned(),
            why,
        };
        let bare = ["oci://", "docker://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))
            .unwrap_or(text);
        let (rest, digest) = match bare.split_once('@') {
            Some((rest, digest)) if is_digest(digest) => (rest, Some(digest.to_owned())),
            Some(_) => {
                return Err(fault(
                    "the digest is none, expected `sha256:` and 64 digits",
                ));
            }
            None => (bare, None),
        };
        let (first, behind) = rest.split_once('/').unwrap_or(("", rest));
        let (host, path) = if is_host(first) {
            (first, behind)
        } else {
            (HUB, rest)
        };
        let (repository, tag) = match path.rsplit_once(':') {
            Some((repository, tag)) if is_tag(tag) => (repository, Some(tag.to_owned())),
            Some(_) => return Err(fault("the tag is none, expected letters, digits, `_.-`")),
            None => (path, None),
        };
        if !host_is_sound(host) {
            return Err(fault(
                "the registry is none, expected `HOST` or `HOST:PORT`",
            ));
        }
        let host = match host {
            "index.docker.io" | "registry-1.docker.io" => HUB,
            other => other,
        };
        let repository = if host == HUB && !repository.contains('/') {
            format!("library/{repository}")
        } else {
            repository.to_owned()
        };
        if !repository.split('/').all(is_component) {
            return Err(fault(
                "the repository is none, expected lower-case parts between slashes",
            ));
        }
        if host.len() + 1 + repository.len() > 255 {
            return Err(fault("the name is longer than 255 characters"));
        }
        Ok(Reference {
            host: host.to_owned(),
            repository,
            tag,
            digest,
        })
    }

    /// Host and repository.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.host, self.repository)
    }

    /// The same reference, with the tag `latest` where it has neither tag nor digest.
    #[must_use]
    pub(crate) fn with_default_tag(mut self) -> Reference {
        if self.tag.is_none() && self.digest.is_none() {
            self.tag = Some("latest".to_owned());
        }
        self
    }

    /// What a registry is asked for: the digest before the tag before `latest`.
    pub(crate) fn asked(&self) -> &str {
        let tag = || self.tag.as_deref().unwrap_or("latest");
        self.digest.as_deref().unwrap_or_else(tag)
    }
}

impl fmt::Display for Reference {
    /// The canonical text: nothing is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "@{digest}")?;
        }
        Ok(())
    }
}

/// Whether the part before the first slash is a registry rather than a name on Docker Hub.
fn is_host(first: &str) -> bool {
    first == "localhost"
        || first.contains(['.', ':'])
        || first.chars().any(|letter| letter.is_ascii_uppercase())
}

fn host_is_sound(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => ("v6", port),
        Some(_) => return false,
        None => host.find(':').map_or((host, ""), |at| host.split_at(at)),
    };
    let is_label = |part: &str| {
        let ends = |letter: char| letter.is_ascii_alphanumeric();
        part.starts_with(ends)
            && part.ends_with(ends)
            && part.chars().all(|letter| ends(letter) || letter == '-')
    };
    let port_is_sound = match port.strip_prefix(':') {
        Some(digits) => digits.parse::<u16>().is_ok(),
        None => port.is_empty(),
    };
    port_is_sound && name.split('.').all(is_label)
}

/// Lower-case letters and digits, in runs parted by `.`, `_`, `__` or dashes.
fn is_component(text: &str) -> bool {
    let ends = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    text.starts_with(ends)
        && text.ends_with(ends)
        && text.split(ends).all(|between| {
            matches!(between, "" | "." | "_" | "__") || between.bytes().all(|byte| byte == b'-')
        })
}

fn is_tag(text: &str) -> bool {
    let first = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.len() <= 128
        && text.starts_with(first)
        && text
            .chars()
            .all(|letter| first(letter) || letter == '.' || letter == '-')
}

/// Whether a text is a digest with the exact number of lower-case hexadecimal digits.
pub(crate) fn is_digest(text: &str) -> bool {
    let Some((algorithm, digits)) = text.split_once(':') else {
        return false;
    };
    let wanted = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return false,
    };
    digits.len() == wanted
        && digits
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_the_hub_is_one_name() {
        for text in [
            "redis:7",
            "library/redis:7",
            "docker.io/redis:7",
            "index.docker.io/library/redis:7",
            "registry-1.docker.io/library/redis:7",
            "docker://redis:7",
        ] {
            let read = Reference::parse(text).expect(text);
            assert_eq!(read.to_string(), "docker.io/library/redis:7");
        }
    }

    #[test]
    fn hosts_tags_and_digests_are_told_apart() {
        let digest = format!("sha256:{}", "a1".repeat(32));
        let parts = |text: &str| {
            let read = Reference::parse(text).expect(text);
            (read.host, read.repository, read.tag, read.digest)
        };
        let some = |text: &str| Some(text.to_owned());
        let of = |host: &str, repository: &str, tag, digest| {
            (host.to_owned(), repository.to_owned(), tag, digest)
        };
        assert_eq!(parts("h:5000/app"), of("h:5000", "app", None, None));
        assert_eq!(
            parts("[::1]:5000/a/b:1"),
            of("[::1]:5000", "a/b", some("1"), None)
        );
        assert_eq!(
            parts(&format!("oci://h.example/a__b.c-d:v1@{digest}")),
            of("h.example", "a__b.c-d", some("v1"), some(&digest))
        );
        assert_eq!(parts("team/app"), of("docker.io", "team/app", None, None));
    }

    #[test]
    fn what_is_no_reference_is_refused() {
        for text in [
            "",
            "/a",
            "a/",
            "h.example/App:1",
            "a:",
            "a:1:2",
            "a@sha256:12",
            "h:port/a",
            "-h.example/a",
            "a/../b",
            "h.example/a_._b",
            "https://h.example/a",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }
}

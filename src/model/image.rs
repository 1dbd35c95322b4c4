//! What an override entry makes of one image text: kustomize's split and put together.
//!
//! Source: kustomize api v0.20.1 `internal/image.go`, `filters/imagetag/updater.go`;
//! `spec/image-semantics.md` rules 24–29.

use super::overrides::Override;

/// An image text cut as kustomize cuts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts<'t> {
    /// What stands before tag and digest.
    pub(crate) name: &'t str,
    /// The tag, empty where there is none.
    pub(crate) tag: &'t str,
    /// The digest with its algorithm, empty where there is none.
    pub(crate) digest: &'t str,
}

/// Cuts an image text by position, with no regard to where a pattern matched (rules 24, 25).
pub(crate) fn split(image: &str) -> Parts<'_> {
    let from = match image.find('/') {
        Some(slash) if slash > 0 => slash,
        _ => 0,
    };
    let colon = image[from..].find(':').map(|at| from + at);
    let at_sign = image[from..].find('@').map(|at| from + at);
    let whole = Parts {
        name: image,
        tag: "",
        digest: "",
    };
    match (colon, at_sign) {
        (None, None) => whole,
        (Some(colon), Some(at)) if colon < at => Parts {
            name: &image[..colon],
            tag: &image[colon + 1..at],
            digest: &image[at + 1..],
        },
        (_, Some(at)) => Parts {
            name: &image[..at],
            digest: &image[at + 1..],
            ..whole
        },
        (Some(colon), None) => Parts {
            name: &image[..colon],
            tag: &image[colon + 1..],
            ..whole
        },
    }
}

/// What the entry makes of an image text that its name matches (rules 26–28).
pub(crate) fn replace(entry: &Override, image: &str) -> String {
    let parts = split(image);
    let (tag, digest) = match (entry.new_tag(), entry.digest()) {
        ("", "") => (parts.tag, parts.digest),
        (tag, digest) => (tag, digest),
    };
    let name = match entry.new_name() {
        "" => parts.name,
        name => name,
    };
    let marks = usize::from(!tag.is_empty()) + usize::from(!digest.is_empty());
    let mut result = String::with_capacity(name.len() + tag.len() + digest.len() + marks);
    result.push_str(name);
    if !tag.is_empty() {
        result.push(':');
        result.push_str(tag);
    }
    if !digest.is_empty() {
        result.push('@');
        result.push_str(digest);
    }
    result
}

/// Why an image that was surely meant by a plain name is not matched by it; `None` where it is
/// another image.
pub(crate) fn missed(image: &str, name: &str) -> Option<String> {
    let parts = split(image);
    if parts.name == name {
        return Some(if parts.tag.contains('+') {
            "its tag holds `+`, which the filter does not know".to_owned()
        } else if !parts.digest.is_empty() && !parts.digest.starts_with("sha256:") {
            "its digest is not sha256, the only one that the filter knows".to_owned()
        } else {
            "its tag or digest has a form that the filter does not know".to_owned()
        });
    }
    (hub(parts.name) == hub(name)).then(|| {
        format!(
            "it is the same image under another name; write `{}`",
            parts.name
        )
    })
}

/// A name as Docker Hub knows it, without what may be left out; another registry's as it is.
fn hub(name: &str) -> &str {
    let name = ["index.docker.io/", "docker.io/"]
        .iter()
        .find_map(|host| name.strip_prefix(host))
        .unwrap_or(name);
    name.strip_prefix("library/").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_docker_hub_has_names_that_may_be_left_out() {
        for image in [
            "redis:7",
            "library/redis",
            "docker.io/redis",
            "docker.io/library/redis@sha256:ab",
            "index.docker.io/library/redis",
            "index.docker.io/redis",
        ] {
            let name = if image == "docker.io/redis" {
                "redis"
            } else {
                "docker.io/redis"
            };
            assert!(
                missed(image, name).is_some_and(|why| why.contains("same image")),
                "{image}"
            );
        }
        for image in [
            "index.example.org/redis",
            "r.io/library/redis",
            "index.redis",
            "r.io/docker.io/redis",
        ] {
            assert_eq!(missed(image, "redis"), None, "{image}");
            assert_eq!(missed(image, "example.org/redis"), None, "{image}");
        }
    }

    #[test]
    fn an_image_is_cut_by_position() {
        let cut = |image| {
            let parts = split(image);
            (parts.name, parts.tag, parts.digest)
        };
        assert_eq!(cut("h:5/n:1"), ("h:5/n", "1", ""));
        assert_eq!(cut("h@x/n@y:1"), ("h@x/n", "", "y:1"));
        assert_eq!(cut("n:1/2"), ("n:1/2", "", ""));
        assert_eq!(cut("/h:5/n:1"), ("/h", "5/n:1", ""));
        assert_eq!(cut("h:5"), ("h", "5", ""));
        assert_eq!(cut("n@a:b@c"), ("n", "", "a:b@c"));
        assert_eq!(cut("n:1@sha256:ab"), ("n", "1", "sha256:ab"));
        assert_eq!(cut("@a:1"), ("", "", "a:1"));
    }
}

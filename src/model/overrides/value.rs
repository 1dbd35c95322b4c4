//! What the values of an entry must look like to make an image that can be pulled.
//!
//! Source: the contract's grammar of an override entry; the distribution project's reference
//! grammar, of which it is a part.

/// What is wrong with a value, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is wrong, then what was expected.
    pub(crate) message: String,
    /// The remedy.
    pub(crate) help: String,
}

fn fault(message: impl Into<String>, help: impl Into<String>) -> Option<Fault> {
    Some(Fault { message: message.into(), help: help.into() })
}

/// What is wrong with a `newName`: it must be `host[:port]/lower-case/path`, the host optional.
pub(crate) fn new_name_fault(name: &str) -> Option<Fault> {
    if let Some((scheme, rest)) = name.split_once("://") {
        return fault(
            format!("`newName` begins with `{scheme}://`, expected a repository without a scheme"),
            format!("write `{rest}`"),
        );
    }
    if name.contains(char::is_whitespace) {
        return fault("`newName` holds white space", "take it out");
    }
    if name.contains('$') {
        return fault(
            "`newName` holds `$`, but kustomize pastes it as it is: groups are not expanded",
            "write the whole repository",
        );
    }
    if let Some((repository, digest)) = name.split_once('@') {
        return fault(
            format!("`newName` holds the digest `{digest}`, expected a repository alone"),
            format!("write `newName: {repository}` and `digest: {digest}`"),
        );
    }
    let (host, path) = match name.split_once('/') {
        Some((first, path)) if first.contains(['.', ':']) || first == "localhost" => {
            (Some(first), path)
        }
        _ => (None, name),
    };
    if let Some((repository, tag)) = path.rsplit_once(':') {
        let host = host.map(|host| format!("{host}/")).unwrap_or_default();
        return fault(
            format!("`newName` holds the tag `{tag}`, expected a repository alone"),
            format!("write `newName: {host}{repository}` and `newTag: \"{tag}\"`"),
        );
    }
    if let Some(host) = host
        && !host_fits(host)
    {
        return fault(
            format!("`{host}` in `newName` is no registry host, expected `host` or `host:port`"),
            "mend the host",
        );
    }
    if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return fault(
            "`newName` has upper-case letters, but repositories are lower case",
            format!("write `{}`", name.to_lowercase()),
        );
    }
    if !path.split('/').all(component_fits) {
        return fault(
            format!("`{name}` is no repository, expected `host[:port]/lower-case/path`"),
            "path components are lower-case letters and digits, parted by `.`, `_`, `__` or `-`",
        );
    }
    None
}

fn host_fits(host: &str) -> bool {
    let (name, port) = match host.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    };
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.split('.').all(label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn component_fits(component: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = component.as_bytes();
    let ends = bytes.first().copied().is_some_and(alphanumeric)
        && bytes.last().copied().is_some_and(alphanumeric);
    let separators_fit = component
        .split(|found: char| found.is_ascii_lowercase() || found.is_ascii_digit())
        .all(|gap| matches!(gap, "" | "." | "_" | "__") || gap.bytes().all(|byte| byte == b'-'));
    ends && separators_fit
}

/// What is wrong with a `newTag`: a tag, which may carry a digest behind `@`.
pub(crate) fn new_tag_fault(tag: &str) -> Option<Fault> {
    let (bare, digest) = match tag.split_once('@') {
        Some((bare, digest)) => (bare, Some(digest)),
        None => (tag, None),
    };
    if let Some(rest) = tag.strip_prefix([':', '@']) {
        let first = &tag[..1];
        return fault(
            format!("`newTag` begins with `{first}`, which kustomize adds itself"),
            if first == "@" { format!("write `digest: {rest}`") } else { format!("write `{rest}`") },
        );
    }
    if bare.contains('+') {
        return fault(
            "`newTag` holds `+`, which registries do not take",
            format!("write `{}`, as Helm and most builds do", bare.replace('+', "_")),
        );
    }
    let fits = bare.len() <= 128
        && bare.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if !fits {
        return fault(
            format!("`{bare}` is no tag, expected up to 128 letters, digits, `_`, `.` and `-`"),
            "mend the tag",
        );
    }
    digest.and_then(digest_fault)
}

/// What is wrong with a digest: an algorithm, a colon, and as many lower-case hexadecimal digits as
/// it has.
pub(crate) fn digest_fault(digest: &str) -> Option<Fault> {
    let help = "copy the digest whole, as in `sha256:` and 64 digits";
    if let Some(rest) = digest.strip_prefix('@') {
        return fault(
            "`digest` begins with `@`, which kustomize adds itself",
            format!("write `{rest}`"),
        );
    }
    let Some((algorithm, digits)) = digest.split_once(':') else {
        return fault(format!("`{digest}` is a digest without an algorithm"), help);
    };
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => {
            return fault(
                format!("`{algorithm}` is no digest algorithm, expected sha256, sha384 or sha512"),
                help,
            );
        }
    };
    if digits.len() != length {
        return fault(
            format!("the {algorithm} digest has {} digits, expected {length}", digits.len()),
            help,
        );
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
        return fault(
            format!("the {algorithm} digest has other characters than lower-case hexadecimal digits"),
            help,
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_told_from_what_is_more() {
        for name in ["nginx", "registry.example.org/a/b", "localhost:5000/x", "a/b__c-d.e"] {
            assert_eq!(new_name_fault(name), None, "{name}");
        }
        for name in ["https://r.io/a", "r.io/a:1", "r.io/a@sha256:ab", "r.io/A", "a b", "r.io/$1",
            "r.io//a", "r.io/a/", "r.io:99999/a", "-a", "a..b"]
        {
            assert!(new_name_fault(name).is_some(), "{name}");
        }
    }

    #[test]
    fn tags_and_digests_have_their_form() {
        let digest = format!("sha256:{}", "a1".repeat(32));
        assert_eq!(new_tag_fault("v1.2_3-x"), None);
        assert_eq!(new_tag_fault(&format!("v1@{digest}")), None);
        assert_eq!(digest_fault(&digest), None);
        for tag in [":1", "@sha256:ab", "1+b", "a b", "-x", ""] {
            assert!(new_tag_fault(tag).is_some(), "{tag}");
        }
        for digest in ["ab", "sha256:ab", "md5:ab", "@sha256:ab"] {
            assert!(digest_fault(digest).is_some(), "{digest}");
        }
    }
}

//! Which keys look as if their values were credentials.
//!
//! A mask that is not needed hides a value from a reviewer; one that is missing shows a password to
//! everyone who reads a log. So a doubtful key is masked, except where it plainly names something:
//! `secretName`, `passwordKey`, `tokenPath`, `existingSecret`.

/// What a key's value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A credential.
    Secret,
    /// Credentials, perhaps by name.
    Secrets,
    /// Something else.
    Other,
}

/// Last words of keys whose values are credentials.
const LAST: &[&str] = &[
    "apikey",
    "auth",
    "authorization",
    "authtoken",
    "bearer",
    "clientsecret",
    "connectionstring",
    "cookie",
    "credential",
    "dockercfg",
    "dockerconfigjson",
    "dsn",
    "hmac",
    "htpasswd",
    "jwt",
    "kubeconfig",
    "otp",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "psk",
    "pwd",
    "salt",
    "secret",
    "secretkey",
    "token",
];

/// Last words of keys whose values are many of them.
const PLURAL: &[&str] = &[
    "apikeys",
    "creds",
    "credentials",
    "passphrases",
    "passwords",
    "tokens",
];

/// What stands before `key` where the key is a secret one.
const KEY: &[&str] = &[
    "access",
    "account",
    "aes",
    "api",
    "auth",
    "deploy",
    "encryption",
    "hmac",
    "license",
    "master",
    "private",
    "rsa",
    "secret",
    "service",
    "shared",
    "signing",
    "ssh",
    "storage",
    "tls",
];

/// What stands before `secret` or `token` where the value is the name of one.
const NAMED: &[&str] = &[
    "ca",
    "cert",
    "certificate",
    "existing",
    "external",
    "image",
    "pull",
    "tls",
    "use",
];

/// What a key's value holds.
pub(super) fn holds(key: &str) -> Holds {
    let words = words(key);
    let mut words: &[String] = &words;
    while let [rest @ .., last] = words
        && !rest.is_empty()
        && last.bytes().all(|byte| byte.is_ascii_digit())
    {
        words = rest;
    }
    let Some((last, before)) = words.split_last() else {
        return Holds::Other;
    };
    let previous = before.last().map_or("", String::as_str);
    let named = |it: &&str| before.iter().any(|word| word == it);
    match last.as_str() {
        "secret" | "token" if NAMED.iter().any(named) => Holds::Other,
        "pass" if previous == "proxy" => Holds::Other,
        "key" if KEY.contains(&previous) => Holds::Secret,
        "string" if previous == "connection" => Holds::Secret,
        "code" if previous == "pass" => Holds::Secret,
        last if LAST.contains(&last) => Holds::Secret,
        last if PLURAL.contains(&last) => Holds::Secrets,
        _ => Holds::Other,
    }
}

/// Whether a text can hold a key that [`holds`] knows: a quick look before a slow one.
pub(super) fn occur(text: &str) -> bool {
    const SIGNS: &[&[u8]] = &[
        b"auth",
        b"bearer",
        b"connection",
        b"cookie",
        b"cred",
        b"docker",
        b"dsn",
        b"hmac",
        b"htpass",
        b"jwt",
        b"key",
        b"kubeconfig",
        b"otp",
        b"pass",
        b"psk",
        b"pwd",
        b"salt",
        b"secret",
        b"token",
        b"://",
    ];
    let lower = text.to_ascii_lowercase();
    SIGNS
        .iter()
        .any(|sign| memchr::memmem::find(lower.as_bytes(), sign).is_some())
}

/// Whether a key inside credentials names a place and holds none.
pub(super) fn refers(key: &str) -> bool {
    let words = words(key);
    matches!(
        words.last().map(String::as_str),
        Some(
            "name"
                | "ref"
                | "key"
                | "path"
                | "file"
                | "kind"
                | "namespace"
                | "type"
                | "user"
                | "username"
                | "url"
                | "host"
                | "port"
        )
    ) && holds(key) == Holds::Other
}

/// Whether a value is no credential: nothing, or a variable that is put in later.
pub(super) fn names(text: &str) -> bool {
    let whole = |open: &str, close: &str| {
        let inner = text
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    text.is_empty() || whole("${", "}") || whole("$(", ")")
}

/// The words of a key, in lower case: parted at signs and where a capital begins one.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = key.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map_or(' ', |it| chars[it]);
        let behind = chars.get(at + 1).copied().unwrap_or(' ');
        let opens = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit())
            || c.is_uppercase() && before.is_uppercase() && behind.is_lowercase()
            || c.is_ascii_digit() && before.is_lowercase();
        if opens {
            words.push(String::new());
        }
        words
            .last_mut()
            .expect("one is always open")
            .extend(c.to_lowercase());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_known_by_their_keys() {
        for key in [
            "password",
            "dbPassword",
            "AWS_SECRET_ACCESS_KEY",
            "apiKey",
            "api_key",
            "client-secret",
            "token",
            "GITHUB_TOKEN",
            "htpasswd",
            "privateKey",
            "adminPassword1",
            "--password",
            ".dockerconfigjson",
            "connectionString",
            "DSN",
            "secretkey",
            "MYSQL_ROOT_PASSWORD",
        ] {
            assert_eq!(holds(key), Holds::Secret, "{key}");
        }
        assert_eq!(holds("credentials"), Holds::Secrets);
    }

    #[test]
    fn what_only_names_a_credential_is_shown() {
        for key in [
            "secretName",
            "passwordKey",
            "tokenPath",
            "existingSecret",
            "secretRef",
            "publicKey",
            "tokenTTL",
            "imagePullSecret",
            "key",
            "proxy_pass",
            "tlsSecret",
            "secrets",
            "author",
            "monkey",
            "passwordFile",
            "compass",
            "data",
        ] {
            assert_eq!(holds(key), Holds::Other, "{key}");
        }
        assert!(names("${DB_PASSWORD}") && names("$(X)") && !names("$ecret") && names(""));
    }
}

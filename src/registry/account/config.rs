//! Docker's `config.json`, as far as it speaks of credentials.
//!
//! No error names a value out of the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde::Deserialize;

use super::Account;
use crate::registry::error::Error;
use crate::registry::secret::Secret;

/// The file, read.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// Where it stands, for people.
    pub(super) path: String,
    /// Accounts by the key as written.
    pub(super) entries: BTreeMap<String, Entry>,
    /// Helpers by the registry that names them.
    pub(super) helpers: BTreeMap<String, String>,
    /// The helper for all others.
    pub(super) store: Option<String>,
}

/// One entry of `auths`.
#[derive(Debug)]
pub(super) struct Entry(pub(super) Account);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    #[serde(default)]
    auths: BTreeMap<String, Option<RawEntry>>,
    #[serde(default)]
    cred_helpers: BTreeMap<String, String>,
    #[serde(default)]
    creds_store: String,
}

#[derive(Default, Deserialize)]
struct RawEntry {
    #[serde(default)]
    auth: String,
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    identitytoken: String,
}

impl Config {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Config, Error> {
        let text = fs::read_to_string(path).map_err(|why| Error::read(path, why))?;
        Config::parse(&text, &path.display().to_string())
    }

    /// Reads a text; `path` is what errors call it.
    pub(super) fn parse(text: &str, path: &str) -> Result<Config, Error> {
        let fault = |why: String| Error::Credentials {
            path: path.to_owned(),
            why,
        };
        // The parser's own message could quote a value.
        let raw: Raw = serde_json::from_str(text).map_err(|why| {
            let place = format!("line {}, column {}", why.line(), why.column());
            fault(format!("it is not docker's `config.json` at {place}"))
        })?;
        let mut entries = BTreeMap::new();
        for (key, entry) in raw.auths {
            let account = account(entry.unwrap_or_default())
                .map_err(|why| fault(format!("the `auth` of `{key}` {why}")))?;
            entries.insert(key, Entry(account));
        }
        Ok(Config {
            path: path.to_owned(),
            entries,
            helpers: raw.cred_helpers,
            store: Some(raw.creds_store).filter(|name| !name.is_empty()),
        })
    }
}

/// The account of an entry: a token before a name, `auth` before the two by themselves.
fn account(entry: RawEntry) -> Result<Account, &'static str> {
    if !entry.identitytoken.is_empty() {
        return Ok(Account::IdentityToken(Secret::new(entry.identitytoken)));
    }
    let (name, password) = if entry.auth.is_empty() {
        (entry.username, entry.password)
    } else {
        let bytes = STANDARD
            .decode(entry.auth.trim())
            .or_else(|_| STANDARD_NO_PAD.decode(entry.auth.trim()))
            .map_err(|_| "is not base64")?;
        let text = String::from_utf8(bytes).map_err(|_| "is not text")?;
        let (name, password) = text.split_once(':').ok_or("holds no colon")?;
        (name.to_owned(), password.trim_end_matches('\0').to_owned())
    };
    if name.is_empty() && password.is_empty() {
        return Ok(Account::Anonymous);
    }
    Ok(Account::User {
        name,
        password: Secret::new(password),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_keeps_its_colons_and_no_error_quotes_it() {
        let auth = STANDARD.encode("robot$mirror:fa:ke");
        let text = format!(r#"{{"auths": {{"h.example": {{"auth": "{auth}"}}}}}}"#);
        let config = Config::parse(&text, "config.json").expect("a configuration");
        let wanted = Account::User {
            name: "robot$mirror".to_owned(),
            password: Secret::new("fa:ke"),
        };
        assert_eq!(config.entries["h.example"].0, wanted);
        for broken in [
            r#"{"auths": {"h.example": {"auth": "hush!"}}}"#,
            r#"{"auths": {"h.example": "hush!"}}"#,
        ] {
            let said = Config::parse(broken, "config.json")
                .expect_err("broken")
                .to_string();
            assert!(!said.contains("hush"), "{said}");
        }
    }
}

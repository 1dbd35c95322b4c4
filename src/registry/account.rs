//! Whose credentials a reference is asked with: docker's configuration, and its helpers.
//!
//! Lives here: which entry of the configuration a reference meets. Below: reading the file
//! ([`config`]) and asking a helper ([`helper`]). Not here: what is done with the credentials.
//!
//! Source: docker cli v27 `cli/config/configfile`, `cli/config/credentials`; `spec/bundle.md`,
//! "Registries".

mod config;
mod helper;

use std::env;
use std::path::PathBuf;

use super::error::Error;
use super::secret::Secret;
use super::settings::Settings;
use crate::model::reference::Reference;
use config::{Config, Entry};

/// What docker's own helpers and files call Docker Hub.
const HUB_KEY: &str = "https://index.docker.io/v1/";

/// Credentials of a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    /// None.
    Anonymous,
    /// A name and a password.
    User {
        /// The name.
        name: String,
        /// The password.
        password: Secret,
    },
    /// A refresh token, without a name.
    IdentityToken(Secret),
}

impl Account {
    /// Whose it is, for people; never the secret.
    pub(crate) fn shown(&self) -> String {
        match self {
            Account::Anonymous => "anonymous".to_owned(),
            Account::User { name, .. } => format!("user `{name}`"),
            Account::IdentityToken(_) => "an identity token".to_owned(),
        }
    }
}

/// An account, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Login {
    /// The account.
    pub(crate) account: Account,
    /// Where it comes from, for people; `None` for anonymous without a reason.
    pub(crate) origin: Option<String>,
}

/// All accounts that a user has.
#[derive(Debug, Default)]
pub(crate) struct Accounts {
    config: Config,
}

impl Accounts {
    /// Reads the file that the settings or the environment name: `--registry-auth-file`, then
    /// `DOCKER_CONFIG`, then `~/.docker/config.json`. Only a file that was named must be there.
    pub(crate) fn read(settings: &Settings) -> Result<Accounts, Error> {
        let config = match &settings.auth_file {
            Some(path) => Some(Config::read(path)?),
            None => default_file()
                .filter(|path| path.is_file())
                .map(|path| Config::read(&path))
                .transpose()?,
        };
        Ok(Accounts {
            config: config.unwrap_or_default(),
        })
    }

    /// The account for a reference: the helper that names its registry, then the helper for all,
    /// then the longest key that meets it.
    ///
    /// # Errors
    ///
    /// Where a helper that names the registry is not there or gives nothing that can be read.
    pub(crate) fn of(&self, reference: &Reference) -> Result<Login, Error> {
        let config = &self.config;
        if let Some((key, name)) = longest(&config.helpers, reference) {
            let account =
                helper::ask(name, key, &reference.host)?.ok_or_else(|| Error::Helper {
                    helper: name.clone(),
                    host: reference.host.clone(),
                    why: "it is not installed".to_owned(),
                })?;
            let origin = Some(format!("`docker-credential-{name}`, which `{key}` names"));
            return Ok(Login { account, origin });
        }
        let found = longest(&config.entries, reference);
        if let Some(name) = &config.store {
            let key = match found {
                Some((key, _)) => key,
                None if reference.host == "docker.io" => HUB_KEY,
                None => &reference.host,
            };
            // Not installed is no fault here: the helper was only the default.
            let account = helper::ask(name, key, &reference.host)?;
            if let Some(account) = account.filter(|account| *account != Account::Anonymous) {
                let origin = Some(format!("`docker-credential-{name}`, the default helper"));
                return Ok(Login { account, origin });
            }
        }
        let given = |(_, entry): &(&String, &Entry)| entry.0 != Account::Anonymous;
        let (account, key) = match found.filter(given) {
            Some((key, entry)) => (entry.0.clone(), key),
            None => {
                return Ok(Login {
                    account: Account::Anonymous,
                    origin: None,
                });
            }
        };
        let origin = Some(format!("the key `{key}` of `{}`", config.path));
        Ok(Login { account, origin })
    }
}

/// Where docker keeps its configuration.
fn default_file() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    let folder = match set("DOCKER_CONFIG") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(set("HOME").or_else(|| set("USERPROFILE"))?).join(".docker"),
    };
    Some(folder.join("config.json"))
}

/// The entry whose key meets the most of a reference; of several spellings of one key the plainest.
fn longest<'m, V: Given>(
    map: &'m std::collections::BTreeMap<String, V>,
    reference: &Reference,
) -> Option<(&'m String, &'m V)> {
    let name = reference.name();
    map.iter()
        .filter(|(_, value)| value.is_given())
        .filter_map(|(key, value)| {
            let plain = plain(key);
            let meets = name
                .strip_prefix(plain.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            meets.then_some(((plain.len(), std::cmp::Reverse(key.len())), (key, value)))
        })
        .max_by_key(|(rank, _)| *rank)
        .map(|(_, found)| found)
}

/// What may be there and say nothing.
trait Given {
    /// Whether it says something: docker leaves `{}` behind for registries that a helper knows.
    fn is_given(&self) -> bool;
}

impl Given for Entry {
    fn is_given(&self) -> bool {
        self.0 != Account::Anonymous
    }
}

impl Given for String {
    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

/// A key without what may be left out of it: scheme, version, slash, the spellings of the Hub.
fn plain(key: &str) -> String {
    let bare = ["https://", "http://"]
        .iter()
        .find_map(|scheme| key.strip_prefix(scheme))
        .unwrap_or(key);
    let bare = bare.trim_end_matches('/');
    let bare = bare
        .strip_suffix("/v1")
        .or_else(|| bare.strip_suffix("/v2"))
        .unwrap_or(bare);
    let (host, path) = bare.find('/').map_or((bare, ""), |at| bare.split_at(at));
    match host {
        "index.docker.io" | "registry-1.docker.io" => format!("docker.io{path}"),
        _ => bare.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accounts(text: &str) -> Accounts {
        Accounts {
            config: Config::parse(text, "config.json").expect("a configuration"),
        }
    }

    fn user(accounts: &Accounts, reference: &str) -> String {
        let reference = Reference::parse(reference).expect("a reference");
        accounts.of(&reference).expect("an account").account.shown()
    }

    #[test]
    fn the_longest_key_wins_and_never_a_sibling() {
        let keys = r#"{"auths": {
            "registry.example.org": {"username": "all", "password": "a"},
            "registry.example.org/team": {"username": "team", "password": "b"},
            "https://index.docker.io/v1/": {"username": "hub", "password": "c"},
            "empty.example.org": {}}}"#;
        let accounts = accounts(keys);
        assert_eq!(
            user(&accounts, "registry.example.org/team/a"),
            "user `team`"
        );
        assert_eq!(
            user(&accounts, "registry.example.org/team-b/a"),
            "user `all`"
        );
        assert_eq!(user(&accounts, "redis:7"), "user `hub`");
        assert_eq!(user(&accounts, "empty.example.org/x"), "anonymous");
        assert_eq!(user(&accounts, "registry.example.org:5000/x"), "anonymous");
    }

    #[test]
    fn a_helper_that_is_not_installed_matters_only_where_it_is_named() {
        let keys = r#"{"credsStore": "forebay-has-no-such", "auths": {
            "a.example.org": {"username": "a", "password": "a"}},
            "credHelpers": {"b.example.org": "forebay-has-no-such"}}"#;
        let accounts = accounts(keys);
        assert_eq!(user(&accounts, "a.example.org/x"), "user `a`");
        assert_eq!(user(&accounts, "c.example.org/x"), "anonymous");
        let named = Reference::parse("b.example.org/x").expect("a reference");
        let error = accounts.of(&named).expect_err("the helper is named");
        assert!(error.to_string().contains("not installed"), "{error}");
    }
}

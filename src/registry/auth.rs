//! How a registry is shown who asks: passwords, tokens, and tokens for tokens.
//!
//! Lives here: from a challenge to the header that answers it, and what is remembered of it. Which
//! account is used is [`super::account`]'s.
//!
//! Source: distribution's `spec/auth/token.md`, `spec/auth/oauth.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use ureq::http::{Method, Uri};

use super::account::{Account, Accounts};
use super::challenge::Challenge;
use super::error::Error;
use super::http::{Call, Http, Payload, authority, without_query};
use super::secret::Secret;
use crate::model::reference::Reference;

/// The most bytes that a token service may answer with.
const ANSWER: u64 = 1 << 20;

/// Who asks, for what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    /// The registry.
    pub(super) host: String,
    /// The repository.
    pub(super) repository: String,
    /// Whether something is pushed.
    pub(super) push: bool,
    /// A second repository that a blob is taken over from.
    pub(super) from: Option<String>,
}

impl Scope {
    fn texts(&self) -> Vec<String> {
        let actions = if self.push { "pull,push" } else { "pull" };
        let mut texts = vec![format!("repository:{}:{actions}", self.repository)];
        let from = self.from.iter();
        texts.extend(from.map(|from| format!("repository:{from}:pull")));
        texts
    }
}

/// What is known of who asks.
#[derive(Debug, Default)]
pub(super) struct Auth {
    accounts: Accounts,
    known: Mutex<BTreeMap<Scope, Secret>>,
    /// One question to a token service at a time, so that the next one finds its answer.
    asking: Mutex<BTreeMap<Scope, Arc<Mutex<()>>>>,
    /// Every secret that was sent, so that a registry which repeats one is not repeated.
    sent: Mutex<BTreeSet<String>>,
}

#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    token: String,
    #[serde(default)]
    access_token: String,
}

impl Auth {
    /// With the accounts that the user has.
    pub(super) fn new(accounts: Accounts) -> Auth {
        Auth {
            accounts,
            ..Auth::default()
        }
    }

    /// The header that answered for this scope before.
    pub(super) fn known(&self, scope: &Scope) -> Option<Secret> {
        lock(&self.known).get(scope).cloned()
    }

    /// Whose account a reference is asked with.
    pub(super) fn shown(&self, scope: &Scope) -> String {
        self.account(scope)
            .map_or_else(|_| "the account".to_owned(), |account| account.shown())
    }

    fn account(&self, scope: &Scope) -> Result<Account, Error> {
        let reference = Reference {
            host: scope.host.clone(),
            repository: scope.repository.clone(),
            tag: None,
            digest: None,
        };
        Ok(self.accounts.of(&reference)?.account)
    }

    /// The header that answers a challenge; `None` where there is nothing to answer with. `stale`
    /// is the header that was refused.
    ///
    /// # Errors
    ///
    /// Where the token service gives no token.
    pub(super) fn answer(
        &self,
        http: &Http,
        scope: &Scope,
        challenge: &Challenge,
        stale: Option<&Secret>,
    ) -> Result<Option<Secret>, Error> {
        let turn = Arc::clone(lock(&self.asking).entry(scope.clone()).or_default());
        let _turn = lock(&turn);
        let known = self.known(scope);
        if known.is_some() && known.as_ref() != stale {
            return Ok(known);
        }
        let account = self.account(scope)?;
        let header = match challenge {
            Challenge::Basic => match &account {
                Account::User { name, password } => Some(self.basic(name, password)),
                Account::Anonymous | Account::IdentityToken(_) => None,
            },
            Challenge::Bearer {
                realm,
                service,
                scope: asked,
            } => {
                let mut scopes = scope.texts();
                // What the registry would ask for itself counts, where it is not ours already.
                let theirs = asked.split(' ').filter(|text| !text.is_empty());
                if !scope.push {
                    scopes = theirs.map(str::to_owned).collect();
                    if scopes.is_empty() {
                        scopes = scope.texts();
                    }
                }
                let token = self.token(http, scope, realm, service, &scopes, &account)?;
                Some(Secret::new(format!("Bearer {}", token.reveal())))
            }
        };
        if let Some(header) = &header {
            lock(&self.known).insert(scope.clone(), header.clone());
        }
        Ok(header)
    }

    fn token(
        &self,
        http: &Http,
        scope: &Scope,
        realm: &str,
        service: &str,
        scopes: &[String],
        account: &Account,
    ) -> Result<Secret, Error> {
        let protocol = |why: &str| Error::Protocol {
            host: scope.host.clone(),
            why: why.to_owned(),
        };
        let url: Uri = realm
            .parse()
            .map_err(|_| protocol("its token service has no address"))?;
        let host = authority(&url);
        if host.is_empty() || host.contains('@') {
            return Err(protocol("its token service has no address"));
        }
        let plain = url.scheme_str() != Some("https");
        if plain && *account != Account::Anonymous && !http.may_be_plain(&host) {
            return Err(protocol(
                "its token service would get the credentials without TLS",
            ));
        }
        let mut fields: Vec<(&str, &str)> = Vec::new();
        if !service.is_empty() {
            fields.push(("service", service));
        }
        let joined = scopes.join(" ");
        let call = if let Account::IdentityToken(token) = account {
            self.remember(token);
            fields.extend([
                ("grant_type", "refresh_token"),
                ("client_id", "forebay"),
                ("scope", joined.as_str()),
                ("refresh_token", token.reveal()),
            ]);
            let form = form(&fields);
            let mut call = Call::get(url.clone());
            call.method = Method::POST;
            call.headers = vec![(
                "content-type",
                "application/x-www-form-urlencoded".to_owned(),
            )];
            call.payload = Payload::Bytes(form.as_bytes());
            return self.asked(http, scope, &call, account);
        } else {
            fields.extend(scopes.iter().map(|scope| ("scope", scope.as_str())));
            let join = if url.query().is_some() { '&' } else { '?' };
            let asked = format!("{realm}{join}{}", form(&fields));
            let url = asked
                .parse()
                .map_err(|_| protocol("its token service has no address"))?;
            let mut call = Call::get(url);
            if let Account::User { name, password } = account {
                call.authorization = Some(self.basic(name, password));
            }
            call
        };
        self.asked(http, scope, &call, account)
    }

    /// Asks a token service.
    fn asked(
        &self,
        http: &Http,
        scope: &Scope,
        call: &Call<'_>,
        account: &Account,
    ) -> Result<Secret, Error> {
        let mut answer = http.send(call)?;
        let url = without_query(&call.url);
        let bytes = answer.bytes(ANSWER)?.unwrap_or_default();
        match answer.status.as_u16() {
            200 => {}
            400 | 401 | 403 => {
                return Err(Error::Refused {
                    host: scope.host.clone(),
                    account: account.shown(),
                    message: format!(": its token service answers {}", answer.status.as_u16()),
                });
            }
            status => {
                return Err(Error::Status {
                    url,
                    status,
                    message: String::new(),
                });
            }
        }
        let token = serde_json::from_slice::<Token>(&bytes).ok();
        let text = token.map(|token| {
            if token.token.is_empty() {
                token.access_token
            } else {
                token.token
            }
        });
        // A header cannot hold what is no visible ASCII.
        let sound = |text: &String| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        let token = text.filter(sound).map(Secret::new);
        let token = token.ok_or_else(|| Error::Protocol {
            host: authority(&call.url),
            why: "it is a token service and gives no token".to_owned(),
        })?;
        self.remember(&token);
        Ok(token)
    }

    fn basic(&self, name: &str, password: &Secret) -> Secret {
        let encoded = Secret::new(STANDARD.encode(format!("{name}:{}", password.reveal())));
        self.remember(password);
        self.remember(&encoded);
        Secret::new(format!("Basic {}", encoded.reveal()))
    }

    fn remember(&self, secret: &Secret) {
        lock(&self.sent).insert(secret.reveal().to_owned());
    }

    /// A registry's words, with every secret that it was sent taken out.
    pub(super) fn clean(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for secret in lock(&self.sent).iter().filter(|secret| !secret.is_empty()) {
            clean = clean.replace(secret.as_str(), "***");
        }
        clean
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fields as a form or a query has them.
fn form(fields: &[(&str, &str)]) -> String {
    let escaped = |text: &str| -> String {
        let mut out = String::with_capacity(text.len());
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                out.push('%');
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
        out
    };
    let pair = |(name, value): &(&str, &str)| format!("{name}={}", escaped(value));
    fields.iter().map(pair).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_was_sent_is_not_repeated() {
        let auth = Auth::default();
        let header = auth.basic("me", &Secret::new("hush"));
        let echoed = format!("you said {} or hush", header.reveal());
        assert_eq!(auth.clean(&echoed), "you said Basic *** or ***");
    }

    #[test]
    fn fields_are_escaped() {
        let fields = [("scope", "repository:a/b:pull,push"), ("service", "a b&c")];
        assert_eq!(
            form(&fields),
            "scope=repository%3Aa%2Fb%3Apull%2Cpush&service=a%20b%26c"
        );
    }
}

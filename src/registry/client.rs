//! A registry as it is read: manifests, blobs, tags, referrers.
//!
//! Not here: pushing ([`super::upload`]), and what is done with what was read.
//!
//! Source: OCI distribution-spec 1.1 `spec.md`.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use ureq::http::{Method, StatusCode, Uri};

use super::account::Accounts;
use super::auth::{Auth, Scope};
use super::challenge;
use super::digest::{Digest, Hasher};
use super::error::Error;
use super::http::{Answer, Call, Http};
use super::manifest::{self, Manifest};
use super::redirect;
use super::retry::ATTEMPTS;
use super::settings::Settings;
use crate::model::reference::Reference;

/// How many pages of tags are read of one repository, of up to a thousand tags each.
const PAGES: usize = 20;

/// All registries, as one user asks them.
pub(crate) struct Client {
    pub(super) http: Http,
    auth: Auth,
    /// Hosts without a referrers API.
    without_referrers: Mutex<BTreeSet<String>>,
}

/// A repository of a registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The registry.
    pub(crate) host: String,
    /// The repository.
    pub(crate) repository: String,
}

impl Place {
    /// Where a reference stands.
    pub(crate) fn of(reference: &Reference) -> Place {
        Place {
            host: reference.host.clone(),
            repository: reference.repository.clone(),
        }
    }

    /// For people, with what is asked for there.
    pub(super) fn with(&self, asked: &str) -> String {
        let between = if asked.contains(':') { '@' } else { ':' };
        format!("{}/{}{between}{asked}", self.host, self.repository)
    }
}

/// A manifest as it came.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    /// Its digest.
    pub(crate) digest: Digest,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// What it says.
    pub(crate) manifest: Manifest,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    errors: Vec<RefusalPart>,
}

#[derive(Deserialize)]
struct RefusalPart {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Tags {
    tags: Option<Vec<String>>,
}

impl Client {
    /// Asks as the settings say, with the accounts of the user's docker.
    pub(crate) fn new(settings: &Settings) -> Result<Client, Error> {
        Ok(Client {
            auth: Auth::new(Accounts::read(settings)?),
            http: Http::new(settings.clone()),
            without_referrers: Mutex::default(),
        })
    }

    /// How many requests were sent.
    pub(crate) fn requests(&self) -> u64 {
        self.http.requests()
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        self.http.settings()
    }

    /// Sends a request as the account that belongs to the scope, and gives whatever is answered
    /// but 401.
    pub(super) fn send(&self, scope: &Scope, mut call: Call<'_>) -> Result<Answer, Error> {
        call.authorization = self.auth.known(scope);
        let answer = self.http.send(&call)?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        let Some(challenge) = challenge::read(&answer.headers) else {
            return Err(self.refused(scope, answer));
        };
        drop(answer);
        let stale = call.authorization.take();
        call.authorization = self
            .auth
            .answer(&self.http, scope, &challenge, stale.as_ref())?;
        let answer = self.http.send(&call)?;
        if answer.status == StatusCode::UNAUTHORIZED {
            return Err(self.refused(scope, answer));
        }
        Ok(answer)
    }

    fn refused(&self, scope: &Scope, answer: Answer) -> Error {
        Error::Refused {
            host: scope.host.clone(),
            account: self.auth.shown(scope),
            message: self.message(answer),
        }
    }

    /// An answer that is no success, as an error.
    pub(super) fn fault(&self, what: &str, answer: Answer) -> Error {
        let (status, url) = (
            answer.status.as_u16(),
            super::http::without_query(&answer.url),
        );
        let message = self.message(answer);
        if status == 404 {
            let what = what.to_owned();
            return Error::NotFound { what, message };
        }
        Error::Status {
            url,
            status,
            message,
        }
    }

    /// What a registry says of a refusal, behind a colon; empty where it says nothing readable.
    fn message(&self, mut answer: Answer) -> String {
        let bytes = answer.bytes(64 << 10).ok().flatten().unwrap_or_default();
        let refusal = serde_json::from_slice::<Refusal>(&bytes).ok();
        let Some(part) = refusal.and_then(|refusal| refusal.errors.into_iter().next()) else {
            return String::new();
        };
        let said = match (part.message.as_str(), part.code.as_str()) {
            ("", "") => return String::new(),
            ("", code) => code.to_owned(),
            (message, _) => message.to_owned(),
        };
        let readable: String = said.chars().filter(|c| !c.is_control()).take(200).collect();
        format!(": {}", self.auth.clean(&readable))
    }

    pub(super) fn url(&self, place: &Place, rest: &str) -> Result<Uri, Error> {
        let path = format!("/v2/{}/{rest}", place.repository);
        self.http.address(&place.host, &path)
    }

    /// The digest that a tag stands for; `None` where the registry does not say it in a header.
    pub(crate) fn resolve(&self, place: &Place, asked: &str) -> Result<Option<Digest>, Error> {
        let mut call = Call::get(self.url(place, &format!("manifests/{asked}"))?);
        call.method = Method::HEAD;
        call.headers = vec![("accept", manifest::ACCEPT.to_owned())];
        let answer = self.send(&pull(place), call)?;
        match answer.status.as_u16() {
            200 => Ok(answer
                .header("docker-content-digest")
                .and_then(Digest::parse)),
            // Some registries know no HEAD: GET will tell.
            405 => Ok(None),
            _ => Err(self.fault(&place.with(asked), answer)),
        }
    }

    /// Whether a manifest of this tag or digest is there, and its digest where the registry says.
    pub(crate) fn has_manifest(&self, place: &Place, asked: &str) -> Result<Option<Digest>, Error> {
        match self.resolve(place, asked) {
            Ok(Some(digest)) => Ok(Some(digest)),
            Ok(None) => Ok(Some(self.manifest(place, asked)?.digest)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A manifest, verified where it is asked for by digest.
    pub(crate) fn manifest(&self, place: &Place, asked: &str) -> Result<Fetched, Error> {
        let what = place.with(asked);
        let mut call = Call::get(self.url(place, &format!("manifests/{asked}"))?);
        call.headers = vec![("accept", manifest::ACCEPT.to_owned())];
        let mut answer = self.send(&pull(place), call)?;
        if answer.status != StatusCode::OK {
            return Err(self.fault(&what, answer));
        }
        let announced = answer.header("content-type").unwrap_or_default().to_owned();
        let said = answer
            .header("docker-content-digest")
            .and_then(Digest::parse);
        let too_long = || Error::Manifest {
            what: what.clone(),
            why: format!("it has more than {} bytes", manifest::LIMIT),
        };
        if answer
            .length()
            .is_some_and(|length| length > manifest::LIMIT)
        {
            return Err(too_long());
        }
        let bytes = answer.bytes(manifest::LIMIT)?.ok_or_else(too_long)?;
        let wanted = Digest::parse(asked);
        let digest = match wanted.or(said) {
            Some(wanted) if wanted.fits(&bytes) => wanted,
            Some(wanted) => {
                let mut hasher = wanted.hasher();
                hasher.update(&bytes);
                return Err(Error::Digest {
                    what,
                    found: hasher.finish(),
                    wanted,
                });
            }
            None => Digest::of(&bytes),
        };
        let manifest =
            Manifest::read(&bytes, &announced).map_err(|why| Error::Manifest { what, why })?;
        Ok(Fetched {
            digest,
            bytes,
            manifest,
        })
    }

    /// Fetches a blob into `into`, which holds the first `have` bytes of it, hashed in `hasher`.
    /// Where the connection breaks it goes on from what came; `restart` empties `into` where the
    /// registry begins anew. All that was written is verified before this returns.
    pub(crate) fn blob(
        &self,
        place: &Place,
        digest: &Digest,
        size: u64,
        into: &mut dyn Sink,
        (mut have, mut hasher): (u64, Hasher),
    ) -> Result<(), Error> {
        let what = place.with(digest.as_str());
        let mut attempt = 0;
        let mut anew = false;
        loop {
            attempt += 1;
            let last = attempt >= ATTEMPTS;
            let mut call = Call::get(self.url(place, &format!("blobs/{digest}"))?);
            call.elsewhere = true;
            if have > 0 {
                call.headers = vec![("range", format!("bytes={have}-"))];
            }
            let failed = if have == size && have > 0 {
                None
            } else {
                let mut answer = self.send(&pull(place), call)?;
                let goes_on = answer.status == StatusCode::PARTIAL_CONTENT && have > 0;
                match answer.status.as_u16() {
                    206 if goes_on && starts_at(&answer, have) => {}
                    200 | 206 | 416 => {
                        have = 0;
                        hasher = digest.hasher();
                        into.restart()?;
                        if answer.status != StatusCode::OK {
                            drop(answer);
                            if last {
                                return Err(too_odd(place));
                            }
                            continue;
                        }
                    }
                    _ => return Err(self.fault(&what, answer)),
                }
                copy(self, &mut answer, into, &mut hasher, &mut have, size)?
            };
            if have > size {
                return Err(Error::Size {
                    what,
                    wanted: size,
                    found: format!("more than {size}"),
                });
            }
            if have == size {
                let found = hasher.clone().finish();
                if found == *digest {
                    return Ok(());
                }
                // Once more from the start: what was kept of an earlier run may be what is wrong.
                if anew {
                    return Err(Error::Digest {
                        what,
                        wanted: digest.clone(),
                        found,
                    });
                }
                anew = true;
                have = 0;
                hasher = digest.hasher();
                into.restart()?;
            } else if last {
                return Err(Error::Size {
                    what,
                    wanted: size,
                    found: have.to_string(),
                });
            } else {
                let why = failed.unwrap_or_else(|| "the answer ends too soon".to_owned());
                let pause = std::time::Duration::from_millis(200 * u64::from(attempt));
                self.settings()
                    .tell(|watch| watch.waits(&place.host, pause.as_secs_f64(), &why));
                std::thread::sleep(pause);
            }
        }
    }

    /// A short blob in memory: configs, artifacts of manifests.
    pub(crate) fn small_blob(
        &self,
        place: &Place,
        digest: &Digest,
        size: u64,
    ) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.blob(place, digest, size, &mut bytes, (0, digest.hasher()))?;
        Ok(bytes)
    }

    /// The tags of a repository; `None` where the registry does not list them, or lists too many.
    pub(crate) fn tags(&self, place: &Place) -> Result<Option<BTreeSet<String>>, Error> {
        let mut url = self.url(place, "tags/list?n=1000")?;
        let mut all = BTreeSet::new();
        for _ in 0..PAGES {
            let mut answer = self.send(&pull(place), Call::get(url))?;
            if answer.status != StatusCode::OK {
                return Ok(None);
            }
            let next = answer.header("link").and_then(next_link).map(str::to_owned);
            let base = answer.url.clone();
            let Some(bytes) = answer.bytes(manifest::LIMIT)? else {
                return Ok(None);
            };
            let Ok(page) = serde_json::from_slice::<Tags>(&bytes) else {
                return Ok(None);
            };
            all.extend(page.tags.into_iter().flatten());
            let Some(next) = next.and_then(|next| redirect::join(&base, &next)) else {
                return Ok(Some(all));
            };
            if super::http::authority(&next) != super::http::authority(&base) {
                return Ok(None);
            }
            url = next;
        }
        Ok(None)
    }

    /// What refers to a digest, by the referrers API; `None` where the registry has none.
    pub(crate) fn referrers(
        &self,
        place: &Place,
        digest: &Digest,
    ) -> Result<Option<Manifest>, Error> {
        let lock = || {
            self.without_referrers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if lock().contains(&place.host) {
            return Ok(None);
        }
        let mut call = Call::get(self.url(place, &format!("referrers/{digest}"))?);
        call.headers = vec![("accept", manifest::OCI_INDEX.to_owned())];
        let mut answer = self.send(&pull(place), call)?;
        let index = match answer.status.as_u16() {
            200 => answer.bytes(manifest::LIMIT)?,
            _ => None,
        };
        // A registry that answers any path with a page has no such API either.
        let index = index.and_then(|bytes| Manifest::read(&bytes, manifest::OCI_INDEX).ok());
        if index.is_none() {
            lock().insert(place.host.clone());
        }
        Ok(index)
    }
}

/// Where a blob goes.
pub(crate) trait Sink {
    /// Takes more bytes.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Error>;
    /// Forgets all it took.
    fn restart(&mut self) -> Result<(), Error>;
}

impl Sink for Vec<u8> {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).expect("a vector takes everything");
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.clear();
        Ok(())
    }
}

/// The scope of reading.
pub(super) fn pull(place: &Place) -> Scope {
    Scope {
        host: place.host.clone(),
        repository: place.repository.clone(),
        push: false,
        from: None,
    }
}

/// Copies what comes, no more than one byte beyond `size`; gives what the connection says where it
/// breaks.
fn copy(
    client: &Client,
    answer: &mut Answer,
    into: &mut dyn Sink,
    hasher: &mut Hasher,
    have: &mut u64,
    size: u64,
) -> Result<Option<String>, Error> {
    let mut buffer = vec![0; 128 << 10];
    let mut reader = answer.reader();
    while *have <= size {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(read) => {
                let fits = usize::try_from(size - *have).map_or(read, |left| read.min(left));
                into.take(&buffer[..fits])?;
                hasher.update(&buffer[..fits]);
                *have += read as u64;
                client.settings().tell(|watch| watch.passed(fits as u64));
            }
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {}
            Err(why) => return Ok(Some(why.to_string())),
        }
    }
    Ok(None)
}

fn too_odd(place: &Place) -> Error {
    Error::Protocol {
        host: place.host.clone(),
        why: "it gives other parts of a blob than it is asked for".to_owned(),
    }
}

/// Whether a part begins where it should.
fn starts_at(answer: &Answer, have: u64) -> bool {
    let range = answer.header("content-range").unwrap_or_default();
    let start = range
        .strip_prefix("bytes ")
        .and_then(|rest| rest.split('-').next());
    start.and_then(|start| start.parse().ok()) == Some(have)
}

/// The address of the next page (RFC 8288).
fn next_link(text: &str) -> Option<&str> {
    let (address, rest) = text.strip_prefix('<')?.split_once('>')?;
    rest.contains("rel=\"next\"").then_some(address)
}

//! A registry as it is written to: blobs and manifests.
//!
//! Source: OCI distribution-spec 1.1 `spec.md`, "Push".

use std::io::Read;
use std::thread;

use ureq::http::{HeaderMap, Method, StatusCode, Uri};

use super::auth::Scope;
use super::client::{Client, Place};
use super::digest::Digest;
use super::error::Error;
use super::http::{Call, Payload, authority};
use super::redirect;
use super::retry::{pause_after, temporary};

/// How often a whole upload is begun.
const UPLOADS: u32 = 4;

/// How a blob came to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrived {
    /// It was there.
    Before,
    /// The registry took it over from another of its repositories.
    Mounted,
    /// It was sent.
    Sent,
}

impl Client {
    /// Whether a blob is there.
    pub(crate) fn has_blob(&self, place: &Place, digest: &Digest) -> Result<bool, Error> {
        let mut call = Call::get(self.url(place, &format!("blobs/{digest}"))?);
        call.method = Method::HEAD;
        call.elsewhere = true;
        let answer = self.send(&push(place, None), call)?;
        match answer.status.as_u16() {
            200 => Ok(true),
            404 => Ok(false),
            _ => Err(self.fault(&place.with(digest.as_str()), answer)),
        }
    }

    /// Brings a blob to a repository: nothing is sent where it is there, or where the registry can
    /// take it over from its repository `from`. `open` gives the content, anew for each try.
    pub(crate) fn push_blob(
        &self,
        place: &Place,
        (digest, size): (&Digest, u64),
        from: Option<&str>,
        open: &dyn Fn() -> Result<Box<dyn Read>, Error>,
    ) -> Result<Arrived, Error> {
        if self.has_blob(place, digest)? {
            return Ok(Arrived::Before);
        }
        let mut from = from;
        for attempt in 1.. {
            let last = attempt >= UPLOADS;
            let Some(location) = self.begin(place, digest, from)? else {
                return Ok(Arrived::Mounted);
            };
            // A session that broke holds part of the blob: the next try begins a new one.
            from = None;
            let join = if location.query().is_some() { '&' } else { '?' };
            let url = format!(
                "{location}{join}digest={}",
                digest.as_str().replace(':', "%3A")
            );
            let url = url
                .parse()
                .map_err(|_| odd(place, "an upload without an address"))?;
            let mut call = Call::get(url);
            call.method = Method::PUT;
            call.headers = vec![("content-type", "application/octet-stream".to_owned())];
            call.payload = Payload::Blob(open, size);
            call.again = false;
            match self.send(&push(place, None), call) {
                Ok(answer) if answer.status == StatusCode::CREATED => return Ok(Arrived::Sent),
                Ok(answer) if temporary(answer.status) && !last => {
                    thread::sleep(pause_after(attempt, &answer.headers, &place.host)?);
                }
                Ok(answer) => return Err(self.fault(&place.with(digest.as_str()), answer)),
                Err(Error::Connect {
                    certificate: false, ..
                }) if !last => {
                    thread::sleep(pause_after(attempt, &HeaderMap::new(), &place.host)?);
                }
                Err(error) => return Err(error),
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Begins an upload and gives where it goes on; `None` where the blob was taken over.
    fn begin(
        &self,
        place: &Place,
        digest: &Digest,
        from: Option<&str>,
    ) -> Result<Option<Uri>, Error> {
        let query = from.map_or_else(String::new, |from| format!("?mount={digest}&from={from}"));
        let mut call = Call::get(self.url(place, &format!("blobs/uploads/{query}"))?);
        call.method = Method::POST;
        let answer = self.send(&push(place, from), call)?;
        match answer.status.as_u16() {
            201 => return Ok(None),
            202 => {}
            _ => return Err(self.fault(&place.with(digest.as_str()), answer)),
        }
        let location = answer.header("location").unwrap_or_default();
        let target = redirect::join(&answer.url, location)
            .ok_or_else(|| odd(place, "an upload without an address"))?;
        // Behind a proxy a registry may think that it is asked without TLS; where it sends us
        // otherwise stays the host that the reference names.
        if authority(&target) != authority(&answer.url) {
            return Err(odd(place, "an upload that goes to another host"));
        }
        let path = target.path_and_query().map_or("/", |path| path.as_str());
        let scheme = answer.url.scheme_str().unwrap_or("https");
        let url = format!("{scheme}://{}{path}", authority(&answer.url));
        let url = url.parse();
        Ok(Some(
            url.map_err(|_| odd(place, "an upload without an address"))?,
        ))
    }

    /// Puts a manifest under a tag or its digest; says whether the registry keeps track of what it
    /// refers to by itself.
    pub(crate) fn put_manifest(
        &self,
        place: &Place,
        asked: &str,
        media_type: &str,
        bytes: &[u8],
    ) -> Result<bool, Error> {
        let mut call = Call::get(self.url(place, &format!("manifests/{asked}"))?);
        call.method = Method::PUT;
        call.headers = vec![("content-type", media_type.to_owned())];
        call.payload = Payload::Bytes(bytes);
        let answer = self.send(&push(place, None), call)?;
        match answer.status.as_u16() {
            200..=202 => Ok(answer.header("oci-subject").is_some()),
            _ => Err(self.fault(&place.with(asked), answer)),
        }
    }
}

fn push(place: &Place, from: Option<&str>) -> Scope {
    Scope {
        host: place.host.clone(),
        repository: place.repository.clone(),
        push: true,
        from: from.map(str::to_owned),
    }
}

fn odd(place: &Place, why: &str) -> Error {
    Error::Protocol {
        host: place.host.clone(),
        why: why.to_owned(),
    }
}

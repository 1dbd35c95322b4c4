//! One request and its answer: TLS, redirects, waiting and trying again.
//!
//! Not here: the settings of a connection ([`super::agent`]), credentials ([`super::auth`]) and what
//! the paths of a registry mean ([`super::client`]).

use std::collections::BTreeMap;
use std::io::Read;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ureq::http::{HeaderMap, Method, Request, StatusCode, Uri};
use ureq::{Agent, Body, SendBody};

use super::agent::agent;
use super::error::Error;
use super::gate::{Gate, Pass};
use super::redirect;
use super::retry::{ATTEMPTS, pause_after, temporary};
use super::secret::Secret;
use super::settings::Settings;

/// What is sent behind the headers.
#[derive(Clone, Copy)]
pub(super) enum Payload<'p> {
    /// Nothing.
    None,
    /// A short text.
    Bytes(&'p [u8]),
    /// A blob, opened anew for each try.
    Blob(&'p dyn Fn() -> Result<Box<dyn Read>, Error>, u64),
}

/// A request.
pub(super) struct Call<'p> {
    /// The method.
    pub(super) method: Method,
    /// Where it goes.
    pub(super) url: Uri,
    /// What stands above the body.
    pub(super) headers: Vec<(&'static str, String)>,
    /// Sent to this host only, never along a redirect to another one.
    pub(super) authorization: Option<Secret>,
    /// The body.
    pub(super) payload: Payload<'p>,
    /// Whether it may be sent again when the answer is lost.
    pub(super) again: bool,
    /// Whether a redirect to another host is followed: for blobs only.
    pub(super) elsewhere: bool,
}

impl Call<'_> {
    /// A request without a body that may be sent again.
    pub(super) fn get(url: Uri) -> Call<'static> {
        Call {
            method: Method::GET,
            url,
            headers: Vec::new(),
            authorization: None,
            payload: Payload::None,
            again: true,
            elsewhere: false,
        }
    }
}

/// An answer, its body unread.
pub(super) struct Answer {
    /// The status.
    pub(super) status: StatusCode,
    /// The headers.
    pub(super) headers: HeaderMap,
    /// The address that answered, redirects followed.
    pub(super) url: Uri,
    body: Body,
    /// The host counts it as asked until the body is read.
    _pass: Pass,
}

impl Answer {
    /// A header as text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// What the body says of its length.
    pub(super) fn length(&self) -> Option<u64> {
        self.header("content-length")?.parse().ok()
    }

    /// The body, of any length.
    pub(super) fn reader(&mut self) -> impl Read + '_ {
        self.body.with_config().limit(u64::MAX).reader()
    }

    /// The body where it has at most `limit` bytes; `None` where it has more.
    pub(super) fn bytes(&mut self, limit: u64) -> Result<Option<Vec<u8>>, Error> {
        let mut bytes = Vec::new();
        let read = self.reader().take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|why| connect_error(&self.url, &ureq::Error::Io(why)))?;
        Ok((bytes.len() as u64 <= limit).then_some(bytes))
    }
}

/// One host as it is asked.
struct Lane {
    agent: Agent,
    gate: Arc<Gate>,
}

/// Sends requests.
pub(super) struct Http {
    settings: Settings,
    lanes: Mutex<BTreeMap<String, Arc<Lane>>>,
    schemes: Mutex<BTreeMap<String, &'static str>>,
    requests: AtomicU64,
}

impl Http {
    /// Sends as the settings say.
    pub(super) fn new(settings: Settings) -> Http {
        Http {
            settings,
            lanes: Mutex::default(),
            schemes: Mutex::default(),
            requests: AtomicU64::new(0),
        }
    }

    /// How many requests were sent.
    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The settings.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The address of a path on a registry; the first time a registry on loopback is met, whether
    /// it speaks TLS is found out.
    pub(super) fn address(&self, host: &str, path: &str) -> Result<Uri, Error> {
        let scheme = self.scheme(host)?;
        let authority = if host == "docker.io" {
            "registry-1.docker.io"
        } else {
            host
        };
        format!("{scheme}://{authority}{path}")
            .parse()
            .map_err(|_| Error::Protocol {
                host: host.to_owned(),
                why: "its address cannot be written".to_owned(),
            })
    }

    /// Whether plain HTTP to this host is what the user wants or what stays on this machine.
    pub(super) fn may_be_plain(&self, host: &str) -> bool {
        self.settings.plain_http.contains(host) || is_loopback(host)
    }

    fn scheme(&self, host: &str) -> Result<&'static str, Error> {
        if self.settings.plain_http.contains(host) {
            return Ok("http");
        }
        let told = self.settings.ca.contains_key(host) || self.settings.insecure.contains(host);
        if told || !is_loopback(host) {
            return Ok("https");
        }
        let lock = || self.schemes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(host) {
            return Ok(known);
        }
        let probe = format!("http://{host}/v2/").parse::<Uri>();
        let probe = probe.map_err(|_| Error::Protocol {
            host: host.to_owned(),
            why: "its address cannot be written".to_owned(),
        })?;
        // Go's servers answer plain HTTP on a TLS port with 400 and a word on it.
        let scheme = match self.lane(&probe)?.agent.get(probe).call() {
            Ok(mut answer) if answer.status() == StatusCode::BAD_REQUEST => {
                let text = answer.body_mut().with_config().limit(1 << 10).read_to_vec();
                let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
                if text.contains("HTTPS") {
                    "https"
                } else {
                    "http"
                }
            }
            _ => "http",
        };
        lock().insert(host.to_owned(), scheme);
        Ok(scheme)
    }

    /// Sends a request and gives the answer, whatever its status: redirects are followed, temporary
    /// refusals waited for.
    ///
    /// # Errors
    ///
    /// Where no answer comes, where a redirect is not to be followed, and where a host asks for too
    /// long a wait.
    pub(super) fn send(&self, call: &Call<'_>) -> Result<Answer, Error> {
        let mut url = call.url.clone();
        let mut hops = 0;
        loop {
            let answer = self.persist(call, &url)?;
            if !redirect::is_one(answer.status) || call.method == Method::POST {
                return Ok(answer);
            }
            hops += 1;
            url = redirect::target(self, call, &answer, hops)?;
        }
    }

    /// Sends to one address, as often as it takes and makes sense.
    fn persist(&self, call: &Call<'_>, url: &Uri) -> Result<Answer, Error> {
        let lane = self.lane(url)?;
        let host = authority(url);
        for attempt in 1.. {
            let pass = lane.gate.enter();
            self.requests.fetch_add(1, Ordering::Relaxed);
            let sent = self.once(&lane, call, url);
            let last = attempt >= ATTEMPTS || !call.again;
            let status = sent.as_ref().map(ureq::http::Response::status);
            let shown = match &status {
                Ok(status) => status.as_u16().to_string(),
                Err(_) => "no answer".to_owned(),
            };
            let told = format!("{} {} {shown}", call.method, without_query(url));
            self.settings.tell(|watch| watch.request(&told));
            let why = match sent {
                Ok(response) if !temporary(response.status()) || last => {
                    let (parts, body) = response.into_parts();
                    return Ok(Answer {
                        status: parts.status,
                        headers: parts.headers,
                        url: url.clone(),
                        body,
                        _pass: pass,
                    });
                }
                Ok(response) => {
                    let pause = pause_after(attempt, response.headers(), &host)?;
                    lane.gate.close(pause);
                    (pause, format!("it answers {}", response.status().as_u16()))
                }
                Err(Sent::Ours(error)) => return Err(error),
                Err(Sent::Theirs(error)) => {
                    let error_now = connect_error(url, &error);
                    let certificate = matches!(
                        error_now,
                        Error::Connect {
                            certificate: true,
                            ..
                        }
                    );
                    if last || certificate || !worth_another(&error) {
                        return Err(error_now);
                    }
                    let pause = pause_after(attempt, &HeaderMap::new(), &host)?;
                    lane.gate.close(pause);
                    (pause, reason(&error))
                }
            };
            drop(pass);
            let (pause, why) = why;
            self.settings
                .tell(|watch| watch.waits(&host, pause.as_secs_f64(), &why));
        }
        unreachable!("the last attempt returns")
    }

    fn once(
        &self,
        lane: &Lane,
        call: &Call<'_>,
        url: &Uri,
    ) -> Result<ureq::http::Response<Body>, Sent> {
        let mut request = Request::builder()
            .method(call.method.clone())
            .uri(url.clone());
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        let same = authority(url) == authority(&call.url) && url.scheme() == call.url.scheme();
        if let Some(secret) = call.authorization.as_ref().filter(|_| same) {
            request = request.header("authorization", secret.reveal());
        }
        let theirs = |why: ureq::http::Error| Sent::Theirs(ureq::Error::Http(why));
        match call.payload {
            Payload::None if call.method == Method::POST || call.method == Method::PUT => {
                let request = request.header("content-length", "0");
                let request = request.body(SendBody::none()).map_err(theirs)?;
                lane.agent.run(request).map_err(Sent::Theirs)
            }
            Payload::None => {
                let request = request.body(()).map_err(theirs)?;
                lane.agent.run(request).map_err(Sent::Theirs)
            }
            Payload::Bytes(bytes) => {
                let request = request.body(bytes).map_err(theirs)?;
                lane.agent.run(request).map_err(Sent::Theirs)
            }
            Payload::Blob(open, size) => {
                let mut body = Told {
                    from: open().map_err(Sent::Ours)?,
                    settings: &self.settings,
                };
                let request = request.header("content-length", size.to_string());
                let body = SendBody::from_reader(&mut body);
                let request = request.body(body).map_err(theirs)?;
                lane.agent.run(request).map_err(Sent::Theirs)
            }
        }
    }

    fn lane(&self, url: &Uri) -> Result<Arc<Lane>, Error> {
        let key = format!(
            "{}://{}",
            url.scheme_str().unwrap_or("https"),
            authority(url)
        );
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = lanes.get(&key) {
            return Ok(Arc::clone(lane));
        }
        let lane = Arc::new(Lane {
            agent: agent(&self.settings, &authority(url))?,
            gate: Arc::default(),
        });
        lanes.insert(key, Arc::clone(&lane));
        Ok(lane)
    }
}

/// Whose fault it is that a request got no answer.
enum Sent {
    Ours(Error),
    Theirs(ureq::Error),
}

/// A body on its way out; whoever watches is told.
struct Told<'t> {
    from: Box<dyn Read>,
    settings: &'t Settings,
}

impl Read for Told<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.settings.tell(|watch| watch.passed(read as u64));
        Ok(read)
    }
}

/// Host and port of an address.
pub(super) fn authority(url: &Uri) -> String {
    url.authority()
        .map_or_else(String::new, |authority| authority.as_str().to_owned())
}

/// An address as it may be shown.
pub(super) fn without_query(url: &Uri) -> String {
    format!(
        "{}://{}{}",
        url.scheme_str().unwrap_or("https"),
        authority(url),
        url.path()
    )
}

/// Whether a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost"
        || name
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Whether the same request may fare better later.
fn worth_another(error: &ureq::Error) -> bool {
    matches!(
        error,
        ureq::Error::Io(_)
            | ureq::Error::Timeout(_)
            | ureq::Error::Protocol(_)
            | ureq::Error::HostNotFound
            | ureq::Error::ConnectionFailed
    )
}

/// An error of the connection as it is told.
fn connect_error(url: &Uri, error: &ureq::Error) -> Error {
    let why = reason(error);
    Error::Connect {
        host: authority(url),
        certificate: why.contains("peer certificate"),
        why,
    }
}

/// What a connection's error says, without an address in it.
fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(why) => why.to_string(),
        ureq::Error::Timeout(_) => "no answer in time".to_owned(),
        ureq::Error::HostNotFound => "no host of this name".to_owned(),
        ureq::Error::Rustls(why) => why.to_string(),
        ureq::Error::Tls(why) => (*why).to_owned(),
        ureq::Error::Protocol(why) => format!("it speaks no HTTP: {why}"),
        ureq::Error::ConnectionFailed => "no connection".to_owned(),
        ureq::Error::ConnectProxyFailed(_) => "the proxy refuses the connection".to_owned(),
        ureq::Error::InvalidProxyUrl => "the proxy's address cannot be read".to_owned(),
        ureq::Error::LargeResponseHeader(..) => "its answer has endless headers".to_owned(),
        _ => "the request cannot be sent".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_told_by_address_or_name() {
        for host in [
            "localhost",
            "localhost:5000",
            "127.0.0.1:80",
            "127.9.9.9",
            "[::1]:5000",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "localhost.example.org",
            "10.0.0.1",
            "[::2]:5000",
            "127.0.0.1.example.org",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_query_is_never_shown() {
        let url = "https://h.example/v2/a?sig=hush"
            .parse()
            .expect("an address");
        assert_eq!(without_query(&url), "https://h.example/v2/a");
    }
}

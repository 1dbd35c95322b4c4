//! A proxy that passes requests on to a registry and breaks what it is told to.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A request that came by.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) body: String,
    /// How many of the same method and path came before.
    pub(crate) before: usize,
}

impl Seen {
    pub(crate) fn is_blob(&self) -> bool {
        self.method == "GET" && self.path.contains("/blobs/sha256:")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// What becomes of a request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Pass,
    /// The body is cut off after so many bytes, the head says otherwise.
    Cut(usize),
    /// The body gets longer, and the head says so.
    Longer(usize),
    /// The body gets shorter, and the head says so.
    Shorter(usize),
    /// The first byte is another one.
    Corrupt,
    /// Nothing is passed on.
    Answer(u16, Vec<(String, String)>, Vec<u8>),
    /// The connection is closed without a word.
    Hang,
    /// Passed on after a while.
    Late(Duration),
}

type Rule = Arc<dyn Fn(&Seen) -> Act + Send + Sync>;

/// A proxy that runs until the test ends.
pub(crate) struct Proxy {
    pub(crate) host: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Proxy {
    pub(crate) fn start(
        upstream: &str,
        rule: impl Fn(&Seen) -> Act + Send + Sync + 'static,
    ) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let host = listener.local_addr().expect("an address").to_string();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let rule: Rule = Arc::new(rule);
        let (upstream, all) = (upstream.to_owned(), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (upstream, all, rule) = (upstream.clone(), Arc::clone(&all), Arc::clone(&rule));
                thread::spawn(move || serve(stream, &upstream, &all, &rule));
            }
        });
        Proxy { host, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("not poisoned").clone()
    }

    /// How often each method and path came by.
    pub(crate) fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for seen in self.seen() {
            *counts
                .entry(format!("{} {}", seen.method, seen.path))
                .or_default() += 1;
        }
        counts
    }
}

/// One request of a connection, which is closed behind it.
fn serve(mut client: TcpStream, upstream: &str, all: &Mutex<Vec<Seen>>, rule: &Rule) -> Option<()> {
    let mut request = Vec::new();
    let head_end = read_head(&mut client, &mut request)?;
    let head = String::from_utf8_lossy(&request[..head_end]).into_owned();
    let length = length(&head);
    let mut body = request[head_end..].to_vec();
    let mut rest = (&mut client).take((length.saturating_sub(body.len())) as u64);
    rest.read_to_end(&mut body).ok()?;
    let mut words = head.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let seen = {
        let mut all = all.lock().ok()?;
        let same = |it: &&Seen| it.method == method && it.path == path;
        let before = all.iter().filter(same).count();
        let text = String::from_utf8_lossy(&body[..body.len().min(4096)]).into_owned();
        all.push(Seen {
            method,
            path,
            head: head.clone(),
            body: text,
            before,
        });
        all.last()?.clone()
    };
    let act = rule(&seen);
    if let Act::Late(pause) = act {
        thread::sleep(pause);
    }
    match act {
        Act::Hang => return None,
        Act::Answer(status, headers, body) => {
            let headers = headers
                .iter()
                .map(|(key, value)| format!("{key}: {value}\r\n"));
            let head = format!(
                "HTTP/1.1 {status} Said\r\nConnection: close\r\nContent-Length: {}\r\n{}\r\n",
                body.len(),
                headers.collect::<String>()
            );
            client.write_all(head.as_bytes()).ok()?;
            return client.write_all(&body).ok();
        }
        _ => {}
    }
    let mut server = TcpStream::connect(upstream).ok()?;
    let passed = head.replace("Connection: keep-alive\r\n", "");
    let passed = passed.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    server.write_all(passed.as_bytes()).ok()?;
    server.write_all(&body).ok()?;
    let mut answer = Vec::new();
    let head_end = read_head(&mut server, &mut answer)?;
    let mut head = String::from_utf8_lossy(&answer[..head_end]).into_owned();
    let mut body = answer.split_off(head_end);
    server.read_to_end(&mut body).ok()?;
    let told = body.len();
    match act {
        Act::Cut(at) => body.truncate(at),
        Act::Longer(more) => {
            body.extend(vec![b'x'; more]);
            head = head.replace(&format!("ength: {told}"), &format!("ength: {}", body.len()));
        }
        Act::Shorter(less) => {
            body.truncate(told.saturating_sub(less));
            head = head.replace(&format!("ength: {told}"), &format!("ength: {}", body.len()));
        }
        Act::Corrupt if !body.is_empty() => body[0] ^= 1,
        _ => {}
    }
    client.write_all(head.as_bytes()).ok()?;
    client.write_all(&body).ok()
}

fn read_head(from: &mut TcpStream, into: &mut Vec<u8>) -> Option<usize> {
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = into.windows(4).position(|it| it == b"\r\n\r\n") {
            return Some(end + 4);
        }
        let read = from.read(&mut buffer).ok().filter(|read| *read > 0)?;
        into.extend(&buffer[..read]);
    }
}

fn length(head: &str) -> usize {
    let lower = head.to_lowercase();
    let value = lower
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    value
        .and_then(|value| value.trim().parse().ok())
        .unwrap_or(0)
}

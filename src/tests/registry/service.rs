//! A real registry on loopback, with its own storage and port; gone with its value.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The account that a registry with a password knows: also `planted-word-1`, hashed.
pub(crate) const USER: &str = "tester";
pub(crate) const PASSWORD: &str = "planted-word-1";
const HTPASSWD: &str = "tester:$2y$05$abcdefghijklmnopqrstuuoSpOJ8kUiOnu2Z75woRKtaLNFBpDx0u\n";

/// A running registry.
pub(crate) struct Registry {
    pub(crate) host: String,
    pub(crate) ca: PathBuf,
    child: Child,
    _folder: tempfile::TempDir,
}

impl Registry {
    /// One without TLS and without a password; `None`, with a word, where it is not installed.
    pub(crate) fn start() -> Option<Registry> {
        Registry::with(false, false)
    }

    /// One as wanted.
    pub(crate) fn with(tls: bool, password: bool) -> Option<Registry> {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let host = free_port();
        let mut config = format!(
            "version: 0.1\nlog: {{level: error, accesslog: {{disabled: true}}}}\n\
             storage: {{filesystem: {{rootdirectory: {}}}, delete: {{enabled: true}}}}\n",
            at("storage").display()
        );
        write!(config, "http:\n  addr: {host}\n").expect("text");
        if tls {
            let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
            let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
            std::fs::write(at("cert.pem"), made.cert.pem()).expect("a file");
            std::fs::write(at("key.pem"), made.signing_key.serialize_pem()).expect("a file");
            let (cert, key) = (at("cert.pem"), at("key.pem"));
            let (cert, key) = (cert.display(), key.display());
            writeln!(config, "  tls: {{certificate: {cert}, key: {key}}}").expect("text");
        }
        if password {
            std::fs::write(at("htpasswd"), HTPASSWD).expect("a file");
            let path = at("htpasswd");
            writeln!(
                config,
                "auth: {{htpasswd: {{realm: test, path: {}}}}}",
                path.display()
            )
            .expect("text");
        }
        std::fs::write(at("config.yml"), config).expect("a file");
        let started = Command::new("docker-registry")
            .arg("serve")
            .arg(at("config.yml"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = started else {
            println!("skipped: docker-registry is not installed");
            return None;
        };
        let registry = Registry {
            ca: at("cert.pem"),
            host,
            child,
            _folder: folder,
        };
        for _ in 0..200 {
            if TcpStream::connect(&registry.host).is_ok() {
                return Some(registry);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("docker-registry does not listen");
    }

    /// What a GET answers: status and body. Only without TLS.
    pub(crate) fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept: */*\r\n\
             Accept: application/vnd.oci.image.index.v1+json\r\n\
             Accept: application/vnd.oci.image.manifest.v1+json\r\n\
             Accept: application/vnd.docker.distribution.manifest.v2+json\r\n\
             Accept: application/vnd.docker.distribution.manifest.list.v2+json\r\n\r\n",
            self.host
        )
        .expect("it takes a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let end = answer
            .windows(4)
            .position(|it| it == b"\r\n\r\n")
            .expect("a head");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        (status.expect("a status"), answer[end + 4..].to_vec())
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// An address on loopback that nothing listens at.
pub(crate) fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

//! Docker's credential helpers: programs that keep credentials.
//!
//! Source: `docker/docker-credential-helpers` v0.8 `client/client.go`: `get`, the server on stdin,
//! JSON on stdout.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::Account;
use crate::registry::error::Error;
use crate::registry::secret::Secret;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    #[serde(default)]
    username: String,
    #[serde(default)]
    secret: String,
}

/// What a helper has for a server; `None` where the helper is not installed.
///
/// # Errors
///
/// Where it is there and fails. What it printed is not repeated: it could be anything.
pub(super) fn ask(name: &str, server: &str, host: &str) -> Result<Option<Account>, Error> {
    let fault = |why: String| Error::Helper {
        helper: name.to_owned(),
        host: host.to_owned(),
        why,
    };
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if name.is_empty() || !name.chars().all(allowed) {
        return Err(fault(
            "its name is none, expected letters and digits".to_owned(),
        ));
    }
    let started = Command::new(format!("docker-credential-{name}"))
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(fault(why.to_string())),
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A helper that does not read what it is asked says so by its exit.
        let _unread = stdin.write_all(server.as_bytes());
    }
    let done = child
        .wait_with_output()
        .map_err(|why| fault(why.to_string()))?;
    let printed = String::from_utf8_lossy(&done.stdout);
    if !done.status.success() {
        if printed.contains("credentials not found") {
            return Ok(Some(Account::Anonymous));
        }
        return Err(fault(format!("it ends with {}", done.status)));
    }
    let answer: Answer =
        serde_json::from_str(&printed).map_err(|_| fault("it answers no JSON".to_owned()))?;
    Ok(Some(match (answer.username.as_str(), answer.secret) {
        ("", secret) if secret.is_empty() => Account::Anonymous,
        ("<token>", secret) => Account::IdentityToken(Secret::new(secret)),
        (name, secret) => Account::User {
            name: name.to_owned(),
            password: Secret::new(secret),
        },
    }))
}

//! TLS, passwords and tokens; and that no secret is ever printed.

use std::fs;

use crate::program::{Done, Place};
use crate::proxy::{Act, Proxy, Seen};
use crate::seed::{Layout, noise};
use crate::service::{PASSWORD, Registry, USER};

fn seed(place: &Place) {
    let mut layout = Layout::new(&place.join("seed"));
    let image = layout.two_platforms(50, 1000, &noise(5, 1000));
    layout.name(&image, "seed.example/app:1");
}

pub(crate) fn config(place: &Place, host: &str, entry: &str) {
    place.write(
        ".docker/config.json",
        &format!(r#"{{"auths": {{"{host}": {entry}}}}}"#),
    );
}

/// No planted word, in no encoding, in anything that was said.
pub(crate) fn keeps_quiet(done: &Done) {
    let encoded = "cGxhbnRlZC13b3Jk"; // `planted-word`
    let shifted = "ZXI6cGxhbnRlZC13b3"; // the end of `tester:planted-wo`
    for text in [&done.stdout, &done.stderr] {
        for secret in ["planted-word", encoded, shifted] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

#[test]
fn certificates_and_passwords_are_asked_for_and_never_shown() {
    let place = Place::new();
    seed(&place);
    let Some(registry) = Registry::with(true, true) else {
        return;
    };
    let host = &registry.host;
    fs::copy(&registry.ca, place.join("ca.pem")).expect("a certificate");
    let ca = format!("--registry-ca {host}=ca.pem");
    let push = format!("bundle push seed oci://{host} -v");
    // A CA that nobody knows. On loopback plain HTTP is tried first.
    let unknown = place.trouble(&push);
    assert!(
        unknown.stderr.contains("--registry-ca"),
        "{}",
        unknown.stderr
    );
    let other = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("one");
    place.write("other.pem", &other.cert.pem());
    let wrong = place.trouble(&format!("{push} --registry-ca {host}=other.pem"));
    assert!(wrong.stderr.contains("certificate"), "{}", wrong.stderr);
    // Nobody, the wrong word, the right one.
    let anonymous = place.trouble(&format!("{push} {ca}"));
    assert!(
        anonymous.stderr.contains("refuses anonymous"),
        "{}",
        anonymous.stderr
    );
    config(
        &place,
        host,
        r#"{"username": "tester", "password": "planted-word-9"}"#,
    );
    let refused = place.trouble(&format!("{push} {ca}"));
    assert!(
        refused.stderr.contains("refuses user `tester`"),
        "{}",
        refused.stderr
    );
    keeps_quiet(&refused);
    config(
        &place,
        host,
        &format!(r#"{{"username": "{USER}", "password": "{PASSWORD}"}}"#),
    );
    let done = place.good(&format!("{push} {ca}"));
    keeps_quiet(&done);
    let status = place.good(&format!("bundle login-status {host}/app:1 -v"));
    assert!(status.stdout.contains("user `tester`"), "{}", status.stdout);
    keeps_quiet(&status);
    place.write("list", &format!("{host}/app:1"));
    let done = place.good(&format!(
        "bundle create --from list -o out -v --registry-insecure {host}"
    ));
    keeps_quiet(&done);
    // The file by itself.
    fs::rename(place.join(".docker/config.json"), place.join("auth.json")).expect("moved");
    place.good(&format!(
        "bundle create --from list -o out2 {ca} --registry-auth-file auth.json"
    ));
    keeps_quiet(&place.trouble("bundle create --from list -o out3 --registry-auth-file list"));
}

#[test]
fn a_token_service_is_asked_with_the_password_or_the_identity_token() {
    let place = Place::new();
    seed(&place);
    let Some(registry) = Registry::start() else {
        return;
    };
    place.good(&format!("bundle push seed oci://{}", registry.host));
    let token = br#"{"access_token": "planted-word-token", "expires_in": 300}"#;
    let service = Proxy::start("127.0.0.1:1", |_| {
        Act::Answer(200, Vec::new(), token.to_vec())
    });
    let realm = service.host.clone();
    let guard = move |seen: &Seen| {
        if seen.header("authorization") == Some("Bearer planted-word-token") {
            return Act::Pass;
        }
        let challenge = format!(
            "Bearer realm=\"http://{realm}/token\",service=\"here\",scope=\"repository:app:pull\""
        );
        // A registry that repeats what it was sent.
        let said = seen.header("authorization").unwrap_or_default();
        let body = format!(r#"{{"errors": [{{"message": "you sent {said}"}}]}}"#);
        Act::Answer(
            401,
            vec![("WWW-Authenticate".to_owned(), challenge)],
            body.into_bytes(),
        )
    };
    let proxy = Proxy::start(&registry.host, guard);
    let host = &proxy.host;
    place.write("list", &format!("{host}/app:1"));
    config(
        &place,
        host,
        r#"{"username": "tester", "password": "planted-word-1"}"#,
    );
    keeps_quiet(&place.good("bundle create --from list -o one -v"));
    let asked = service.seen();
    assert!(
        asked[0].path.contains("scope=repository%3Aapp%3Apull"),
        "{}",
        asked[0].path
    );
    assert!(
        asked[0]
            .header("authorization")
            .is_some_and(|it| it.starts_with("Basic "))
    );
    assert!(
        asked.len() <= 2,
        "one token serves all requests of a repository: {asked:?}"
    );
    config(&place, host, r#"{"identitytoken": "planted-word-refresh"}"#);
    keeps_quiet(&place.good("bundle create --from list -o two -v"));
    let asked = service.seen();
    let last = asked.last().expect("it was asked");
    assert_eq!(last.method, "POST");
    assert!(
        last.body.contains("grant_type=refresh_token"),
        "{}",
        last.body
    );
    assert!(
        last.body.contains("refresh_token=planted-word-refresh"),
        "{}",
        last.body
    );
    // The service refuses, and repeats what it was sent.
    let rude = Proxy::start("127.0.0.1:1", |seen| {
        let said = seen.header("authorization").unwrap_or_default();
        Act::Answer(
            401,
            Vec::new(),
            format!("{said} {}", seen.body).into_bytes(),
        )
    });
    let realm = rude.host.clone();
    let proxy = Proxy::start(&registry.host, move |_| {
        let challenge = format!("Bearer realm=\"http://{realm}/token\"");
        Act::Answer(
            401,
            vec![("WWW-Authenticate".to_owned(), challenge)],
            Vec::new(),
        )
    });
    place.write("list", &format!("{}/app:1", proxy.host));
    config(
        &place,
        &proxy.host,
        r#"{"identitytoken": "planted-word-refresh"}"#,
    );
    let refused = place.trouble("bundle create --from list -o three -v");
    assert!(
        refused.stderr.contains("refuses an identity token"),
        "{}",
        refused.stderr
    );
    keeps_quiet(&refused);
}

#[cfg(unix)]
#[test]
fn a_credential_helper_is_asked_by_the_key_that_names_it() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write(
        "bin/docker-credential-planted",
        "#!/bin/sh\nread -r server\n\
         echo \"{\\\"Username\\\": \\\"at $server\\\", \\\"Secret\\\": \\\"planted-word-3\\\"}\"\n",
    );
    let program = place.join("bin/docker-credential-planted");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    place.write(
        ".docker/config.json",
        r#"{"credsStore": "planted", "credHelpers": {"named.example": "planted"}}"#,
    );
    let path = format!("{}:/usr/bin:/bin", place.join("bin").display());
    let output = place
        .command("bundle login-status redis named.example/a other.example/a -v")
        .env("PATH", path)
        .output()
        .expect("forebay runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("redis: user `at https://index.docker.io/v1/`"),
        "{said}"
    );
    assert!(
        said.contains("named.example/a: user `at named.example`"),
        "{said}"
    );
    assert!(
        said.contains("other.example/a: user `at other.example`"),
        "{said}"
    );
    assert!(!said.contains("planted-word"), "{said}");
}

//! A network that breaks, and registries that lie.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::program::Place;
use crate::proxy::{Act, Proxy, Seen};
use crate::seed::{Layout, noise};
use crate::service::Registry;

/// A registry with one image of two platforms.
fn seeded(place: &Place) -> Option<Registry> {
    let registry = Registry::start()?;
    let mut layout = Layout::new(&place.join("seed"));
    let image = layout.two_platforms(30, 300_000, &noise(3, 100_000));
    layout.name(&image, "seed.example/app:1");
    place.good(&format!("bundle push seed oci://{}", registry.host));
    Some(registry)
}

/// What `create` through a proxy with this rule comes to.
fn through(
    rule: impl Fn(&Seen) -> Act + Send + Sync + 'static,
) -> Option<(Place, Registry, Proxy)> {
    let place = Place::new();
    let registry = seeded(&place)?;
    let proxy = Proxy::start(&registry.host, rule);
    place.write("list", &format!("{}/app:1", proxy.host));
    Some((place, registry, proxy))
}

const CREATE: &str = "bundle create --from list -o out";

#[test]
fn a_blob_that_is_cut_off_goes_on_where_it_stopped() {
    let rule = |seen: &Seen| match seen.before {
        0 if seen.is_blob() => Act::Cut(50_000),
        1 if seen.is_blob() => Act::Hang,
        _ => Act::Pass,
    };
    let Some((place, _registry, proxy)) = through(rule) else {
        return;
    };
    place.good(CREATE);
    place.good("bundle verify out --from list");
    let resumed = proxy
        .seen()
        .iter()
        .any(|seen| seen.header("range") == Some("bytes=50000-"));
    assert!(resumed, "{:?}", proxy.counts());
}

#[test]
fn what_fails_for_a_while_is_asked_again() {
    let soon = |status| {
        Act::Answer(
            status,
            vec![("Retry-After".to_owned(), "1".to_owned())],
            Vec::new(),
        )
    };
    let rule = move |seen: &Seen| match (seen.before, seen.method.as_str()) {
        (0, "HEAD") => soon(429),
        (0, _) if seen.is_blob() => Act::Answer(503, Vec::new(), Vec::new()),
        (0, _) => Act::Answer(429, Vec::new(), Vec::new()),
        (1, _) => Act::Hang,
        _ => Act::Pass,
    };
    let Some((place, _registry, _proxy)) = through(rule) else {
        return;
    };
    let start = Instant::now();
    let done = place.good(CREATE);
    assert!(
        start.elapsed() >= Duration::from_secs(1),
        "the pause that was asked for"
    );
    assert!(done.stderr.contains("waiting 1.0 s"), "{}", done.stderr);
    place.good("bundle verify out --from list");
}

#[test]
fn a_pause_that_is_too_long_is_not_waited_for() {
    let long = || {
        Act::Answer(
            429,
            vec![("Retry-After".to_owned(), "4000".to_owned())],
            Vec::new(),
        )
    };
    let Some((place, _registry, _proxy)) =
        through(move |seen| if seen.is_blob() { long() } else { Act::Pass })
    else {
        return;
    };
    let refused = place.trouble(CREATE);
    assert!(
        refused.stderr.contains("asks to wait 4000 seconds"),
        "{}",
        refused.stderr
    );
    assert!(!place.join("out").exists());
}

#[test]
fn bodies_that_are_not_what_they_say_are_refused_and_leave_nothing() {
    type Case = (fn(&Seen) -> Act, &'static str);
    let cases: [Case; 4] = [
        (
            |seen| {
                if seen.is_blob() {
                    Act::Longer(7)
                } else {
                    Act::Pass
                }
            },
            "more than",
        ),
        (
            |seen| {
                if seen.is_blob() {
                    Act::Shorter(7)
                } else {
                    Act::Pass
                }
            },
            "bytes, expected",
        ),
        (
            |seen| {
                if seen.is_blob() {
                    Act::Corrupt
                } else {
                    Act::Pass
                }
            },
            "does not hash",
        ),
        (
            |seen| {
                if seen.path.contains("/manifests/sha256:") {
                    Act::Corrupt
                } else {
                    Act::Pass
                }
            },
            "does not hash",
        ),
    ];
    let place = Place::new();
    let Some(registry) = seeded(&place) else {
        return;
    };
    for (rule, wanted) in cases {
        let proxy = Proxy::start(&registry.host, rule);
        place.write("list", &format!("{}/app:1", proxy.host));
        let refused = place.trouble(CREATE);
        assert!(
            refused.stderr.contains(wanted),
            "{wanted}: {}",
            refused.stderr
        );
        assert!(!place.join("out").exists());
        // What a lying host left behind does not spoil the next run.
        place.write("list", &format!("{}/app:1", registry.host));
        place.good(CREATE);
        place.good("bundle verify out");
        std::fs::remove_dir_all(place.join("out")).expect("it is there");
    }
}

#[test]
fn an_endless_manifest_is_not_read() {
    let rule = |seen: &Seen| match (seen.method.as_str(), seen.path.contains("/manifests/")) {
        ("HEAD", true) => Act::Answer(405, Vec::new(), Vec::new()),
        ("GET", true) => Act::Answer(200, Vec::new(), vec![b' '; 100 << 20]),
        _ => Act::Pass,
    };
    let proxy = Proxy::start("127.0.0.1:1", rule);
    let place = Place::new();
    place.write("list", &format!("{}/app:1", proxy.host));
    let refused = place.trouble(CREATE);
    assert!(
        refused.stderr.contains("more than 4194304 bytes"),
        "{}",
        refused.stderr
    );
}

#[test]
fn blobs_may_stand_elsewhere_and_credentials_stay_here() {
    let place = Place::new();
    let Some(registry) = seeded(&place) else {
        return;
    };
    let store = Proxy::start(&registry.host, |_| Act::Pass);
    let target = store.host.clone();
    let proxy = Proxy::start(&registry.host, move |seen| {
        if seen.header("authorization").is_none() {
            let basic = vec![(
                "WWW-Authenticate".to_owned(),
                "Basic realm=\"x\"".to_owned(),
            )];
            return Act::Answer(401, basic, Vec::new());
        }
        let to = format!("http://{target}{}?signature=planted-word-2", seen.path);
        if seen.is_blob() {
            Act::Answer(307, vec![("Location".to_owned(), to)], Vec::new())
        } else {
            Act::Pass
        }
    });
    place.write("list", &format!("{}/app:1", proxy.host));
    let auths = format!(
        r#"{{"auths": {{"{}": {{"username": "u", "password": "planted-word-1"}}}}}}"#,
        proxy.host
    );
    place.write(".docker/config.json", &auths);
    let done = place.good(&format!("{CREATE} -v"));
    assert!(!done.stderr.contains("planted-word"), "{}", done.stderr);
    let elsewhere = store.seen();
    assert!(!elsewhere.is_empty(), "blobs came from the other host");
    for seen in elsewhere {
        assert_eq!(seen.header("authorization"), None, "{}", seen.path);
    }
    // Manifests do not.
    let target = store.host.clone();
    let proxy = Proxy::start(&registry.host, move |seen| {
        let to = format!("http://{target}{}", seen.path);
        if seen.path.contains("/manifests/") {
            Act::Answer(302, vec![("Location".to_owned(), to)], Vec::new())
        } else {
            Act::Pass
        }
    });
    place.write("list", &format!("{}/app:1", proxy.host));
    let refused = place.trouble(&CREATE.replace("out", "other"));
    assert!(
        refused
            .stderr
            .contains("only blobs are fetched from other hosts"),
        "{}",
        refused.stderr
    );
}

#[test]
fn an_upload_that_breaks_begins_anew() {
    let place = Place::new();
    let (Some(_from), Some(to)) = (seeded(&place), Registry::start()) else {
        return;
    };
    let broken = AtomicUsize::new(0);
    let proxy = Proxy::start(&to.host, move |seen| {
        let upload = seen.method == "PUT" && seen.path.contains("/blobs/");
        match (seen.method.as_str(), seen.before) {
            _ if upload && broken.fetch_add(1, Ordering::SeqCst) < 2 => Act::Hang,
            ("POST", 0) => Act::Answer(429, Vec::new(), Vec::new()),
            ("HEAD", 0) => Act::Hang,
            _ => Act::Pass,
        }
    });
    place.good(&format!("bundle push seed oci://{}", proxy.host));
    assert_eq!(to.get("/v2/app/manifests/1").0, 200);
}

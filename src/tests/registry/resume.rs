//! Killed at any moment and run again: the same bundle.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Place, files};
use crate::proxy::{Act, Proxy};
use crate::seed::{Layout, noise};
use crate::service::Registry;

#[test]
fn ten_kills_and_another_run_give_the_same_bundle() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let mut layout = Layout::new(&place.join("seed"));
    let base = noise(4, 2_000_000);
    for number in 0..3 {
        let image = layout.two_platforms(40 + number, 1_000_000, &base);
        layout.name(&image, &format!("seed.example/app{number}:1"));
    }
    place.good(&format!("bundle push seed oci://{}", registry.host));
    // Slow enough that a run lasts.
    let proxy = Proxy::start(&registry.host, |_| Act::Late(Duration::from_millis(30)));
    let list: Vec<String> = (0..3)
        .map(|number| format!("{}/app{number}:1", proxy.host))
        .collect();
    place.write("list", &list.join("\n"));
    for name in ["whole", "whole.tar"] {
        let start = Instant::now();
        let wanted = place
            .good(&format!("bundle create --from list -o {name}"))
            .stdout;
        let lasts = start.elapsed();
        let out = if name == "whole" {
            "killed"
        } else {
            "killed.tar"
        };
        for _ in 0..10 {
            // Said where the test fails, to be tried again.
            let part = RandomState::new().build_hasher().finish() % 1000;
            println!("killed at {part} thousandths of {lasts:?}");
            let mut child = place
                .command(&format!("bundle create --from list -o {out} -q"))
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("forebay runs");
            sleep(lasts * u32::try_from(part).expect("below 1000") / 1000);
            let _ended_already = child.kill();
            child.wait().expect("it ended");
            // Nothing half-made stands under the final name.
            if place.join(out).exists() {
                place.good(&format!("bundle verify {out} --from list"));
            }
        }
        assert_eq!(
            place
                .good(&format!("bundle create --from list -o {out}"))
                .stdout,
            wanted
        );
        if name == "whole" {
            assert!(
                files(&place.join(name)) == files(&place.join(out)),
                "the same files"
            );
        } else {
            let read = |name: &str| fs::read(place.join(name)).expect("a tar");
            assert!(read(name) == read(out), "the same bytes");
        }
        assert!(!place.join(&format!("{out}.partial")).exists());
    }
}

#[test]
fn a_second_run_at_the_same_time_is_refused() {
    let place = Place::new();
    let proxy = Proxy::start("127.0.0.1:1", |_| Act::Late(Duration::from_secs(3)));
    place.write("list", &format!("{}/a:1", proxy.host));
    let mut first = place
        .command("bundle create --from list -o out -q")
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("forebay runs");
    sleep(Duration::from_millis(700));
    let refused = place.trouble("bundle create --from list -o out");
    assert!(
        refused.stderr.contains("another run is writing"),
        "{}",
        refused.stderr
    );
    first.kill().expect("it runs");
    first.wait().expect("it ended");
}

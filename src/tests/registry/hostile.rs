//! Bundles that would do harm, and disks that are full.

use std::fs;
use std::process::Command;

use crate::program::Place;
use crate::seed::{Layout, noise, tar};
use crate::service::Registry;

#[test]
fn a_tar_that_would_escape_is_not_opened() {
    let place = Place::new();
    let layout = ("oci-layout", &br#"{"imageLayoutVersion":"1.0.0"}"#[..]);
    let index = ("index.json", &br#"{"schemaVersion":2,"manifests":[]}"#[..]);
    for name in ["../evil", "blobs/../../evil", "/etc/evil"] {
        fs::write(place.join("b.tar"), tar(&[layout, index, (name, b"x")])).expect("a tar");
        for command in ["verify b.tar", "list b.tar", "push b.tar oci://127.0.0.1:1"] {
            let refused = place.trouble(&format!("bundle {command}"));
            assert!(
                refused.stderr.contains("leads outside"),
                "{}",
                refused.stderr
            );
        }
    }
    fs::write(place.join("b.tar"), tar(&[layout, index, index])).expect("a tar");
    assert!(
        place
            .trouble("bundle verify b.tar")
            .stderr
            .contains("twice")
    );
    fs::write(place.join("b.tar"), &tar(&[layout, index])[..700]).expect("a tar");
    assert!(
        place
            .trouble("bundle verify b.tar")
            .stderr
            .contains("is no bundle")
    );
}

#[cfg(unix)]
#[test]
fn links_of_a_directory_are_not_followed() {
    let place = Place::new();
    let mut layout = Layout::new(&place.join("b"));
    let image = layout.image("amd64", &[b"layer"]);
    layout.name(&image, "h.example/a:1");
    place.good("bundle verify b");
    let path = image["digest"]
        .as_str()
        .expect("a digest")
        .replace(':', "/");
    let path = place.join("b/blobs").join(path);
    fs::rename(&path, place.join("outside")).expect("moved");
    std::os::unix::fs::symlink(place.join("outside"), &path).expect("a link");
    let done = place.run("bundle verify b");
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stdout.contains("is not there"), "{}", done.stdout);
}

#[test]
fn what_is_no_bundle_is_not_overwritten() {
    let place = Place::new();
    place.write("list", "127.0.0.1:1/a:1");
    place.write("mine/file", "keep me");
    place.write("mine.tar", "keep me");
    for out in ["mine", "mine.tar"] {
        let refused = place.trouble(&format!("bundle create --from list -o {out}"));
        assert!(
            refused.stderr.contains("is there and is no bundle"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(
        fs::read_to_string(place.join("mine/file")).expect("it is kept"),
        "keep me"
    );
}

/// A small file system; gone with its value.
struct Small(std::path::PathBuf);

impl Drop for Small {
    fn drop(&mut self) {
        let _gone = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_room_lets_it_go_on() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let mut layout = Layout::new(&place.join("seed"));
    let image = layout.image("amd64", &[&noise(6, 900_000), &noise(7, 900_000)]);
    layout.name(&image, "seed.example/app:1");
    place.good(&format!("bundle push seed oci://{}", registry.host));
    place.write("list", &format!("{}/app:1", registry.host));
    fs::create_dir(place.join("small")).expect("a folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "none"])
        .arg(place.join("small"))
        .output();
    if !mounted.is_ok_and(|done| done.status.success()) {
        println!("skipped: no small file system can be mounted here");
        return;
    }
    let small = Small(place.join("small"));
    let refused = place.trouble("bundle create --from list -o small/out.tar");
    assert!(
        refused.stderr.contains("No space left"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("make room"), "{}", refused.stderr);
    assert!(!place.join("small/out.tar").exists());
    let more = Command::new("mount")
        .args(["-o", "remount,size=8m"])
        .arg(&small.0)
        .status();
    assert!(more.is_ok_and(|status| status.success()));
    place.good("bundle create --from list -o small/out.tar");
    place.good("bundle verify small/out.tar --from list");
}

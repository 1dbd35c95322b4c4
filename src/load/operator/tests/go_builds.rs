//! The extraction over what Go's own compiler and linker make of `scripts/oracles/operator-go`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use super::{extracted, in_crate, manifests_on_disk};

const PROGRAM: &str = "scripts/oracles/operator-go";

/// One way to build the program.
#[derive(Clone, Copy, Debug)]
struct Build {
    /// `GOARCH`.
    machine: &'static str,
    /// `-buildmode`: at a fixed address or not.
    mode: &'static str,
    /// `-ldflags`: with symbols and debug information or without.
    linker: &'static str,
    /// `-tags`: how Flux's directory is embedded.
    tags: &'static str,
}

impl Build {
    fn all() -> Vec<Build> {
        let mut all = Vec::new();
        for machine in ["amd64", "arm64"] {
            for mode in ["exe", "pie"] {
                for linker in ["", "-s -w"] {
                    for tags in ["", "glob"] {
                        all.push(Build {
                            machine,
                            mode,
                            linker,
                            tags,
                        });
                    }
                }
            }
        }
        all
    }

    /// Statically, by Go's own linker, from the standard library alone.
    fn run(self, go: &OsStr, binary: &Path) {
        let output = Command::new(go)
            .current_dir(in_crate(PROGRAM))
            .args(["build", "-trimpath", "-buildvcs=false", "-p=2"])
            .args([
                "-buildmode",
                self.mode,
                "-ldflags",
                self.linker,
                "-tags",
                self.tags,
            ])
            .arg("-o")
            .arg(binary)
            .envs(BTreeMap::from([
                ("CGO_ENABLED", "0"),
                ("GOARCH", self.machine),
                ("GOFLAGS", ""),
                ("GOOS", "linux"),
                ("GOPROXY", "off"),
                ("GOTOOLCHAIN", "local"),
                ("GOWORK", "off"),
            ]))
            .output()
            .expect("FOREBAY_GO names a program that can be run");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?}: {messages}");
    }

    /// What the program says it embeds, where this machine can run it.
    fn own_word(self, binary: &Path) -> Option<Vec<u8>> {
        let runs = env::consts::OS == "linux"
            && match self.machine {
                "amd64" => env::consts::ARCH == "x86_64",
                _ => env::consts::ARCH == "aarch64",
            };
        runs.then(|| {
            Command::new(binary)
                .output()
                .expect("the program was just built")
                .stdout
        })
    }
}

#[test]
fn every_file_comes_back_out_of_every_build() {
    let Some(go) = env::var_os("FOREBAY_GO") else {
        let note = "skipped: no Go builds, since FOREBAY_GO does not name a go command";
        writeln!(std::io::stderr(), "{note}").expect("stderr can be written");
        return;
    };
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let binary = directory.path().join(OsString::from("operator"));
    for build in Build::all() {
        build.run(&go, &binary);
        // A pattern embeds what it matches, a directory everything in it.
        let extensions: &[&str] = if build.tags == "glob" {
            &["yaml"]
        } else {
            &["yaml", "yml", "json"]
        };
        let expected = manifests_on_disk(&format!("{PROGRAM}/flux/manifests"), extensions);
        assert!(expected.len() >= 3, "{PROGRAM} has manifests");
        let files = extracted(&fs::read(&binary).expect("the program was just built"));
        assert_eq!(files, Ok(expected), "{build:?}");
        if let Some(own_word) = build.own_word(&binary) {
            let mut told = Vec::new();
            for (name, data) in files.expect("compared above") {
                told.extend_from_slice(format!("{name} {}\n", data.len()).as_bytes());
                told.extend_from_slice(&data);
            }
            assert!(
                own_word == told,
                "{build:?} embeds other files than it gave"
            );
        }
    }
}

//! The extraction over the hand-laid binaries of `testdata/operator` (`scripts/operator-fixture`
//! makes them) and over damaged ones. Binaries that Go built are in `go_builds`.

mod go_builds;

use std::fs;
use std::path::PathBuf;

use super::{EmbeddedFile, FoundDirectory, OperatorError, extract};

/// A path under the crate's root.
fn in_crate(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn fixture(name: &str) -> Vec<u8> {
    let path = in_crate("testdata/operator").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// What `extract` gives, in words where it is an error.
fn extracted(binary: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let owned = |file: EmbeddedFile<'_>| (file.name, file.data.to_vec());
    match extract(binary) {
        Ok(files) => Ok(files.into_iter().map(owned).collect()),
        Err(error) => Err(error.to_string()),
    }
}

/// The manifests among the files of a directory, by name, as if embedded under `manifests/`.
fn manifests_on_disk(directory: &str, extensions: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(in_crate(directory))
        .expect("the directory is part of the repository")
        .map(|entry| entry.expect("the directory can be listed").path())
        .filter(|path| {
            extensions
                .iter()
                .any(|wanted| path.extension().is_some_and(|is| is == *wanted))
        })
        .map(|path| {
            let name = path
                .file_name()
                .expect("a listed file has a name")
                .to_string_lossy();
            (
                format!("manifests/{name}"),
                fs::read(&path).expect("the file can be read"),
            )
        })
        .collect();
    files.sort();
    files
}

/// The manifests of Flux that every fixture with Flux embeds.
fn flux() -> Vec<(String, Vec<u8>)> {
    let files = manifests_on_disk("testdata/operator/flux", &["yaml", "yml", "json"]);
    assert_eq!(
        files.len(),
        4,
        "two YAML files, an empty one and a JSON file"
    );
    files
}

#[test]
fn flux_is_found_on_both_machines_fixed_and_relocated() {
    for name in ["amd64.elf", "amd64-pie.elf", "arm64.elf", "arm64-pie.elf"] {
        assert_eq!(extracted(&fixture(name)), Ok(flux()), "{name}");
    }
}

#[test]
fn entries_without_a_slice_header_are_found_and_sorted() {
    for name in ["bare.elf", "bare-pie.elf"] {
        assert_eq!(extracted(&fixture(name)), Ok(flux()), "{name}");
    }
}

#[test]
fn pointers_may_stand_in_place_in_a_relocated_binary() {
    let mut binary = fixture("amd64.elf");
    set_u16(&mut binary, E_TYPE, 3);
    assert_eq!(extracted(&binary), Ok(flux()), "as with RELR");
}

#[test]
fn bytes_at_any_alignment_read_alike() {
    let binary = fixture("amd64-pie.elf");
    for shift in 0..8 {
        let mut shifted = vec![0; shift];
        shifted.extend_from_slice(&binary);
        assert_eq!(
            extracted(&shifted[shift..]),
            Ok(flux()),
            "shifted by {shift}"
        );
    }
}

#[test]
fn without_flux_the_directories_are_named() {
    let two = |path: &str, first: &str, manifests| FoundDirectory {
        path: path.to_owned(),
        first: Some(first.to_owned()),
        manifests,
    };
    assert_eq!(
        extract(&fixture("no-flux.elf")),
        Err(OperatorError::NoFlux {
            found: vec![two("manifests", "agent.yaml", 2)]
        })
    );
    assert_eq!(
        extract(&fixture("two-versions.elf")),
        Err(OperatorError::Ambiguous {
            found: vec![
                two("manifests", "account.json", 4),
                two("newer", "account.json", 4)
            ]
        })
    );
    assert_eq!(
        extracted(&fixture("no-flux.elf")),
        Err(
            "no embedded directory runs Flux's controllers: found `manifests` (`agent.yaml` and \
             1 more)"
                .to_owned()
        )
    );
}

#[test]
fn a_long_list_of_directories_is_cut_and_starts_with_manifests() {
    let found = |index: usize, manifests| FoundDirectory {
        path: format!("d{index}"),
        first: (manifests > 0).then(|| "a.yaml".to_owned()),
        manifests,
    };
    let many = (0..8).map(|index| found(index, index % 2)).collect();
    assert_eq!(
        OperatorError::NoFlux { found: many }.to_string(),
        "no embedded directory runs Flux's controllers: found `d1` (`a.yaml`), `d3` (`a.yaml`), \
         `d5` (`a.yaml`), `d7` (`a.yaml`), `d0` (no manifests), `d2` (no manifests) and 2 more"
    );
}

#[test]
fn equal_directories_are_no_choice() {
    let mut binary = fixture("two-versions.elf");
    // The newer version is made equal to the older one.
    while let Some(at) = memchr::memmem::find(&binary, b":v1.0.1") {
        binary[at + 6] = b'0';
    }
    assert_eq!(extracted(&binary), Ok(flux()));
}

#[test]
fn binaries_without_embedded_files_are_told_apart() {
    assert_eq!(
        extract(&fixture("no-files.elf")),
        Err(OperatorError::NothingEmbedded)
    );
    assert_eq!(extract(&fixture("no-go.elf")), Err(OperatorError::NotGo));
}

#[test]
fn other_files_are_named_for_what_they_are() {
    let mut tar = vec![b'0'; 512];
    tar[257..262].copy_from_slice(b"ustar");
    for (bytes, found) in [
        (&b""[..], "an empty file"),
        (b"\x1f\x8b\x08\0", "gzip data"),
        (b"MZ\x90\0", "a Windows binary"),
        (b"\xcf\xfa\xed\xfe\0", "a macOS binary"),
        (b"#!/bin/sh\n", "a script"),
        (b"kind: Deployment\n", "text"),
        (b"\x7fEL", "text"),
        (b"\0\0\0\0", "other data"),
        (&tar, "a tar archive"),
    ] {
        let expected = format!("found {found}, expected an ELF binary");
        assert_eq!(extracted(bytes), Err(expected));
    }
}

/// Offsets in the ELF header.
const EI_CLASS: usize = 4;
const EI_DATA: usize = 5;
const E_TYPE: usize = 16;
const E_MACHINE: usize = 18;
const E_PHOFF: usize = 32;
const E_PHENTSIZE: usize = 54;
/// Offsets of fields of the first program header.
const P_OFFSET: usize = 64 + 8;
const P_VADDR: usize = 64 + 16;
const P_FILESZ: usize = 64 + 32;

fn set_u16(binary: &mut [u8], at: usize, value: u16) {
    binary[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

fn set_u64(binary: &mut [u8], at: usize, value: u64) {
    binary[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// The error for `amd64.elf` after a change to it.
fn changed(change: impl Fn(&mut Vec<u8>)) -> OperatorError {
    let mut binary = fixture("amd64.elf");
    change(&mut binary);
    extract(&binary).expect_err("the change makes the binary unreadable")
}

#[test]
fn other_machines_are_named() {
    let found = |error| match error {
        OperatorError::OtherMachine { found } => found,
        other => panic!("expected another machine, found {other:?}"),
    };
    assert_eq!(
        found(changed(|binary| binary[EI_CLASS] = 1)),
        "a 32-bit machine"
    );
    assert_eq!(
        found(changed(|binary| binary[EI_DATA] = 2)),
        "a big-endian machine"
    );
    assert_eq!(
        found(changed(|binary| set_u16(binary, E_MACHINE, 243))),
        "riscv64"
    );
    assert_eq!(
        found(changed(|binary| set_u16(binary, E_MACHINE, 9999))),
        "machine 9999"
    );
}

#[test]
fn headers_that_contradict_themselves_are_damage() {
    for (error, what) in [
        (
            changed(|binary| binary[EI_CLASS] = 7),
            "a class that is none",
        ),
        (
            changed(|binary| binary[EI_DATA] = 7),
            "an order that is none",
        ),
        (
            changed(|binary| set_u16(binary, E_PHENTSIZE, 1)),
            "program headers of one byte",
        ),
        (
            changed(|binary| set_u64(binary, E_PHOFF, 0)),
            "no program headers",
        ),
        (
            changed(|binary| set_u64(binary, E_PHOFF, u64::MAX)),
            "headers past any file",
        ),
        (
            changed(|binary| set_u64(binary, P_OFFSET, u64::MAX)),
            "a segment past any file",
        ),
        (
            changed(|binary| set_u64(binary, P_VADDR, u64::MAX - 8)),
            "a segment past memory",
        ),
        (
            changed(|binary| set_u64(binary, P_VADDR, 0x41_0400)),
            "segments in each other",
        ),
    ] {
        assert!(
            matches!(error, OperatorError::Damaged(_)),
            "{what}: {error:?}"
        );
    }
}

#[test]
fn a_cut_file_says_how_much_is_missing() {
    let whole = fixture("amd64.elf").len() as u64;
    assert_eq!(
        changed(|binary| binary.truncate(1000)),
        OperatorError::Truncated {
            expected: whole,
            present: 1000
        }
    );
    assert_eq!(
        changed(|binary| binary.truncate(10)).to_string(),
        "the binary is cut off: it has 10 bytes, expected at least 64"
    );
    let huge = changed(|binary| set_u64(binary, P_FILESZ, 1 << 60));
    assert!(matches!(huge, OperatorError::Truncated { .. }), "{huge:?}");
}

#[test]
fn every_cut_is_an_error() {
    for name in ["amd64.elf", "arm64.elf"] {
        let binary = fixture(name);
        for length in 0..binary.len() {
            assert!(
                extract(&binary[..length]).is_err(),
                "{name} cut at {length}"
            );
        }
    }
}

#[test]
fn garbage_is_refused_or_read_without_a_panic() {
    // Xorshift with a fixed seed: the same garbage on every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("below a usize")
    };
    for name in [
        "amd64.elf",
        "amd64-pie.elf",
        "arm64-pie.elf",
        "bare-pie.elf",
        "two-versions.elf",
    ] {
        let whole = fixture(name);
        for _ in 0..300 {
            let mut binary = whole.clone();
            for _ in 0..=random(8) {
                // Half of the changes hit the headers.
                let below = if random(2) == 0 { 256 } else { binary.len() };
                let at = random(below);
                binary[at] = [0, 1, 0x7f, 0xff, binary[at] ^ 1 << random(8)][random(5)];
            }
            if let Ok(files) = extract(&binary) {
                assert!(!files.is_empty(), "Flux's directory has files");
            }
        }
    }
}

#[test]
fn tables_that_point_at_the_same_bytes_end_the_search() {
    // One segment of a mebibyte, read as entries that all name nearly all of it as their data.
    const SIZE: usize = 1 << 20;
    let mut binary = fixture("amd64.elf")[..176].to_vec();
    binary.resize(SIZE, b'\n');
    set_u16(&mut binary, 56, 1);
    let base = 0x40_0000;
    for (at, value) in [(P_OFFSET, 0), (P_VADDR, base), (P_FILESZ, SIZE as u64)] {
        set_u64(&mut binary, at, value);
    }
    let (name, entries) = (256, 4096);
    let count: u64 = 1000;
    for index in 0..count {
        let name = name + usize::try_from(index % 8).expect("a small number") * 8;
        binary[name..name + 6].copy_from_slice(b"a.yaml");
        binary[name] = b'a' + u8::try_from(index % 8).expect("a small number");
        let entry = entries + 48 * usize::try_from(index).expect("a small number");
        set_u64(&mut binary, entry, base + name as u64);
        set_u64(&mut binary, entry + 8, 6);
        set_u64(&mut binary, entry + 16, base + 65536 + index);
        set_u64(&mut binary, entry + 24, SIZE as u64 - 65536 - index);
    }
    for header in (0..count).step_by(2) {
        // Every second entry's hash is the header of a table with one entry: the next.
        let at = entries + 48 * usize::try_from(header).expect("a small number") + 24;
        set_u64(&mut binary, at, base + at as u64 + 24);
        set_u64(&mut binary, at + 8, 1);
        set_u64(&mut binary, at + 16, 1);
    }
    assert_eq!(
        extract(&binary),
        Err(OperatorError::Damaged("its embedded files overlap"))
    );
}

//! The build script: makes a directory of Flux manifests part of the program.
//!
//! Lives here: which files go in, and the Rust text that `src/load/embedded.rs` includes. Not here:
//! what the manifests say. They are carried as they are, and read for the first time at run time.
//!
//! The directory is `src/load/embedded`, or what `FOREBAY_FLUX_DIR` names; a relative path counts
//! from the package's root, and an empty value is no value. Paths stand in the generated text only,
//! for the compiler to find the files by: the program holds names and contents.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{self, Path, PathBuf};

/// Names the directory that takes the place of the set in the repository.
const VARIABLE: &str = "FOREBAY_FLUX_DIR";

/// The set in the repository, seen from the package's root, where cargo starts a build script.
const OWN: &str = "src/load/embedded";

/// The extensions of manifests, as in every directory that the program reads.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// Writes `embedded.rs` to `OUT_DIR`.
///
/// What is wrong with the directory goes to cargo as an error of its own, which stops the build
/// without the noise of a build script that died; an `Err` here is about cargo or the disk.
fn main() -> io::Result<()> {
    let replaced = env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let own = replaced.is_none();
    let directory = PathBuf::from(replaced.unwrap_or_else(|| OWN.into()));

    let mut cargo = io::stdout().lock();
    writeln!(cargo, "cargo::rerun-if-env-changed={VARIABLE}")?;
    // Cargo looks at everything below a directory, so this covers new and vanished files as well.
    writeln!(cargo, "cargo::rerun-if-changed={}", directory.display())?;

    quick_start(&mut cargo)?;
    match manifests(&directory) {
        Ok(files) => fs::write(out_dir()?.join("embedded.rs"), rust(&files, own)),
        Err(fault) => {
            let what = if own {
                "the embedded Flux manifests"
            } else {
                VARIABLE
            };
            writeln!(cargo, "cargo::error={what}: {fault}")
        }
    }
}

/// Links a dynamic Linux program so that it starts soon.
///
/// It stands at a fixed address. What it would gain by another at every start it pays for at every
/// start: some 17,000 places are put right, which touches 75 pages (0.3 ms of 2). The program is
/// memory-safe, and its libraries stay where the system puts them. And it carries what it needs of the
/// compiler's own library, which would be one more file to find and map at every start (0.1 ms).
fn quick_start(cargo: &mut dyn io::Write) -> io::Result<()> {
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|found| found == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let dynamic = features.split(',').all(|feature| feature != "crt-static");
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && dynamic {
        writeln!(cargo, "cargo::rustc-link-arg-bins=-no-pie")?;
        writeln!(cargo, "cargo::rustc-link-lib=gcc_eh")?;
    }
    Ok(())
}

/// The directory that cargo sets aside for what this script writes.
fn out_dir() -> io::Result<PathBuf> {
    let missing = || io::Error::other("`OUT_DIR` is not set; cargo sets it for a build script");
    env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or_else(missing)
}

/// A manifest to embed: its name in the directory, and where the compiler finds it.
struct Manifest {
    name: String,
    path: String,
}

/// The manifests right in `directory`, ordered by the bytes of their names; hidden files and all
/// that has another extension are left out. The fault is one line for the person who builds.
fn manifests(directory: &Path) -> Result<Vec<Manifest>, String> {
    // `include_str!` counts a relative path from the generated file.
    let directory = path::absolute(directory).map_err(|why| unreadable(directory, &why))?;
    let entries = fs::read_dir(&directory).map_err(|why| unreadable(&directory, &why))?;
    let paths: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|why| unreadable(&directory, &why))?;
    paths.sort();

    let mut files = Vec::new();
    for path in paths {
        let Some(name) = manifest_name(&path) else {
            continue;
        };
        // Not the entry's own type: in a mounted volume, files are links.
        let target = fs::metadata(&path).map_err(|why| unreadable(&path, &why))?;
        if target.is_dir() {
            continue;
        }
        let bytes = fs::read(&path).map_err(|why| unreadable(&path, &why))?;
        if let Err(why) = std::str::from_utf8(&bytes) {
            let (path, offset) = (path.display(), why.valid_up_to());
            return Err(format!("`{path}` is not UTF-8 at byte {offset}"));
        }
        files.push(Manifest {
            name: utf8(name)?,
            path: utf8(path.as_os_str())?,
        });
    }
    Ok(files)
}

/// The file name of `path` where it is a manifest's.
fn manifest_name(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?;
    let extension = path.extension()?;
    let hidden = name.as_encoded_bytes().starts_with(b".");
    let known = EXTENSIONS.iter().any(|known| extension == *known);
    (known && !hidden).then_some(name)
}

/// `name` as text; what is not UTF-8 cannot be written down in Rust.
fn utf8(name: &OsStr) -> Result<String, String> {
    let fault = || format!("the name `{}` is not UTF-8", name.display());
    name.to_str().map(str::to_owned).ok_or_else(fault)
}

/// The fault of a path that the system will not read.
fn unreadable(path: &Path, why: &io::Error) -> String {
    format!("cannot read `{}`: {why}", path.display())
}

/// The Rust text that embeds `files`; `own` says that they are the set in the repository.
fn rust(files: &[Manifest], own: bool) -> String {
    let mut text = String::from(
        "/// Every embedded manifest, as file name and content, in name order.\n\
         pub(crate) static EMBEDDED: &[(&str, &str)] = &[\n",
    );
    for Manifest { name, path } in files {
        // `Debug` of a string is a Rust literal, also for a path with quotes or backslashes.
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("a String takes any text");
    }
    write!(
        text,
        "];\n\n\
         /// False where `{VARIABLE}` put other manifests in place of the repository's.\n\
         pub(crate) static EMBEDDED_IS_OWN: bool = {own};\n"
    )
    .expect("a String takes any text");
    text
}

//! An operator's binary out of its image: the entrypoint's file, then whatever else is a program.
//!
//! Layers are searched from the top; what a layer takes away is not looked for below it.
//!
//! Source: OCI image-spec 1.1 `layer.md` ("Whiteouts"), `config.md` (`Entrypoint`).

use std::io::Read;

use serde::Deserialize;

use super::artifact::Layers;
use super::client::Fetched;
use super::error::Error;
use super::tar::{Archive, Kind, Member};
use crate::load::extract;

/// The most bytes of a layer, unpacked.
const UNPACKED: u64 = 8 << 30;

/// The most bytes of a program.
const PROGRAM: u64 = 1 << 30;

/// How many links are followed in a row.
const LINKS: usize = 8;

#[derive(Default, Deserialize)]
struct ImageConfig {
    #[serde(default)]
    config: Option<Process>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Process {
    #[serde(default)]
    entrypoint: Option<Vec<String>>,
    #[serde(default)]
    cmd: Option<Vec<String>>,
    #[serde(default)]
    working_dir: Option<String>,
}

/// Names and contents.
type Files = Vec<(String, Vec<u8>)>;

/// What a path of an image is.
enum Found {
    File(Vec<u8>),
    Link(String),
    Gone,
}

/// Flux's manifests out of the operator's image.
///
/// # Errors
///
/// Where no program of the image embeds any; what is wrong with the entrypoint's is said.
pub(super) fn files(layers: &Layers<'_>, image: &Fetched) -> Result<Files, Error> {
    let mut blobs = Vec::new();
    for layer in image.manifest.layers.iter().rev() {
        blobs.push(layers.bytes(layer)?);
    }
    let mut why = "its config names no program".to_owned();
    if let Some(path) = entrypoint(layers, image)? {
        match file(layers, &blobs, &path)? {
            Some(binary) => match extracted(&path, &binary) {
                Ok(files) => return Ok(files),
                Err(fault) => why = format!("`/{path}`: {fault}"),
            },
            None => why = format!("it has no `/{path}`, which its config names"),
        }
    }
    for blob in &blobs {
        if let Some(files) = any_program(layers, blob)? {
            return Ok(files);
        }
    }
    Err(layers.fault(why))
}

/// The path of the program that the image starts, without its first slash.
fn entrypoint(layers: &Layers<'_>, image: &Fetched) -> Result<Option<String>, Error> {
    let Some(config) = &image.manifest.config else {
        return Ok(None);
    };
    let bytes = layers.bytes(config)?;
    let config: ImageConfig = serde_json::from_slice(&bytes).unwrap_or_default();
    let process = config.config.unwrap_or_default();
    let program = process.entrypoint.into_iter().flatten().next();
    let program = program.or_else(|| process.cmd.into_iter().flatten().next());
    let folder = process.working_dir.unwrap_or_default();
    Ok(program.and_then(|program| resolved(&folder, &program)))
}

/// A path as seen from a folder of the image; `None` where it climbs out of it.
fn resolved(folder: &str, path: &str) -> Option<String> {
    let whole = match path.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The content of a path, links followed within the image.
fn file(layers: &Layers<'_>, blobs: &[Vec<u8>], path: &str) -> Result<Option<Vec<u8>>, Error> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let mut target = None;
        for blob in blobs {
            match in_layer(layers, blob, &path)? {
                Some(Found::File(content)) => return Ok(Some(content)),
                Some(Found::Link(to)) => {
                    target = Some(to);
                    break;
                }
                Some(Found::Gone) => return Ok(None),
                None => {}
            }
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        match target.and_then(|to| resolved(folder, &to)) {
            Some(next) => path = next,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// What one layer says of a path; `None` where it says nothing.
fn in_layer(layers: &Layers<'_>, blob: &[u8], path: &str) -> Result<Option<Found>, Error> {
    let mut archive = layers.unpacked(blob, UNPACKED)?;
    let mut gone = false;
    while let Some(member) = next(layers, &mut archive)? {
        if member.name == path {
            match &member.kind {
                Kind::File => {
                    return content(layers, &mut archive, &member)
                        .map(Found::File)
                        .map(Some);
                }
                Kind::Link(to) => return Ok(Some(Found::Link(to.clone()))),
                Kind::Folder | Kind::Other => {}
            }
        }
        gone |= takes_away(&member.name, path);
    }
    Ok(gone.then_some(Found::Gone))
}

/// Whether a member is a whiteout that hides a path of the layers below.
fn takes_away(member: &str, path: &str) -> bool {
    let (folder, name) = member.rsplit_once('/').unwrap_or(("", member));
    let Some(hidden) = name.strip_prefix(".wh.") else {
        return false;
    };
    let hidden = match (hidden, folder) {
        (".wh..opq", folder) => folder.to_owned(),
        (hidden, "") => hidden.to_owned(),
        (hidden, folder) => format!("{folder}/{hidden}"),
    };
    hidden.is_empty()
        || path
            .strip_prefix(hidden.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The manifests of the first program of a layer that embeds some.
fn any_program(layers: &Layers<'_>, blob: &[u8]) -> Result<Option<Files>, Error> {
    let mut archive = layers.unpacked(blob, UNPACKED)?;
    while let Some(member) = next(layers, &mut archive)? {
        if member.kind != Kind::File || !(64..=PROGRAM).contains(&member.size) {
            continue;
        }
        let mut magic = [0; 4];
        let begins = archive.content(&member).read_exact(&mut magic);
        if begins.is_err() || magic != *b"\x7fELF" {
            continue;
        }
        let mut binary = magic.to_vec();
        binary.extend(content(layers, &mut archive, &member)?);
        if let Ok(files) = extracted(&member.name, &binary) {
            return Ok(Some(files));
        }
    }
    Ok(None)
}

fn extracted(path: &str, binary: &[u8]) -> Result<Files, String> {
    let files = extract(binary).map_err(|why| why.to_string())?;
    let named = |name: &str| format!("/{path}:{name}");
    Ok(files
        .into_iter()
        .map(|file| (named(&file.name), file.data.to_vec()))
        .collect())
}

fn next<R: Read>(layers: &Layers<'_>, archive: &mut Archive<R>) -> Result<Option<Member>, Error> {
    archive
        .member()
        .map_err(|why| layers.fault(format!("a layer: {why}")))
}

fn content<R: Read>(
    layers: &Layers<'_>,
    archive: &mut Archive<R>,
    member: &Member,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if member.size > PROGRAM {
        return Err(layers.fault(format!("`/{}` is no program of this size", member.name)));
    }
    archive
        .content(member)
        .read_to_end(&mut bytes)
        .map_err(|why| layers.fault(format!("a layer: {why}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_their_folder() {
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(resolved("", "/usr/bin/op"), is("usr/bin/op"));
        assert_eq!(resolved("/app", "./op"), is("app/op"));
        assert_eq!(resolved("usr/bin", "../lib/op"), is("usr/lib/op"));
        assert_eq!(resolved("a", "../../op"), None);
    }

    #[test]
    fn whiteouts_hide_what_is_below() {
        assert!(takes_away("usr/bin/.wh.op", "usr/bin/op"));
        assert!(takes_away("usr/.wh.bin", "usr/bin/op"));
        assert!(takes_away("usr/bin/.wh..wh..opq", "usr/bin/op"));
        assert!(!takes_away("usr/bin/.wh.o", "usr/bin/op"));
        assert!(!takes_away("usr/bin/op", "usr/bin/op"));
    }
}

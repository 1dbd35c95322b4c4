//! Flux's manifests out of a registry: an artifact's layer, or an operator's image.
//!
//! Source: `spec/bundle.md`, "Flux from a registry, Flux from the operator"; flux2 v2.7
//! `internal/tar`, `oci/client` for the layer's media type.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::cache::Cached;
use super::client::{Fetched, Place};
use super::error::Error;
use super::manifest::Descriptor;
use super::operator;
use super::tar::{Archive, Kind};
use crate::model::reference::Reference;

/// The layer of a Flux artifact.
const CONTENT: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";

/// The most bytes of a layer as it is sent.
const LAYER: u64 = 1 << 30;

/// The most bytes of an artifact's layer, unpacked.
const UNPACKED: u64 = 512 << 20;

/// Files, and where they were taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The source with its digest, for people.
    pub(crate) origin: String,
    /// Names and contents, in the order of their names.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// What `oci://REF` or `operator:oci://REF` holds.
///
/// # Errors
///
/// Where the registry does not give it, and where it holds no manifests.
pub(crate) fn take(cached: &Cached<'_>, source: &str) -> Result<Taken, Error> {
    let (of_operator, text) = match source.strip_prefix("operator:") {
        Some(text) => (true, text),
        None => (false, source),
    };
    let reference = Reference::parse(text).map_err(|why| Error::NoFlux {
        what: text.to_owned(),
        why: why.to_string(),
    })?;
    let reference = reference.with_default_tag();
    let mut fetched = cached.manifest(&reference)?;
    let digest = fetched.digest.clone();
    let place = Place::of(&reference);
    if fetched.manifest.index {
        let child = best(&fetched).ok_or_else(|| Error::NoFlux {
            what: reference.to_string(),
            why: "its index is empty".to_owned(),
        })?;
        fetched = cached.child(&place, &child)?;
    }
    let layers = Layers {
        cached,
        place: &place,
        what: reference.to_string(),
    };
    let files = if of_operator {
        operator::files(&layers, &fetched)?
    } else {
        layers.artifact(&fetched)?
    };
    let name = Reference {
        digest: Some(digest.to_string()),
        ..reference
    };
    let operator = if of_operator { "operator:" } else { "" };
    Ok(Taken {
        origin: format!("{operator}oci://{name}"),
        files,
    })
}

/// The manifest of an index to look into: any platform's will do, amd64 before arm64 before others.
fn best(index: &Fetched) -> Option<Descriptor> {
    let children = &index.manifest.manifests;
    let of = |wanted: &str| {
        let is = |child: &&Descriptor| child.platform.as_ref().is_some_and(|it| it.is(wanted));
        children.iter().find(is)
    };
    let first = of("linux/amd64").or_else(|| of("linux/arm64"));
    first.or_else(|| children.first()).cloned()
}

/// The layers of one manifest.
pub(super) struct Layers<'l> {
    cached: &'l Cached<'l>,
    place: &'l Place,
    /// The reference, for errors.
    pub(super) what: String,
}

impl Layers<'_> {
    /// Why it is of no use.
    pub(super) fn fault(&self, why: impl Into<String>) -> Error {
        Error::NoFlux {
            what: self.what.clone(),
            why: why.into(),
        }
    }

    /// The bytes of a layer or config as they are sent.
    pub(super) fn bytes(&self, descriptor: &Descriptor) -> Result<Vec<u8>, Error> {
        self.cached.blob(self.place, descriptor, LAYER)
    }

    /// A layer unpacked, at most `limit` bytes of it.
    pub(super) fn unpacked<'b>(
        &self,
        bytes: &'b [u8],
        limit: u64,
    ) -> Result<Archive<Box<dyn Read + 'b>>, Error> {
        let from: Box<dyn Read + 'b> = match bytes {
            [0x1f, 0x8b, ..] => Box::new(Bounded(MultiGzDecoder::new(bytes), limit)),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                return Err(self.fault("a layer is packed with zstd, expected gzip"));
            }
            _ => Box::new(bytes),
        };
        Ok(Archive::new(from))
    }

    /// The manifests of a Flux artifact, by name.
    fn artifact(&self, fetched: &Fetched) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let layers = &fetched.manifest.layers;
        let of = |wanted: fn(&str) -> bool| layers.iter().find(|it| wanted(&it.media_type));
        let layer = of(|media_type| media_type == CONTENT)
            .or_else(|| of(|media_type| media_type.ends_with("tar+gzip")))
            .or_else(|| of(|media_type| media_type.ends_with("tar.gzip")))
            .ok_or_else(|| self.fault("it has no layer that is a tar.gz of manifests"))?;
        let bytes = self.bytes(layer)?;
        let mut archive = self.unpacked(&bytes, UNPACKED)?;
        let mut files = BTreeMap::new();
        let broken = |why: String| self.fault(format!("its layer {}: {why}", layer.digest));
        while let Some(member) = archive.member().map_err(|why| broken(why.to_string()))? {
            let last = member.name.rsplit('/').next().unwrap_or_default();
            let hidden = member.name.split('/').any(|part| part.starts_with('.'));
            let manifest = std::path::Path::new(last).extension() == Some("yaml".as_ref())
                && last != "kustomization.yaml"
                && !hidden;
            if member.kind != Kind::File || !manifest {
                continue;
            }
            let mut content = Vec::new();
            let read = archive.content(&member).read_to_end(&mut content);
            read.map_err(|why| broken(why.to_string()))?;
            if (content.len() as u64) < member.size {
                return Err(broken("it ends within a member".to_owned()));
            }
            files.insert(member.name, content);
        }
        if files.is_empty() {
            return Err(self.fault("its layer has no `*.yaml`"));
        }
        Ok(files.into_iter().collect())
    }
}

/// What gives no more than it may: a small layer can unpack to anything.
struct Bounded<R>(R, u64);

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1 = self
            .1
            .checked_sub(read as u64)
            .ok_or_else(|| std::io::Error::other("it unpacks to more than is looked into"))?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bomb_is_cut_off() {
        let mut from = Bounded(std::io::repeat(0), 1000);
        let mut into = Vec::new();
        let refused = from.read_to_end(&mut into).expect_err("a bomb");
        assert!(refused.to_string().contains("unpacks to more"), "{refused}");
    }
}

//! What is read out of an artifact: Flux's manifests, of its layer or of an operator's image, and what
//! charts say of images.
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
use crate::load::counts_in_chart;
use crate::model::reference::Reference;

/// The layer of a chart.
const CHART: &str = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

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
    let found = Found::of(cached, text, "Flux manifests")?;
    let layers = found.layers(cached);
    let files = if of_operator {
        operator::files(&layers, &found.manifest)?
    } else {
        layers.artifact(&found.manifest)?
    };
    let operator = if of_operator { "operator:" } else { "" };
    Ok(Taken {
        origin: format!("{operator}{}", found.origin),
        files,
    })
}

/// What the charts in an artifact say of images: a chart's own, or trees of charts as Flux packs them.
///
/// # Errors
///
/// Where the registry does not give it, and where it holds no chart.
pub(crate) fn charts(cached: &Cached<'_>, source: &str) -> Result<Taken, Error> {
    let found = Found::of(cached, source, "charts")?;
    let layers = found.layers(cached);
    let candidates = layers.files(&found.manifest, CHART, &|name| {
        let name = std::path::Path::new(name);
        name.ends_with("Chart.yaml") || counts_in_chart(name, |_| true)
    })?;
    let has = |path: &std::path::Path| path.to_str().is_some_and(|it| candidates.contains_key(it));
    if !candidates.keys().any(|name| name.ends_with("Chart.yaml")) {
        return Err(layers.fault("its layer has no `Chart.yaml`"));
    }
    let counts = |name: &str| counts_in_chart(std::path::Path::new(name), has);
    let files = candidates.iter().filter(|(name, _)| counts(name));
    let files = files.map(|(name, content)| (format!("{}:{name}", found.origin), content.clone()));
    Ok(Taken {
        files: files.collect(),
        origin: found.origin,
    })
}

/// An artifact that was found.
struct Found {
    place: Place,
    what: String,
    holds: &'static str,
    manifest: Fetched,
    origin: String,
}

impl Found {
    /// Asks for the manifest of a reference, of an index for that of one of its platforms. `holds` is
    /// what it is looked into for.
    fn of(cached: &Cached<'_>, text: &str, holds: &'static str) -> Result<Found, Error> {
        let fault = |what: &str, why: String| Error::HoldsNone {
            what: what.to_owned(),
            holds,
            why,
        };
        let reference = Reference::parse(text).map_err(|why| fault(text, why.to_string()))?;
        let reference = reference.with_default_tag();
        let what = reference.to_string();
        let mut manifest = cached.manifest(&reference)?;
        let digest = manifest.digest.to_string();
        let place = Place::of(&reference);
        if manifest.manifest.index {
            let child =
                best(&manifest).ok_or_else(|| fault(&what, "its index is empty".to_owned()))?;
            manifest = cached.child(&place, &child)?;
        }
        let name = Reference {
            digest: Some(digest),
            ..reference
        };
        Ok(Found {
            place,
            what,
            holds,
            manifest,
            origin: format!("oci://{name}"),
        })
    }

    fn layers<'l>(&'l self, cached: &'l Cached<'l>) -> Layers<'l> {
        Layers {
            cached,
            place: &self.place,
            what: self.what.clone(),
            holds: self.holds,
        }
    }
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
    holds: &'static str,
}

impl Layers<'_> {
    /// Why it is of no use.
    pub(super) fn fault(&self, why: impl Into<String>) -> Error {
        Error::HoldsNone {
            what: self.what.clone(),
            holds: self.holds,
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
        let files = self.files(fetched, CONTENT, &|name| {
            let last = name.rsplit('/').next().unwrap_or_default();
            let hidden = name.split('/').any(|part| part.starts_with('.'));
            let is_manifest = std::path::Path::new(last).extension() == Some("yaml".as_ref());
            is_manifest && last != "kustomization.yaml" && !hidden
        })?;
        if files.is_empty() {
            return Err(self.fault("its layer has no `*.yaml`"));
        }
        Ok(files.into_iter().collect())
    }

    /// The files of the layer of that media type, else of any that is a tar.gz, whose names count.
    fn files(
        &self,
        fetched: &Fetched,
        media_type: &str,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let layers = &fetched.manifest.layers;
        let of = |wanted: &dyn Fn(&str) -> bool| layers.iter().find(|it| wanted(&it.media_type));
        let layer = of(&|it| it == media_type)
            .or_else(|| of(&|it| it.ends_with("tar+gzip")))
            .or_else(|| of(&|it| it.ends_with("tar.gzip")))
            .ok_or_else(|| self.fault("it has no layer that is a tar.gz"))?;
        let bytes = self.bytes(layer)?;
        let mut archive = self.unpacked(&bytes, UNPACKED)?;
        let mut files = BTreeMap::new();
        let broken = |why: String| self.fault(format!("its layer {}: {why}", layer.digest));
        while let Some(member) = archive.member().map_err(|why| broken(why.to_string()))? {
            if member.kind != Kind::File || !counts(&member.name) {
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
        Ok(files)
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

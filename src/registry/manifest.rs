//! Manifests: what a digest stands for, and what it leads to.
//!
//! Read are OCI image manifests, indexes and the artifact manifests of the release candidates, and
//! Docker's schema 2 of both. Bytes are kept as they came; nothing here writes a manifest.
//!
//! Source: OCI image-spec 1.1 `manifest.md`, `image-index.md`; distribution's
//! `manifest-v2-2.md`.

use serde::Deserialize;

use super::digest::Digest;

/// The most bytes that a manifest may have, as containers' image library has it.
pub(crate) const LIMIT: u64 = 4 << 20;

/// An OCI image manifest.
pub(crate) const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// An OCI index.
pub(crate) const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
const OCI_ARTIFACT: &str = "application/vnd.oci.artifact.manifest.v1+json";
const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
const DOCKER_LIST: &str = "application/vnd.docker.distribution.manifest.list.v2+json";

/// What is asked for, in one header.
pub(crate) const ACCEPT: &str = "application/vnd.oci.image.index.v1+json, \
    application/vnd.oci.image.manifest.v1+json, \
    application/vnd.docker.distribution.manifest.list.v2+json, \
    application/vnd.docker.distribution.manifest.v2+json, \
    application/vnd.oci.artifact.manifest.v1+json";

/// A platform, as an index names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Platform {
    /// The operating system.
    #[serde(default)]
    pub(crate) os: String,
    /// The processor.
    #[serde(default)]
    pub(crate) architecture: String,
    /// Its variant, empty where there is none.
    #[serde(default)]
    pub(crate) variant: String,
}

impl Platform {
    /// `os/architecture[/variant]`; `None` for what is no platform, as an attestation
    /// (`unknown/unknown`) is none.
    pub(crate) fn shown(&self) -> Option<String> {
        let known = |text: &str| !text.is_empty() && text != "unknown";
        if !known(&self.os) || !known(&self.architecture) {
            return None;
        }
        Some(match self.variant.as_str() {
            "" => format!("{}/{}", self.os, self.architecture),
            variant => format!("{}/{}/{variant}", self.os, self.architecture),
        })
    }

    /// Whether `wanted` (`os/architecture[/variant]`) means this platform; a variant that is not
    /// asked for matches any.
    pub(crate) fn is(&self, wanted: &str) -> bool {
        let mut parts = wanted.splitn(3, '/');
        let mut next = || parts.next().unwrap_or_default();
        let (os, architecture, variant) = (next(), next(), next());
        // What is left out of `linux/arm64` is `v8`, and of `linux/amd64` `v1`.
        self.os == os
            && self.architecture == architecture
            && (variant.is_empty() || variant == self.variant)
    }
}

/// What leads to content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    /// The media type.
    pub(crate) media_type: String,
    /// The digest.
    pub(crate) digest: Digest,
    /// The size in bytes.
    pub(crate) size: u64,
    /// The platform, where an index gives one.
    pub(crate) platform: Option<Platform>,
}

/// A manifest, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Its media type.
    pub(crate) media_type: String,
    /// Whether it is an index.
    pub(crate) index: bool,
    /// The manifests that an index leads to.
    pub(crate) manifests: Vec<Descriptor>,
    /// The config of an image manifest.
    pub(crate) config: Option<Descriptor>,
    /// The layers of an image manifest, the blobs of an artifact.
    pub(crate) layers: Vec<Descriptor>,
    /// What it is about: a signature's image.
    pub(crate) subject: Option<Digest>,
    /// What it says that it is; empty where it does not.
    pub(crate) artifact_type: String,
}

/// What an entry of a bundle is, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// An image of one platform.
    Image,
    /// Several in one.
    Index,
    /// A Flux artifact.
    FluxArtifact,
    /// A Helm chart.
    HelmChart,
    /// Anything else: signatures among them.
    Other,
}

impl Type {
    /// As the contract spells it (`design/cli.md`, `bundle list`).
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Type::Image => "image",
            Type::Index => "index",
            Type::FluxArtifact => "flux-artifact",
            Type::HelmChart => "helm-chart",
            Type::Other => "other",
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    schema_version: Option<u64>,
    #[serde(default)]
    media_type: String,
    #[serde(default)]
    artifact_type: String,
    config: Option<RawDescriptor>,
    layers: Option<Vec<RawDescriptor>>,
    blobs: Option<Vec<RawDescriptor>>,
    manifests: Option<Vec<RawDescriptor>>,
    subject: Option<RawDescriptor>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawDescriptor {
    #[serde(default)]
    media_type: String,
    digest: String,
    size: u64,
    platform: Option<Platform>,
}

impl RawDescriptor {
    fn read(self) -> Result<Descriptor, String> {
        let digest = Digest::parse(&self.digest)
            .ok_or_else(|| format!("`{}` is no digest that forebay knows", self.digest))?;
        Ok(Descriptor {
            media_type: self.media_type,
            digest,
            size: self.size,
            platform: self.platform,
        })
    }
}

fn all(list: Option<Vec<RawDescriptor>>) -> Result<Vec<Descriptor>, String> {
    list.into_iter()
        .flatten()
        .map(RawDescriptor::read)
        .collect()
}

impl Manifest {
    /// Reads the bytes of a manifest. `announced` is the media type that its descriptor or the
    /// registry gives, for manifests that name none themselves.
    ///
    /// # Errors
    ///
    /// What is wrong, then what was expected.
    pub(crate) fn read(bytes: &[u8], announced: &str) -> Result<Manifest, String> {
        let raw: Raw =
            serde_json::from_slice(bytes).map_err(|why| format!("it is no manifest: {why}"))?;
        if raw.schema_version == Some(1) {
            return Err(
                "it is a manifest of Docker's schema 1, which no registry of today takes".into(),
            );
        }
        let announced = announced.split(';').next().unwrap_or_default().trim();
        // Both at once would be read as one thing here and as another elsewhere (CVE-2021-41190).
        if raw.manifests.is_some() && (raw.layers.is_some() || raw.config.is_some()) {
            return Err("it has both `manifests` and `layers`, expected one of them".into());
        }
        let index = raw.manifests.is_some();
        let default = if index { OCI_INDEX } else { OCI_MANIFEST };
        let media_type = match (raw.media_type.as_str(), announced) {
            ("", "" | "application/json" | "text/plain" | "application/octet-stream") => default,
            ("", announced) => announced,
            (own, _) => own,
        }
        .to_owned();
        if (index && is_single(&media_type)) || (!index && is_index(&media_type)) {
            return Err(format!(
                "its media type `{media_type}` is not what it holds"
            ));
        }
        if !index && raw.layers.is_none() && raw.blobs.is_none() && raw.config.is_none() {
            return Err("it has neither `manifests` nor `layers`, expected one of them".into());
        }
        let mut layers = all(raw.layers)?;
        layers.extend(all(raw.blobs)?);
        let subject = raw.subject.map(RawDescriptor::read).transpose()?;
        Ok(Manifest {
            media_type,
            index,
            manifests: all(raw.manifests)?,
            config: raw.config.map(RawDescriptor::read).transpose()?,
            layers,
            subject: subject.map(|subject| subject.digest),
            artifact_type: raw.artifact_type,
        })
    }

    /// The blobs that it leads to itself: config and layers.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = &Descriptor> {
        self.config.iter().chain(&self.layers)
    }

    /// What it is, told by its media types alone.
    pub(crate) fn kind(&self) -> Type {
        if self.index {
            return Type::Index;
        }
        match self
            .config
            .as_ref()
            .map(|config| config.media_type.as_str())
        {
            Some("application/vnd.cncf.flux.config.v1+json") => Type::FluxArtifact,
            Some("application/vnd.cncf.helm.config.v1+json") => Type::HelmChart,
            // A signature by the tag scheme has the config of an image and layers of its own kind.
            Some(
                "application/vnd.oci.image.config.v1+json"
                | "application/vnd.docker.container.image.v1+json",
            ) if self.artifact_type.is_empty() && self.layers.iter().all(is_file_system) => {
                Type::Image
            }
            _ => Type::Other,
        }
    }
}

fn is_single(media_type: &str) -> bool {
    matches!(media_type, OCI_MANIFEST | DOCKER_MANIFEST | OCI_ARTIFACT)
}

/// Whether a media type is that of an index.
pub(crate) fn is_index(media_type: &str) -> bool {
    matches!(media_type, OCI_INDEX | DOCKER_LIST)
}

fn is_file_system(layer: &Descriptor) -> bool {
    layer
        .media_type
        .starts_with("application/vnd.oci.image.layer.")
        || layer
            .media_type
            .starts_with("application/vnd.docker.image.rootfs.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(media_type: &str) -> String {
        let digest = Digest::of(media_type.as_bytes());
        format!(r#"{{"mediaType":"{media_type}","digest":"{digest}","size":1}}"#)
    }

    fn image(config: &str, layer: &str) -> String {
        let (config, layer) = (descriptor(config), descriptor(layer));
        format!(r#"{{"schemaVersion":2,"config":{config},"layers":[{layer}]}}"#)
    }

    #[test]
    fn the_type_is_told_by_media_types() {
        let layer = "application/vnd.oci.image.layer.v1.tar+gzip";
        let cases = [
            (
                "application/vnd.oci.image.config.v1+json",
                layer,
                Type::Image,
            ),
            (
                "application/vnd.cncf.flux.config.v1+json",
                layer,
                Type::FluxArtifact,
            ),
            (
                "application/vnd.cncf.helm.config.v1+json",
                layer,
                Type::HelmChart,
            ),
            (
                "application/vnd.oci.image.config.v1+json",
                "application/vnd.dev.cosign.simplesigning.v1+json",
                Type::Other,
            ),
        ];
        for (config, layer, wanted) in cases {
            let read = Manifest::read(image(config, layer).as_bytes(), "").expect("a manifest");
            assert_eq!(read.kind(), wanted, "{config}");
            assert_eq!(read.media_type, OCI_MANIFEST);
        }
    }

    #[test]
    fn what_is_two_things_or_none_is_refused() {
        let both = image("a/b", "c/d").replacen('{', r#"{"manifests":[],"#, 1);
        let cases = [
            both.as_str(),
            r#"{"schemaVersion":1,"fsLayers":[]}"#,
            r#"{"schemaVersion":2}"#,
            r#"{"schemaVersion":2,"manifests":[{"digest":"sha256:../x","size":1}]}"#,
            "[]",
        ];
        for text in cases {
            assert!(Manifest::read(text.as_bytes(), "").is_err(), "{text}");
        }
        let index = br#"{"schemaVersion":2,"manifests":[]}"#;
        assert!(Manifest::read(index, OCI_MANIFEST).is_err());
        assert!(Manifest::read(index, OCI_INDEX).expect("an index").index);
    }

    #[test]
    fn an_attestation_is_no_platform() {
        let platform = |os: &str, architecture: &str, variant: &str| Platform {
            os: os.into(),
            architecture: architecture.into(),
            variant: variant.into(),
        };
        assert_eq!(platform("unknown", "unknown", "").shown(), None);
        let arm = platform("linux", "arm64", "v8");
        assert_eq!(arm.shown().as_deref(), Some("linux/arm64/v8"));
        assert!(arm.is("linux/arm64") && arm.is("linux/arm64/v8") && !arm.is("linux/arm64/v7"));
    }
}

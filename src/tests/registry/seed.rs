//! Layouts made by the test, to be pushed and fetched: images, artifacts, signatures.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub(crate) const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub(crate) const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
pub(crate) const IMAGE_CONFIG: &str = "application/vnd.oci.image.config.v1+json";
pub(crate) const LAYER: &str = "application/vnd.oci.image.layer.v1.tar";
const REF_NAME: &str = "org.opencontainers.image.ref.name";

/// The sha256 of bytes, with its algorithm.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let mut text = "sha256:".to_owned();
    for byte in ring::digest::digest(&ring::digest::SHA256, bytes).as_ref() {
        write!(text, "{byte:02x}").expect("text");
    }
    text
}

/// Bytes that look random and are the same each time.
pub(crate) fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(count);
    bytes
}

/// A layout in the making.
pub(crate) struct Layout {
    pub(crate) folder: PathBuf,
    entries: Vec<Value>,
}

impl Layout {
    pub(crate) fn new(folder: &Path) -> Layout {
        std::fs::create_dir_all(folder.join("blobs/sha256")).expect("a folder");
        std::fs::write(
            folder.join("oci-layout"),
            r#"{"imageLayoutVersion":"1.0.0"}"#,
        )
        .expect("it");
        Layout {
            folder: folder.to_owned(),
            entries: Vec::new(),
        }
    }

    /// Adds a blob and gives its descriptor.
    pub(crate) fn blob(&self, media_type: &str, bytes: &[u8]) -> Value {
        let digest = digest(bytes);
        let path = self.folder.join("blobs").join(digest.replace(':', "/"));
        std::fs::write(path, bytes).expect("a blob");
        json!({"mediaType": media_type, "digest": digest, "size": bytes.len()})
    }

    /// Adds a manifest and gives its descriptor.
    pub(crate) fn manifest(&self, config: &Value, layers: &[Value], more: &Value) -> Value {
        let mut manifest = json!({"schemaVersion": 2, "mediaType": OCI_MANIFEST,
            "config": config, "layers": layers});
        for (key, value) in more.as_object().into_iter().flatten() {
            manifest[key] = value.clone();
        }
        self.blob(OCI_MANIFEST, manifest.to_string().as_bytes())
    }

    /// Adds an image of one platform over these layers.
    pub(crate) fn image(&self, architecture: &str, layers: &[&[u8]]) -> Value {
        let layers: Vec<Value> = layers.iter().map(|layer| self.blob(LAYER, layer)).collect();
        let ids: Vec<&Value> = layers.iter().map(|layer| &layer["digest"]).collect();
        let config = json!({"architecture": architecture, "os": "linux", "config": {},
            "rootfs": {"type": "layers", "diff_ids": ids}});
        let config = self.blob(IMAGE_CONFIG, config.to_string().as_bytes());
        self.manifest(&config, &layers, &json!({}))
    }

    /// Adds an image of two platforms: a shared layer under one of their own each.
    pub(crate) fn two_platforms(&self, seed: u64, own: usize, base: &[u8]) -> Value {
        let of = |architecture: &str, seed| {
            let mut image = self.image(architecture, &[base, &noise(seed, own)]);
            image["platform"] = json!({"architecture": architecture, "os": "linux"});
            image
        };
        let manifests = [of("amd64", 2 * seed), of("arm64", 2 * seed + 1)];
        let index = json!({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": manifests});
        self.blob(OCI_INDEX, index.to_string().as_bytes())
    }

    /// Names what a descriptor leads to.
    pub(crate) fn name(&mut self, descriptor: &Value, name: &str) {
        let mut entry = descriptor.clone();
        entry["annotations"] = json!({REF_NAME: name});
        self.entries.push(entry);
        let index = json!({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": self.entries});
        std::fs::write(self.folder.join("index.json"), index.to_string()).expect("an index");
    }
}

/// A tar of files.
pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut all = Vec::new();
    for (name, content) in files {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000755");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        all.extend(header);
        all.extend(*content);
        all.resize(all.len().next_multiple_of(512), 0);
    }
    all.resize(all.len() + 1024, 0);
    all
}

/// The same, packed.
pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    gz(&tar(files))
}

pub(crate) fn gz(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("a vector takes it");
    packed.finish().expect("a vector takes it")
}

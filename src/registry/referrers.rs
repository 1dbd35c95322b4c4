//! The list of what refers to a digest, for registries that keep none themselves.
//!
//! Source: OCI distribution-spec 1.1 `spec.md`, "Pushing Manifests with Subject", "Referrers Tag
//! Schema".

use serde_json::{Map, Value, json};

use super::client::{Client, Place};
use super::contents::Node;
use super::digest::Digest;
use super::error::Error;
use super::manifest::OCI_INDEX;

/// Adds manifests to the list under the tag `sha256-<hex>`.
///
/// # Errors
///
/// Where the registry does not give the list, or does not take it.
pub(super) fn keep(
    client: &Client,
    place: &Place,
    subject: &Digest,
    nodes: &[Node],
) -> Result<(), Error> {
    let tag = subject.as_tag();
    let old = match client.manifest(place, &tag) {
        Ok(fetched) => fetched.bytes,
        Err(Error::NotFound { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let text = extended(&old, nodes);
    if text != old {
        client.put_manifest(place, &tag, OCI_INDEX, &text)?;
    }
    Ok(())
}

/// The list with these manifests in it, sorted by digest; what is there stays as it is.
fn extended(old: &[u8], nodes: &[Node]) -> Vec<u8> {
    let mut index: Map<String, Value> = serde_json::from_slice(old).unwrap_or_default();
    let listed = index.remove("manifests");
    let mut listed = match listed {
        Some(Value::Array(listed)) => listed,
        _ => Vec::new(),
    };
    let before = listed.len();
    for node in nodes {
        let digest = node.descriptor.digest.as_str();
        if listed.iter().any(|other| other["digest"] == digest) {
            continue;
        }
        let manifest: Value = serde_json::from_slice(&node.bytes).unwrap_or_default();
        let config = node.manifest.config.as_ref();
        let artifact = match node.manifest.artifact_type.as_str() {
            "" => config.map_or("", |config| config.media_type.as_str()),
            own => own,
        };
        let mut descriptor = json!({
            "mediaType": node.manifest.media_type,
            "digest": digest,
            "size": node.bytes.len(),
            "artifactType": artifact,
        });
        if manifest["annotations"].is_object() {
            descriptor["annotations"] = manifest["annotations"].clone();
        }
        listed.push(descriptor);
    }
    if listed.len() == before && before > 0 {
        return old.to_vec();
    }
    listed.sort_by_key(|one| one["digest"].as_str().map(str::to_owned));
    let index = json!({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": listed});
    serde_json::to_vec(&index).expect("JSON is written as JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::manifest::{Descriptor, Manifest, OCI_MANIFEST};

    fn node(name: &str) -> Node {
        let text = format!(
            r#"{{"schemaVersion":2,"artifactType":"{name}","annotations":{{"a":"b"}},"layers":[]}}"#
        );
        let bytes = text.into_bytes();
        Node {
            descriptor: Descriptor {
                media_type: OCI_MANIFEST.to_owned(),
                digest: Digest::of(&bytes),
                size: bytes.len() as u64,
                platform: None,
            },
            manifest: Manifest::read(&bytes, OCI_MANIFEST).expect("a manifest"),
            bytes,
        }
    }

    #[test]
    fn a_list_grows_once() {
        let first = extended(b"", &[node("one")]);
        let both = extended(&first, &[node("two"), node("one")]);
        assert_eq!(extended(&both, &[node("one"), node("two")]), both);
        let read: Value = serde_json::from_slice(&both).expect("JSON");
        assert_eq!(read["manifests"].as_array().map(Vec::len), Some(2));
        assert_eq!(read["manifests"][0]["annotations"]["a"], "b");
    }
}

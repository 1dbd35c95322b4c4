//! The schema of `metadata`, which no CustomResourceDefinition writes down.
//!
//! What the values must look like beyond their types is not here: names and labels are looked at
//! by rules of their own.
//!
//! Source: apimachinery `pkg/apis/meta/v1/types.go` `ObjectMeta`, `OwnerReference`,
//! `ManagedFieldsEntry`, v0.35.

use std::sync::LazyLock;

use super::compile::{References, compile};
use super::structure::{Compiled, Flavour};
use crate::source::SourceMap;
use crate::yaml::read_all;

const SCHEMA: &str = "
type: object
properties:
  name: {type: string}
  generateName: {type: string}
  namespace: {type: string}
  selfLink: {type: string}
  uid: {type: string}
  resourceVersion: {type: string}
  generation: {type: integer}
  creationTimestamp: {type: string, format: date-time}
  deletionTimestamp: {type: string, format: date-time}
  deletionGracePeriodSeconds: {type: integer}
  labels: {type: object, additionalProperties: {type: string}}
  annotations: {type: object, additionalProperties: {type: string}}
  finalizers: {type: array, items: {type: string}}
  ownerReferences:
    type: array
    items:
      type: object
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        name: {type: string}
        uid: {type: string}
        controller: {type: boolean}
        blockOwnerDeletion: {type: boolean}
  managedFields:
    type: array
    items:
      type: object
      properties:
        manager: {type: string}
        operation: {type: string}
        apiVersion: {type: string}
        time: {type: string, format: date-time}
        fieldsType: {type: string}
        fieldsV1: {type: object}
        subresource: {type: string}
";

/// The schema of an object's metadata.
pub(super) static METADATA: LazyLock<Compiled> = LazyLock::new(|| {
    let source = SourceMap::default().add("metadata", SCHEMA);
    let doc = read_all(&source)
        .remove(0)
        .expect("the schema above is sound YAML");
    let root = doc.root().expect("the schema above is a mapping");
    compile(root, Flavour::GoType, &References::default())
});

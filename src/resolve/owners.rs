//! Owner references of what the operator makes: possible only where a snapshot of the cluster knows
//! the owner's uid.
//!
//! Source: `spec/package-rendering.md`, sections 3, 4 and 7.

use std::collections::BTreeMap;

use super::packages::{GROUP, Rendered};
use super::plan::unrolled;
use crate::yaml::Node;

/// The uids of Packages and PackageSources in a cluster, by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Owners<'s>(BTreeMap<(&'s str, &'s str), &'s str>);

impl<'s> Owners<'s> {
    /// Takes them from listings as `kubectl get -o yaml` and `-o json` give them; of two of one
    /// name the later counts. Objects without a uid were never in a cluster.
    pub(crate) fn of(roots: impl Iterator<Item = Node<'s>>) -> Owners<'s> {
        let uids = roots.flat_map(unrolled).filter_map(|object| {
            let (group, _) = object.text_at(&["apiVersion"])?.split_once('/')?;
            let kind = object.text_at(&["kind"])?;
            let name = object.text_at(&["metadata", "name"])?;
            let uid = object.text_at(&["metadata", "uid"])?;
            let known = group == GROUP && matches!(kind, "Package" | "PackageSource");
            (known && !uid.is_empty()).then_some(((kind, name), uid))
        });
        Owners(uids.collect())
    }

    /// Gives everything that is made its owner, where that is known.
    pub(crate) fn put_on(&self, rendered: &mut Rendered) {
        let uid = |kind, name: &str| self.0.get(&(kind, name)).map(|uid| (*uid).to_owned());
        for generator in &mut rendered.generators {
            generator.owner_uid = uid("PackageSource", &generator.name);
        }
        for release in &mut rendered.releases {
            release.owner_uid = uid("Package", &release.package);
        }
    }
}

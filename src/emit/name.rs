//! The names of files in a tree: the same for the same objects, safe on every file system.

use std::collections::BTreeSet;

use crate::finding::ObjectId;
use crate::resolve::plan::Stage;

/// Names that Windows keeps for devices, with any ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// How long a part may become; file systems stop at 255 bytes.
const LONGEST: usize = 120;

/// A path for every object, in their order: `1-definitions/NAMESPACE/KIND.GROUP_NAME.yaml`. No two
/// are equal, in any case of letters; where two would be, the later ones are numbered.
pub(super) fn names<'o>(objects: impl Iterator<Item = (&'o ObjectId, Stage)>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    objects
        .map(|(id, stage)| {
            let stem = stem(id, stage);
            let numbered = (2..).map(|number| format!("{stem}_{number}"));
            let free = std::iter::once(stem.clone())
                .chain(numbered)
                .find(|name| taken.insert(name.clone()))
                .expect("the numbers do not end");
            format!("{free}.yaml")
        })
        .collect()
}

fn stem(id: &ObjectId, stage: Stage) -> String {
    let stage = match stage {
        Stage::Definitions => "1-definitions",
        Stage::Objects => "2-objects",
    };
    let mut kind = part(&id.kind);
    if !id.group().is_empty() {
        kind = format!("{kind}.{}", part(id.group()));
    }
    let name = part(&id.name);
    if id.namespace.is_empty() {
        format!("{stage}/{kind}_{name}")
    } else {
        format!("{stage}/{}/{kind}_{name}", part(&id.namespace))
    }
}

/// One part of a path: lower case, of letters, digits, inner dots and dashes only.
fn part(text: &str) -> String {
    let mut part: String = text
        .chars()
        .flat_map(char::to_lowercase)
        .take(LONGEST)
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        })
        .collect();
    if part.starts_with('.') {
        part.replace_range(..1, "-");
    }
    if part.ends_with('.') {
        part.replace_range(part.len() - 1.., "-");
    }
    let word = part
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end_matches(char::is_numeric);
    if DEVICES.contains(&word) {
        part.insert(0, '-');
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(api_version: &str, kind: &str, namespace: &str, name: &str) -> ObjectId {
        ObjectId {
            api_version: api_version.into(),
            kind: kind.into(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn names_are_safe_and_differ_in_any_case() {
        let objects = [
            id("v1", "Namespace", "", "cozy-fluxcd"),
            id("apps/v1", "Deployment", "cozy-fluxcd", "flux"),
            id("apps/v1", "Deployment", "cozy-fluxcd", "FLUX"),
            id("v1", "Secret", "../../etc", "../passwd"),
            id("v1", "Secret", "..", "."),
            id("v1", "Secret", "con", "system:x/y"),
        ];
        let stages = |id: &ObjectId| match id.kind.as_str() {
            "Namespace" => Stage::Definitions,
            _ => Stage::Objects,
        };
        assert_eq!(
            names(objects.iter().map(|id| (id, stages(id)))),
            [
                "1-definitions/namespace_cozy-fluxcd.yaml",
                "2-objects/cozy-fluxcd/deployment.apps_flux.yaml",
                "2-objects/cozy-fluxcd/deployment.apps_flux_2.yaml",
                "2-objects/-.-..-etc/secret_-.-passwd.yaml",
                "2-objects/--/secret_-.yaml",
                "2-objects/-con/secret_system-x-y.yaml",
            ]
        );
    }
}

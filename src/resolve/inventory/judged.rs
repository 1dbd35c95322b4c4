//! What there is to say of images: from where they come, and what they leave open.
//!
//! Source: `spec/bundle.md`, "The image list".

use std::collections::BTreeMap;

use super::accepted::Accepted;
use super::{Grade, Named};
use crate::finding::{Finding, Level};
use crate::model::reference::Reference;

/// Says which images have neither tag nor digest and, where `allowed` names registries, which come
/// from elsewhere and stand at no accepted place.
pub(crate) fn judged(named: &[Named], allowed: &[String], accepted: &Accepted) -> Vec<Finding> {
    let mut findings = bare(named);
    if allowed.is_empty() {
        return findings;
    }
    for named in named {
        let level = match named.grade {
            Grade::Certain | Grade::Artifact => Level::Error,
            Grade::Possible => Level::Warning,
            Grade::Table => continue,
        };
        let Ok(reference) = Reference::parse(&named.rewritten) else {
            continue;
        };
        if accepted.covers(named) || is_allowed(&reference, allowed) {
            continue;
        }
        let message = format!(
            "`{}` is pulled from `{}`, which is not allowed",
            named.rewritten, reference.host
        );
        findings.push(
            Finding::new("image-outside-allowed", level, named.label(), message)
                .help("move it by an override entry or by the chart's values, or accept its place"),
        );
    }
    findings
}

/// The images that are surely pulled with neither tag nor digest, each once with all its places.
fn bare(named: &[Named]) -> Vec<Finding> {
    let mut found: BTreeMap<&str, Finding> = BTreeMap::new();
    for named in named.iter().filter(|it| it.grade == Grade::Certain) {
        let text = named.rewritten.as_str();
        let is_bare = Reference::parse(text)
            .is_ok_and(|reference| reference.tag.is_none() && reference.digest.is_none());
        if !is_bare {
            continue;
        }
        if let Some(finding) = found.get_mut(text) {
            finding.related.push(named.label());
            continue;
        }
        let message =
            format!("`{text}` has neither tag nor digest, so `latest` is pulled, whatever that is");
        let finding = Finding::new("image-without-tag", Level::Warning, named.label(), message);
        found.insert(text, finding.help("name a tag, or better a digest"));
    }
    found.into_values().collect()
}

/// Whether a reference stands on one of these registries, below the path where one is named.
fn is_allowed(reference: &Reference, allowed: &[String]) -> bool {
    let name = reference.name();
    allowed.iter().any(|place| {
        let rest = name.strip_prefix(place.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.starts_with('/'))
    })
}

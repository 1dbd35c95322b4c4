//! Where Flux's own manifests come from: what `--flux` names.
//!
//! Not here: the set inside this program ([`super::embedded`]) and the reading of an operator's
//! binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[cfg(feature = "registry")]
pub(crate) use super::operator::extract;
#[cfg(not(feature = "registry"))]
use super::operator::extract;
use super::walk::{self, Found};
use super::{LoadError, Role, Skipped, embedded};

/// Why an operator's binary gives no manifests.
pub(crate) use super::operator::OperatorError as OperatorFault;

/// A source of Flux's manifests (`design/cli.md`, "Inputs").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum FluxSource {
    /// No Flux.
    #[default]
    None,
    /// The set inside this program.
    Embedded,
    /// A file, a directory, or `-`.
    Path(PathBuf),
    /// An operator's binary.
    Operator(PathBuf),
    /// What only a registry has; kept as typed.
    Registry(String),
    /// What a registry gave: where it came from, and its files in order.
    #[cfg(feature = "registry")]
    Fetched {
        /// The source with its digest.
        origin: String,
        /// Names and contents.
        files: Vec<(String, Vec<u8>)>,
    },
}

impl FromStr for FluxSource {
    type Err = std::convert::Infallible;

    /// Reads what was typed behind `--flux`; everything that is no keyword is a path.
    fn from_str(text: &str) -> Result<FluxSource, Self::Err> {
        Ok(match text {
            "none" => FluxSource::None,
            "embedded" => FluxSource::Embedded,
            _ if text.starts_with("oci://") => FluxSource::Registry(text.to_owned()),
            _ => match text.strip_prefix("operator:") {
                Some(path) if path.starts_with("oci://") => FluxSource::Registry(text.to_owned()),
                Some(path) => FluxSource::Operator(path.into()),
                None => FluxSource::Path(text.into()),
            },
        })
    }
}

/// The texts of the set, in the order in which the operator applies its files, and where they come
/// from. Flux's files all count as found by a walk: a document without a kind is passed over, as the
/// operator passes over it.
pub(super) fn plan(source: &FluxSource) -> Result<(Option<String>, Vec<Found>), LoadError> {
    match source {
        FluxSource::None => Ok((None, Vec::new())),
        FluxSource::Registry(name) => Err(LoadError::NoRegistry {
            name: format!("--flux {name}"),
        }),
        #[cfg(feature = "registry")]
        FluxSource::Fetched { origin, files } => {
            let carried = files.iter().map(|(name, content)| {
                Found::carried(format!("{origin}:{name}"), Role::Flux, content.clone())
            });
            Ok((Some(origin.clone()), carried.collect()))
        }
        FluxSource::Embedded => {
            let files = embedded::files();
            if files.is_empty() {
                return Err(LoadError::EmbedsNothing);
            }
            let carried = files.iter().map(|(name, text)| {
                Found::carried(
                    format!("embedded/{name}"),
                    Role::Flux,
                    text.as_bytes().to_vec(),
                )
            });
            Ok((Some("embedded".to_owned()), carried.collect()))
        }
        FluxSource::Path(path) => {
            let mut found = walk::walk(path, Role::Flux, &mut Skipped::default())?;
            found.retain(|text| !text.kustomization);
            Ok((Some(walk::show(path)?), found))
        }
        FluxSource::Operator(path) => operator(path),
    }
}

/// The manifests that an operator's binary embeds.
fn operator(path: &Path) -> Result<(Option<String>, Vec<Found>), LoadError> {
    let shown = walk::named(path, Role::Flux)?.shown;
    let binary = fs::read(path).map_err(|source| LoadError::Read {
        path: shown.clone(),
        source,
    })?;
    let files = extract(&binary).map_err(|source| LoadError::Operator {
        path: shown.clone(),
        source,
    })?;
    let carried = files.into_iter().map(|file| {
        Found::carried(
            format!("{shown}:{}", file.name),
            Role::Flux,
            file.data.to_vec(),
        )
    });
    Ok((Some(format!("operator:{shown}")), carried.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart_by_their_beginning() {
        let read = |text: &str| text.parse::<FluxSource>().expect("infallible");
        assert_eq!(read("none"), FluxSource::None);
        assert_eq!(read("embedded"), FluxSource::Embedded);
        assert_eq!(read("-"), FluxSource::Path("-".into()));
        assert_eq!(read("./none"), FluxSource::Path("./none".into()));
        assert_eq!(
            read("operator:bin/op"),
            FluxSource::Operator("bin/op".into())
        );
        assert_eq!(
            read("oci://a/b"),
            FluxSource::Registry("oci://a/b".to_owned())
        );
        assert_eq!(
            read("operator:oci://a/b"),
            FluxSource::Registry("operator:oci://a/b".to_owned())
        );
    }
}

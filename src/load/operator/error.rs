//! Why an operator's binary gave no manifests, in words for the person who named it.
//!
//! The messages do not name the binary: the caller, who knows its path or reference, does.

use std::fmt;

/// Why nothing could be taken out of a binary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OperatorError {
    /// The bytes do not begin as ELF does; `found` is what they look like.
    #[error("found {found}, expected an ELF binary")]
    NotElf {
        /// What the bytes look like, as a noun.
        found: &'static str,
    },
    /// An ELF binary that is not little-endian 64-bit amd64 or arm64.
    #[error("the binary is built for {found}, expected amd64 or arm64")]
    OtherMachine {
        /// The machine, as a noun.
        found: String,
    },
    /// The file ends before what its headers announce.
    #[error("the binary is cut off: it has {present} bytes, expected at least {expected}")]
    Truncated {
        /// The length the headers ask for.
        expected: u64,
        /// The length there is.
        present: u64,
    },
    /// The headers contradict themselves.
    #[error("the binary is damaged: {0}")]
    Damaged(&'static str),
    /// No embedded file, and no sign of Go either.
    #[error(
        "the binary embeds no files and shows no sign of Go, expected an operator written in Go"
    )]
    NotGo,
    /// A Go binary without an `embed.FS`.
    #[error("the binary embeds no files, expected Flux's manifests")]
    NothingEmbedded,
    /// Files are embedded, but no workload among them runs a controller of Flux.
    #[error(
        "no embedded directory runs Flux's controllers: found {}",
        Listed(.found)
    )]
    NoFlux {
        /// Every embedded directory.
        found: Vec<FoundDirectory>,
    },
    /// Several directories run equally many of Flux's controllers, and differ.
    #[error(
        "several embedded directories run Flux's controllers, expected one: found {}",
        Listed(.found)
    )]
    Ambiguous {
        /// The directories that are as good as each other.
        found: Vec<FoundDirectory>,
    },
}

impl OperatorError {
    /// What to do about it, for `help:`.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            OperatorError::NotElf { .. } => {
                "name the operator's Linux binary itself, or its image as `operator:oci://REF`"
            }
            OperatorError::OtherMachine { .. } => {
                "the operator's amd64 and arm64 builds embed the same manifests"
            }
            OperatorError::Truncated { .. } | OperatorError::Damaged(_) => {
                "copy the binary again and compare its size and digest"
            }
            OperatorError::NotGo => "unpack a packed binary first, as with `upx -d`",
            OperatorError::NothingEmbedded | OperatorError::NoFlux { .. } => {
                "name Flux's manifests themselves, as `--flux PATH` or `--flux oci://REF`"
            }
            OperatorError::Ambiguous { .. } => {
                "name the manifests that are meant, as `--flux PATH`"
            }
        }
    }
}

/// An embedded directory, as a message names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundDirectory {
    /// Its path, `.` for the root.
    pub(crate) path: String,
    /// The last part of the name of its first manifest, to tell directories of one path apart.
    pub(crate) first: Option<String>,
    /// How many of its files may be manifests by their names.
    pub(crate) manifests: usize,
}

impl fmt::Display for FoundDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.path)?;
        match (&self.first, self.manifests) {
            (None, _) => write!(f, "(no manifests)"),
            (Some(first), 0 | 1) => write!(f, "(`{first}`)"),
            (Some(first), many) => write!(f, "(`{first}` and {} more)", many - 1),
        }
    }
}

/// Directories in a sentence: those with manifests first, and not more than a line holds.
struct Listed<'a>(&'a [FoundDirectory]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 6;
        let (with, without): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|found| found.manifests > 0);
        for (index, found) in with.iter().chain(&without).take(SHOWN).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{found}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

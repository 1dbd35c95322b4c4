//! What a registry, a bundle or the disk under it refuses, in words for the person who asked.
//!
//! Addresses are shown without their query: a redirect's query holds a signature that opens what
//! it points at.

use std::io;
use std::path::{Path, PathBuf};

use super::digest::Digest;

/// Why something could not be fetched, kept or pushed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// No connection, or one that broke more often than is tried.
    #[error("cannot reach `{host}`: {why}")]
    Connect {
        /// The host with its port.
        host: String,
        /// What the network or TLS says.
        why: String,
        /// Whether the certificate is what is wrong.
        certificate: bool,
    },
    /// An answer that is no success.
    #[error("`{url}` answers {status}{message}")]
    Status {
        /// The address, without its query.
        url: String,
        /// The status code.
        status: u16,
        /// What the registry says of it, after a colon; may be empty.
        message: String,
    },
    /// Credentials that are not enough.
    #[error("`{host}` refuses {account}{message}")]
    Refused {
        /// The host.
        host: String,
        /// Whose credentials: never the secret.
        account: String,
        /// What the registry says of it, after a colon; may be empty.
        message: String,
    },
    /// Nothing of that name.
    #[error("`{what}` is not there{message}")]
    NotFound {
        /// The reference, or a repository and a digest.
        what: String,
        /// What the registry says of it, after a colon; may be empty.
        message: String,
    },
    /// A pause that is longer than is waited.
    #[error("`{host}` asks to wait {seconds} seconds, more than the {most} that are waited")]
    Wait {
        /// The host.
        host: String,
        /// What it asks for.
        seconds: u64,
        /// What is granted.
        most: u64,
    },
    /// Content that is not what its name says.
    #[error("`{what}` does not hash to its digest: expected {wanted}, found {found}")]
    Digest {
        /// What was read.
        what: String,
        /// Its name.
        wanted: Digest,
        /// What it hashes to.
        found: Digest,
    },
    /// Content longer or shorter than its descriptor says.
    #[error("`{what}` has {found} bytes, expected {wanted}")]
    Size {
        /// What was read.
        what: String,
        /// What the descriptor says.
        wanted: u64,
        /// What came; `more than N` where reading was stopped.
        found: String,
    },
    /// A manifest that cannot be used.
    #[error("the manifest of `{what}` cannot be used: {why}")]
    Manifest {
        /// Whose manifest.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// A redirect that is not followed.
    #[error("`{url}` redirects to `{target}`, {why}")]
    Redirect {
        /// Where it was asked.
        url: String,
        /// Where it points.
        target: String,
        /// Why it is not followed.
        why: &'static str,
    },
    /// An answer that makes no sense.
    #[error("`{host}` answers what no registry does: {why}")]
    Protocol {
        /// The host.
        host: String,
        /// What is odd about it.
        why: String,
    },
    /// A file that the system refuses.
    #[error("cannot {doing} `{}`", path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// A bundle that is none.
    #[error("`{path}` is no bundle: {why}")]
    Bundle {
        /// Where it stands, as typed.
        path: String,
        /// What is wrong, then what was expected.
        why: String,
    },
    /// Something stands where the bundle is to go.
    #[error("`{}` is there and is no bundle, expected a new name, an empty directory or a bundle", path.display())]
    InTheWay {
        /// The path as typed.
        path: PathBuf,
    },
    /// Two runs for one bundle.
    #[error("another run is writing `{}`", path.display())]
    Busy {
        /// The path as typed.
        path: PathBuf,
    },
    /// A file of credentials that cannot be used.
    #[error("cannot use the credentials in `{path}`: {why}")]
    Credentials {
        /// The file.
        path: String,
        /// What is wrong with it; never a value out of it.
        why: String,
    },
    /// A credential helper that a registry names and that gives nothing.
    #[error("cannot ask `docker-credential-{helper}` for `{host}`: {why}")]
    Helper {
        /// The helper's name as the configuration has it.
        helper: String,
        /// The registry.
        host: String,
        /// What is wrong.
        why: String,
    },
    /// A CA file that holds none.
    #[error("`{}` holds no certificate, expected PEM", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// A registry would have to be asked, and must not be.
    #[error("`{what}` is not in the cache, and `--offline` asks no registry")]
    Offline {
        /// The reference.
        what: String,
    },
    /// A range of versions that stands for none.
    #[error("no version of `{what}` can be told: {why}")]
    Version {
        /// The repository.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// An artifact or image that does not hold what it was named for.
    #[error("`{what}` holds no {holds}: {why}")]
    HoldsNone {
        /// The reference.
        what: String,
        /// What it was asked for.
        holds: &'static str,
        /// What was found instead, then what was expected.
        why: String,
    },
}

impl Error {
    /// A file that cannot be read.
    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        Error::File {
            doing: "read",
            path: path.to_path_buf(),
            source,
        }
    }

    /// A file that cannot be written.
    pub(crate) fn write(path: &Path, source: io::Error) -> Error {
        Error::File {
            doing: "write",
            path: path.to_path_buf(),
            source,
        }
    }

    /// What to do about it, for `help:`.
    pub(crate) fn help(&self) -> Option<String> {
        Some(match self {
            Error::Connect {
                host,
                certificate: true,
                ..
            } => format!("name the CA that signed it with `--registry-ca {host}=FILE`"),
            Error::Refused { .. } => {
                "see which account is used with `forebay bundle login-status REF`".to_owned()
            }
            Error::File { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "make room and run it again: it goes on where it stopped".to_owned()
            }
            Error::Wait { .. } => {
                "run it again later: what was fetched is kept and not asked for again".to_owned()
            }
            Error::Helper { .. } => {
                "install the helper, or take it out of `credHelpers`".to_owned()
            }
            Error::Offline { .. } => "run it once without `--offline`".to_owned(),
            _ => return None,
        })
    }
}

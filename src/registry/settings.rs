//! What a user says of registries, and who is told what happens.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// What the command line says of registries (`spec/bundle.md`, "Registries").
#[derive(Clone, Default)]
pub(crate) struct Settings {
    /// The certificates of the CA that signs for a host, instead of the system's.
    pub(crate) ca: BTreeMap<String, PathBuf>,
    /// Hosts whose certificate is not looked at.
    pub(crate) insecure: BTreeSet<String>,
    /// Hosts that are asked without TLS.
    pub(crate) plain_http: BTreeSet<String>,
    /// The file of credentials, instead of docker's own.
    pub(crate) auth_file: Option<PathBuf>,
    /// Who is told.
    pub(crate) watch: Option<Arc<dyn Watch>>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("ca", &self.ca)
            .field("insecure", &self.insecure)
            .field("plain_http", &self.plain_http)
            .field("auth_file", &self.auth_file)
            .finish_non_exhaustive()
    }
}

/// Who is told what happens. No text that is handed over holds a secret.
pub(crate) trait Watch: Send + Sync {
    /// A request was answered: method, address without its query, status.
    fn request(&self, line: &str);
    /// A registry is left alone for a while.
    fn waits(&self, host: &str, seconds: f64, why: &str);
    /// So many more bytes are known to be needed.
    fn expects(&self, bytes: u64);
    /// So many bytes have passed.
    fn passed(&self, bytes: u64);
}

impl Settings {
    /// Tells whoever watches.
    pub(crate) fn tell(&self, what: impl FnOnce(&dyn Watch)) {
        if let Some(watch) = &self.watch {
            what(watch.as_ref());
        }
    }
}

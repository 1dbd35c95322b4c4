//! The settings of a connection to one host: TLS, and how long an answer may take.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::config::{AutoHeaderValue, Config};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::error::Error;
use super::settings::Settings;

/// Connections to one host, with the CAs and the patience that it gets.
///
/// # Errors
///
/// Where the CA file that is named for it cannot be used.
pub(super) fn agent(settings: &Settings, host: &str) -> Result<Agent, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = TlsConfig::builder().unversioned_rustls_crypto_provider(provider);
    tls = if settings.insecure.contains(host) {
        tls.disable_verification(true)
    } else {
        tls.root_certs(roots(settings, host)?)
    };
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let config = Config::builder()
        .tls_config(tls.build())
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("forebay/", env!("CARGO_PKG_VERSION")))
        // Bytes are taken as they are: a digest is over what is sent, not over what it unpacks to.
        .accept_encoding(AutoHeaderValue::None)
        .timeout_connect(seconds(20))
        .timeout_per_read(seconds(60))
        .timeout_per_write(seconds(60))
        .timeout_recv_response(seconds(300))
        .max_idle_connections_per_host(8);
    Ok(config.build().into())
}

/// The certificates that sign for a host: the CA file named for it, else the system's.
fn roots(settings: &Settings, host: &str) -> Result<RootCerts, Error> {
    let Some(path) = settings.ca.get(host) else {
        let found = rustls_native_certs::load_native_certs();
        let certificates: Vec<_> = found
            .certs
            .iter()
            .map(|certificate| Certificate::from_der(certificate).to_owned())
            .collect();
        return Ok(RootCerts::new_with_certs(&certificates));
    };
    let pem = fs::read(path).map_err(|why| Error::read(path, why))?;
    let certificates: Vec<_> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(Error::NoCertificate { path: path.clone() });
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

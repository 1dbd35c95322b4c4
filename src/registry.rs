//! Registries and bundles: everything that goes over the network, and what is kept of it.
//!
//! ```text
//! account ─▶ auth ─▶ client, upload ─▶ create ─▶ store ─▶ a bundle ─▶ layout ─▶ contents ─▶ push
//!            http ──┘                  artifact (Flux) ─▶ cache
//! ```
//!
//! Blocking throughout: a handful of threads wait where a handful of connections are allowed.
//!
//! # Why our own client
//!
//! oci-client 0.18 drops the headers of an answer (so no `Retry-After`), knows no refresh tokens,
//! reads manifests without a bound, and has one TLS setting for all hosts; it also brings an
//! asynchronous runtime for what is a dozen requests. ureq has none of these in the way. See
//! `.github/decisions/0003-registry-client.md`.

pub(crate) mod account;
mod agent;
pub(crate) mod artifact;
mod auth;
pub(crate) mod cache;
mod challenge;
pub(crate) mod client;
pub(crate) mod contents;
pub(crate) mod create;
pub(crate) mod digest;
pub(crate) mod error;
mod gate;
mod http;
pub(crate) mod layout;
pub(crate) mod manifest;
mod operator;
mod parallel;
pub(crate) mod presence;
pub(crate) mod push;
mod redirect;
mod referrers;
pub(crate) mod resolve;
mod retry;
mod secret;
pub(crate) mod settings;
pub(crate) mod signatures;
pub(crate) mod store;
mod tar;
mod upload;

//! Bundles and registries against the real thing: Debian's `docker-registry` (distribution 2.8) on
//! loopback, fed by forebay and by skopeo, and a proxy that breaks what passes.
//!
//! Where `docker-registry` or `skopeo` is not installed, what needs it passes and says so.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

mod accounts;
mod bundles;
mod faults;
mod flux;
mod hostile;
mod layouts;
mod program;
mod proof;
mod proxy;
mod resolve;
mod resume;
mod seed;
mod service;
mod shared;

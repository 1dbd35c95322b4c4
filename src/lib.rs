//! forebay computes offline what Flux and Cozystack's operator will do to manifests.
//!
//! A module names only modules that stand before it here.

pub mod source;

pub mod finding;

mod yaml;

mod load;

mod model;

mod resolve;

mod rules;

mod rewrite;

mod emit;

mod diff;

#[cfg(feature = "registry")]
mod registry;

mod report;

mod cli;

#[cfg(any(test, feature = "laws"))]
#[doc(hidden)]
pub mod laws;

#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod stages;

pub use cli::{Exit, run};

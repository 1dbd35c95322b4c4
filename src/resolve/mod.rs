//! Documents, values and tables joined into what will happen.

pub(crate) mod environment;
pub(crate) mod images;
pub(crate) mod packages;
pub(crate) mod plan;
pub(crate) mod post_renderers;
#[allow(dead_code, reason = "for rules over releases")]
pub(crate) mod releases;
pub(crate) mod values;

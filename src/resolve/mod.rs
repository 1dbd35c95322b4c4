//! Documents, values and tables joined into what will happen.

pub(crate) mod audit;
pub(crate) mod environment;
pub(crate) mod images;
#[allow(dead_code, reason = "no command renders packages yet")]
pub(crate) mod packages;
pub(crate) mod plan;
pub(crate) mod values;

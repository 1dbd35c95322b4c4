//! Documents, values and tables joined into what will happen.

pub(crate) mod environment;
pub(crate) mod images;
pub(crate) mod packages;
pub(crate) mod plan;
pub(crate) mod values;

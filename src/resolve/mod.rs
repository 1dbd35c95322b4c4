//! Documents, values and tables joined into what will happen.

pub(crate) mod images;
pub(crate) mod packages;

//! Documents, values and tables joined into what will happen.

pub(crate) mod audit;
pub(crate) mod builds;
pub(crate) mod claims;
pub(crate) mod cycles;
pub(crate) mod dependencies;
pub(crate) mod environment;
pub(crate) mod image_lists;
pub(crate) mod images;
pub(crate) mod inventory;
pub(crate) mod mirrors;
pub(crate) mod owners;
pub(crate) mod packages;
pub(crate) mod plan;
pub(crate) mod post_renderers;
pub(crate) mod releases;
pub(crate) mod relocation;
pub(crate) mod schema;
pub(crate) mod values;

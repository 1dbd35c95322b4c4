//! Places that somebody has looked at and accepted: `KIND/NAME/PATH` a line, `KIND/NAME/*` for all of an
//! object.

use std::collections::BTreeSet;

use super::Named;

/// The places of a file of `--accept`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accepted(BTreeSet<String>);

impl Accepted {
    /// Reads the text of such a file: blank lines and what stands behind a `#` are left out.
    pub(crate) fn read(text: &str) -> Accepted {
        let bare = |line: &str| {
            let line = line.split('#').next().unwrap_or_default();
            line.trim().to_owned()
        };
        let lines = text.lines().map(bare);
        Accepted(lines.filter(|line| !line.is_empty()).collect())
    }

    /// Whether the place of an image is among them.
    pub(crate) fn covers(&self, named: &Named) -> bool {
        let object = format!("{}/{}", named.object.kind, named.object.name);
        let has = |path: &str| self.0.contains(&format!("{object}/{path}"));
        has("*") || has(&named.path.to_string())
    }
}

//! `empty-namespace`: an enabled component has no namespace.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "empty-namespace",
    ids: &["EmptyNamespace"],
    level: Level::Error,
    summary: "an enabled component has no namespace",
    explain: "\
`install.namespace` has no default. One enabled component without it keeps the whole Package from
being made, its Namespaces included. No condition says so: the operator only tries again for ever.

Fix: write `install.namespace`.

Quiet: a component without `install` (`install: null` too), and one that the Package switches off:
`depends-on-failed` speaks of that one.

Source: `spec/package-rendering.md`, section 4, step 3.
",
    check: found_elsewhere,
};

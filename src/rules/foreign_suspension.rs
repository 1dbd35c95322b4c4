//! `foreign-suspension`: somebody else holds a release suspended.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "foreign-suspension",
    ids: &["UF001"],
    level: Level::Warning,
    summary: "somebody else holds a release suspended",
    explain: "\
Helm-controller looks at a deletion before it looks at the suspension, and under a suspension it
lets the object go without an uninstall. Whoever suspended this release may mean just that (a
migration does), or may have forgotten it.

Example: `flux suspend helmrelease app`, then `kubectl delete helmrelease app`: the object goes, its
Deployments stay.

Fix: ask the owner; a resume before the delete makes it uninstall.

Quiet: releases that flux-plunger alone holds, and those that are not suspended.

Source: `spec/uninstall-fence.md`, section 3 and 4; helm-controller v1.5.0.
",
    check: found_elsewhere,
};

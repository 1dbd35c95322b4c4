//! `environment-not-injected`: an address cannot be put into a container.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "environment-not-injected",
    ids: &[],
    level: Level::Warning,
    summary: "an address cannot be put into a container",
    explain: "\
On a host network without a service network the operator puts `KUBERNETES_SERVICE_HOST` and
`KUBERNETES_SERVICE_PORT` into Flux's containers before it applies them. Where the manifest is
written in a way that forebay cannot add to without touching something else, it leaves it and says
so. The operator logs its own failures and goes on too.

Fix: write the container's `env` as a plain list.

Quiet: without the two options, and for pods that are not on the host network.

Source: Cozystack's operator, `internal/fluxinstall`.
",
    check: found_elsewhere,
};

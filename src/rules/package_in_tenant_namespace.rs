//! `package-in-tenant-namespace`: a Package installs where tenants do.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

pub(crate) const RULE: Rule = Rule {
    code: "package-in-tenant-namespace",
    ids: &[],
    level: Level::Warning,
    summary: "a component of a Package is installed into a tenant's namespace",
    explain: "\
In `tenant-` namespaces the API and the charts of tenants make HelmReleases of their own: modules such
as `etcd`, `ingress` and `monitoring`, their children, and every application of the tenant. A component
of a Package takes over whatever has its release's name, and deleting the Package deletes it. The
operator's copy of the values Secret does not go there either: without the tenant's own the release
never becomes ready.

Fix: a namespace that is no tenant's.

Quiet: every other namespace, and components that are switched off.

Source: `spec/collisions.md`, B1; `spec/package-rendering.md`, section 6.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for claim in &context.made.rendered.claims {
        if !claim.id.namespace.starts_with("tenant-") {
            continue;
        }
        let message = format!(
            "component `{}` of `Package/{}` is installed into `{}`, where tenants and their charts \
             make releases of their own",
            claim.component, claim.package.name, claim.id.namespace
        );
        let package = Label::new(claim.package_span).object(&claim.package);
        findings.push(
            Finding::new(
                RULE.code,
                RULE.level,
                Label::new(claim.span).object(&claim.id),
                message,
            )
            .related(package.message("installed here"))
            .help("install it into a namespace that does not begin with `tenant-`"),
        );
    }
}

//! The Flux manifests inside the program: what `--flux embedded` reads.
//!
//! Lives here: access to the texts that the build script `scripts/embed.rs` put in, by default the
//! set in `embedded/` beside this file, of Flux 2.8 as Cozystack v1.6 installs it. Not here: reading
//! them as YAML, and every other source that `--flux` can name.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The embedded manifests as file name and content, in name order, which is the order the operator
/// applies its own files in (`spec/package-rendering.md` section 9). Empty where the program was
/// built with an empty directory; whoever asked for the set has to say so then.
pub(crate) fn files() -> &'static [(&'static str, &'static str)] {
    EMBEDDED
}

/// Whether the manifests are the repository's own set. False where the program was built with
/// `FOREBAY_FLUX_DIR`, so that nothing may be taken for granted about what they hold.
pub(crate) fn is_own() -> bool {
    EMBEDDED_IS_OWN
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of every line of the set that reads `key: value`, whatever its indentation; none
    /// where another set was built in.
    fn values_in_own_set(key: &str) -> Vec<&'static str> {
        let texts = files().iter().filter(|_| is_own()).map(|(_, text)| text);
        let lines = texts.flat_map(|text| text.lines());
        let values =
            lines.filter_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(": "));
        values.collect()
    }

    #[test]
    fn files_come_in_name_order() {
        assert!(files().is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn own_set_has_the_files_of_the_operator() {
        let names: Vec<_> = files().iter().map(|(name, _)| *name).collect();
        assert!(
            !is_own() || names == ["fluxcd-service.yaml", "fluxcd.yaml"],
            "{names:?}"
        );
    }

    #[test]
    fn own_set_has_the_objects_of_the_operator() {
        let kinds = values_in_own_set("kind");
        let count = |kind| kinds.iter().filter(|found| **found == kind).count();
        for (kind, expected) in [
            ("CustomResourceDefinition", 15),
            ("Namespace", 1),
            ("Service", 1),
            ("ClusterRoleBinding", 1),
            ("ResourceQuota", 1),
            ("Deployment", 1),
        ] {
            assert!(
                !is_own() || count(kind) == expected,
                "{kind}: {}",
                count(kind)
            );
        }
    }

    #[test]
    fn own_set_runs_the_controllers_of_flux_2_8() {
        let images = values_in_own_set("image");
        let expected = [
            "ghcr.io/fluxcd/source-controller:v1.8.0",
            "ghcr.io/fluxcd/kustomize-controller:v1.8.0",
            "ghcr.io/fluxcd/helm-controller:v1.5.0",
            "ghcr.io/fluxcd/notification-controller:v1.8.0",
            "ghcr.io/fluxcd/source-watcher:v2.1.0",
        ];
        assert!(!is_own() || images == expected, "{images:?}");
    }
}

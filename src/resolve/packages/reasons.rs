//! Every reason of the operator with its code and level: what findings about packages are made of.
//! What there is to say of a reason is on the page of the rule of its code.
//!
//! Source: `spec/package-rendering.md`, section 13. `InvalidImageOverrides` belongs to the tables,
//! `SchemaViolation` and `UnknownField` to the reading of the objects.

use crate::finding::{Finding, Label, Level};

/// A kind of finding about packages.
#[derive(Debug)]
pub(crate) struct Reason {
    /// Its code, kebab-case: a rule's.
    pub(crate) code: &'static str,
    /// The specification entries that it answers to, the operator's reason first.
    pub(crate) ids: &'static [&'static str],
    /// How grave it is, where nothing lowers it.
    pub(crate) level: Level,
}

impl Reason {
    /// A finding of this reason.
    pub(crate) fn finding(&self, label: Label, message: impl Into<String>) -> Finding {
        let mut finding = Finding::new(self.code, self.level, label, message);
        finding.ids = self.ids.to_vec();
        finding
    }
}

macro_rules! reasons {
    ($($name:ident $code:literal $level:ident [$($id:literal)+])+) => {
        $(
            #[doc = concat!("`", $code, "`")]
            pub(crate) static $name: Reason = Reason {
                code: $code,
                ids: &[$($id),+],
                level: Level::$level,
            };
        )+

        /// Every reason, in the order of the specification.
        #[cfg(test)]
        pub(crate) static ALL: &[&Reason] = &[$(&$name),+];
    };
}

reasons! {
    PACKAGE_SOURCE_NOT_FOUND "package-source-not-found" Error ["PackageSourceNotFound"]
    VARIANT_NOT_FOUND "variant-not-found" Error ["VariantNotFound"]
    DEPENDENCIES_NOT_READY "dependencies-not-ready" Error ["DependenciesNotReady"]
    DEPENDS_ON_FAILED "depends-on-failed" Error ["DependsOnFailed"]
    EMPTY_NAMESPACE "empty-namespace" Error ["EmptyNamespace"]
    HELM_RELEASE_FAILED "helm-release-failed" Error ["HelmReleaseFailed"]
    INVALID_LABEL "invalid-label" Error ["InvalidLabel"]
    INVALID_NAMESPACE "invalid-namespace" Error ["InvalidNamespace"]
    INVALID_OBJECT "invalid-object" Error ["InvalidObject"]
    ARTIFACT_MISSING "artifact-missing" Error ["ArtifactMissing"]
    INVALID_ARTIFACT_NAME "invalid-artifact-name" Error ["InvalidArtifactName"]
    INVALID_SOURCE_NAME "invalid-source-name" Error ["InvalidSourceName"]
    INVALID_COPY "invalid-copy" Error ["InvalidCopy"]
    TOO_MANY_ARTIFACTS "too-many-artifacts" Error ["TooManyArtifacts"]
    DUPLICATE_ARTIFACT_NAME "duplicate-artifact-name" Error ["DuplicateArtifactName"]
    ARTIFACT_COLLISION "artifact-collision" Error ["ArtifactCollision"]
    RELEASE_COLLISION "release-collision" Error ["ReleaseCollision" "RN008" "HZ14"]
    RELEASE_COLLISION_LATER "release-collision-later" Warning ["ReleaseCollisionLater"]
    DUPLICATE_DECLARATION "duplicate-declaration" Error ["DuplicateDeclaration"]
    DUPLICATE_VARIANT "duplicate-variant" Error ["DuplicateVariant"]
    DUPLICATE_COMPONENT "duplicate-component" Error ["DuplicateComponent"]
    DANGLING_DEPENDS_ON "dangling-depends-on" Warning ["DanglingDependsOn" "HZ04"]
    DEPENDS_ON_DISABLED "depends-on-disabled" Warning ["DependsOnDisabled" "DanglingDependsOn" "HZ04"]
    DEPENDS_ON_CYCLE "depends-on-cycle" Warning ["DependsOnCycle" "HZ04"]
    OVERRIDE_WITHOUT_INSTALL "override-without-install" Warning ["OverrideWithoutInstall"]
    UNKNOWN_COMPONENT "unknown-component" Warning ["UnknownComponent"]
    VALUES_NOT_A_MAPPING "values-not-a-mapping" Warning ["ValuesNotAMapping"]
    USELESS_IGNORE "useless-ignore" Warning ["UselessIgnore"]
    UNKNOWN_LIBRARY "unknown-library" Warning ["UnknownLibrary"]
    SOURCE_REF_NOT_SET "source-ref-not-set" Warning ["SourceRefNotSet"]
}

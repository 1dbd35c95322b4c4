//! Every reason of the operator with its code, level and page: what the rules list is made of.
//!
//! Source: `spec/package-rendering.md`, section 13. `InvalidImageOverrides` belongs to the tables.

use crate::finding::{Finding, Label, Level};

/// A kind of finding about packages.
#[derive(Debug)]
pub(crate) struct Reason {
    /// Its code, kebab-case.
    pub(crate) code: &'static str,
    /// The specification entries that it answers to, the operator's reason first.
    pub(crate) ids: &'static [&'static str],
    /// How grave it is, where nothing lowers it.
    pub(crate) level: Level,
    /// One line.
    pub(crate) summary: &'static str,
    /// What the operator does and how to mend it.
    pub(crate) explain: &'static str,
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
    ($($name:ident $code:literal $level:ident [$($id:literal)+] $summary:literal $explain:literal)+) => {
        $(
            #[doc = $summary]
            pub(crate) static $name: Reason = Reason {
                code: $code,
                ids: &[$($id),+],
                level: Level::$level,
                summary: $summary,
                explain: $explain,
            };
        )+

        /// Every reason, in the order of the specification.
        pub(crate) static ALL: &[&Reason] = &[$(&$name),+];
    };
}

reasons! {
PACKAGE_SOURCE_NOT_FOUND "package-source-not-found" Error ["PackageSourceNotFound"]
    "a Package whose PackageSource is not there"
    "A Package is joined to the PackageSource of its own name. Without one the operator sets Ready=False and makes nothing, not even Namespaces."
VARIANT_NOT_FOUND "variant-not-found" Error ["VariantNotFound"]
    "a Package asks for a variant that its source does not have"
    "Without `spec.variant` the variant `default` is taken; there is no fallback to the only or the first one. The operator sets Ready=False and makes nothing."
DEPENDENCIES_NOT_READY "dependencies-not-ready" Error ["DependenciesNotReady"]
    "a Package waits for Packages that are missing or never become ready"
    "Every Package named in the variant's `dependsOn` must be there and ready, unless `ignoreDependencies` names it. Until then the operator makes the Namespaces and no HelmRelease. Packages that wait for each other wait for ever."
DEPENDS_ON_FAILED "depends-on-failed" Error ["DependsOnFailed"]
    "a component's dependencies cannot be turned into edges"
    "`install.dependsOn` names components of the same variant that have an `install` section, and every such section, of a disabled component too, must have a namespace. The operator stops at the first component where this does not hold; the releases before it stand."
EMPTY_NAMESPACE "empty-namespace" Error ["EmptyNamespace"]
    "an enabled component has no namespace"
    "`install.namespace` has no default. One enabled component without it keeps the whole Package from being made, Namespaces included; no condition says so, and the operator tries again for ever."
HELM_RELEASE_FAILED "helm-release-failed" Error ["HelmReleaseFailed"]
    "the API server refuses a HelmRelease"
    "The operator stops at the first HelmRelease that is refused: a name that is no DNS subdomain, a Package name over 63 characters, which cannot be a label value, a duration with a unit below the millisecond. The releases before it stand."
INVALID_LABEL "invalid-label" Error ["InvalidLabel"]
    "a name does not fit in a label value"
    "The ArtifactGenerator carries the PackageSource's name as a label value, which holds at most 63 characters. It is refused, and none of the source's artifacts is made."
INVALID_NAMESPACE "invalid-namespace" Error ["InvalidNamespace"]
    "the API server refuses a Namespace"
    "A namespace is a DNS label of at most 63 characters. The Package stops there, without a condition, and makes no HelmRelease."
INVALID_OBJECT "invalid-object" Error ["InvalidObject"]
    "the API server refuses an object for its name or version"
    "The name of a Package or PackageSource is a DNS subdomain of at most 253 characters, and the only version is v1alpha1. What is refused is treated as absent."
ARTIFACT_MISSING "artifact-missing" Error ["ArtifactMissing"]
    "a HelmRelease points at an ExternalArtifact that nothing makes"
    "A component with an empty path or one that ends in a slash makes no artifact, and neither does a source without `sourceRef` or with a refused or stalled ArtifactGenerator. The HelmRelease is made all the same and waits."
INVALID_ARTIFACT_NAME "invalid-artifact-name" Error ["InvalidArtifactName"]
    "an artifact's name is refused"
    "Source, variant and component name, dots as dashes, make the artifact's name: lower-case letters, digits and dashes, at most 253. One bad name and the whole ArtifactGenerator is refused."
INVALID_SOURCE_NAME "invalid-source-name" Error ["InvalidSourceName"]
    "the name of a Flux source cannot be an alias"
    "The source's name becomes an alias: lower-case letters, digits and inner dashes, at most 63, no dots. Otherwise the ArtifactGenerator is refused."
INVALID_COPY "invalid-copy" Error ["InvalidCopy"]
    "a copy path of an artifact is refused"
    "The paths of a copy operation hold at most 1024 characters. Otherwise the ArtifactGenerator is refused."
TOO_MANY_ARTIFACTS "too-many-artifacts" Error ["TooManyArtifacts"]
    "a PackageSource has more than 1000 artifacts"
    "An ArtifactGenerator holds at most 1000 artifacts, counted over all variants. It is refused as a whole."
DUPLICATE_ARTIFACT_NAME "duplicate-artifact-name" Error ["DuplicateArtifactName"]
    "two components of one source make one artifact name"
    "Dots become dashes and parts are joined by dashes, so different names can run together. source-watcher then stalls the whole generator: no artifact of the source is made, in any variant."
ARTIFACT_COLLISION "artifact-collision" Error ["ArtifactCollision"]
    "two PackageSources make one ExternalArtifact"
    "Both generators force-apply one object. Its content alternates, and every release that uses it is upgraded with the wrong chart at each turn. Artifacts are made for all variants, installed or not."
RELEASE_COLLISION "release-collision" Error ["ReleaseCollision" "RN008" "HZ14"]
    "one HelmRelease has two owners"
    "The operator looks a HelmRelease up by namespace and name and overwrites it, whoever made it. Two Packages take it from each other without end and both report Ready; where the chart's name differs, helm-controller uninstalls the release before it installs the other chart."
RELEASE_COLLISION_LATER "release-collision-later" Warning ["ReleaseCollisionLater"]
    "one HelmRelease will have two owners once a Package is no longer blocked"
    "One of the claimants makes no HelmRelease yet. As soon as it does, the two take the release from each other."
DUPLICATE_DECLARATION "duplicate-declaration" Error ["DuplicateDeclaration"]
    "one PackageSource or Package is declared twice"
    "The cluster holds one object of a name. The later declaration replaces the earlier, lists included; nothing is merged."
DUPLICATE_VARIANT "duplicate-variant" Error ["DuplicateVariant"]
    "two variants of one name"
    "A Package gets the first variant of the name. The artifacts of both are made."
DUPLICATE_COMPONENT "duplicate-component" Error ["DuplicateComponent"]
    "two components of one name in one variant"
    "They share their settings in the Package and the name of their artifact, and `dependsOn` finds the later one."
SCHEMA_VIOLATION "schema-violation" Error ["SchemaViolation"]
    "the API server refuses a Package or PackageSource"
    "A field has the wrong type, is missing, or is not one of its values. Kubernetes reads YAML 1.1: a plain `on`, `off`, `yes` or `no` is a boolean. The object is treated as absent."
DANGLING_DEPENDS_ON "dangling-depends-on" Warning ["DanglingDependsOn" "HZ04"]
    "a HelmRelease waits for one that nothing makes"
    "The operator writes the edge all the same, and the release waits for ever."
DEPENDS_ON_DISABLED "depends-on-disabled" Warning ["DependsOnDisabled" "DanglingDependsOn" "HZ04"]
    "a component depends on one that the Package switches off"
    "Disabled components of the own variant keep their edges. The release waits for a HelmRelease that is not there."
DEPENDS_ON_CYCLE "depends-on-cycle" Warning ["DependsOnCycle" "HZ04"]
    "HelmReleases wait for each other"
    "The operator does not notice circles and self-references. None of these releases is ever installed."
OVERRIDE_WITHOUT_INSTALL "override-without-install" Warning ["OverrideWithoutInstall"]
    "a Package sets a component that is not installed"
    "A component without an `install` section makes no HelmRelease, so nothing reads its settings."
UNKNOWN_COMPONENT "unknown-component" Warning ["UnknownComponent"]
    "a Package sets a component that its variant does not have"
    "`spec.components` is keyed by the component's name, not the release's. Other keys are accepted and do nothing."
VALUES_NOT_A_MAPPING "values-not-a-mapping" Warning ["ValuesNotAMapping"]
    "a component's values are no mapping"
    "Both CRDs take anything here; helm-controller reads a mapping and drops everything else without a word."
USELESS_IGNORE "useless-ignore" Warning ["UselessIgnore"]
    "an ignored dependency that the variant does not have"
    "`ignoreDependencies` works on the variant's own `dependsOn` alone, not on components and not on other Packages."
UNKNOWN_FIELD "unknown-field" Warning ["UnknownField"]
    "a field that the CRD does not know"
    "The API server drops it without a word."
UNKNOWN_LIBRARY "unknown-library" Warning ["UnknownLibrary"]
    "a component asks for a library that its variant does not declare"
    "Libraries belong to their variant. A name that it does not declare is left out of the artifact without a word."
SOURCE_REF_NOT_SET "source-ref-not-set" Warning ["SourceRefNotSet"]
    "a PackageSource without `sourceRef`"
    "No ArtifactGenerator is made, and the HelmReleases of its Package point at artifacts that are not there."
}

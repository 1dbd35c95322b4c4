//! The facts that an audit states: each with its id of `spec/uninstall-fence.md`, the rule that has
//! its page, and its level (section 11).

use crate::finding::Level;

/// Declares the facts.
macro_rules! codes {
    ($($name:ident $id:literal $rule:literal $level:ident,)*) => {
        /// A kind of fact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Code {
            $(
                #[doc = concat!("`", $id, "`, the rule `", $rule, "`.")]
                $name,
            )*
        }

        impl Code {
            /// Every kind of fact, by id.
            #[cfg(test)]
            pub(crate) const ALL: &[Code] = &[$(Code::$name,)*];

            /// The id.
            pub(crate) fn id(self) -> &'static str {
                match self {
                    $(Code::$name => $id,)*
                }
            }

            /// The rule.
            pub(crate) fn rule(self) -> &'static str {
                match self {
                    $(Code::$name => $rule,)*
                }
            }

            /// How grave it is, always.
            pub(crate) fn level(self) -> Level {
                match self {
                    $(Code::$name => Level::$level,)*
                }
            }
        }
    };
}

codes! {
    Foreign "UF001" "foreign-suspension" Warning,
    ForeignAfterRecovery "UF002" "foreign-suspension-after-recovery" Warning,
    Ownerless "UF003" "suspension-without-owner" Warning,
    Shared "UF004" "shared-suspension" Warning,
    Recovering "UF005" "recovery-suspension" Note,
    Unfenced "UF006" "suspension-without-fence" Error,
    FenceAlone "UF007" "fence-without-suspension" Warning,
    FenceUnderForeign "UF008" "fence-under-foreign-suspension" Warning,
    OwnerHidden "UF009" "suspension-owner-hidden" Warning,
    Uninstalling "UF101" "uninstall-under-way" Note,
    LiftNotSeen "UF102" "lift-not-observed" Note,
    FenceLeft "UF103" "fence-left-after-uninstall" Warning,
    DeletedWhileHeld "UF104" "deleted-while-held" Error,
    DeletedUnfenced "UF105" "deleted-without-fence" Error,
    DeletedUnderForeign "UF106" "deleted-under-foreign-suspension" Warning,
    AlreadySkipped "UF107" "uninstall-already-skipped" Error,
    LeftInStorage "UF108" "release-left-in-storage" Error,
    HeldTooLong "UF109" "held-too-long" Warning,
    HeldByOthers "UF110" "held-by-other-finalizer" Note,
    RecordMissing "UF201" "release-record-missing" Error,
    NoStorageNamespace "UF202" "status-without-storage-namespace" Error,
    NoHistory "UF203" "release-history-empty" Error,
    NoKubeConfig "UF204" "kubeconfig-secret-missing" Error,
    NoAccount "UF205" "impersonated-account-missing" Error,
    NoHelmFinalizer "UF206" "helm-finalizer-missing" Error,
    Retargeted "UF207" "retarget-pending" Warning,
    KeyShared "UF208" "storage-key-shared" Error,
    Unclaimed "UF209" "release-unclaimed" Warning,
    Unlabelled "UF210" "storage-secret-unlabelled" Warning,
    TakesOnlyRevision "UF211" "recovery-takes-only-revision" Warning,
    RecoveryDue "UF212" "recovery-due" Note,
    RecoverySkipsRemote "UF213" "recovery-skips-remote" Note,
    GuardBlocks "UF214" "recovery-guard-blocks" Warning,
    RecoveryRepeats "UF215" "recovery-repeats" Warning,
    WrongLookup "UF216" "recovery-finds-wrong-key" Warning,
    NobodyWatches "UF217" "shard-without-controller" Note,
    LeavesObjects "UF218" "uninstall-orphans-objects" Note,
    SkipsHooks "UF219" "uninstall-skips-hooks" Note,
    NoManagedFields "UF301" "snapshot-without-managed-fields" Error,
    NoSecrets "UF302" "snapshot-without-secrets" Warning,
    ProcessedMalformed "UF304" "processed-version-malformed" Warning,
    FenceApplied "UF309" "fence-applied-by-others" Warning,
}

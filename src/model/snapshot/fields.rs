//! Which fields of an object are read at all: everything else, payloads and values first, is passed
//! over where it stands.

/// What is kept of a value.
#[derive(Debug)]
pub(super) enum Keep {
    /// All of it.
    Whole,
    /// All of it, and its place as the object's.
    Name,
    /// Of each item of a list.
    Each(&'static Keep),
    /// Of a mapping only these.
    Of(&'static Fields),
}

/// The fields of a mapping that are kept.
pub(super) type Fields = [(&'static str, Keep)];

/// The fields of an object.
pub(super) static OBJECT: &Fields = &[
    ("apiVersion", Keep::Whole),
    ("kind", Keep::Whole),
    ("type", Keep::Whole),
    ("metadata", Keep::Of(METADATA)),
    ("spec", Keep::Of(SPEC)),
    ("status", Keep::Of(STATUS)),
];

static METADATA: &Fields = &[
    ("name", Keep::Name),
    ("namespace", Keep::Whole),
    ("uid", Keep::Whole),
    ("resourceVersion", Keep::Whole),
    ("generation", Keep::Whole),
    ("creationTimestamp", Keep::Whole),
    ("deletionTimestamp", Keep::Whole),
    ("finalizers", Keep::Whole),
    ("labels", Keep::Of(LABELS)),
    ("annotations", Keep::Of(ANNOTATIONS)),
    ("managedFields", Keep::Each(&Keep::Of(MANAGED))),
];

static LABELS: &Fields = &[
    ("name", Keep::Whole),
    ("owner", Keep::Whole),
    ("status", Keep::Whole),
    ("version", Keep::Whole),
    (super::observed::SHARD, Keep::Whole),
];

static ANNOTATIONS: &Fields = &[(super::observed::PROCESSED, Keep::Whole)];

static MANAGED: &Fields = &[
    ("manager", Keep::Whole),
    ("operation", Keep::Whole),
    ("subresource", Keep::Whole),
    ("time", Keep::Whole),
    ("fieldsV1", Keep::Of(MANAGED_FIELDS)),
];

static MANAGED_FIELDS: &Fields = &[
    ("f:spec", Keep::Of(&[("f:suspend", Keep::Whole)])),
    (
        "f:metadata",
        Keep::Of(&[(
            "f:finalizers",
            Keep::Of(&[(
                "v:\"flux-plunger.cozystack.io/uninstall-fence\"",
                Keep::Whole,
            )]),
        )]),
    ),
];

static SPEC: &Fields = &[
    ("suspend", Keep::Whole),
    ("releaseName", Keep::Whole),
    ("targetNamespace", Keep::Whole),
    ("storageNamespace", Keep::Whole),
    ("kubeConfig", Keep::Whole),
    ("serviceAccountName", Keep::Whole),
    ("uninstall", Keep::Whole),
    // That they are there is all that is asked.
    ("chart", Keep::Of(&[])),
    ("chartRef", Keep::Of(&[])),
    // Of Deployments and Leases.
    ("replicas", Keep::Whole),
    ("renewTime", Keep::Whole),
    (
        "template",
        Keep::Of(&[(
            "spec",
            Keep::Of(&[("containers", Keep::Each(&Keep::Of(CONTAINER)))]),
        )]),
    ),
];

static CONTAINER: &Fields = &[
    ("name", Keep::Whole),
    ("image", Keep::Whole),
    ("args", Keep::Whole),
    ("command", Keep::Whole),
];

static STATUS: &Fields = &[
    ("observedGeneration", Keep::Whole),
    ("storageNamespace", Keep::Whole),
    ("availableReplicas", Keep::Whole),
    (
        "history",
        Keep::Each(&Keep::Of(&[
            ("name", Keep::Whole),
            ("namespace", Keep::Whole),
            ("version", Keep::Whole),
            ("status", Keep::Whole),
            ("lastDeployed", Keep::Whole),
        ])),
    ),
    (
        "conditions",
        Keep::Each(&Keep::Of(&[
            ("type", Keep::Whole),
            ("status", Keep::Whole),
            ("message", Keep::Whole),
            ("lastTransitionTime", Keep::Whole),
        ])),
    ),
    (
        "inventory",
        Keep::Of(&[("entries", Keep::Each(&Keep::Of(&[("id", Keep::Whole)])))]),
    ),
];

#[cfg(test)]
mod tests {
    use super::super::observed::FENCE;
    use super::*;

    #[test]
    fn the_fence_is_kept_as_managed_fields_write_it() {
        let Keep::Of([(_, Keep::Of([(item, _)]))]) = &MANAGED_FIELDS[1].1 else {
            panic!("f:finalizers, the fence");
        };
        assert_eq!(*item, format!("v:\"{FENCE}\""));
    }
}

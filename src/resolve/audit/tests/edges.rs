//! The edges of the tables: what counts as handled, as broken, as long, and what is looked at first.

use super::*;

#[test]
fn any_trace_of_helm_controller_counts_as_handled() {
    let bare = || {
        Release::new(NONE)
            .without("/status", "history")
            .without("/status", "storageNamespace")
    };
    let history = json!([{"name": "app", "namespace": "team", "version": 1}]);
    for (release, told) in [
        (bare().observed(-1), ": nothing, none"),
        (bare().observed(0), ": nothing, none"),
        (bare().observed(1), "UF206: skips, none"),
        (
            bare().observed(-1).with("/status/history", history),
            "UF206: skips, none",
        ),
        (
            bare()
                .observed(-1)
                .with("/status/storageNamespace", json!("team")),
            "UF206: skips, none",
        ),
    ] {
        assert_eq!(unstored(release), told);
    }
}

#[test]
fn only_a_release_that_is_not_ready_for_it_lacks_a_deployed_revision() {
    let message = "\"app\" has no deployed releases";
    let condition = |kind: &str, status: &str, message: &str| {
        let condition = json!([{"type": kind, "status": status, "message": message}]);
        stored(Release::new(H).with("/status/conditions", condition))
    };
    assert_eq!(
        condition("Ready", "False", message),
        "UF211 UF212: uninstalls, none"
    );
    for (kind, status, message) in [
        ("Released", "False", message),
        ("Ready", "True", message),
        ("Ready", "False", "the chart is not there"),
    ] {
        assert_eq!(condition(kind, status, message), ": uninstalls, none");
    }
}

#[test]
fn what_was_never_worked_on_has_nothing_to_lose() {
    let without = |release: Release, field: &str| release.without("/status", field);
    let remote = json!({"secretRef": {"name": "there"}});
    let unplaced = || without(Release::new(H), "storageNamespace");
    // Handled before, and nothing is known of its storage.
    assert_eq!(told(unplaced(), &[]), "UF302: undecidable, none");
    let elsewhere = unplaced().with("/spec/kubeConfig", remote.clone());
    assert_eq!(told(elsewhere, &[]), ": undecidable, none");
    let new = without(unplaced(), "history").observed(-1);
    let new = new.with("/spec/kubeConfig", remote);
    assert_eq!(told(new, &[]), ": nothing, none");
    // A failed first installation: no history, no record.
    assert_eq!(
        unstored(without(Release::new(H), "history")),
        ": nothing, none"
    );
}

#[test]
fn what_its_own_history_calls_uninstalled_is_done() {
    let gone = |finalizers| {
        let history = json!([
            {"name": "app", "namespace": "team", "version": 1, "status": "uninstalled"}
        ]);
        Release::new(finalizers)
            .with("/status/history", history)
            .deleted(LONG_AGO)
    };
    assert_eq!(told(gone(F), &[]), "UF103: done, remove-fence");
    assert_eq!(stored(gone(F)), "UF103: done, remove-fence");
    assert_eq!(told(gone(B), &[]), "UF110: done, none");
    let remote = json!({"secretRef": {"name": "there"}});
    let elsewhere = Release::new(F).with("/spec/kubeConfig", remote);
    assert_eq!(
        told(elsewhere.deleted(LONG_AGO), &[]),
        "UF103: undecidable, investigate (remove-fence)"
    );
}

#[test]
fn no_revision_is_newer_than_a_zero() {
    let broken = Release::new(H).broken().processed("0");
    assert_eq!(unstored(broken), "UF201 UF212: skips, none");
}

#[test]
fn the_header_says_how_old_the_snapshot_is() {
    let age = |newest: &str| {
        let release = Release::new(H).with("/metadata/creationTimestamp", json!(newest));
        let snapshot = snapshot(&[release.0]);
        audit(&snapshot, &settings()).header.swap_remove(1)
    };
    assert_eq!(
        age("2026-03-01T11:59:59Z"),
        "age: the newest time in it is 2026-03-01T11:59:59Z, 1 s before `--now`"
    );
    assert_eq!(
        age(NOW),
        "age: the newest time in it is 2026-03-01T12:00:00Z, 0 s before `--now`"
    );
    assert_eq!(
        age("2026-03-01T12:00:20Z"),
        "age: the newest time in it is 2026-03-01T12:00:20Z, 20 s after `--now`, which cannot be \
         right"
    );
}

//! The decision tables row by row, and the rules of emission: what is told of a release, what a
//! delete comes to, what to do.

use serde_json::{Value, json};

use super::{Action, Audit, Outcome, Settings, audit};
use crate::model::moment::Moment;
use crate::model::snapshot::Snapshot;
use crate::model::snapshot::observed::{FENCE, HELM_FINALIZER, PROCESSED};
use crate::source::Span;

mod edges;

const NOW: &str = "2026-03-01T12:00:00Z";
const LONG_AGO: &str = "2026-03-01T09:00:00Z";
const JUST_NOW: &str = "2026-03-01T11:59:30Z";
const BACKUP: &str = "example.org/backup";

/// A release that is installed, observed and well.
struct Release(Value);

impl Release {
    fn new(finalizers: &[&str]) -> Release {
        Release(json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {
                "name": "app", "namespace": "team", "uid": "u", "resourceVersion": "7",
                "generation": 3, "finalizers": finalizers, "annotations": {},
                "managedFields": [{"manager": "dashboard", "operation": "Update", "fieldsV1": {}}]
            },
            "spec": {"chartRef": {"name": "app"}},
            "status": {
                "observedGeneration": 3, "storageNamespace": "team",
                "history": [
                    {"name": "app", "namespace": "team", "version": 1, "status": "deployed"}
                ]
            }
        }))
    }

    fn with(mut self, pointer: &str, value: Value) -> Release {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = self.0.pointer_mut(parent).unwrap();
        parent[key.replace("~1", "/")] = value;
        self
    }

    fn without(mut self, parent: &str, key: &str) -> Release {
        let parent = self.0.pointer_mut(parent).unwrap();
        parent.as_object_mut().unwrap().remove(key);
        self
    }

    /// Suspended by these managers, each with its operation, since `time`.
    fn suspended(self, writers: &[(&str, &str)], time: &str) -> Release {
        let mut this = self.with("/spec/suspend", json!(true));
        let entries = this.0.pointer_mut("/metadata/managedFields").unwrap();
        for (manager, operation) in writers {
            entries.as_array_mut().unwrap().push(json!({
                "manager": manager, "operation": operation, "time": time,
                "fieldsV1": {"f:spec": {"f:suspend": {}}}
            }));
        }
        this
    }

    fn mine(self, time: &str) -> Release {
        self.suspended(&[("flux-plunger", "Apply")], time)
    }

    fn deleted(self, time: &str) -> Release {
        self.with("/metadata/deletionTimestamp", json!(time))
    }

    fn observed(self, generation: i64) -> Release {
        self.with("/status/observedGeneration", json!(generation))
    }

    fn processed(self, number: &str) -> Release {
        let route = format!("/metadata/annotations/{}", PROCESSED.replace('/', "~1"));
        self.with(&route, json!(number))
    }

    fn broken(self) -> Release {
        self.with(
            "/status/conditions",
            json!([{"type": "Ready", "status": "False",
                "message": "\"app\" has no deployed releases"}]),
        )
    }
}

fn record(name: &str, revision: u32, status: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
        "metadata": {
            "name": format!("sh.helm.release.v1.{name}.v{revision}"), "namespace": "team",
            "labels": {"owner": "helm", "name": name, "status": status,
                "version": revision.to_string()}
        }
    })
}

fn other(kind: &str, name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "team"}})
}

fn snapshot(objects: &[Value]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for object in objects {
        snapshot.absorb(object, Span::default());
    }
    snapshot.finish();
    snapshot
}

fn settings() -> Settings {
    Settings {
        now: Moment::parse(NOW),
        hold: 10,
    }
}

/// `UF007 UF206: uninstalls, investigate`, and what is offered.
fn told(release: Release, rest: &[Value]) -> String {
    let mut objects = vec![release.0];
    objects.extend_from_slice(rest);
    let snapshot = snapshot(&objects);
    shown(&audit(&snapshot, &settings()))
}

fn shown(audit: &Audit<'_>) -> String {
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let verdict = &audit.verdicts[0];
    let mut ids: Vec<&str> = verdict.findings.iter().map(|it| it.ids[0]).collect();
    ids.extend(audit.snapshot.iter().map(|it| it.ids[0]));
    ids.extend(audit.orphans.iter().map(|it| it.finding.ids[0]));
    ids.sort_unstable();
    let mut text = format!(
        "{}: {}, {}",
        ids.join(" "),
        word(json!(verdict.outcome)),
        word(json!(verdict.action))
    );
    assert_eq!(verdict.patch.is_some(), verdict.action.patches(), "{text}");
    if let Some((action, _)) = &verdict.offered {
        text = format!("{text} ({})", word(json!(action)));
    }
    text
}

/// The same with one deployed record.
fn stored(release: Release) -> String {
    told(release, &[record("app", 1, "deployed")])
}

/// The same with a Secret of the namespace, but no record.
fn unstored(release: Release) -> String {
    told(release, &[other("Secret", "else")])
}

const H: &[&str] = &[HELM_FINALIZER];
const F: &[&str] = &[FENCE];
const HF: &[&str] = &[HELM_FINALIZER, FENCE];
const FB: &[&str] = &[FENCE, BACKUP];
const B: &[&str] = &[BACKUP];
const NONE: &[&str] = &[];
const FLUX: &[(&str, &str)] = &[("flux", "Update")];
const BOTH: &[(&str, &str)] = &[("flux-plunger", "Apply"), ("kustomize-controller", "Apply")];

#[test]
fn live_and_running() {
    let new = |finalizers| Release::new(finalizers);
    let fresh = |finalizers| {
        new(finalizers)
            .observed(-1)
            .without("/status", "history")
            .without("/status", "storageNamespace")
    };
    assert_eq!(stored(new(H)), ": uninstalls, none");
    assert_eq!(stored(new(B)), ": uninstalls, none");
    assert_eq!(stored(new(NONE)), "UF206: skips, none");
    assert_eq!(unstored(fresh(NONE)), ": nothing, none");
    assert_eq!(unstored(fresh(H)), ": nothing, none");
    assert_eq!(told(fresh(H), &[]), ": nothing, none");
    assert_eq!(stored(fresh(NONE)), "UF202: skips, none");
    assert_eq!(stored(new(HF)), "UF007: uninstalls, remove-fence");
    assert_eq!(stored(new(FB)), "UF007: uninstalls, remove-fence");
    assert_eq!(stored(new(F)), "UF007 UF206: uninstalls, investigate");
    assert_eq!(unstored(new(HF)), "UF007 UF201: skips, remove-fence");
}

#[test]
fn live_and_held_by_flux_plunger() {
    let mine = |finalizers, time| Release::new(finalizers).mine(time);
    let target = |release: Release| release.with("/spec/targetNamespace", json!("prod"));
    let young = "UF005: held, wait (lift-and-remove-fence)";
    assert_eq!(stored(mine(HF, JUST_NOW)), young);
    assert_eq!(stored(mine(FB, JUST_NOW)), young);
    assert_eq!(
        stored(mine(HF, LONG_AGO)),
        "UF005 UF109: held, lift-and-remove-fence"
    );
    assert_eq!(stored(mine(F, JUST_NOW)), "UF005 UF206: held, investigate");
    assert_eq!(stored(mine(H, JUST_NOW)), "UF006: skips, lift-suspension");
    assert_eq!(stored(mine(B, JUST_NOW)), "UF006: skips, lift-suspension");
    assert_eq!(
        stored(mine(NONE, JUST_NOW)),
        "UF006 UF206: skips, lift-suspension"
    );
    assert_eq!(
        stored(target(mine(HF, JUST_NOW))),
        "UF005 UF207: held, investigate"
    );
    assert_eq!(
        stored(target(mine(H, JUST_NOW))),
        "UF006 UF207: skips, investigate"
    );
}

#[test]
fn live_and_held_by_others() {
    let by = |finalizers, writers| Release::new(finalizers).suspended(writers, JUST_NOW);
    assert_eq!(stored(by(H, FLUX)), "UF001: skips, leave-to-owner");
    assert_eq!(stored(by(HF, FLUX)), "UF001 UF008: skips, leave-to-owner");
    assert_eq!(
        stored(by(H, FLUX).processed("x")),
        "UF002 UF304: skips, leave-to-owner"
    );
    let update = &[("flux-plunger", "Update")];
    assert_eq!(stored(by(H, update)), "UF001: skips, leave-to-owner");
    assert_eq!(stored(by(H, BOTH)), "UF004: skips, leave-to-owner");
    assert_eq!(stored(by(HF, BOTH)), "UF004 UF008: skips, leave-to-owner");
    assert_eq!(stored(by(HF, &[])), "UF003: skips, leave-to-owner");
    let blind = |finalizers| by(finalizers, &[]).without("/metadata", "managedFields");
    assert_eq!(stored(blind(H)), "UF009 UF301: skips, investigate");
    assert_eq!(stored(blind(HF)), "UF009 UF301: undecidable, investigate");
}

#[test]
fn terminating_and_running() {
    let going = |finalizers, time| Release::new(finalizers).deleted(time);
    let gone = |finalizers| {
        going(finalizers, LONG_AGO)
            .without("/status", "history")
            .without("/status", "storageNamespace")
    };
    assert_eq!(stored(going(H, JUST_NOW)), "UF101: will-uninstall, wait");
    assert_eq!(
        stored(going(HF, LONG_AGO)),
        "UF101 UF109: will-uninstall, wait"
    );
    assert_eq!(
        stored(going(B, JUST_NOW).observed(2)),
        "UF101: will-uninstall, wait"
    );
    assert_eq!(unstored(going(H, JUST_NOW)), "UF101 UF201: will-skip, wait");
    assert_eq!(unstored(gone(H)), "UF101 UF109: nothing, wait");
    assert_eq!(
        stored(going(F, JUST_NOW).observed(2)),
        "UF102: pending, wait"
    );
    assert_eq!(
        stored(going(F, LONG_AGO).observed(2)),
        "UF102 UF109: pending, wait"
    );
    assert_eq!(unstored(gone(F)), "UF103: done, remove-fence");
    assert_eq!(
        stored(going(F, LONG_AGO)),
        "UF108: skipped, investigate (remove-fence)"
    );
    assert_eq!(
        told(gone(F), &[]),
        "UF103 UF302: undecidable, investigate (remove-fence)"
    );
    assert_eq!(unstored(gone(B)), "UF110: done, none");
    assert_eq!(stored(going(B, LONG_AGO)), "UF108: skipped, none");
    let kept = [
        record("app", 1, "deployed"),
        record("app", 2, "uninstalled"),
    ];
    assert_eq!(told(gone(F), &kept), "UF103: done, remove-fence");
}

#[test]
fn terminating_and_held_by_flux_plunger() {
    let mine = |finalizers| Release::new(finalizers).mine(LONG_AGO).deleted(JUST_NOW);
    assert_eq!(stored(mine(HF)), "UF104: held, lift-suspension");
    assert_eq!(stored(mine(F)), "UF104 UF107: held, lift-suspension");
    assert_eq!(stored(mine(H)), "UF105: will-skip, lift-suspension");
    assert_eq!(stored(mine(B)), "UF105 UF107: skipped, lift-suspension");
    assert_eq!(
        unstored(mine(F)),
        "UF104 UF201: held, investigate (lift-suspension)"
    );
}

#[test]
fn terminating_and_held_by_others() {
    let by = |finalizers, writers| {
        Release::new(finalizers)
            .suspended(writers, JUST_NOW)
            .deleted(LONG_AGO)
    };
    assert_eq!(stored(by(H, FLUX)), "UF106: will-skip, leave-to-owner");
    assert_eq!(
        stored(by(HF, BOTH)),
        "UF004 UF106: will-skip, leave-to-owner"
    );
    assert_eq!(
        stored(by(HF, FLUX).processed("1")),
        "UF002 UF106: will-skip, leave-to-owner"
    );
    assert_eq!(
        stored(by(F, FLUX)),
        "UF106 UF107: skipped, leave-to-owner (remove-fence)"
    );
    assert_eq!(
        stored(by(F, &[]).observed(2)),
        "UF003 UF106 UF107: skipped, leave-to-owner"
    );
    assert_eq!(stored(by(B, FLUX)), "UF106 UF107: skipped, leave-to-owner");
    let blind = |finalizers| by(finalizers, &[]).without("/metadata", "managedFields");
    assert_eq!(stored(blind(F)), "UF009 UF106 UF301: skipped, investigate");
}

#[test]
fn recoveries_compare_numbers() {
    let broken = || Release::new(H).broken();
    let newest = |number| [record("app", 9, "failed"), record("app", number, "failed")];
    let ten = newest(10);
    assert_eq!(told(broken(), &ten), "UF212: uninstalls, none");
    assert_eq!(
        told(broken().processed("11"), &ten),
        "UF214: uninstalls, none"
    );
    assert_eq!(
        told(broken().processed("10"), &ten),
        "UF212 UF215: uninstalls, none"
    );
    for number in ["9", "8", "12"] {
        assert_eq!(
            told(broken().processed(number), &ten),
            "UF212: uninstalls, none"
        );
    }
    assert_eq!(
        told(broken(), &[record("app", 1, "failed")]),
        "UF211 UF212: uninstalls, none"
    );
    assert_eq!(
        unstored(broken().processed("1")),
        "UF201 UF212: skips, none"
    );
    assert_eq!(told(broken(), &[]), "UF302: undecidable, none");
    let elsewhere = broken().with("/spec/releaseName", json!("else"));
    assert_eq!(stored(elsewhere), "UF207 UF216: uninstalls, none");
    let storage = broken()
        .with("/spec/storageNamespace", json!("keep"))
        .with("/status/storageNamespace", json!("keep"));
    assert_eq!(told(storage, &[]), "UF216 UF302: undecidable, none");
}

#[test]
fn nothing_is_missing_from_a_text_that_ends_early() {
    let objects = [
        Release::new(H)
            .with("/spec/serviceAccountName", json!("x"))
            .0,
        other("Secret", "else"),
        other("ServiceAccount", "default"),
        record("gone", 1, "deployed"),
    ];
    let mut snapshot = snapshot(&objects);
    assert_eq!(
        shown(&audit(&snapshot, &settings())),
        "UF201 UF205 UF209: skips, none"
    );
    snapshot.cut_short = true;
    let shown = shown(&audit(&snapshot, &settings()));
    assert!(
        !shown.contains("UF201") && !shown.contains("UF209"),
        "{shown}"
    );
}

#[test]
fn a_patch_needs_what_guards_it() {
    let fenced = || Release::new(&[FENCE, HELM_FINALIZER, FENCE]);
    assert_eq!(stored(fenced()), "UF007: uninstalls, remove-fence");
    for field in ["uid", "resourceVersion"] {
        let bare = fenced().without("/metadata", field);
        assert_eq!(stored(bare), "UF007: uninstalls, investigate", "{field}");
    }
    for name in ["a'b", "a;b", "A"] {
        let release = fenced().with("/metadata/name", json!(name));
        assert!(stored(release).ends_with(", investigate"), "{name}");
    }
    let snapshot = snapshot(&[fenced().0, record("app", 1, "deployed")]);
    let audit = audit(&snapshot, &settings());
    let patch = json!(audit.verdicts[0].patch);
    let test = |path: &str, value: &str| json!({"op": "test", "path": path, "value": value});
    let remove = |path: &str| json!({"op": "remove", "path": path});
    assert_eq!(
        patch,
        json!([
            test("/metadata/uid", "u"),
            test("/metadata/resourceVersion", "7"),
            test("/metadata/finalizers/2", FENCE),
            remove("/metadata/finalizers/2"),
            test("/metadata/finalizers/0", FENCE),
            remove("/metadata/finalizers/0"),
        ])
    );
    assert_eq!(audit.verdicts[0].outcome, Outcome::Uninstalls);
    assert_eq!(audit.verdicts[0].action, Action::RemoveFence);
}

#[test]
fn a_shell_reads_a_command_as_it_is() {
    let release = Release::new(HF).with("/metadata/uid", json!("a'; rm -rf '"));
    let snapshot = snapshot(&[release.0]);
    let audit = audit(&snapshot, &settings());
    let verdict = &audit.verdicts[0];
    let command = super::patch::command(verdict.release, verdict.patch.as_ref().unwrap());
    assert!(
        command.contains(r#""value":"a'\''; rm -rf '\''""#),
        "{command}"
    );
}

#[test]
fn shards_are_watched_by_selector() {
    let unwatched = |arguments: &[&str], replicas: i64| {
        let controller = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "flux", "namespace": "cozy-fluxcd"},
            "spec": {"replicas": replicas, "template": {"spec": {"containers": [
                {"name": "manager", "image": "ghcr.io/fluxcd/helm-controller:v1.5.0", "args": arguments}
            ]}}}
        });
        let release =
            Release::new(H).with("/metadata/labels", json!({"sharding.fluxcd.io/key": "b"}));
        told(release, &[record("app", 1, "deployed"), controller]).starts_with("UF217")
    };
    let selector = |text: &str| format!("--watch-label-selector={text}");
    for (text, missed) in [
        ("sharding.fluxcd.io/key=b", false),
        ("sharding.fluxcd.io/key==b,x=y", false),
        ("sharding.fluxcd.io/key=a", true),
        ("sharding.fluxcd.io/key in (a, b)", false),
        ("sharding.fluxcd.io/key in (a)", true),
        ("sharding.fluxcd.io/key notin (b)", true),
        ("sharding.fluxcd.io/key notin (a)", false),
        ("sharding.fluxcd.io/key!=b", true),
        ("sharding.fluxcd.io/key != a", false),
        ("!sharding.fluxcd.io/key", true),
        ("sharding.fluxcd.io/key", false),
        ("x=y", false),
    ] {
        assert_eq!(unwatched(&[&selector(text)], 1), missed, "{text}");
    }
    let among_others = [
        "--events-addr=http://events.example.org/",
        "--leader-elect",
        "--log-level",
        "info",
        &selector("sharding.fluxcd.io/key=a"),
    ];
    assert!(unwatched(&among_others, 1));
    assert!(!unwatched(&[], 1));
    assert!(unwatched(&[], 0));
    assert!(unwatched(
        &["--watch-label-selector", "!sharding.fluxcd.io/key"],
        1
    ));
}

//! A listing comes to the same snapshot in every form it may have, and a bad one is told of without
//! a word of it.

use super::Snapshot;
use super::read::read_up_to;
use crate::finding::Finding;
use crate::source::{LineCol, SourceMap};

struct Reading {
    snapshot: Snapshot,
    findings: Vec<Finding>,
    sources: SourceMap,
}

impl Reading {
    /// Each release as `namespace/name@line:column`.
    fn releases(&self) -> Vec<String> {
        let sources = &self.sources;
        let place = |it: &super::Observed| {
            let source = sources.get(it.span.source);
            let (start, end) = (source.line_col(it.span.start), source.line_col(it.span.end));
            assert_eq!(start.line, end.line);
            format!("{}/{}@{start}-{}", it.id.namespace, it.id.name, end.column)
        };
        self.snapshot.releases.iter().map(place).collect()
    }

    /// Each release's records.
    fn records(&self) -> Vec<String> {
        let shown = |(namespace, name, records): (&str, &str, &super::storage::Records)| {
            let revisions: Vec<String> = records
                .revisions
                .iter()
                .map(|it| format!("{}={}", it.version, it.status))
                .collect();
            format!("{namespace}/{name}: {}", revisions.join(" "))
        };
        self.snapshot.storage.releases().map(shown).collect()
    }

    fn faults(&self) -> Vec<(String, LineCol)> {
        let shown = |it: &Finding| {
            let source = self.sources.get(it.primary.span.source);
            (it.message.clone(), source.line_col(it.primary.span.start))
        };
        self.findings.iter().map(shown).collect()
    }
}

fn read(texts: &[&[u8]], whole: u64) -> Reading {
    let mut reading = Reading {
        snapshot: Snapshot::default(),
        findings: Vec::new(),
        sources: SourceMap::default(),
    };
    for text in texts {
        read_up_to(
            whole,
            &mut &**text,
            "snapshot",
            &mut reading.sources,
            &mut reading.snapshot,
            &mut reading.findings,
        )
        .unwrap();
    }
    reading.snapshot.finish();
    reading
}

const LIST: &str = "\
apiVersion: v1
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata:
    name: b
    namespace: team
  spec:
    # a comment
    suspend: true

- apiVersion: v1
  data:
    release: |
      - not: seen
      items:
  kind: Secret
  metadata:
    labels: {owner: helm, name: b, status: failed, version: \"2\"}
    name: sh.helm.release.v1.b.v2
    namespace: team
-   apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {namespace: team, name: a}
kind: List
metadata:
  resourceVersion: \"\"
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: \"c\"
  namespace: team
";

/// The list with its items further in, as other tools write it.
fn indented() -> String {
    let (before, rest) = LIST.split_once("items:\n").unwrap();
    let (items, behind) = rest.split_once("kind: List").unwrap();
    let items: Vec<String> = items.lines().map(|line| format!("  {line}")).collect();
    let items = items.join("\n");
    format!("{before}items:\n{items}\nkind: List{behind}")
}

#[test]
fn a_list_cut_into_its_items_reads_as_one_read_whole() {
    for text in [
        LIST.to_owned(),
        LIST.replace('\n', "\r\n"),
        format!("---\n{LIST}"),
        indented(),
    ] {
        let (whole, cut) = (
            read(&[text.as_bytes()], 1 << 20),
            read(&[text.as_bytes()], 0),
        );
        assert_eq!(whole.faults(), []);
        assert_eq!(cut.faults(), []);
        assert_eq!(whole.releases().len(), 3, "{text}");
        assert_eq!(whole.releases(), cut.releases());
        assert_eq!(whole.records(), ["team/b: 2=failed"]);
        assert_eq!(cut.records(), whole.records());
        assert!(cut.snapshot.releases[1].spec.suspended);
    }
    assert_eq!(
        read(&[LIST.as_bytes()], 0).releases(),
        ["team/a@24:39-40", "team/b@6:11-12", "team/c@32:9-12"]
    );
}

#[test]
fn an_object_alone_and_a_flow_list_need_no_cutting() {
    let alone =
        "apiVersion: v1\ndata:\n  a: bm8=\nkind: Secret\nmetadata: {name: x, namespace: ns}\n";
    let flow =
        "kind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: z, namespace: ns}}]\n";
    for whole in [0, 1 << 20] {
        let reading = read(&[alone.as_bytes(), flow.as_bytes()], whole);
        let names = reading.snapshot.storage.others("ns").unwrap();
        assert_eq!(names.iter().map(|it| &**it).collect::<Vec<_>>(), ["x", "z"]);
        assert_eq!(reading.faults(), []);
    }
}

#[test]
fn json_is_read_wherever_its_objects_stand() {
    let release = |name: &str| {
        format!(
            r#"{{"kind": "HelmRelease", "metadata": {{"namespace": "ж", "name": "{name}"}},
 "apiVersion": "helm.toolkit.fluxcd.io/v2", "spec": {{"suspend": true, "x": [{{"y": 1.5e3}}]}}}}"#
        )
    };
    let text = format!(
        "\u{FEFF}\n [{}, null, 3, \"x\", true]\n{{\"items\": [{}, {{\"items\": [{}]}}, []], \"kind\": \"List\"}}\n",
        release("c"),
        release("a"),
        release("b")
    );
    let reading = read(&[text.as_bytes()], 0);
    assert_eq!(reading.faults(), []);
    assert_eq!(
        reading.releases(),
        ["ж/a@4:75-78", "ж/b@5:168-171", "ж/c@2:66-69"]
    );
    assert!(reading.snapshot.releases.iter().all(|it| it.spec.suspended));
    assert_eq!(reading.snapshot.objects(), 3);
}

#[test]
fn fields_of_a_wrong_kind_count_as_absent() {
    let text = r#"{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
        "metadata": {"name": "a", "namespace": "ns", "finalizers": "x", "labels": 3, "managedFields": {}},
        "spec": 5, "status": [1, {"a": 2}], "items2": 1}"#;
    let reading = read(&[text.as_bytes()], 0);
    assert_eq!(reading.faults(), []);
    let release = &reading.snapshot.releases[0];
    assert!(release.finalizers.is_empty() && !release.spec.suspended);
    assert_eq!(release.seen_generation, -1);
    assert!(!reading.snapshot.managed);
}

#[test]
fn what_cannot_be_read_is_told_without_a_word_of_it() {
    let at = |line, column| LineCol { line, column };
    let secret = "{\"kind\": \"Secret\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\"}}";
    for (text, line_col) in [
        (format!("{secret}\n{{\"kind\": s3cret}}"), at(2, 10)),
        (
            format!("{secret}\n{{\"data\": {{\"a\": \"s3cret"),
            at(2, 23),
        ),
        ("a: 1\nb: [s3cret\n".to_owned(), at(3, 1)),
    ] {
        let reading = read(&[text.as_bytes()], 0);
        let faults = reading.faults();
        assert_eq!(faults.len(), 1, "{text}");
        assert_eq!(faults[0].1, line_col, "{text}");
        assert!(!faults[0].0.contains("s3cret"));
        assert!(reading.snapshot.cut_short);
    }
    let reading = read(&[b"a: \xFF\n"], 1 << 20);
    assert_eq!(
        reading.faults(),
        [("the text is not UTF-8, expected UTF-8".to_owned(), at(1, 4))]
    );
}

#[test]
fn what_is_read_twice_counts_once_and_the_later_wins() {
    let later = LIST.replace("suspend: true", "suspend: false");
    let reading = read(&[LIST.as_bytes(), later.as_bytes()], 0);
    assert_eq!(reading.snapshot.releases.len(), 3);
    assert!(!reading.snapshot.releases[1].spec.suspended);
    assert_eq!(reading.records(), ["team/b: 2=failed"]);
}

#[test]
fn secrets_are_helms_by_their_labels() {
    let secret = |name: &str, kind: &str, labels: &str| {
        format!(
            "---\napiVersion: v1\nkind: Secret\ntype: {kind}\nmetadata: {{name: {name}, namespace: ns, labels: {{{labels}}}}}\n"
        )
    };
    let text = [
        secret(
            "sh.helm.release.v1.a.v10",
            "helm.sh/release.v1",
            "owner: helm, name: a, status: odd",
        ),
        secret(
            "sh.helm.release.v1.a.v9",
            "helm.sh/release.v1",
            "owner: helm, name: a, version: '9'",
        ),
        secret(
            "x",
            "Opaque",
            "owner: helm, name: a, version: '11', status: deployed",
        ),
        secret("sh.helm.release.v1.b.v1", "helm.sh/release.v1", "name: b"),
        secret("z", "Opaque", "owner: me, name: c"),
    ]
    .concat();
    let reading = read(&[text.as_bytes()], 1 << 20);
    assert_eq!(reading.records(), ["ns/a: 9=unknown 10=odd 11=deployed"]);
    let unlabelled: Vec<_> = reading
        .snapshot
        .storage
        .unlabelled()
        .map(|it| it.1)
        .collect();
    assert_eq!(unlabelled, ["sh.helm.release.v1.b.v1"]);
    assert!(reading.snapshot.storage.sees("ns") && !reading.snapshot.storage.sees("m"));
    assert_eq!(reading.snapshot.storage.others("ns").unwrap().len(), 1);
    assert!(!reading.snapshot.storage.is_empty());
    let newest = reading
        .snapshot
        .storage
        .records("ns", "a")
        .unwrap()
        .newest();
    assert_eq!(newest.version, 11);
    assert!(!newest.uninstalled());
}

#[test]
fn namespaces_that_are_being_deleted_are_known() {
    let namespace = |name: &str, deleted: &str| {
        format!("---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{deleted}}}\n")
    };
    let text = namespace("stays", "")
        + &namespace("goes", ", deletionTimestamp: \"2026-03-01T09:00:00Z\"");
    let reading = read(&[text.as_bytes()], 1 << 20);
    let terminating: Vec<&String> = reading.snapshot.terminating.iter().collect();
    assert_eq!(terminating, ["goes"]);
}

/// A text that the system stops giving in its middle, once.
struct Interrupted<'t>(Vec<Result<&'t [u8], ()>>);

impl std::io::Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.pop() {
            None => Ok(0),
            Some(Err(())) => Err(std::io::Error::other("the disk is gone")),
            Some(Ok(mut text)) => text.read(buffer),
        }
    }
}

#[test]
fn what_the_system_does_not_give_is_no_mistake_of_the_text() {
    let object = b"{\"kind\": \"Secret\"} ".as_slice();
    let begun = b"{\"kind\": ".as_slice();
    for text in [object, begun] {
        let mut reader = Interrupted(vec![Ok(object), Err(()), Ok(text)]);
        let mut findings = Vec::new();
        let (mut snapshot, mut sources) = (Snapshot::default(), SourceMap::default());
        let read = super::read::read(
            &mut reader,
            "snapshot",
            &mut sources,
            &mut snapshot,
            &mut findings,
        );
        let why = read.expect_err("the reader fails");
        assert_eq!(why.to_string(), "cannot read `snapshot`");
        assert!(findings.is_empty());
    }
}

#[test]
fn a_list_is_told_by_its_kind_or_by_its_items() {
    let item = "{apiVersion: v1, kind: Secret, metadata: {name: z, namespace: ns}}";
    for (text, secrets) in [
        (format!("items: [{item}]\n"), 1),
        (format!("kind: SecretList\nitems: [{item}]\n"), 1),
        ("kind: List\nitems:\n".to_owned(), 0),
    ] {
        let reading = read(&[text.as_bytes()], 1 << 20);
        assert_eq!(reading.snapshot.objects(), secrets, "{text}");
        assert!(reading.snapshot.strays.is_empty(), "{text}");
    }
    // One that merely has a field of the name is an object.
    let reading = read(&[b"kind: Basket\nitems: {a: b}\n"], 1 << 20);
    assert_eq!(reading.snapshot.count("Basket"), 1);
}

#[test]
fn what_is_not_kept_need_not_have_a_form_in_json() {
    let odd = |field: &str| {
        format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\n{field}: {{x: .inf}}\n")
    };
    assert_eq!(read(&[odd("data").as_bytes()], 1 << 20).faults(), []);
    let at = LineCol { line: 4, column: 1 };
    let told = "the value has no form in JSON, expected one".to_owned();
    assert_eq!(
        read(&[odd("spec").as_bytes()], 1 << 20).faults(),
        [(told, at)]
    );
}

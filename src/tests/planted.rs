//! Secrets planted in every input of every command, and looked for in everything that is printed or
//! written: data, talk, reports, errors. What is rendered to be applied is no such output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use base64::Engine;

/// What no output may hold, in any of its spellings.
const PLANTED: &str = "planted";

const WORKLOADS: &str = "\
apiVersion: v1
kind: Secret
metadata:
  name: keys
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{\"data\":{\"a\":\"planted\"}}'
data: {plain: cGxhbnRlZA==, word: yes, twice: cGxhbnRlZA==VALUE}
stringData:
  text: planted-VALUE
  long: 77712345678901234567890
  block: |
    planted VALUE
    password: planted
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data:
  values.yaml: |
    db:
      password: planted-VALUE
      token: |
        planted
        VALUE
  app.ini: |
    db_password = planted-VALUE
    url = postgres://me:planted-VALUE@db/x
  key.pem: |
    -----BEGIN PRIVATE KEY-----
    planted
    VALUE
    -----END PRIVATE KEY-----
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: shop}
spec:
  interval: 5m
  chartRef: {kind: OCIRepository, name: app}
  values:
    auth:
      adminPassword: planted-VALUE
      apiKey: 77712345678901234567890
    passwords: [planted, planted-VALUE]
    note: VALUE
---
apiVersion: cozystack.io/v1alpha1
kind: Package
metadata: {name: shop.app}
spec:
  components:
    app:
      values:
        s3: {secretAccessKey: planted-VALUE}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
  - name: web
    image: registry.example.org/web:VALUE
    args: [--password, planted-VALUE, --token=planted-VALUE]
    env:
    - {name: DB_PASSWORD, value: planted-VALUE}
";

/// Texts that cannot be read, or that say something twice, around a secret.
const BROKEN: &[(&str, &str)] = &[
    ("tab.yaml", "kind: Secret\nstringData:\n\ta: planted\n"),
    (
        "indent.yaml",
        "db:\n  password: planted\n bad: planted-password: x\n",
    ),
    ("open.yaml", "token: \"planted\nnext: 1\n"),
    (
        "flow.yaml",
        "apiVersion: v1\nkind: Secret\ndata: {a: planted, b: [\n",
    ),
    (
        "twice.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata:\n  a: planted\n  a: planted\n",
    ),
    (
        "pair.yaml",
        "spec:\n  password: planted\n  password: planted2\napiVersion: v1\nkind: X\nmetadata: {name: a}\n",
    ),
    (
        "alias.yaml",
        "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec:\n  apiToken: *planted\n",
    ),
    (
        "tag.yaml",
        "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec:\n  password: !!int planted\n",
    ),
    ("bare.yaml", "password: planted\n"),
    (
        "binary.yaml",
        "kind: Secret\nstringData: {a: planted}\n\u{0}\u{1}\n",
    ),
];

const TABLE: &str = "images:\n- name: registry.example.org/web\n  newTag: 1.10\ndb:\n  password: planted\n  \
                     token: 77712345678901234567890\n";

/// Everything that a run leaves behind: streams and the files that it is told to write.
fn outputs(place: &Path, arguments: &[&str], data: bool) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the binary runs");
    let mut all = String::from_utf8_lossy(&done.stderr).into_owned();
    if data {
        all.push_str(&String::from_utf8_lossy(&done.stdout));
    }
    for name in [
        "report",
        "whole",
        "change.md",
        "change.html",
        "change.json",
        "change.diff",
    ] {
        all.push_str(&fs::read_to_string(place.join(name)).unwrap_or_default());
        fs::remove_file(place.join(name)).unwrap_or_default();
    }
    all
}

fn search(shown: &str, arguments: &[&str], leaks: &mut BTreeSet<String>) {
    let encoded = base64::prelude::BASE64_STANDARD.encode(PLANTED);
    for secret in [PLANTED, encoded.trim_end_matches('='), "7771234567"] {
        // The name of a file of ours is no secret.
        if let Some(at) = shown.find(secret) {
            let line = shown[..at].rfind('\n').map_or(0, |at| at + 1);
            let text: String = shown[line..].chars().take(160).collect();
            leaks.insert(format!("{}: {text}", arguments.join(" ")));
        }
    }
}

/// A folder with everything in it.
fn planted() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    for (side, value) in [("old", "one"), ("new", "two")] {
        fs::create_dir(place.join(side)).expect("a folder");
        let text = WORKLOADS.replace("VALUE", value);
        fs::write(place.join(side).join("all.yaml"), text).expect("a file");
    }
    fs::write(place.join("table.yaml"), TABLE).expect("a file");
    for (name, text) in BROKEN {
        fs::write(place.join(name), text).expect("a file");
    }
    folder
}

/// Runs each command, a line of words, and fails with everything that leaked. Of what is made to be
/// applied, stdout is no output of ours.
fn no_leaks(commands: impl IntoIterator<Item = String>) {
    let folder = planted();
    let mut leaks = BTreeSet::new();
    for line in commands {
        let words: Vec<&str> = line.split(' ').collect();
        let made = matches!(words[0], "render" | "rewrite") && !line.contains("--against");
        search(&outputs(folder.path(), &words, !made), &words, &mut leaks);
    }
    let leaks: Vec<String> = leaks.into_iter().collect();
    assert!(
        leaks.is_empty(),
        "{} leaks\n{}",
        leaks.len(),
        leaks.join("\n")
    );
}

#[test]
fn no_format_of_a_diff_holds_a_planted_secret() {
    let formats = ["text", "unified", "markdown", "json", "html"];
    no_leaks(formats.into_iter().flat_map(|format| {
        [
            format!("diff old new --format {format} --full whole"),
            format!("diff old new --format {format} --max-length 700"),
            format!("diff old table.yaml --format {format}"),
            format!("diff - new --format {format}"),
        ]
    }));
    let files = ["change.md", "change.html", "change.json", "change.diff"];
    let render = "render new --flux none --fail-on never";
    let written = files.map(|file| format!("{render} --against old --diff {file}"));
    no_leaks(written.into_iter().chain([
        format!("{render} --against old"),
        format!("{render} -v"),
        "rewrite new --images table.yaml -v".to_owned(),
    ]));
}

#[test]
fn no_format_of_findings_holds_a_planted_secret() {
    let formats = ["text", "json", "sarif", "github", "junit"];
    no_leaks(formats.into_iter().flat_map(|format| {
        [
            format!("check new --format {format}"),
            format!("check new --against old --format {format}"),
            format!("check new --values table.yaml --format {format}"),
            format!("check new --images table.yaml --format {format}"),
        ]
    }));
}

#[test]
fn no_report_on_a_broken_text_holds_a_planted_secret() {
    let commands = [
        "check FILE",
        "check --values FILE",
        "check --images FILE",
        "check --flux FILE",
        "check new --against FILE",
        "render --flux none FILE",
        "render new --flux none --fail-on never --against FILE",
        "rewrite FILE --images table.yaml",
        "overrides --images FILE",
        "overrides --values FILE",
        "flux --images FILE",
        "diff FILE new",
        "diff new FILE",
    ];
    let mut lines = Vec::new();
    for (name, _) in BROKEN {
        for command in commands {
            for format in ["json", "sarif", "github", "junit"] {
                let command = command.replace("FILE", name);
                lines.push(format!(
                    "{command} --report report --report-format {format}"
                ));
            }
        }
    }
    no_leaks(lines);
}

#[test]
fn what_is_asked_for_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    for (side, value) in [("old", "one"), ("new", "two")] {
        let text = WORKLOADS.replace("VALUE", value);
        fs::write(folder.path().join(side), text).expect("a file");
    }
    let shown = outputs(
        folder.path(),
        &["diff", "old", "new", "--show-secrets"],
        true,
    );
    assert!(
        shown.contains("planted-one") && shown.contains("planted-two"),
        "{shown}"
    );
}

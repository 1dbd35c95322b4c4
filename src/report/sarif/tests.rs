//! Tests of the SARIF format.

use super::super::tests::{example, place, written};
use super::super::{Format, Report, RuleInfo};
use super::*;
use crate::source::SourceMap;
use serde_json::{Value, json};

fn log(report: &Report<'_>) -> Value {
    serde_json::from_str(&written(report, Format::Sarif)).unwrap()
}

#[test]
fn a_finding_is_a_result_with_its_rule_and_places() {
    let (sources, findings) = example();
    let rules = |code: &str| {
        (code == "override-unknown-field").then_some(RuleInfo {
            code: "override-unknown-field",
            level: Level::Error,
            summary: "an entry has a field that nothing reads",
            explain: "First paragraph,\nin two lines.\n\nSecond.",
            ids: &["RN001"],
        })
    };
    let report = Report {
        rules: &rules,
        prefix: "clusters/",
        ..Report::new(&findings, &sources)
    };
    let log = log(&report);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(
        run["tool"]["driver"]["rules"],
        json!([{
            "id": "override-unknown-field",
            "shortDescription": {"text": "an entry has a field that nothing reads"},
            "fullDescription": {"text": "First paragraph, in two lines."},
            "help": {"text": "First paragraph,\nin two lines.\n\nSecond.",
                "markdown": "First paragraph,\nin two lines.\n\nSecond."},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": ["RN001"]},
        }])
    );
    let logical = json!([{"fullyQualifiedName": "Deployment old", "kind": "resource"}]);
    let mut result = run["results"][0].clone();
    result
        .as_object_mut()
        .unwrap()
        .remove("partialFingerprints");
    assert_eq!(
        result,
        json!({
            "ruleId": "override-unknown-field",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "unknown field `newTg`, expected `newTag`\nhelp: did you mean `newTag`?"
            },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation":
                        {"uri": "clusters/my%20table.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 8},
                },
                "logicalLocations": logical,
            }],
            "relatedLocations": [{
                "id": 1,
                "physicalLocation": {
                    "artifactLocation": {"uri": "clusters/old.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 10},
                },
                "logicalLocations": logical,
                "message": {"text": "used here"},
            }],
        })
    );
}

#[test]
fn fingerprints_survive_moved_lines_and_tell_repeats_apart() {
    let prints = |text: &str| -> Vec<String> {
        let mut sources = SourceMap::default();
        let source = sources.add("a.yaml", text);
        let findings: Vec<Finding> = text
            .match_indices("image")
            .map(|(at, _)| {
                let start = u32::try_from(at).unwrap();
                let span = crate::source::Span {
                    source: source.id,
                    start,
                    end: start + 5,
                };
                Finding::new("x", Level::Error, Label::new(span), "message")
            })
            .collect();
        let log = log(&Report::new(&findings, &sources));
        let results = log["runs"][0]["results"].as_array().unwrap();
        let print = |result: &Value| {
            result["partialFingerprints"]["forebay/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        results.iter().map(print).collect()
    };
    let before = prints("image: a\nimage: b\nimage: a\n");
    assert_eq!(
        before,
        prints("# new\n\n  image: a\nimage: b\r\nimage: a\n")
    );
    assert_ne!(before[0], before[1]);
    assert_eq!(before[0].split(':').next(), before[2].split(':').next());
    assert!(before[2].ends_with(":2"));
}

#[test]
fn stdin_is_no_file_of_the_work_tree() {
    let mut sources = SourceMap::default();
    sources.add("-", "a: 1\n");
    let label = Label::new(place(&sources, 0, "a"));
    let findings = [Finding::new("x", Level::Note, label, "message")];
    let log = log(&Report {
        prefix: "clusters/",
        ..Report::new(&findings, &sources)
    });
    let at = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        at["artifactLocation"],
        json!({"uri": "stdin", "uriBaseId": "ELSEWHERE"})
    );
    let bases = log["runs"][0]["originalUriBaseIds"].as_object().unwrap();
    assert_eq!(bases.keys().collect::<Vec<_>>(), ["ELSEWHERE"]);
}

#[test]
fn a_path_is_a_relative_reference() {
    assert_eq!(encoded("a b/ж:%.yaml"), "a%20b/%D0%B6%3A%25.yaml");
}

//! Each format on one finding with everything.

use super::*;
use crate::source::Span;

fn written(format: Format) -> String {
    let mut sources = SourceMap::default();
    let source = sources.add("a b/t.yaml", "images:\r\n- name: é.io/x # c\r\n");
    let span = |start, end| Span { source: source.id, start, end };
    let id = ObjectId { kind: "Pod".to_owned(), name: "p".to_owned(), ..ObjectId::default() };
    let finding = Finding::new("a-rule", Level::Error, Label::new(span(17, 23)).object(&id), "50% <bad>\nyes")
        .help("mend, it: so")
        .id("HZ01")
        .related(Label::new(span(0, 6)).message("the list"));
    let rules =
        [RuleText { code: "a-rule", level: Level::Error, summary: "s", explain: "page" }];
    let report = Report {
        findings: &[finding],
        sources: &sources,
        rules: &rules,
        prefix: "clusters/prod",
        colour: false,
        more: Map::new(),
    };
    let mut out = Vec::new();
    report.write(format, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

#[test]
fn json_counts_characters_from_one() {
    let value: Value = serde_json::from_str(&written(Format::Json)).expect("JSON");
    let finding = &value["findings"][0];
    assert_eq!(finding["line"], 2);
    assert_eq!((&finding["column"], &finding["end_column"]), (&json!(9), &json!(14)));
    assert_eq!(finding["object"], json!({"kind": "Pod", "name": "p"}));
    assert_eq!(finding["related"][0]["message"], "the list");
    assert_eq!(value["summary"], json!({"error": 1, "warning": 0, "note": 0}));
}

#[test]
fn annotations_are_escaped_and_rooted() {
    assert_eq!(
        written(Format::Github),
        "::error file=clusters/prod/a b/t.yaml,line=2,endLine=2,col=9,endColumn=14,title=a-rule::\
         50%25 <bad>%0Ayes%0Ahelp: mend, it: so\n"
    );
}

#[test]
fn sarif_has_relative_uris_and_rule_help() {
    let value: Value = serde_json::from_str(&written(Format::Sarif)).expect("JSON");
    let result = &value["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "clusters/prod/a%20b/t.yaml");
    assert_eq!(place["region"]["startColumn"], 9);
    assert_eq!(result["ruleIndex"], 0);
    assert_eq!(value["runs"][0]["tool"]["driver"]["rules"][0]["help"]["text"], "page");
}

#[test]
fn junit_escapes_what_xml_reserves() {
    let text = written(Format::Junit);
    assert!(text.contains("<failure message=\"50% &lt;bad&gt;&#10;yes\">"), "{text}");
    assert!(text.contains("tests=\"1\" failures=\"1\""));
}

#[test]
fn text_shows_line_rule_and_help() {
    let text = written(Format::Text);
    for part in ["error[a-rule]", "a b/t.yaml:2:9", "é.io/x", "help: mend, it: so", "1 error\n"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

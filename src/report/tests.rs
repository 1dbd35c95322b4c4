//! Each format on one finding with everything.

use super::*;
use crate::source::Span;

fn written(format: Format) -> String {
    let mut sources = SourceMap::default();
    let source = sources.add("a b/t.yaml", "images:\r\n- name: é.io/x # c\r\n");
    let span = |start, end| Span {
        source: source.id,
        start,
        end,
    };
    let id = ObjectId {
        kind: "Pod".into(),
        name: "p".to_owned(),
        ..ObjectId::default()
    };
    let finding = Finding::new(
        "a-rule",
        Level::Error,
        Label::new(span(17, 23)).object(&id),
        "50% <bad>\nyes",
    )
    .help("mend, it: so")
    .id("HZ01")
    .related(Label::new(span(0, 6)).message("the list"));
    let rules = [RuleText {
        code: "a-rule",
        ids: &["HZ01"],
        level: Level::Error,
        summary: "s",
        explain: "page",
    }];
    let report = Report {
        findings: &[finding],
        sources: &sources,
        rules: &rules,
        prefix: "clusters/prod",
        colour: false,
        more: Map::new(),
        least: Some(Level::Error),
    };
    let mut out = Vec::new();
    report
        .write(format, &mut out)
        .expect("a vector takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

#[test]
fn json_counts_characters_from_one() {
    let value: Value = serde_json::from_str(&written(Format::Json)).expect("JSON");
    let finding = &value["findings"][0];
    assert_eq!(finding["line"], 2);
    assert_eq!(
        (&finding["column"], &finding["end_column"]),
        (&json!(9), &json!(14))
    );
    assert_eq!(finding["object"], json!({"kind": "Pod", "name": "p"}));
    assert_eq!(finding["related"][0]["message"], "the list");
    assert_eq!(
        value["summary"],
        json!({"error": 1, "warning": 0, "note": 0})
    );
}

#[test]
fn annotations_are_escaped_and_rooted() {
    assert_eq!(
        written(Format::Github),
        "::error file=clusters/prod/a b/t.yaml,line=2,endLine=2,col=9,endColumn=14,title=a-rule::\
         50%25 <bad>%0Ayes%0Ahelp: mend, it: so%0Asee a b/t.yaml:1:1: the list\n"
    );
}

#[test]
fn sarif_has_relative_uris_and_rule_help() {
    let value: Value = serde_json::from_str(&written(Format::Sarif)).expect("JSON");
    let result = &value["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        "clusters/prod/a%20b/t.yaml"
    );
    assert_eq!(place["region"]["startColumn"], 9);
    assert_eq!(result["ruleIndex"], 0);
    assert_eq!(
        value["runs"][0]["tool"]["driver"]["rules"][0]["help"]["text"],
        "page"
    );
}

#[test]
fn junit_escapes_what_xml_reserves() {
    let text = written(Format::Junit);
    assert!(
        text.contains("<failure message=\"50% &lt;bad&gt;&#10;yes\">"),
        "{text}"
    );
    assert!(text.contains("tests=\"1\" failures=\"1\""));
}

#[test]
fn text_shows_line_rule_and_help() {
    let text = written(Format::Text);
    for part in [
        "error[a-rule]",
        "a b/t.yaml:2:9",
        "é.io/x",
        "help: mend, it: so",
        "1 error\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// A note at the end of a text of this name, in a format.
fn noted(path: &str, text: &str, at: std::ops::Range<u32>, format: Format) -> String {
    let mut sources = SourceMap::default();
    let source = sources.add(path, text);
    let span = Span {
        source: source.id,
        start: at.start,
        end: at.end,
    };
    let finding = Finding::new(
        "a-rule",
        Level::Note,
        Label::new(span).message("here"),
        "%".repeat(3000),
    );
    let report = Report {
        findings: &[finding],
        sources: &sources,
        rules: &[],
        prefix: "clusters",
        colour: false,
        more: Map::new(),
        least: Some(Level::Error),
    };
    let mut out = Vec::new();
    report
        .write(format, &mut out)
        .expect("a vector takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

#[test]
fn standard_input_and_the_embedded_set_are_no_files_of_the_work_tree() {
    let annotation = noted("-", "a: 1\n", 3..4, Format::Github);
    assert!(
        annotation.starts_with("::notice title=a-rule::stdin:1:4: %25%25"),
        "{annotation}"
    );
    assert!(annotation.len() < 4096, "{}", annotation.len());
    let log: Value =
        serde_json::from_str(&noted("-", "a: 1\n", 3..4, Format::Sarif)).expect("JSON");
    let run = &log["runs"][0];
    let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(place, &json!({"uri": "stdin", "uriBaseId": "ELSEWHERE"}));
    assert!(run["originalUriBaseIds"]["ELSEWHERE"].is_object());
    for &(name, text) in embedded::files().iter().take(1) {
        let log = noted(&format!("embedded/{name}"), text, 0..1, Format::Sarif);
        assert!(
            log.contains("\"ELSEWHERE\"") && !log.contains("clusters"),
            "{log}"
        );
        let log = noted(&format!("embedded/{name}"), "a: 1\n", 0..1, Format::Sarif);
        assert!(log.contains(&format!("clusters/embedded/{name}")), "{log}");
    }
}

#[test]
fn text_keeps_the_place_of_what_it_does_not_show() {
    let secret = noted(
        "s.yaml",
        "kind: Secret\ndata: {a: hunter2}\n",
        23..30,
        Format::Text,
    );
    assert!(
        secret.contains("s.yaml:2:11\n") && secret.contains("here"),
        "{secret}"
    );
    assert!(!secret.contains("hunter2"), "{secret}");
    let long = format!("{}word{}", "ж".repeat(3000), "я".repeat(3000));
    let long = noted("-", &long, 6000..6004, Format::Text);
    assert!(
        long.contains("<stdin>:1:3001\n") && long.contains("word"),
        "{long}"
    );
    assert!(
        long.lines()
            .all(|line| line.chars().count() < 200 || line.contains("%%%")),
        "{long}"
    );
    let huge = noted("-", &"x".repeat(100_000), 99_999..100_000, Format::Text);
    assert!(
        huge.contains("<stdin>:1:100000\n") && huge.len() < 5000,
        "{}",
        huge.len()
    );
}

#[test]
fn text_can_point_at_nothing_and_at_a_line_end() {
    assert!(noted("a.yaml", "", 0..0, Format::Text).contains("a.yaml:1:1"));
    assert!(noted("a.yaml", "a: 1\r\nb: 2\r\n", 5..6, Format::Text).contains("a.yaml:1:"));
    assert!(noted("a.yaml", "a: 1\n", 5..5, Format::Text).contains("a.yaml:2:1"));
}

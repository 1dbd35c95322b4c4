//! The findings that an old estate starts with: a file that makes them known already.
//!
//! A finding is recognised by the fingerprint that SARIF has too, which survives lines that move.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::findings::write;
use super::reports;
use crate::finding::Finding;
use crate::load::MALFORMED;
use crate::source::SourceMap;

/// Takes out the findings that a file knows.
pub(super) fn known(
    findings: Vec<Finding>,
    sources: &SourceMap,
    path: &Path,
) -> anyhow::Result<Vec<Finding>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{shown}`"))?;
    let wrong = || format!("`{shown}` is no baseline, expected what `--write-baseline` writes");
    let value: Value = serde_json::from_str(&text).with_context(wrong)?;
    let Some(entries) = value["findings"]
        .as_array()
        .filter(|_| value["version"] == 1)
    else {
        bail!(wrong());
    };
    let known: BTreeSet<&str> = entries
        .iter()
        .filter_map(|entry| entry["fingerprint"].as_str())
        .collect();
    let prints = reports::fingerprints(&findings, sources);
    let kept = findings
        .into_iter()
        .zip(prints)
        .filter_map(|(finding, print)| {
            let known = finding.rule != MALFORMED && known.contains(print.as_str());
            (!known).then_some(finding)
        });
    Ok(kept.collect())
}

/// Writes the file that makes these findings known.
pub(super) fn record(findings: &[Finding], sources: &SourceMap, path: &Path) -> anyhow::Result<()> {
    let prints = reports::fingerprints(findings, sources);
    let entries: Vec<Value> = findings
        .iter()
        .zip(prints)
        .filter(|(finding, _)| finding.rule != MALFORMED)
        .map(|(finding, print)| {
            let mut entry = json!({
                "fingerprint": print,
                "rule": finding.rule,
                "file": sources.get(finding.primary.span.source).path,
            });
            if let Some(object) = finding.object() {
                entry["object"] = json!(object.to_string());
            }
            entry
        })
        .collect();
    let whole = json!({ "version": 1, "findings": entries });
    let mut text = serde_json::to_string_pretty(&whole).expect("text serializes");
    text.push('\n');
    write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Label, Level};
    use crate::source::Span;

    /// One finding at a word of a text.
    fn at(text: &str, word: &str) -> (Vec<Finding>, SourceMap) {
        let mut sources = SourceMap::default();
        let source = sources.add("a.yaml", text);
        let start = crate::yaml::split::offset(text.find(word).expect("the word is there"));
        let span = Span {
            source: source.id,
            start,
            end: start + 1,
        };
        let finding = Finding::new("yaml-word", Level::Warning, Label::new(span), "said");
        (vec![finding], sources)
    }

    #[test]
    fn what_is_known_stays_known_when_lines_move() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("known.json");
        let (old, sources) = at("a: NO\n", "NO");
        record(&old, &sources, &path).expect("written");
        let left = |text: &str, word: &str| {
            let (findings, sources) = at(text, word);
            known(findings, &sources, &path).expect("a baseline").len()
        };
        assert_eq!(left("# more\n\na: NO\n", "NO"), 0);
        assert_eq!(left("a: NO\nb: NO\n", "NO\nb"), 0);
        assert_eq!(left("b: NO\n", "NO"), 1);
    }

    #[test]
    fn another_file_is_no_baseline() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.json");
        std::fs::write(&path, "{\"version\": 2}").expect("a file");
        let why = known(Vec::new(), &SourceMap::default(), &path).expect_err("no baseline");
        assert!(
            why.to_string()
                .ends_with("expected what `--write-baseline` writes")
        );
    }
}

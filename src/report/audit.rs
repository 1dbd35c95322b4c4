//! An audit in the forms of its own: text for people, and the object of the contract.
//!
//! The text has a block for each release that there is something to say of, the gravest first: the
//! sentence, then what it was told from. Nothing of a snapshot's text is shown, so no payload is.

use std::cmp::Reverse;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Report, json, summary};
use crate::finding::{Finding, Level};
use crate::resolve::audit::patch::{Operation, command};
use crate::resolve::audit::{Action, Audit, Orphan, OrphanKind, Outcome, Verdict};

/// Writes an audit for people.
pub(crate) fn text(
    audit: &Audit<'_>,
    report: &Report<'_>,
    malformed: &[Finding],
    out: &mut dyn Write,
) -> io::Result<()> {
    for line in &audit.header {
        writeln!(out, "{}", plain(line))?;
    }
    writeln!(out)?;
    for finding in malformed.iter().chain(&audit.snapshot) {
        alone(report, finding, out)?;
    }
    let mut verdicts: Vec<&Verdict<'_>> = audit
        .verdicts
        .iter()
        .filter(|verdict| !verdict.findings.is_empty())
        .collect();
    verdicts.sort_by_key(|verdict| Reverse(verdict.level()));
    for verdict in &verdicts {
        self::verdict(report, verdict, out)?;
        writeln!(out)?;
    }
    for orphan in &audit.orphans {
        alone(report, &orphan.finding, out)?;
    }
    if verdicts.iter().any(|verdict| verdict.patch.is_some()) {
        writeln!(
            out,
            "flux-plunger, where it runs, does by itself what the patches do. After any of them: a \
             new snapshot, a new audit."
        )?;
    }
    match audit.verdicts.len() - verdicts.len() {
        0 => writeln!(out, "{}", summary(report)),
        1 => writeln!(out, "{}; nothing to say of 1 release", summary(report)),
        rest => writeln!(
            out,
            "{}; nothing to say of {rest} releases",
            summary(report)
        ),
    }
}

fn alone(report: &Report<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let findings = std::slice::from_ref(finding);
    block(report, findings, out)?;
    remedies(findings, out)?;
    writeln!(out)
}

fn verdict(report: &Report<'_>, verdict: &Verdict<'_>, out: &mut dyn Write) -> io::Result<()> {
    block(report, &verdict.findings, out)?;
    writeln!(
        out,
        "  delete: {}; do: {}",
        word(verdict.outcome),
        word(verdict.action)
    )?;
    for line in &verdict.evidence {
        writeln!(out, "  {}", plain(line))?;
    }
    remedies(&verdict.findings, out)?;
    if let Some(patch) = &verdict.patch {
        writeln!(out, "  {}", plain(&command(verdict.release, patch)))?;
    }
    if let Some((action, patch)) = &verdict.offered {
        let command = command(verdict.release, patch);
        writeln!(
            out,
            "  only offered, {}: {}",
            word(*action),
            plain(&command)
        )?;
    }
    Ok(())
}

/// The sentences of one thing, then the place of the first.
fn block(report: &Report<'_>, findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let level = finding.level;
        let (before, behind) = match (report.colour, level) {
            (false, _) => ("", ""),
            (true, Level::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
            (true, Level::Warning) => ("\u{1b}[1;33m", "\u{1b}[0m"),
            (true, Level::Note) => ("\u{1b}[1;32m", "\u{1b}[0m"),
        };
        let (rule, message) = (finding.rule, plain(&finding.message));
        writeln!(out, "{before}{level}[{rule}]{behind}: {message}")?;
    }
    if let Some(first) = findings.first() {
        writeln!(out, "  at {}", plain(&report.shown(&first.primary)))?;
    }
    Ok(())
}

/// What to do about them.
fn remedies(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    for help in findings.iter().filter_map(|finding| finding.help.as_ref()) {
        writeln!(out, "  help: {}", plain(help))?;
    }
    Ok(())
}

/// A text of the snapshot as a terminal may have it.
fn plain(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

/// The word of the contract for an outcome or an action.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Writes an audit as the contract has it; `report` has the findings, sorted.
pub(crate) fn json(audit: &Audit<'_>, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut snapshot: Vec<&str> = audit
        .snapshot
        .iter()
        .flat_map(|it| &it.ids)
        .copied()
        .collect();
    snapshot.dedup();
    let whole = Whole {
        version: 1,
        snapshot,
        objects: Objects(&audit.verdicts),
        orphans: audit.orphans.iter().map(orphan).collect(),
        details: Details(report),
    };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Whole<'a> {
    version: u32,
    snapshot: Vec<&'a str>,
    objects: Objects<'a>,
    orphans: Vec<OrphanShape<'a>>,
    details: Details<'a>,
}

/// The releases by namespace and name, made as they are written.
struct Objects<'a>(&'a [Verdict<'a>]);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|verdict| {
            let id = &verdict.release.id;
            (format!("{}/{}", id.namespace, id.name), object(verdict))
        }))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectShape<'a> {
    findings: Vec<&'static str>,
    delete_outcome: Outcome,
    action: Action,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a [Operation]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_action: Option<Action>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_patch: Option<&'a [Operation]>,
}

fn object<'a>(verdict: &'a Verdict<'_>) -> ObjectShape<'a> {
    ObjectShape {
        findings: ids(&verdict.findings),
        delete_outcome: verdict.outcome,
        action: verdict.action,
        patch: verdict.patch.as_deref(),
        optional_action: verdict.offered.as_ref().map(|(action, _)| *action),
        optional_patch: verdict.offered.as_ref().map(|(_, patch)| patch.as_slice()),
    }
}

fn ids(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().flat_map(|it| &it.ids).copied().collect()
}

#[derive(Serialize)]
struct OrphanShape<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

fn orphan<'a>(orphan: &'a Orphan<'_>) -> OrphanShape<'a> {
    let name = format!("{}/{}", orphan.namespace, orphan.name);
    let (release, secret, status) = match orphan.kind {
        OrphanKind::Release(status) => (Some(name), None, Some(status.to_string())),
        OrphanKind::Secret => (None, Some(name), None),
    };
    OrphanShape {
        release,
        secret,
        code: orphan.finding.ids.first().copied().unwrap_or_default(),
        status,
    }
}

/// The findings, made as they are written.
struct Details<'a>(&'a Report<'a>);

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.0.findings.iter();
        serializer.collect_seq(findings.map(|finding| json::finding(self.0, finding)))
    }
}

//! What a run has to say of its input, and what that makes of the exit code.

use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use serde_json::{Map, Value};

use super::console::Console;
use super::{Exit, Global, allow, attribute, baseline, join, reports};
use crate::emit::file;
use crate::finding::{Finding, Level, sort};
use crate::load::Loaded;
use crate::source::SourceMap;

/// The least level that makes the answer no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Errors.
    Error,
    /// Warnings and errors.
    Warning,
    /// Anything.
    Note,
    /// Nothing but what cannot be left out.
    Never,
}

impl FailOn {
    fn objects_to(self, level: Level) -> bool {
        match self {
            FailOn::Error => level >= Level::Error,
            FailOn::Warning => level >= Level::Warning,
            FailOn::Note => true,
            FailOn::Never => false,
        }
    }

    /// The least level that it objects to.
    fn least(self) -> Option<Level> {
        [Level::Note, Level::Warning, Level::Error]
            .into_iter()
            .find(|level| self.objects_to(*level))
    }
}

/// The formats of `--report`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FileFormat {
    /// The contract's own.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow annotations.
    Github,
    /// `JUnit` XML.
    Junit,
}

impl From<FileFormat> for join::Format {
    fn from(format: FileFormat) -> join::Format {
        match format {
            FileFormat::Json => join::Format::Json,
            FileFormat::Sarif => join::Format::Sarif,
            FileFormat::Github => join::Format::Github,
            FileFormat::Junit => join::Format::Junit,
        }
    }
}

/// The findings of a run, in the order of output.
pub(super) struct Verdict {
    /// The findings.
    pub(super) findings: Vec<Finding>,
    /// 0 or 1.
    pub(super) exit: Exit,
    /// What stands beside the findings in a report that is JSON.
    pub(super) more: Map<String, Value>,
    /// The least level that fails the run.
    least: Option<Level>,
}

/// Sorts the findings and decides; `stopped` where nothing can be rendered whatever `--fail-on` says.
pub(super) fn judge(mut findings: Vec<Finding>, stopped: bool, fail_on: FailOn) -> Verdict {
    attribute::ids(&mut findings);
    sort(&mut findings);
    let no = stopped
        || findings
            .iter()
            .any(|finding| fail_on.objects_to(finding.level));
    Verdict {
        findings,
        exit: if no { Exit::Findings } else { Exit::Clean },
        more: Map::new(),
        least: fail_on.least(),
    }
}

/// Decides over what is not allowed and not known already, and writes the baseline that is asked
/// for. `whole` where every rule has run, so that an allow without use can be told.
pub(super) fn decide(
    mut findings: Vec<Finding>,
    stopped: bool,
    global: &Global,
    loaded: &Loaded,
    whole: bool,
) -> anyhow::Result<Verdict> {
    attribute::ids(&mut findings);
    sort(&mut findings);
    let settings = &global.settings;
    let mut findings = allow::silence(findings, loaded, settings, whole);
    sort(&mut findings);
    if let Some(path) = &global.write_baseline {
        baseline::record(&findings, &loaded.sources, path)?;
        findings = baseline::known(findings, &loaded.sources, path)?;
    } else if let Some(path) = global.baseline.as_ref().or(settings.baseline.as_ref()) {
        findings = baseline::known(findings, &loaded.sources, path)?;
    }
    Ok(judge(findings, stopped, global.fail_on))
}

impl Verdict {
    /// Writes the file that `--report` names.
    pub(super) fn file(&self, global: &Global, sources: &SourceMap) -> anyhow::Result<()> {
        let Some(path) = &global.report else {
            return Ok(());
        };
        let format = global.report_format.into();
        write(path, &self.report(format, sources, false))
    }

    /// The findings in a format.
    pub(super) fn report(
        &self,
        format: join::Format,
        sources: &SourceMap,
        colour: bool,
    ) -> Vec<u8> {
        let (findings, more) = (&self.findings, &self.more);
        reports::report_as(format, findings, sources, more, colour, self.least)
    }

    /// Says the findings on stderr; only errors where the console is quiet.
    pub(super) fn talk(&self, console: &Console, sources: &SourceMap) {
        let said: Vec<_> = self
            .findings
            .iter()
            .filter(|finding| !console.quiet || finding.level == Level::Error)
            .cloned()
            .collect();
        if !said.is_empty() {
            let text = join::report(
                join::Format::Text,
                &said,
                sources,
                &self.more,
                console.color_talk,
            );
            console.talk(text);
        }
    }
}

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    written(path, file::write(path, content))
}

/// The same, of content that is made while it is written.
pub(super) fn write_from(path: &Path, fill: file::Fill<'_>) -> anyhow::Result<()> {
    written(path, file::write_from(path, fill))
}

fn written(path: &Path, done: std::io::Result<()>) -> anyhow::Result<()> {
    match done {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => {
            Err(super::console::closed(why, "a pipe"))
        }
        done => done.with_context(|| format!("cannot write `{}`", path.display())),
    }
}

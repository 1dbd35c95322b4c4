//! `forebay diff`: two sides compared, object by object.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::console::Console;
use super::inputs::{read, tell_left_out};
use super::pipeline::prepare;
use super::{Exit, Global, findings, packages};
use crate::diff::{Diff, Format, Options, Printing, Remark, diff};
use crate::finding::ObjectId;
use crate::load::side::{Side, sides};
use crate::load::{Request, Skipped};
use crate::report::redact::shown;
use crate::resolve::environment::Environment;
use crate::source::SourceMap;

/// The most characters that a comment takes, with room for a heading of one's own.
const COMMENT: usize = 65_000;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Compare two files, trees or revisions, object by object";

/// What `diff` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    /// A file, a directory, `-` for stdin, or `git:REV[:PATH]`
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The same, as it is to become
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The format of the difference
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Exit with 1 where the sides differ
    #[arg(long)]
    exit_code: bool,
    /// Write the whole difference to a file as well, however long it is
    #[arg(long, value_name = "FILE")]
    full: Option<PathBuf>,
    /// The most characters of `--format markdown`
    #[arg(long, value_name = "COUNT", default_value_t = COMMENT)]
    max_length: usize,
    /// Leave a label or an annotation out, and count it; `KEY*` for all that begin so
    #[arg(long, value_name = "KEY")]
    hide: Vec<String>,
    /// Show the values of Secrets and of keys that look like credentials
    #[arg(long)]
    show_secrets: bool,
}

/// Compares what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let paths = [arguments.old.as_path(), arguments.new.as_path()];
    let mut sources = SourceMap::default();
    let [old, new] = match sides(paths, &mut io::stdin().lock(), &mut sources) {
        Ok(sides) => sides,
        Err(error) => {
            let verdict = findings::judge(Vec::new(), true, global.fail_on);
            verdict.file(global, &sources)?;
            return Err(error.into());
        }
    };
    let options = Options {
        hide: arguments.hide.clone(),
        show_secrets: arguments.show_secrets,
    };
    let compared = match diff(&old, &new, &options, &|_| true) {
        Ok(diff) => Compared { diff, sources },
        Err(wrong) => {
            let verdict = findings::judge(wrong, true, global.fail_on);
            verdict.file(global, &sources)?;
            verdict.talk(console, &sources);
            bail!("the two sides cannot be compared");
        }
    };
    findings::judge(Vec::new(), false, global.fail_on).file(global, &compared.sources)?;
    let skipped = Skipped {
        charts: old.skipped.charts + new.skipped.charts,
        trees: Vec::new(),
        kustomizations: old.skipped.kustomizations + new.skipped.kustomizations,
    };
    tell_left_out(&skipped, (compared.diff.skipped, 0), console);
    let full = arguments.full.as_ref().map(|path| path.to_string_lossy());
    let mut printing = Printing {
        colour: console.color_data,
        most: Some(arguments.max_length),
        full: full.as_deref(),
        findings: Vec::new(),
    };
    if arguments.format == Format::Html {
        printing.findings = remarks(arguments, global, console)?;
    }
    console.data(compared.diff.print(arguments.format, &printing))?;
    compared.tell(console);
    if let Some(path) = &arguments.full {
        (printing.colour, printing.most) = (false, None);
        let whole = compared.diff.print(arguments.format, &printing);
        findings::write(path, whole.as_bytes())?;
    }
    Ok(if arguments.exit_code && !compared.diff.is_empty() {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// What `check` says of NEW, for a page; nothing for stdin, which is read already.
fn remarks(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Vec<Remark>> {
    if arguments.new.as_os_str() == "-" || arguments.old.as_os_str() == "-" {
        return Ok(Vec::new());
    }
    let request = Request {
        manifests: vec![arguments.new.clone()],
        against: Some(arguments.old.clone()),
        ..Request::default()
    };
    let loaded = read(&request, global, console)?;
    let outcome = prepare(
        &loaded,
        &Environment::default(),
        &packages::Options {
            only_findings: true,
            ..packages::Options::default()
        },
    );
    let verdict = findings::judge(outcome.findings, false, global.fail_on);
    let remark = |finding| Remark::of(&shown(finding, &loaded.sources), &loaded.sources);
    Ok(verdict.findings.iter().map(remark).collect())
}

/// A difference, and the texts that it was read from.
pub(super) struct Compared {
    /// The difference.
    pub(super) diff: Diff,
    sources: SourceMap,
}

impl Compared {
    /// Says what no format of lines says: that nothing differs, and what was not looked at.
    pub(super) fn tell(&self, console: &Console) {
        for place in &self.diff.dropped {
            let source = self.sources.get(place.source);
            let at = source.line_col(place.start);
            console.note(&format!(
                "{}:{at}: a document that no reader sees is not compared",
                source.path
            ));
        }
        if self.diff.is_empty() {
            console.note(&self.diff.summary());
        }
    }
}

/// Compares two sides; where they cannot be compared, says why and is an error.
pub(super) fn compare(
    old: &Side,
    new: &Side,
    options: &Options,
    keep: &(dyn Fn(&ObjectId) -> bool + Sync),
    sources: SourceMap,
    console: &Console,
) -> anyhow::Result<Compared> {
    match diff(old, new, options, keep) {
        Ok(diff) => Ok(Compared { diff, sources }),
        Err(wrong) => {
            let verdict = findings::judge(wrong, true, findings::FailOn::Error);
            verdict.talk(console, &sources);
            bail!("the two sides cannot be compared");
        }
    }
}

/// The format that a file's name asks for.
pub(super) fn format_of(path: &Path) -> Format {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("md" | "markdown") => Format::Markdown,
        Some("json") => Format::Json,
        Some("html" | "htm") => Format::Html,
        Some("diff" | "patch") => Format::Unified,
        _ => Format::Text,
    }
}

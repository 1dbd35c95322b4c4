//! `forebay audit`: what a saved listing of a cluster tells of its releases.

use std::io;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::console::Console;
use super::{Exit, Global, findings, join};
use crate::emit::patches::patches;
use crate::emit::write::Target;
use crate::finding::{Finding, Label, Level};
use crate::load::Skipped;
use crate::load::listing::listings;
use crate::model::moment::Moment;
use crate::model::snapshot::{Snapshot, read};
use crate::resolve::audit::{Settings, audit};
use crate::source::SourceMap;

/// How a snapshot is taken.
const TAKING: &str = "\
Take the snapshot with managed fields; payloads are not needed and need never reach a disk:

  kubectl get helmreleases,secrets,namespaces,serviceaccounts,deployments,leases -A \\
    --show-managed-fields -o json | jq 'del(.items[].data, .items[].stringData,
      .items[].spec.values,
      .items[].metadata.annotations[\"kubectl.kubernetes.io/last-applied-configuration\"])' \\
    > snapshot.json
  forebay audit snapshot.json --now \"$(date -u +%FT%TZ)\"

Nothing is asked of a cluster and no clock is read: without --now ages are unknown, and nothing is
called stuck. A patch is guarded by the object's uid and resourceVersion: it is refused once anybody
has written the object since.";

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Audit a saved listing of a cluster: which delete would skip the Helm uninstall, and what mends it";

/// What `audit` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
#[command(after_long_help = TAKING, after_help = "See `--help` for how to take a snapshot.")]
pub(super) struct Arguments {
    /// Files and directories with what `kubectl get -o json` or `-o yaml` printed; `-` is stdin
    #[arg(value_name = "SNAPSHOT", required = true)]
    snapshots: Vec<PathBuf>,
    /// The time to count ages from, as `2026-11-02T10:00:00Z`
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// For how many minutes a suspension or a deletion may last before it is called stuck
    #[arg(long, value_name = "MINUTES", default_value_t = 10,
        value_parser = clap::value_parser!(i64).range(0..=5_256_000))]
    hold: i64,
    /// Write each patch to a file of its own
    #[arg(long, value_name = "DIR")]
    patches: Option<PathBuf>,
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = join::Format::Text)]
    format: join::Format,
}

/// Audits what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let now = match &arguments.now {
        None => None,
        Some(text) => match Moment::parse(text) {
            Some(moment) => Some(moment),
            None => bail!("`--now {text}` is no time, expected one as `2026-11-02T10:00:00Z`"),
        },
    };
    let target = arguments.patches.as_deref().map(Target::look).transpose()?;
    let mut sources = SourceMap::default();
    let mut malformed = Vec::new();
    let snapshot = match take(arguments, &mut sources, &mut malformed, console) {
        Ok(snapshot) => snapshot,
        Err(error) => {
            let verdict = findings::judge(Vec::new(), true, global.fail_on);
            verdict.file(global, &sources)?;
            return Err(error);
        }
    };
    let settings = Settings {
        now,
        hold: arguments.hold,
    };
    let audit = audit(&snapshot, &settings);
    let all: Vec<Finding> = malformed.iter().chain(audit.findings()).cloned().collect();
    let verdict = findings::judge(all, false, global.fail_on);
    verdict.file(global, &sources)?;
    if let Some(target) = target {
        target.write(&patches(&audit))?;
    }
    console.data_from(|out| {
        join::report_audit(
            arguments.format,
            &audit,
            &malformed,
            &verdict.findings,
            &sources,
            console.color_data,
            out,
        )
    })?;
    Ok(verdict.exit)
}

/// Reads every text into one snapshot.
fn take(
    arguments: &Arguments,
    sources: &mut SourceMap,
    malformed: &mut Vec<Finding>,
    console: &Console,
) -> anyhow::Result<Snapshot> {
    let mut snapshot = Snapshot::default();
    let mut skipped = Skipped::default();
    let mut left_out = 0;
    let mut stdin = io::stdin().lock();
    for listing in listings(&arguments.snapshots, &mut skipped)? {
        let mut text = listing.open(&mut stdin)?;
        read::read(&mut text, &listing.shown, sources, &mut snapshot, malformed)?;
        let strays = std::mem::take(&mut snapshot.strays);
        if !listing.explicit {
            left_out += strays.len();
        } else if let Some(first) = strays.first() {
            malformed.push(without_kind(Label::new(*first), strays.len()));
        }
    }
    match left_out {
        0 => {}
        1 => console.note("left out 1 document without `apiVersion` and `kind`"),
        count => console.note(&format!(
            "left out {count} documents without `apiVersion` and `kind`"
        )),
    }
    snapshot.finish();
    Ok(snapshot)
}

fn without_kind(place: Label, count: usize) -> Finding {
    let message = match count {
        1 => "an object has no `kind`, expected what `kubectl get` prints".to_owned(),
        _ => format!("{count} objects have no `kind`, expected what `kubectl get` prints"),
    };
    Finding::new("document-without-kind", Level::Error, place, message).help(
        "a snapshot is what `kubectl get -o json` prints, not `helm list`; `forebay audit --help` \
         has the command",
    )
}

//! The streams: data to stdout, talk to stderr.

use std::io::{self, IsTerminal, Write};

use super::{Color, Global};
use crate::load::{GitFault, OperatorFault};

/// Whoever read our output went away: the end of the run, and no trouble.
#[derive(Debug, thiserror::Error)]
#[error("the reader of our output went away")]
pub(super) struct ClosedPipe;

/// An error of a stream as it ends the run.
pub(super) fn closed(why: io::Error, stream: &str) -> anyhow::Error {
    if why.kind() == io::ErrorKind::BrokenPipe {
        return anyhow::Error::new(ClosedPipe);
    }
    anyhow::Error::new(why).context(format!("cannot write to {stream}"))
}

/// What is printed, and how.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four switches that do not depend on each other"
)]
pub(super) struct Console {
    /// Whether talk is coloured.
    pub(super) color_talk: bool,
    /// Whether data for people is coloured.
    pub(super) color_data: bool,
    /// Whether only errors are said.
    pub(super) quiet: bool,
    /// Whether more is said.
    pub(super) verbose: bool,
}

impl Console {
    /// The console that the arguments ask for.
    pub(super) fn new(global: &Global) -> Console {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let wanted = |terminal: bool| match global.color {
            Color::Auto => terminal && !plain,
            Color::Always => true,
            Color::Never => false,
        };
        Console {
            color_talk: wanted(io::stderr().is_terminal()),
            color_data: wanted(io::stdout().is_terminal()),
            quiet: global.quiet,
            verbose: global.verbose,
        }
    }

    /// Prints data, all of it or an error.
    #[expect(clippy::unused_self, reason = "who has no console must not print")]
    pub(super) fn data(&self, data: impl AsRef<[u8]>) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(data.as_ref())
            .and_then(|()| stdout.flush());
        written.map_err(|why| closed(why, "stdout"))
    }

    /// Prints data as it is made, all of it or an error.
    #[expect(clippy::unused_self, reason = "who has no console must not print")]
    pub(super) fn data_from(
        &self,
        make: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        let written = make(&mut stdout).and_then(|()| stdout.flush());
        written.map_err(|why| closed(why, "stdout"))
    }

    /// Says something; a stderr that is gone stops nothing.
    #[expect(clippy::unused_self, reason = "who has no console must not print")]
    pub(super) fn talk(&self, text: impl AsRef<[u8]>) {
        let mut stderr = io::stderr().lock();
        let _gone = stderr
            .write_all(text.as_ref())
            .and_then(|()| stderr.flush());
    }

    /// Says one line, unless only errors are wanted.
    pub(super) fn note(&self, line: &str) {
        if !self.quiet {
            self.talk(format!("note: {line}\n"));
        }
    }
}

/// Says why the job could not be done.
pub(super) fn error(error: &anyhow::Error) {
    let mut lines = vec![format!("error: {error}\n")];
    let causes = error.chain().skip(1);
    lines.extend(causes.map(|cause| format!("  caused by: {cause}\n")));
    let faults = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<OperatorFault>());
    lines.extend(faults.map(|fault| format!("help: {}\n", fault.help())));
    #[cfg(feature = "registry")]
    lines.extend(super::registries::help(error).map(|help| format!("help: {help}\n")));
    let faults = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<GitFault>()?.help());
    lines.extend(faults.map(|help| format!("help: {help}\n")));
    let _gone = io::stderr().lock().write_all(lines.concat().as_bytes());
}

//! The streams: data to stdout, talk to stderr.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Color, Global};
use crate::emit::file::BUFFER;
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

/// Something to write to.
pub(super) type Stream = Arc<Mutex<dyn Write + Send>>;

/// What is printed, and how.
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
    stdout: Stream,
    stderr: Stream,
}

impl Console {
    /// The console that the arguments ask for, on the streams of the process.
    pub(super) fn new(global: &Global) -> Console {
        let (stdout, stderr) = (Mutex::new(io::stdout()), Mutex::new(io::stderr()));
        Console::on(Arc::new(stdout), Arc::new(stderr), global)
    }

    /// The console that the arguments ask for, on these streams.
    pub(super) fn on(stdout: Stream, stderr: Stream, global: &Global) -> Console {
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
            stdout,
            stderr,
        }
    }

    /// The same console, on which only errors are said.
    pub(super) fn quietly(&self) -> Console {
        Console {
            quiet: true,
            stdout: Arc::clone(&self.stdout),
            stderr: Arc::clone(&self.stderr),
            ..*self
        }
    }

    /// Prints data, all of it or an error.
    pub(super) fn data(&self, data: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.data_from(|stdout| stdout.write_all(data.as_ref()))
    }

    /// Prints data as it is made, all of it or an error.
    pub(super) fn data_from(
        &self,
        make: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let mut stdout = locked(&self.stdout);
        let mut stdout = io::BufWriter::with_capacity(BUFFER, &mut *stdout);
        let written = make(&mut stdout).and_then(|()| stdout.flush());
        written.map_err(|why| closed(why, "stdout"))
    }

    /// Says something; a stderr that is gone stops nothing.
    pub(super) fn talk(&self, text: impl AsRef<[u8]>) {
        let mut stderr = locked(&self.stderr);
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

/// A stream for this thread alone. What panicked with one in its hands left no half of a byte in it.
fn locked(stream: &Stream) -> MutexGuard<'_, dyn Write + Send + 'static> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says why the job could not be done.
pub(super) fn error(error: &anyhow::Error) {
    let _gone = io::stderr().lock().write_all(told(error).as_bytes());
}

/// The lines that say why the job could not be done.
pub(super) fn told(error: &anyhow::Error) -> String {
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
    lines.concat()
}

//! Commands run within a program, again and again, with what they print kept: for the laws, which
//! compare what they say. What a command does is in its own file.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use super::console::{Console, told};
use super::{Arguments, Exit, command, parse, settle};

/// What was typed, understood once and run as often as need be.
pub(crate) struct Prepared(Arguments);

/// How a run ended and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// How it ended.
    pub(crate) exit: Exit,
    /// The data.
    pub(crate) stdout: Vec<u8>,
    /// The talk.
    pub(crate) stderr: Vec<u8>,
}

impl Prepared {
    /// Understands what stands behind `forebay`. The error is what is wrong with it, or with the
    /// configuration in the working directory.
    pub(crate) fn new(words: impl IntoIterator<Item = OsString>) -> Result<Prepared, String> {
        let words: Vec<_> = ["forebay".into()].into_iter().chain(words).collect();
        let (mut arguments, typed) = parse(&words).map_err(|why| why.to_string())?;
        settle(&mut arguments, typed).map_err(|why| told(&why))?;
        Ok(Prepared(arguments))
    }

    /// Runs the command on the threads of the pool that it is called in, whatever `--jobs` says.
    /// Documents nest 10,000 deep: the stacks of that pool have to hold it.
    pub(crate) fn run(&self) -> Kept {
        let streams = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
        let [stdout, stderr] = streams.clone();
        let console = Console::on(stdout, stderr, &self.0.global);
        let done = command(&self.0, &console);
        let [stdout, mut stderr] = streams.map(|stream| {
            std::mem::take(&mut *stream.lock().unwrap_or_else(PoisonError::into_inner))
        });
        let exit = done.unwrap_or_else(|error| {
            stderr.extend(told(&error).into_bytes());
            Exit::Trouble
        });
        Kept {
            exit,
            stdout,
            stderr,
        }
    }
}

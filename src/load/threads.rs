//! The threads that a run works on. Not here: what they do.

use std::num::NonZeroUsize;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::walk::Found;

/// The stack of every thread, in bytes: documents may nest 10,000 levels deep.
pub(crate) const STACK: usize = 256 << 20;

/// How many documents a thread takes at a time: so few that none is left with many when the others are
/// done.
pub(crate) const AT_A_TIME: usize = 256;

/// Below this many bytes of input a second thread costs more than it saves.
const SMALL: u64 = 512 << 10;

/// Where the threads of a run come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Threads {
    /// They are there.
    #[default]
    Standing,
    /// They are to be started: as many as are asked for.
    Start(Option<NonZeroUsize>),
}

/// Starts the threads of this process, the calling one among them: as many as are asked for, else
/// one for a small input and one a processor for any other. To be called from a thread that lives as
/// long as the process. Where the caller is one of the threads already, nothing changes.
///
/// # Errors
///
/// When the system will not start one.
pub(crate) fn start(threads: Option<NonZeroUsize>, bytes: u64) -> Result<(), ThreadPoolBuildError> {
    if rayon::current_thread_index().is_some() {
        return Ok(());
    }
    let small = usize::from(bytes < SMALL);
    ThreadPoolBuilder::new()
        .num_threads(threads.map_or(small, NonZeroUsize::get))
        .stack_size(STACK)
        .use_current_thread()
        .build_global()
}

/// How many bytes there are to read, as far as that can be known before.
pub(super) fn size(found: &[Found]) -> u64 {
    let of = |text: &Found| match (&text.carried, &text.file) {
        (Some(bytes), _) => bytes.len() as u64,
        (None, Some(path)) => path.metadata().map_or(0, |it| it.len()),
        // Stdin may be anything.
        (None, None) => SMALL,
    };
    found.iter().map(of).sum()
}

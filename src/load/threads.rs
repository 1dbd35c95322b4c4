//! The threads that a run works on. Not here: what they do.

use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
#[cfg(target_env = "musl")]
use rustix::{
    param::page_size,
    process::{Resource, getrlimit},
};

use super::walk::Found;

/// The stack of every thread and of the whole run, in bytes: documents may nest 10,000 levels deep.
pub(crate) const STACK: usize = 256 << 20;

/// How many documents a thread takes at a time: so few that none is left with many when the others are
/// done.
pub(crate) const AT_A_TIME: usize = 256;

/// Below this many bytes of input a second thread costs more than it saves.
const SMALL: u64 = 512 << 10;

/// The room that a thread takes at once, in bytes: what Flux's manifests need.
pub(crate) const ROOM: usize = 1 << 20;

/// The most of it: what glibc can be brought to keep is less than 32 MiB.
const MOST_ROOM: usize = 30 << 20;

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
    let room = usize::try_from(bytes.saturating_mul(2)).unwrap_or(MOST_ROOM);
    let room = room.clamp(ROOM, MOST_ROOM);
    if small == 0 {
        make_room(room);
    }
    ThreadPoolBuilder::new()
        .num_threads(threads.map_or(small, NonZeroUsize::get))
        .stack_size(STACK)
        .start_handler(move |_| make_room(room))
        .use_current_thread()
        .build_global()
}

/// Whether the system gives room for a [`STACK`], which `stacker` does not ask.
///
/// # Errors
///
/// When it does not.
#[cfg(not(target_env = "musl"))]
pub(crate) fn room_for_a_stack() -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(STACK)?;
    drop(black_box(room));
    Ok(())
}

/// The same of a static program, whose allocator holds a gibibyte of addresses at once and would give
/// room out of that: asked is what the limit on the process's addresses (`ulimit -v`) leaves.
///
/// # Errors
///
/// When that is less than a stack.
#[cfg(target_env = "musl")]
pub(crate) fn room_for_a_stack() -> io::Result<()> {
    let Some(most) = getrlimit(Resource::As).current else {
        return Ok(());
    };
    // In pages (proc_pid_statm(5)); where the system does not tell, it is tried.
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told.split(' ').next().and_then(|it| it.parse::<u64>().ok());
    let used = pages.unwrap_or_default() * page_size() as u64;
    if most.saturating_sub(used) < STACK as u64 + (1 << 20) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    Ok(())
}

/// Lets the allocator take so many bytes for this thread at once. glibc's makes the heap of a thread
/// larger page by page, a call of the system each, but keeps what was freed. Nothing is touched before
/// it is used. The allocator of a static program takes more than that by itself.
pub(crate) fn make_room(bytes: usize) {
    if cfg!(target_env = "musl") {
        return;
    }
    // The first comes from the system and goes back to it; from then on what is smaller does not.
    for bytes in [bytes, bytes - bytes / 8] {
        drop(black_box(Vec::<u8>::with_capacity(bytes)));
    }
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

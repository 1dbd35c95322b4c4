//! The binary: arguments in, exit code out.

use std::process::ExitCode;

/// musl's own allocator has one lock for all threads and asks the system for every larger piece: over
/// a large estate a run takes twice as long with it.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    forebay::run(std::env::args_os()).into()
}

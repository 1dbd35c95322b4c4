//! The binary: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    forebay::run(std::env::args_os()).into()
}

//! How a long run is shown: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::console::Console;
use crate::cli::registries::Lines;
use crate::registry::settings::Watch;

/// Whoever is told, as the console and the terminal ask for it.
pub(in crate::cli) fn watch(console: &Console) -> Arc<dyn Watch> {
    let lines = Lines::new(console);
    if console.quiet || console.verbose || !std::io::stderr().is_terminal() {
        return Arc::new(lines);
    }
    let bar = ProgressBar::new(0);
    let style =
        ProgressStyle::with_template("{bytes:>10} of {total_bytes} {wide_bar} {bytes_per_sec}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    Arc::new(Bar { bar, lines })
}

/// A bar, with lines above it.
struct Bar {
    bar: ProgressBar,
    lines: Lines,
}

impl Watch for Bar {
    fn request(&self, line: &str) {
        self.lines.request(line);
    }

    fn waits(&self, host: &str, seconds: f64, why: &str) {
        self.bar.suspend(|| self.lines.waits(host, seconds, why));
    }

    fn expects(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    fn passed(&self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A number of bytes for people.
pub(super) fn bytes(count: u64) -> String {
    indicatif::HumanBytes(count).to_string()
}

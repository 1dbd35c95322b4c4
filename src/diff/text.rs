//! A diff for people at a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::secrets::Changed;
use super::show::{Line, Mark, lines, object};
use super::{Diff, Entry, title};

const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// How wide a list of names may grow before it is broken.
const WIDTH: usize = 96;

/// The whole diff; nothing where there is none.
pub(super) fn print(diff: &Diff, colour: bool) -> String {
    if diff.is_empty() {
        return String::new();
    }
    let mut page = Page {
        text: String::new(),
        colour,
    };
    if !diff.images.is_empty() {
        page.heading("images", "");
        for moved in &diff.images {
            let (from, to) = (moved.from.as_deref(), moved.to.as_deref());
            if let Some(from) = from {
                page.line(&Line {
                    mark: Mark::Gone,
                    text: from.to_owned(),
                });
            }
            if let Some(to) = to {
                page.line(&Line {
                    mark: Mark::Come,
                    text: to.to_owned(),
                });
            }
            page.line(&Line {
                mark: Mark::Note,
                text: title::image(moved),
            });
        }
        page.end();
    }
    for group in &diff.groups {
        page.heading(
            &format!("{} objects", group.members.len()),
            " changed alike",
        );
        for shared in &group.changes {
            if let Some(brief) = title::brief(shared) {
                page.put("  ", "", &brief);
            } else {
                let changed = Changed::of([&shared.change]);
                page.put("  ", "", &shared.change.route.to_string());
                page.lines(&lines(&shared.change, &changed));
            }
        }
        page.wrapped(&title::members(diff, group));
        page.end();
    }
    for entry in diff.entries.iter().filter(|entry| entry.alone()) {
        page.entry(entry);
    }
    let moved = title::moved(diff);
    if !moved.is_empty() {
        page.heading(&objects(moved.len()), " moved to another file");
        for line in &moved {
            page.put("  ", "", line);
        }
        page.end();
    }
    page.put("", "", &diff.summary());
    page.text
}

/// A text that does nothing to a terminal but be shown.
fn plain(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() && c != '\t';
    if text.contains(acts) {
        Cow::Owned(text.replace(acts, "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

fn objects(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} object{plural}")
}

struct Page {
    text: String,
    colour: bool,
}

impl Page {
    fn put(&mut self, indent: &str, style: &str, text: &str) {
        let text = plain(text);
        if self.colour && !style.is_empty() {
            writeln!(self.text, "{indent}{style}{text}{PLAIN}")
        } else {
            writeln!(self.text, "{indent}{text}")
        }
        .expect("a string takes everything");
    }

    fn heading(&mut self, bold: &str, rest: &str) {
        let (bold, rest) = (plain(bold), plain(rest));
        if self.colour {
            writeln!(self.text, "{BOLD}{bold}{PLAIN}{rest}")
        } else {
            writeln!(self.text, "{bold}{rest}")
        }
        .expect("a string takes everything");
    }

    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            self.line(line);
        }
    }

    fn line(&mut self, line: &Line) {
        let style = match line.mark {
            Mark::Same => "",
            Mark::Gone => RED,
            Mark::Come => GREEN,
            Mark::Note => DIM,
        };
        let text = format!("{} {}", line.mark.sign(), line.text);
        self.put("    ", style, text.trim_end());
    }

    fn end(&mut self) {
        self.text.push('\n');
    }

    fn wrapped(&mut self, names: &str) {
        let mut line = String::new();
        for word in names.split(' ') {
            if !line.is_empty() && line.chars().count() + word.chars().count() >= WIDTH {
                self.put("    ", DIM, &line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.put("    ", DIM, &line);
    }

    fn entry(&mut self, entry: &Entry) {
        let remarks = title::remarks(entry);
        let rest = if remarks.is_empty() {
            String::new()
        } else {
            format!(" ({})", remarks.join("; "))
        };
        self.heading(&format!("{} {}", entry.fate.word(), entry.id), &rest);
        let changed = title::changed(entry);
        match (&entry.old, &entry.new) {
            (None, Some(new)) => {
                self.lines(&object(new, Mark::Come, &changed));
            }
            (Some(old), None) => {
                self.lines(&object(old, Mark::Gone, &changed));
            }
            _ => {
                for change in &entry.changes {
                    self.put("  ", "", &change.route.to_string());
                    self.lines(&lines(change, &changed));
                }
            }
        }
        self.end();
    }
}

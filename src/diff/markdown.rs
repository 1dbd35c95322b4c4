//! A diff for a comment on a pull request: a summary first, the objects folded, never longer than
//! asked, cut between two objects and never inside one.

use super::compare::What;
use super::secrets::Changed;
use super::show::{Line, Mark, lines, object};
use super::{Diff, Entry, Fate, Printing, title};

/// The share of the room that each of the two tables may take.
const TABLE: usize = 3;

/// The diff, in no more characters than asked for.
pub(super) fn print(diff: &Diff, printing: &Printing<'_>) -> String {
    let most = printing.most.unwrap_or(usize::MAX);
    let mut page = Page {
        text: String::new(),
        used: 0,
        most,
    };
    page.put(&format!("**{}**\n", escaped(&diff.summary())));
    if diff.is_empty() {
        return page.within();
    }
    // What is said at the end is counted before anything else is.
    let reserved = closing(usize::MAX, usize::MAX, printing.full)
        .chars()
        .count();
    page.most = most.saturating_sub(reserved);

    let room = page.room() / TABLE;
    page.table(
        "\n| image | becomes | in |\n| --- | --- | --- |\n",
        diff.images.iter().map(|moved| {
            let side = |image: &Option<String>| image.as_deref().map_or("–".to_owned(), code);
            format!(
                "| {} | {} | {} |\n",
                side(&moved.from),
                side(&moved.to),
                title::image(moved)
            )
        }),
        room,
        "images",
    );
    let room = page.room() / 2;
    page.table(
        "\n| object | | what |\n| --- | --- | --- |\n",
        diff.entries.iter().map(|entry| {
            format!(
                "| {} | {} | {} |\n",
                code(&entry.id.to_string()),
                entry.fate.word(),
                outline(entry)
            )
        }),
        room,
        "objects",
    );
    let (mut left, mut whole) = (0, 0);
    let groups = diff.groups.iter().map(Section::Group);
    let entries = diff.entries.iter().filter(|it| it.alone());
    let moved = (diff.count(Fate::Moved) > 0).then_some(Section::Moved);
    let sections = groups.chain(entries.map(Section::Entry)).chain(moved);
    for section in sections {
        whole += 1;
        let text = section.text(diff);
        if !page.fits(&text) {
            left += 1;
            continue;
        }
        page.put(&text);
    }
    page.most = most;
    if left > 0 {
        page.put(&closing(left, whole, printing.full));
    }
    page.within()
}

/// What is said where a part is left out.
fn closing(left: usize, whole: usize, full: Option<&str>) -> String {
    let place = match full {
        Some(file) => format!("the whole diff is in {}", code(file)),
        None => "`--full FILE` writes the whole diff".to_owned(),
    };
    format!("\n**Cut:** {left} of {whole} details are left out here; {place}.\n")
}

struct Page {
    text: String,
    /// How many characters the text has.
    used: usize,
    most: usize,
}

impl Page {
    fn room(&self) -> usize {
        self.most.saturating_sub(self.used)
    }

    fn fits(&self, text: &str) -> bool {
        // A text has no more characters than bytes.
        text.len() <= self.room() || text.chars().count() <= self.room()
    }

    fn put(&mut self, text: &str) {
        self.used += text.chars().count();
        self.text.push_str(text);
    }

    /// A table, as many rows as the room takes, and how many more there are.
    fn table(
        &mut self,
        head: &str,
        rows: impl ExactSizeIterator<Item = String>,
        room: usize,
        what: &str,
    ) {
        let count = rows.len();
        if count == 0 {
            return;
        }
        let more = |left: usize| format!("| and {left} more {what} | | |\n");
        let until = self
            .used
            .saturating_add(room.saturating_sub(more(count).chars().count()));
        if self.used + head.chars().count() > until {
            return;
        }
        self.put(head);
        let mut left = 0;
        for row in rows {
            if left > 0 || self.used + row.chars().count() > until {
                left += 1;
            } else {
                self.put(&row);
            }
        }
        if left > 0 {
            self.put(&more(left));
        }
    }

    /// The page, cut hard where there was not even room for its first line.
    fn within(self) -> String {
        if self.used <= self.most {
            return self.text;
        }
        self.text.chars().take(self.most).collect()
    }
}

enum Section<'d> {
    Group(&'d super::Group),
    Entry(&'d Entry),
    Moved,
}

impl Section<'_> {
    fn text(&self, diff: &Diff) -> String {
        match self {
            Section::Group(group) => {
                let mut body = Vec::new();
                for shared in &group.changes {
                    if let Some(brief) = title::brief(shared) {
                        body.push(note(&brief));
                    } else {
                        body.push(note(&shared.change.route.to_string()));
                        body.extend(lines(&shared.change, &Changed::of([&shared.change])));
                    }
                }
                body.push(note(&title::members(diff, group)));
                folded(
                    &format!("{} objects changed alike", group.members.len()),
                    &body,
                )
            }
            Section::Moved => {
                let body: Vec<Line> = title::moved(diff).iter().map(|line| note(line)).collect();
                folded("moved to another file", &body)
            }
            Section::Entry(entry) => {
                let changed = title::changed(entry);
                let body = match (&entry.old, &entry.new) {
                    (None, Some(new)) => object(new, Mark::Come, &changed),
                    (Some(old), None) => object(old, Mark::Gone, &changed),
                    _ => {
                        let each = entry.changes.iter().flat_map(|change| {
                            let mut body = vec![note(&change.route.to_string())];
                            body.extend(lines(change, &changed));
                            body
                        });
                        each.collect()
                    }
                };
                let mut heading = format!("{} {}", entry.fate.word(), entry.id);
                for remark in title::remarks(entry) {
                    heading.push_str(" · ");
                    heading.push_str(&remark);
                }
                folded(&heading, &body)
            }
        }
    }
}

fn note(text: &str) -> Line {
    Line {
        mark: Mark::Note,
        text: text.to_owned(),
    }
}

/// A folded part: a heading and lines in a fence that nothing in them can close.
fn folded(heading: &str, body: &[Line]) -> String {
    let heading = escaped(heading);
    if body.is_empty() {
        return format!("\n<details><summary>{heading}</summary></details>\n");
    }
    let longest = body
        .iter()
        .flat_map(|line| runs(&line.text))
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut text = format!("\n<details><summary>{heading}</summary>\n\n{fence}diff\n");
    for line in body {
        // A line of a fence in colour begins with its sign; others stand back.
        match line.mark {
            Mark::Note => text.push_str("@@ "),
            mark => text.extend([mark.sign(), ' ']),
        }
        text.push_str(&line.text);
        if line.mark == Mark::Note {
            text.push_str(" @@");
        }
        text.push('\n');
    }
    text + &fence + "\n\n</details>\n"
}

/// The lengths of the runs of backticks in a text.
fn runs(text: &str) -> impl Iterator<Item = usize> {
    text.split(|c| c != '`').map(str::len)
}

/// A text that no markup in it can change.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '\n' | '\r' => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '@' | '~' | '!' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    shown
}

/// A text as code that may stand in a table.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let fence = "`".repeat(runs(&text).max().unwrap_or(0) + 1);
    if fence.len() > 1 || text.starts_with('`') {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// A few words on what changed: the fields, or how many there are.
fn outline(entry: &Entry) -> String {
    const SHOWN: usize = 3;
    let mut words: Vec<String> = title::remarks(entry).iter().map(|it| escaped(it)).collect();
    if entry.fate == Fate::Changed {
        let shown = |change: &super::Change| {
            let field = code(&change.route.to_string());
            match change.what {
                What::Added(_) => format!("{field} added"),
                What::Removed(_) => format!("{field} removed"),
                What::Replaced(..) => field,
                What::Reordered(..) => format!("{field} in another order"),
            }
        };
        words.extend(entry.changes.iter().take(SHOWN).map(shown));
        match entry.changes.len().saturating_sub(SHOWN) {
            0 => {}
            more => words.push(format!("{more} more")),
        }
    }
    words.join(", ")
}

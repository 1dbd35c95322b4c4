//! A diff as one page that needs nothing else: no server, no network, and no script to be read.
//!
//! The script only adds: filters, a search, keys. Colours follow the reader's own light or dark, and
//! every mark is told by a sign as well. The parts: `html/page.css`, `html/page.js`.

use std::fmt::Write as _;

use super::secrets::Changed;
use super::show::{Line, Mark, lines, object};
use super::{Diff, Entry, Fate, Printing, Remark, title};
use crate::finding::{Level, ObjectId};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The whole page.
pub(super) fn print(diff: &Diff, printing: &Printing<'_>) -> String {
    let mut page = String::new();
    write(&mut page, diff, &printing.findings).expect("a string takes everything");
    page
}

fn write(page: &mut String, diff: &Diff, findings: &[Remark]) -> std::fmt::Result {
    let summary = escaped(&diff.summary());
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{summary}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{summary}</h1>\n"
    )?;
    controls(page, diff)?;
    page.push_str("</header>\n<main>\n<aside>\n");
    images(page, diff)?;
    remarks(page, findings)?;
    page.push_str("</aside>\n<section id=\"objects\" aria-label=\"Objects\">\n");
    if diff.is_empty() {
        page.push_str("<p>No object differs.</p>\n");
    }
    for group in &diff.groups {
        let count = group.members.len();
        let heading = format!("{count} objects changed alike");
        open(
            page,
            Fate::Changed,
            &heading,
            &[],
            &title::members(diff, group),
        )?;
        for shared in &group.changes {
            if let Some(brief) = title::brief(shared) {
                route(page, &brief)?;
            } else {
                route(page, &shared.change.route.to_string())?;
                body(page, &lines(&shared.change, &Changed::of([&shared.change])))?;
            }
        }
        writeln!(
            page,
            "<p class=\"members\">{}</p>\n</details>",
            escaped(&title::members(diff, group))
        )?;
    }
    for entry in diff.entries.iter().filter(|entry| entry.alone()) {
        one(page, entry, findings)?;
    }
    for line in title::moved(diff) {
        open(page, Fate::Moved, &line, &[], "")?;
        page.push_str("</details>\n");
    }
    page.push_str("<p id=\"none\" hidden>Nothing is left to show.</p>\n</section>\n</main>\n");
    write!(page, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

/// What only works with the script, and is hidden without it.
fn controls(page: &mut String, diff: &Diff) -> std::fmt::Result {
    page.push_str(
        "<form id=\"controls\" role=\"search\" hidden>\n<label for=\"search\">Search</label>\n\
         <input id=\"search\" type=\"search\" autocomplete=\"off\" placeholder=\"kind, name, field, \
         value\">\n<fieldset>\n<legend>Show</legend>\n",
    );
    for fate in Fate::ALL {
        let count = diff.count(fate);
        if count > 0 {
            let word = fate.word();
            writeln!(
                page,
                "<label><input type=\"checkbox\" name=\"fate\" value=\"{word}\" checked> {word} \
                 <span class=\"count\">{count}</span></label>"
            )?;
        }
    }
    page.push_str(
        "</fieldset>\n<button type=\"button\" id=\"open\">Open all</button>\n\
         <button type=\"button\" id=\"close\">Close all</button>\n\
         <p class=\"keys\"><kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous, \
         <kbd>o</kbd> open or close</p>\n<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n",
    );
    Ok(())
}

fn images(page: &mut String, diff: &Diff) -> std::fmt::Result {
    if diff.images.is_empty() {
        return Ok(());
    }
    page.push_str("<section id=\"images\">\n<h2>Images</h2>\n<ul>\n");
    for moved in &diff.images {
        page.push_str("<li>");
        if let Some(from) = &moved.from {
            write!(page, "<del>{}</del>", escaped(from))?;
        }
        if let Some(to) = &moved.to {
            write!(page, "<ins>{}</ins>", escaped(to))?;
        }
        let lost = moved.words().contains(&"digest lost");
        let class = if lost { " class=\"lost\"" } else { "" };
        writeln!(
            page,
            "<small{class}>{}</small></li>",
            escaped(&title::image(moved))
        )?;
    }
    page.push_str("</ul>\n</section>\n");
    Ok(())
}

fn remarks(page: &mut String, findings: &[Remark]) -> std::fmt::Result {
    if findings.is_empty() {
        return Ok(());
    }
    page.push_str("<section id=\"findings\">\n<h2>Findings</h2>\n<ul>\n");
    for finding in findings {
        remark(page, finding)?;
    }
    page.push_str("</ul>\n</section>\n");
    Ok(())
}

fn remark(page: &mut String, finding: &Remark) -> std::fmt::Result {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    writeln!(
        page,
        "<li class=\"{level}\"><b>{level}[{}]</b> {} <small>{}</small></li>",
        escaped(finding.rule),
        escaped(&finding.message),
        escaped(&finding.place)
    )
}

fn one(page: &mut String, entry: &Entry, findings: &[Remark]) -> std::fmt::Result {
    let own: Vec<&Remark> = findings
        .iter()
        .filter(|finding| {
            finding
                .object
                .as_ref()
                .is_some_and(|it| same(it, &entry.id))
        })
        .collect();
    open(
        page,
        entry.fate,
        &entry.id.to_string(),
        &title::remarks(entry),
        "",
    )?;
    if !own.is_empty() {
        page.push_str("<ul class=\"own\">\n");
        for finding in own {
            remark(page, finding)?;
        }
        page.push_str("</ul>\n");
    }
    let changed = title::changed(entry);
    match (&entry.old, &entry.new) {
        (None, Some(new)) => body(page, &object(new, Mark::Come, &changed))?,
        (Some(old), None) => body(page, &object(old, Mark::Gone, &changed))?,
        _ => {
            for change in &entry.changes {
                route(page, &change.route.to_string())?;
                body(page, &lines(change, &changed))?;
            }
        }
    }
    page.push_str("</details>\n");
    Ok(())
}

/// Whether two ids are of one object; a version is no part of it.
fn same(one: &ObjectId, other: &ObjectId) -> bool {
    (one.group(), &one.kind, &one.namespace, &one.name)
        == (other.group(), &other.kind, &other.namespace, &other.name)
}

fn open(
    page: &mut String,
    fate: Fate,
    heading: &str,
    remarks: &[String],
    more: &str,
) -> std::fmt::Result {
    let word = fate.word();
    write!(
        page,
        "<details open data-fate=\"{word}\"{}><summary><span class=\"fate {word}\">{word}</span> \
         <b>{}</b>",
        if more.is_empty() {
            ""
        } else {
            " class=\"group\""
        },
        escaped(heading)
    )?;
    if !remarks.is_empty() {
        write!(page, " <small>{}</small>", escaped(&remarks.join(" · ")))?;
    }
    page.push_str("</summary>\n");
    Ok(())
}

fn route(page: &mut String, route: &str) -> std::fmt::Result {
    writeln!(page, "<p class=\"route\">{}</p>", escaped(route))
}

/// Lines with their signs, which are part of the text so that a copy keeps them.
fn body(page: &mut String, lines: &[Line]) -> std::fmt::Result {
    page.push_str("<pre tabindex=\"0\">");
    for line in lines {
        let sign = line.mark.sign();
        let text = escaped(&line.text);
        match line.mark {
            Mark::Same => write!(page, "<span>{sign} {text}\n</span>")?,
            Mark::Gone => write!(page, "<del>{sign} {text}\n</del>")?,
            Mark::Come => write!(page, "<ins>{sign} {text}\n</ins>")?,
            Mark::Note => write!(page, "<i>{sign} {text}\n</i>")?,
        }
    }
    page.push_str("</pre>\n");
    Ok(())
}

/// A text that no markup in it can change.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            // No page may hold them, however they are written.
            c if c.is_control() && !matches!(c, '\t' | '\n') => shown.push('\u{FFFD}'),
            c => shown.push(c),
        }
    }
    shown
}

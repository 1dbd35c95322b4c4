//! Changes of a text that a reader of YAML could take the wrong way: of lines, their indentation and
//! their values, of documents, and of bytes.

use crate::random::Random;
use crate::seeds::Seed;

/// A text is never made longer than this.
const MOST: usize = 400_000;

/// Values, or what may stand where one is due.
const VALUES: [&str; 64] = [
    "",
    "~",
    "null",
    "true",
    "yes",
    "0o7",
    "0x1F",
    "1_000",
    "1:30",
    "1e3",
    ".inf",
    "-",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a : b",
    "#",
    "# c",
    "a # c",
    "a #",
    "a#b",
    "'a'",
    "\"a\"",
    "'a''b'",
    "\"a\\\"b\"",
    "\"\\n\\u00e9\\x41\"",
    "'a",
    "\"a",
    "|",
    "|-",
    "|+",
    "|2",
    "|2-",
    ">",
    ">-",
    "> # c",
    "[]",
    "{}",
    "[a, b]",
    "{a: b}",
    "[a, ]",
    "{a}",
    "[a",
    "{a: b",
    "*a",
    "*a : b",
    "&a",
    "&a b",
    "&a [b]",
    "!!str a",
    "!!binary YQ==",
    "!t a",
    "!",
    "@a",
    "`a`",
    "%a",
    "\u{FEFF}a",
    "\u{85}",
    "\u{2028}",
    "nginx",
    "nginx:1.20@sha256:0123",
    "é",
    "---",
];

/// Whole lines.
const LINES: [&str; 30] = [
    "---",
    "--- # c",
    "--- a",
    "---\t",
    "---a",
    "...",
    "... # c",
    "%YAML 1.1",
    "%TAG ! tag:x,2000:",
    "",
    "  ",
    "\t",
    "# c",
    "  # c",
    "- a",
    "-",
    "a:",
    "a: b",
    "? a",
    "? a\n: b",
    "<<: *a",
    "image: nginx",
    "kind: List\nitems:",
    "containers:\n- image: nginx",
    "{}",
    "[]",
    "\u{FEFF}",
    "'a",
    "\"",
    "metadata: {}",
];

/// Bytes by themselves.
const BYTES: [&[u8]; 26] = [
    b" ",
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    b"'",
    b"\"",
    b"\\",
    b":",
    b": ",
    b"#",
    b" #",
    b"-",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b"\0",
    b"\x7f",
    b"\xff",
    "\u{FEFF}".as_bytes(),
    "\u{85}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{1F600}".as_bytes(),
    "\u{A0}".as_bytes(),
];

/// One of the inputs with a few changes.
pub fn mutated(pool: &[Seed], random: &mut Random) -> Seed {
    let mut input = pool[random.below(pool.len())].clone();
    if random.once_in(20) {
        input
            .images
            .clone_from(&pool[random.below(pool.len())].images);
    }
    for _ in 0..=random.below(4) {
        let text = change(input.text, pool, random);
        input.text = text;
    }
    if random.once_in(300) {
        input.text = many(&input.text, pool, random);
    }
    input.text.truncate(MOST);
    input
}

/// One change. What is no text is changed by bytes alone.
fn change(text: Vec<u8>, pool: &[Seed], random: &mut Random) -> Vec<u8> {
    match String::from_utf8(text) {
        Ok(text) if !random.once_in(6) => match random.below(12) {
            0..9 => by_lines(&text, pool, random).into_bytes(),
            9 => joined(&text, pool, random),
            10 => everywhere(&text, random).into_bytes(),
            _ => {
                let at = random.below(text.len() + 1);
                text.into_bytes()[..at].to_vec()
            }
        },
        Ok(text) => by_bytes(text.into_bytes(), random),
        Err(error) => by_bytes(error.into_bytes(), random),
    }
}

/// A change of one line, or of the lines below it that stand deeper.
fn by_lines(text: &str, pool: &[Seed], random: &mut Random) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let at = random.below(lines.len());
    let end = block(&lines, at);
    match random.below(18) {
        0 => lines.insert(at, lines[at].clone()),
        1 => _ = lines.splice(at..at, lines[at..end].to_vec()),
        2 => _ = lines.remove(at),
        3 => _ = lines.drain(at..end),
        4 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        5 => indent(&mut lines[at..=at], random),
        6 => indent(&mut lines[at..end], random),
        7 => lines.insert(at, under(&lines[at], random.one(&LINES))),
        8 => lines.insert(at, random.one(&LINES).to_owned()),
        9 => {
            let depth = depth(&lines[at]);
            lines[at].replace_range(..depth.min(1), if depth > 0 { "\t" } else { "" });
        }
        10 => lines[at].push('\r'),
        11 => lines[at] += random.one(&[" ", "  # c", "\t", " #", "#", ":", " :", ","]),
        12 => {
            let long = random
                .one(&["a", "a ", "é", "ab: "])
                .repeat(random.below(1200));
            let place = value(&lines[at]);
            lines[at].insert_str(place, &long);
        }
        13 => {
            // A part of another text in its place.
            let other = &pool[random.below(pool.len())].text;
            let other = String::from_utf8_lossy(other).into_owned();
            let other: Vec<String> = other.split('\n').map(str::to_owned).collect();
            let from = random.below(other.len());
            lines.splice(at..end, other[from..block(&other, from)].to_vec());
        }
        14 => {
            let place = value(&lines[at]);
            lines[at].insert_str(
                place,
                random.one(&["&a ", "*a ", "!t ", "!!str ", "? ", "- ", "\t", "'", "\""]),
            );
        }
        15 => {
            let place = value(&lines[at]);
            let (name, old) = lines[at].split_at(place);
            lines[at] = name.to_owned() + &quoted(old, random);
        }
        _ => {
            let place = value(&lines[at]);
            lines[at].replace_range(place.., random.one(&VALUES));
        }
    }
    lines.join("\n")
}

/// The line behind the block that the line opens.
fn block(lines: &[String], at: usize) -> usize {
    let own = depth(&lines[at]);
    let deeper = |line: &&String| depth(line) > own || line.trim().is_empty();
    at + 1 + lines[at + 1..].iter().take_while(deeper).count()
}

fn depth(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

fn indent(lines: &mut [String], random: &mut Random) {
    let (more, by) = (random.once_in(2), 1 + random.below(2));
    for line in lines {
        if more {
            line.insert_str(0, &"  "[..by]);
        } else {
            let less = depth(line).min(by);
            line.replace_range(..less, "");
        }
    }
}

/// The new line as deep as the other one.
fn under(line: &str, new: &str) -> String {
    let blanks = " ".repeat(depth(line));
    let lines: Vec<String> = new
        .split('\n')
        .map(|line| format!("{blanks}{line}"))
        .collect();
    lines.join("\n")
}

/// Where a line's value begins: behind its key, its dash, or its blanks.
fn value(line: &str) -> usize {
    let key = line.find(": ").map(|at| at + 2);
    let dash = line.find("- ").map(|at| at + 2);
    key.or(dash).unwrap_or_else(|| depth(line))
}

/// A value in other quotes, over two lines, or as a block.
fn quoted(value: &str, random: &mut Random) -> String {
    let bare = value.trim_matches(['\'', '"']);
    match random.below(8) {
        0 => format!("'{bare}'"),
        1 => format!("\"{bare}\""),
        2 => format!("\"{}\"", bare.replace(' ', "\n  ")),
        3 => format!("|\n          {bare}"),
        4 => format!(">-\n          {bare}\n\n          {bare}"),
        5 => format!("[{bare}]"),
        6 => format!("{{{bare}: {bare}}}"),
        _ => bare.to_owned(),
    }
}

/// Another text behind or before this one, with something between.
fn joined(text: &str, pool: &[Seed], random: &mut Random) -> Vec<u8> {
    let other = &pool[random.below(pool.len())].text;
    let between = random.one(&[
        "\n---\n",
        "---\n",
        "\n--- # c\n",
        "\n...\n",
        "\n---",
        "",
        "\n---\r\n",
        "\n",
    ]);
    if random.once_in(2) {
        [text.as_bytes(), between.as_bytes(), other].concat()
    } else {
        [other, between.as_bytes(), text.as_bytes()].concat()
    }
}

/// A change of the whole text.
fn everywhere(text: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace('\n', "\r"),
        2 => format!("\u{FEFF}{text}"),
        3 => text.replace("  ", " "),
        4 => text.replace("  ", "    "),
        5 => text.replace("- ", "-\t"),
        6 => format!("%YAML 1.1\n---\n{text}"),
        _ => text.trim_end().to_owned(),
    }
}

/// A change of a few bytes, wherever they stand.
fn by_bytes(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = random.below(text.len() + 1);
    match random.below(4) {
        0 => {
            let end = (at + 1 + random.below(3)).min(text.len());
            text.drain(at..end);
        }
        1 if at < text.len() => text[at] ^= 1 << random.below(8),
        _ => {
            let new = BYTES[random.below(BYTES.len())];
            text.splice(at..at, new.iter().copied());
        }
    }
    text
}

/// A stream of many documents, so long that it does not fit into one buffer of a reader.
fn many(text: &[u8], pool: &[Seed], random: &mut Random) -> Vec<u8> {
    let mut all = Vec::new();
    let most = random.below(MOST);
    while all.len() < most {
        let odd = random.once_in(5);
        let next = if odd {
            &pool[random.below(pool.len())].text
        } else {
            text
        };
        all.extend_from_slice(next);
        all.extend_from_slice(if all.ends_with(b"\n") {
            b"---\n"
        } else {
            b"\n---\n"
        });
    }
    all
}

//! Secrets inside longer texts: a values file in a `ConfigMap`, an address with a password, a key.
//!
//! A text that reads as YAML or JSON is looked through by its tree, and every text by its lines.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::is_masked;
use super::words::{Holds, holds, names, occur};
use crate::model::kinds::LAST_APPLIED;
use crate::source::{SourceMap, Span};
use crate::yaml::{Kind, Node, read_all};

/// A key in armour, to its end or to the end of the text.
static ARMOUR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
    )
});

/// An address with a name and a password in it.
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"([A-Za-z][A-Za-z0-9+.\-]*://[^/\s:@"']*:)([^/\s@"']+)@"#));

/// A key and what parts it from its value, as YAML, JSON, INI files, shells and options have it.
static ASSIGNMENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"([A-Za-z0-9_.\-]+)(["']?(?:[ \t]*[:=]>?[ \t]*|[ \t]+))"#));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours is one")
}

/// The text with tokens for what is secret in it; `None` where nothing is.
pub(super) fn masked(text: &str, token: &mut dyn FnMut(&str) -> String) -> Option<String> {
    if !occur(text) {
        return None;
    }
    let mut shown = text.to_owned();
    if text.contains('\n') || text.trim_start().starts_with(['{', '[']) {
        by_tree(&mut shown, token);
    }
    replace(&mut shown, &ARMOUR, |found| token(&found[0]));
    replace(&mut shown, &ADDRESS, |found| {
        format!("{}{}@", &found[1], token(&found[2]))
    });
    by_line(&mut shown, token);
    (shown != text).then_some(shown)
}

fn replace(text: &mut String, what: &Regex, mut by: impl FnMut(&Captures<'_>) -> String) {
    if what.is_match(text) {
        *text = what
            .replace_all(text, |found: &Captures<'_>| by(found))
            .into_owned();
    }
}

/// Values of keys that look like credentials, and of Secrets, in what reads as YAML.
fn by_tree(text: &mut String, token: &mut dyn FnMut(&str) -> String) {
    let source = SourceMap::default().add("", text.as_str());
    let mut secret: Vec<Span> = Vec::new();
    for doc in read_all(&source).into_iter().flatten() {
        let Some(root) = doc.root().filter(|root| !root.kind().is_scalar()) else {
            continue;
        };
        let mut open = vec![(root, false)];
        while let Some((node, hides)) = open.pop() {
            let node = node.resolved();
            if node.kind().is_scalar() {
                if hides && !node.is_null() && !names(node.text().unwrap_or_default()) {
                    secret.push(node.span());
                }
                continue;
            }
            open.extend(node.items().map(|item| (item, hides)));
            let is_secret = node.text_at(&["kind"]) == Some("Secret");
            let named = node
                .text_at(&["name"])
                .is_some_and(|name| holds(name) != Holds::Other);
            for (key, value) in node.entries() {
                let name = key.resolved().text().unwrap_or_default();
                let own = match holds(name) {
                    Holds::Secret => !value.resolved().is_mapping() && !is_truth(value),
                    Holds::Secrets => !is_truth(value),
                    Holds::Other => false,
                };
                let data = is_secret && matches!(name, "data" | "stringData");
                let variable = named && name == "value";
                open.push((
                    value,
                    hides || own || data || variable || name == LAST_APPLIED,
                ));
            }
        }
    }
    secret.sort_unstable();
    secret.dedup();
    for span in secret.into_iter().rev() {
        let written = &text[span.range()];
        let end = if written.ends_with('\n') { "\n" } else { "" };
        let masked = token(written) + end;
        text.replace_range(span.range(), &masked);
    }
}

fn is_truth(node: Node<'_>) -> bool {
    node.kind() == Kind::Plain && matches!(node.text(), Some("true" | "false"))
}

/// Values of keys that look like credentials, line by line.
fn by_line(text: &mut String, token: &mut dyn FnMut(&str) -> String) {
    let mut shown = String::new();
    let mut at = 0;
    for found in ASSIGNMENT.captures_iter(text) {
        let (Some(key), Some(sign)) = (found.get(1), found.get(2)) else {
            continue;
        };
        let option = sign.as_str().trim().is_empty();
        let start = sign.end();
        let known = holds(key.as_str()) != Holds::Other;
        if !known || option && !key.as_str().starts_with('-') || start < at {
            continue;
        }
        let value = one_value(&text[start..], sign.as_str());
        shown.push_str(&text[at..start]);
        shown.push_str(&shown_value(value, token));
        at = start + value.len();
    }
    if at > 0 {
        shown.push_str(&text[at..]);
        *text = shown;
    }
}

/// How far a value goes: through its quote, or, where it has none, to the end of the line behind a
/// colon and to the next blank or sign behind anything else.
fn one_value<'t>(rest: &'t str, sign: &str) -> &'t str {
    if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => return &rest[..at],
                _ if escaped => escaped = false,
                '\\' if quote == '"' => escaped = true,
                _ if c == quote => return &rest[..=at],
                _ => {}
            }
        }
        return rest;
    }
    let line = rest.split('\n').next().unwrap_or_default();
    let end = if sign.contains(':') {
        line.find(" #").unwrap_or(line.len())
    } else {
        let ends = |c: char| c.is_whitespace() || matches!(c, '&' | ';' | ',' | '"' | '\'');
        line.find(ends).unwrap_or(line.len())
    };
    line[..end].trim_end()
}

fn shown_value(value: &str, token: &mut dyn FnMut(&str) -> String) -> String {
    let inner = value.trim_matches(['"', '\'']);
    let plain = inner.is_empty()
        || is_masked(inner)
        || names(inner)
        || matches!(
            inner,
            "true" | "false" | "null" | "~" | "|" | "|-" | "|+" | ">" | ">-" | "{" | "["
        )
        || inner.starts_with(['{', '[', '<']) && !value.starts_with(['"', '\''])
        || inner.starts_with("$(")
        || inner.starts_with("${{");
    if plain {
        return value.to_owned();
    }
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => format!("{quote}{}{quote}", token(inner)),
        _ => token(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut masks = super::super::Masks::default();
        let shown = masked(text, &mut |secret| masks.token(secret));
        super::super::bare(&shown.unwrap_or_else(|| text.to_owned()))
    }

    #[test]
    fn values_of_credentials_go_and_the_rest_stays() {
        for (text, expected) in [
            (
                "a: 1\npassword: hunter two # why\nb: 2\n",
                "a: 1\npassword: *** # why\nb: 2\n",
            ),
            (
                "db:\n  password: |\n    one\n    two\n  x: y\n",
                "db:\n  password: ***\n  x: y\n",
            ),
            (
                r#"{"auths":{"r":{"auth":"dXNlcg=="}}}"#,
                r#"{"auths":{"r":{"auth":***}}}"#,
            ),
            (
                "DB_PASSWORD=abc DB_USER=me\n",
                "DB_PASSWORD=*** DB_USER=me\n",
            ),
            (
                "[db]\npassword = s3\nuser = u\n",
                "[db]\npassword = ***\nuser = u\n",
            ),
            (
                "postgres://me:hunter@db:5432/x",
                "postgres://me:***@db:5432/x",
            ),
            (
                "mysql --password hunter -u me",
                "mysql --password *** -u me",
            ),
            ("--token=abc", "--token=***"),
            ("Authorization: Bearer abc", "Authorization: ***"),
            (
                "key: -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx",
                "key: ***\nx",
            ),
            (
                "kind: Secret\ndata:\n  a: eA==\n",
                "kind: Secret\ndata:\n  a: ***\n",
            ),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn prose_and_references_are_left_alone() {
        for text in [
            "the token is read from a file\n",
            "password: ${DB_PASSWORD}\n",
            "secretName: db\npasswordKey: pw\n",
            "https://example.org/a:b@c",
            "auth:\n  enabled: true\n",
            "proxy_pass http://backend;\n",
        ] {
            assert_eq!(shown(text), text);
        }
    }
}

//! The command line that makes the same table again.

use std::fmt::Write as _;

use clap::ValueEnum;

use super::Arguments;
use super::forms::Form;
use crate::load::ChartContent;

/// The command, as a shell takes it, without `--check`.
pub(super) fn of(arguments: &Arguments) -> String {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    };
    let mut words = vec!["forebay".to_owned(), "overrides".to_owned()];
    words.extend(arguments.paths.paths.iter().map(|it| path(it)));
    let mut flag = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
    for file in &arguments.tables.values {
        flag("--values", path(file));
    }
    for file in &arguments.tables.images {
        flag("--images", path(file));
    }
    if let Some(source) = &arguments.flux {
        flag("--flux", source.clone());
    }
    for (release, at) in &arguments.rendered {
        let release = format!("{}/{}", release.namespace, release.name);
        flag("--rendered", format!("{release}={}", path(at)));
    }
    for (source, content) in &arguments.charts {
        let source = [&*source.kind, &*source.namespace, &*source.name].join("/");
        let place = match content {
            ChartContent::Directory(at) => path(at),
            ChartContent::Registry(name) => name.clone(),
            #[cfg(feature = "registry")]
            ChartContent::Fetched(_) => continue,
        };
        flag("--charts", format!("{source}={place}"));
    }
    for one in &arguments.relocate {
        flag("--relocate", one.typed.clone());
    }
    if let Some(escape) = &arguments.escape {
        flag("--escape", name(escape.to_possible_value()));
    }
    if let Some(names) = &arguments.names {
        flag("--names", name(names.to_possible_value()));
    }
    if let Some(table) = &arguments.table {
        flag("--table", name(table.to_possible_value()));
    }
    if arguments.format != Form::Yaml {
        flag("--format", name(arguments.format.to_possible_value()));
    }
    if let Some(directory) = &arguments.output {
        flag("-o", path(directory));
    }
    if arguments.pin {
        words.push("--pin".to_owned());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it, on one line whatever it holds.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.contains(char::is_control) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut text = "$'".to_owned();
    for letter in word.chars() {
        match letter {
            '\'' | '\\' => text.extend(['\\', letter]),
            letter if letter.is_control() => {
                write!(text, "\\u{:04x}", u32::from(letter)).expect("a text takes everything");
            }
            letter => text.push(letter),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, expected) in [
            ("a/b.yaml", "a/b.yaml"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("a\nb", r"$'a\u000ab'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}

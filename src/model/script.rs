//! Calls of kubectl in what containers run: command lines, and scripts in arguments and ConfigMaps.
//!
//! A reading by the words, not a shell: quotes, comments, continued lines and what stands between
//! two calls are known, variables and functions are not.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{field, workload};
use crate::finding::ObjectId;
use crate::yaml::Node;

/// What calls kubectl in an object.
#[derive(Debug)]
pub(crate) struct Script<'d> {
    /// The container, for what stands in one.
    pub(crate) container: Option<Node<'d>>,
    /// The texts, in their order.
    pub(crate) texts: Vec<Node<'d>>,
    /// The calls, in their order: the words behind `kubectl`.
    pub(crate) calls: Vec<Vec<String>>,
}

impl<'d> Script<'d> {
    /// The first of its texts that holds another.
    pub(crate) fn text_with(&self, part: &str) -> Option<Node<'d>> {
        let mut texts = self.texts.iter();
        texts
            .find(|node| node.text().is_some_and(|text| text.contains(part)))
            .copied()
    }
}

/// Without the word there is no call.
static KUBECTL: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("kubectl"));

/// What calls kubectl in an object: each container of a workload, and each script of a `ConfigMap`,
/// which is a text that opens with `#!` or whose key says `.sh`.
pub(crate) fn scripts<'d>(root: Node<'d>, id: &ObjectId) -> Vec<Script<'d>> {
    let mut found = Vec::new();
    let configures = (id.group(), id.kind.as_str()) == ("", "ConfigMap");
    if !(configures || workload::is_workload(id)) || !root.may_hold(&KUBECTL) {
        return found;
    }
    if configures {
        for (key, node) in field::map(root, &["data"]) {
            let text = node.text().unwrap_or_default();
            if text.starts_with("#!") || has_shell_ending(key) {
                found.push(Script {
                    container: None,
                    texts: vec![node],
                    calls: calls(text),
                });
            }
        }
    } else if let Some(spec) = workload::pod_spec(root, id) {
        for (_, container) in workload::containers(spec) {
            let texts = workload::words(container);
            found.push(Script {
                container: Some(container),
                calls: calls_of(&texts),
                texts,
            });
        }
    }
    found.retain(|script| !script.calls.is_empty());
    found
}

fn has_shell_ending(key: &str) -> bool {
    key.rsplit_once('.')
        .is_some_and(|(_, ending)| matches!(ending, "sh" | "bash"))
}

/// The calls of a command line.
fn calls_of(words: &[Node<'_>]) -> Vec<Vec<String>> {
    let mut texts = words.iter().filter_map(|word| word.text());
    match texts.next() {
        Some(first) if is_kubectl(first) => vec![texts.map(str::to_owned).collect()],
        Some(first) => std::iter::once(first)
            .chain(texts)
            .flat_map(calls)
            .collect(),
        None => Vec::new(),
    }
}

fn is_kubectl(word: &str) -> bool {
    word.rsplit('/').next() == Some("kubectl")
}

/// The calls in a text of shell.
fn calls(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    if !text.contains("kubectl") {
        return found;
    }
    for words in commands(text) {
        let own = words.iter().position(|word| is_kubectl(word));
        for quoted in words
            .iter()
            .filter(|word| word.contains("kubectl") && word.contains(char::is_whitespace))
        {
            found.extend(calls(quoted));
        }
        if let Some(at) = own {
            found.push(words[at + 1..].to_vec());
        }
    }
    found
}

/// A text cut into commands and these into words, quotes taken off.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let behind = &rest[letter.len_utf8()..];
        let mut taken = letter.len_utf8();
        match letter {
            '\\' if behind.starts_with('\n') => taken += 1,
            '\\' => {
                let next = behind.chars().next();
                word.get_or_insert_default().extend(next);
                taken += next.map_or(0, char::len_utf8);
            }
            // A quotation mark that is never closed is an apostrophe.
            '\'' | '"' if behind.contains(letter) => {
                let end = behind.find(letter).unwrap_or_default();
                word.get_or_insert_default().push_str(&behind[..end]);
                taken += end + 1;
            }
            '$' if behind.starts_with("((") => {
                let end = rest.find("))").map_or(3, |end| end + 2);
                word.get_or_insert_default().push_str(&rest[..end]);
                taken = end;
            }
            '#' if word.is_none() => taken = rest.find('\n').unwrap_or(rest.len()),
            '\n' | ';' | '|' | '&' | '(' | ')' | '`' => {
                let last = commands.last_mut().expect("it starts with one");
                last.extend(word.take());
                if !last.is_empty() {
                    commands.push(Vec::new());
                }
            }
            letter if letter.is_whitespace() => {
                let last = commands.last_mut().expect("it starts with one");
                last.extend(word.take());
            }
            letter => word.get_or_insert_default().push(letter),
        }
        rest = &rest[taken..];
    }
    commands
        .last_mut()
        .expect("it starts with one")
        .extend(word);
    commands
}

/// The value of an option in a call's words; empty for one that stands last.
pub(crate) fn option<'w>(words: &'w [String], name: &str) -> Option<&'w str> {
    words.iter().enumerate().find_map(|(at, word)| {
        let rest = word.strip_prefix(name)?;
        if rest.is_empty() {
            return Some(words.get(at + 1).map_or("", String::as_str));
        }
        rest.strip_prefix('=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<String> {
        calls(text).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn calls_are_found_among_other_commands() {
        let text = "set -e # kubectl never\nif X=$(kubectl get pods \\\n  -o name); then /bin/kubectl \
                    delete pvc -l 'a=b; c' && echo it's; fi | kubectl apply -f -\n";
        assert_eq!(
            joined(text),
            ["get pods -o name", "delete pvc -l a=b; c", "apply -f -"]
        );
    }

    #[test]
    fn quoted_scripts_and_sums_are_read() {
        let text = "sh -c \"kubectl wait pod/x --timeout=$((D - N))s; true\"";
        assert_eq!(joined(text), ["wait pod/x --timeout=$((D - N))s"]);
        let calls = calls(text);
        assert_eq!(option(&calls[0], "--timeout"), Some("$((D - N))s"));
        assert_eq!(option(&calls[0], "--for"), None);
    }
}

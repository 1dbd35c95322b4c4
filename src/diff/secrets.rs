//! Secret values out of objects that are shown.
//!
//! Each is replaced by a token before anything is compared or printed, so that no format can show
//! one. Equal values have equal tokens: what changed is still told, and nothing else is. Which keys
//! look like credentials: [`words`]. Secrets inside longer texts: [`texts`]. Lines that a finding must not
//! show: [`places`].

mod places;
mod texts;
mod words;

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::compare::{Change, What};
use crate::model::kinds::LAST_APPLIED;
pub(crate) use places::{conceals, redacted};
use words::{Holds, holds};

/// What opens and closes a token, from the private use area of Unicode.
const OPEN: char = '\u{E0F0}';
const CLOSE: char = '\u{E0F1}';

/// What stands for a secret.
pub(super) const MASK: &str = "***";

/// The secrets met so far, each with its number.
#[derive(Default)]
pub(super) struct Masks {
    seen: HashMap<String, usize>,
}

impl Masks {
    fn token(&mut self, secret: &str) -> String {
        let next = self.seen.len();
        let number = *self.seen.entry(secret.to_owned()).or_insert(next);
        format!("{OPEN}{number}{CLOSE}")
    }

    /// Replaces what is secret in an object.
    pub(super) fn mask(&mut self, object: &mut Value) {
        let kind = object
            .get("kind")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let sort = match kind {
            "Secret" => Sort::Secret,
            // A schema names fields; it holds no values of them.
            "CustomResourceDefinition" => return,
            // Its `secretKey` is the name of a key.
            "ExternalSecret" | "ClusterExternalSecret" | "PushSecret" => Sort::Names,
            _ => Sort::Other,
        };
        if let Value::Object(map) = object {
            for (key, value) in map {
                match (sort, key.as_str()) {
                    (Sort::Secret, "data" | "stringData") => self.whole(value),
                    (Sort::Names, _) => self.annotations(key, value),
                    _ => self.field(key, value),
                }
            }
        }
    }

    fn annotations(&mut self, key: &str, value: &mut Value) {
        if key == "metadata" {
            self.field(key, value);
        }
    }

    /// Replaces every value below.
    fn whole(&mut self, value: &mut Value) {
        match value {
            Value::Object(map) => map.values_mut().for_each(|value| self.whole(value)),
            Value::Array(items) => items.iter_mut().for_each(|value| self.whole(value)),
            Value::Null => {}
            Value::String(text) => *text = self.token(text),
            other => *other = Value::String(self.token(&format!("\0{other}"))),
        }
    }

    fn field(&mut self, key: &str, value: &mut Value) {
        if key == LAST_APPLIED {
            return self.whole(value);
        }
        match (holds(key), &mut *value) {
            (Holds::Secret | Holds::Secrets, Value::String(text)) if words::names(text) => {}
            (Holds::Secret | Holds::Secrets, Value::String(_) | Value::Number(_)) => {
                self.whole(value);
            }
            (Holds::Secrets, Value::Object(map)) => {
                for (key, value) in map {
                    match value {
                        Value::String(_) | Value::Number(_) if !words::refers(key) => {
                            self.whole(value);
                        }
                        other => self.field(key, other),
                    }
                }
            }
            (Holds::Secret | Holds::Secrets, Value::Array(items)) => {
                for item in items {
                    match item {
                        Value::String(_) | Value::Number(_) => self.whole(item),
                        other => self.value(other),
                    }
                }
            }
            (_, other) => self.value(other),
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Object(map) => self.mapping(map),
            Value::Array(items) => self.list(items),
            Value::String(text) => {
                if let Some(masked) = texts::masked(text, &mut |secret| self.token(secret)) {
                    *text = masked;
                }
            }
            _ => {}
        }
    }

    fn mapping(&mut self, map: &mut Map<String, Value>) {
        // A variable of a container, or a value of a chart's `--set`: its name says what it is.
        let secret = match map.get("name") {
            Some(Value::String(name)) => matches!(holds(name), Holds::Secret | Holds::Secrets),
            _ => false,
        };
        for (key, value) in map {
            if secret && key == "value" {
                self.whole(value);
            } else {
                self.field(key, value);
            }
        }
    }

    fn list(&mut self, items: &mut [Value]) {
        let mut secret = false;
        for item in items {
            let flag = item
                .as_str()
                .filter(|text| text.starts_with('-') && !text.contains('='));
            let next = flag.is_some_and(|flag| holds(flag) == Holds::Secret);
            match item {
                Value::String(_) if secret && !next => self.whole(item),
                other => self.value(other),
            }
            secret = next;
        }
    }
}

/// The tokens that a text holds.
fn tokens(text: &str, found: &mut BTreeSet<String>) {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(OPEN) {
        let Some((token, behind)) = behind.split_once(CLOSE) else {
            return;
        };
        found.insert(token.to_owned());
        rest = behind;
    }
}

fn tokens_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => tokens(text, found),
        Value::Array(items) => items.iter().for_each(|item| tokens_in(item, found)),
        Value::Object(map) => map.values().for_each(|item| tokens_in(item, found)),
        _ => {}
    }
}

/// The secrets of an object that became others: of these it is said which one is shown.
#[derive(Debug, Default)]
pub(super) struct Changed(BTreeSet<String>);

impl Changed {
    /// Those that the changes replace.
    pub(super) fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Changed {
        let mut all = BTreeSet::new();
        for change in changes {
            if let What::Replaced(old, new) = &change.what {
                let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
                tokens_in(old, &mut before);
                tokens_in(new, &mut after);
                if !before.is_empty() && !after.is_empty() {
                    all.extend(before.symmetric_difference(&after).cloned());
                }
            }
        }
        Changed(all)
    }

    /// A text with masks for tokens; `word` tells the sides of a changed one apart.
    pub(super) fn reveal(&self, text: &str, word: &str) -> String {
        replaced(text, |token| {
            if self.0.contains(token) {
                format!("{MASK} ({word})")
            } else {
                MASK.to_owned()
            }
        })
    }
}

/// A text with masks for tokens.
pub(super) fn bare(text: &str) -> String {
    replaced(text, |_| MASK.to_owned())
}

/// Whether a text holds a token.
pub(super) fn is_masked(text: &str) -> bool {
    text.contains(OPEN)
}

fn replaced(text: &str, mask: impl Fn(&str) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(OPEN) {
        shown.push_str(before);
        match behind.split_once(CLOSE) {
            Some((token, behind)) if token.bytes().all(|byte| byte.is_ascii_digit()) => {
                shown.push_str(&mask(token));
                rest = behind;
            }
            _ => {
                shown.push(OPEN);
                rest = behind;
            }
        }
    }
    shown.push_str(rest);
    shown
}

/// What an object's kind says of the secrets in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Secret,
    Names,
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn masked(mut value: Value) -> String {
        Masks::default().mask(&mut value);
        bare(&value.to_string())
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        let text = masked(json!({
            "kind": "Secret", "data": {"a": "cGxhbnRlZA=="}, "stringData": {"b": 7},
            "metadata": {"annotations": {LAST_APPLIED: "{\"data\":1}"}, "labels": {"x": "kept"}},
        }));
        assert!(
            !text.contains("cGxh") && !text.contains('7') && !text.contains("1}"),
            "{text}"
        );
        assert!(text.contains("kept"));
        let text = masked(json!({"kind": "HelmRelease", "spec": {"values": {
            "db": {"password": "planted", "user": "kept-user", "existingSecret": "kept-name"},
            "tokens": ["planted"], "enabled": true, "auth": {"secretName": "kept-ref"},
            "smtpPassword": 1234,
        }}}));
        assert!(
            !text.contains("planted") && !text.contains("1234"),
            "{text}"
        );
        assert!(
            ["kept-user", "kept-name", "kept-ref"]
                .iter()
                .all(|it| text.contains(it)),
            "{text}"
        );
        let text = masked(json!({"kind": "Pod", "spec": {"containers": [{
            "env": [{"name": "DB_PASSWORD", "value": "planted"}, {"name": "A", "value": "kept"}],
            "args": ["--token", "planted", "--password=planted", "--level", "kept"],
        }]}}));
        assert!(
            !text.contains("planted") && text.matches("kept").count() == 2,
            "{text}"
        );
    }

    #[test]
    fn a_changed_secret_says_so_and_an_equal_one_does_not() {
        let mut masks = Masks::default();
        let secret = |value: &str| json!({"kind": "Secret", "data": {"a": value, "b": "same"}});
        let (mut old, mut new) = (secret("one"), secret("two"));
        masks.mask(&mut old);
        masks.mask(&mut new);
        let changes = super::super::compare::changes(&old, &new);
        assert_eq!(changes.len(), 1);
        let known = Changed::of(&changes);
        let text = old["data"]["a"].as_str().expect("a text");
        assert_eq!(known.reveal(text, "before"), "*** (before)");
        assert_eq!(
            known.reveal(old["data"]["b"].as_str().expect("a text"), "before"),
            "***"
        );
    }
}

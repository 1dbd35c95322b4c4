//! A subtree as JSON, as kubectl or kustomize sees it: aliases followed, merge keys applied.
//!
//! Source: yaml.v3 v3.0.4 and sigs.k8s.io/yaml `decode.go`, `yaml.go` `convertToJSONableObject`;
//! what kubectl 1.35 prints for the same text.

use serde_json::{Map, Number, Value};

use super::parse::Malformed;
use super::scalar::{Reader, Scalar, as_float, resolve_strict};
use super::{Kind, Node, NodeId, timestamp};

/// How deep a tree may nest to become JSON. The readers' own limit is 10,000; an object nested a
/// twentieth as deep is none that anybody has written, and a JSON value is walked by recursion.
const MAX_DEPTH: usize = 500;

/// How many nodes a document may grow to when its aliases are followed.
const MAX_NODES: usize = 1_000_000;

/// The subtree as `reader` sees it. Of a key that stands twice the last counts; a rule reports it.
///
/// # Errors
///
/// What the reader refuses: a text that does not fit its tag, a key that is no scalar, an infinite
/// number, a merge of something else than mappings, an anchor that contains itself; also an alias
/// bomb and a tree too deep for JSON.
pub(crate) fn to_json(node: Node<'_>, reader: Reader) -> Result<Value, Malformed> {
    Walk { reader, inside: Vec::new(), nodes: 0 }.value(node, 0)
}

/// The text of a key as the reader puts it into JSON; `None` for null, which no reader takes.
fn key_text(key: Node<'_>, reader: Reader) -> Result<String, Malformed> {
    let written = key.resolved();
    let found = match resolve_strict(written, reader) {
        None => return Err(fault(key, "a list or mapping cannot be a key")),
        Some(Err(found)) => return Err(misfit(written, found)),
        Some(Ok(found)) => found,
    };
    let text = written.text().unwrap_or_default();
    match found {
        Scalar::String(text) | Scalar::Timestamp(text) => Ok(text.to_owned()),
        Scalar::Null => Err(fault(key, "null cannot be a key")),
        // kustomize decodes the root into a map of strings and anything below into whatever it is.
        _ if reader == Reader::Kustomize && key.id() == NodeId(1) => Ok(text.to_owned()),
        Scalar::Bool(truth) => Ok(truth.to_string()),
        Scalar::Integer(number) => Ok(number.to_string()),
        Scalar::Float(number) => Ok(go_float(number)),
    }
}

struct Walk {
    reader: Reader,
    /// The targets of the aliases that are being followed.
    inside: Vec<NodeId>,
    nodes: usize,
}

impl Walk {
    fn value(&mut self, node: Node<'_>, depth: usize) -> Result<Value, Malformed> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(fault(node, "aliases repeat the same content over a million times"));
        }
        if depth > MAX_DEPTH {
            return Err(fault(node, &format!("nested deeper than {MAX_DEPTH} levels")));
        }
        match node.kind() {
            Kind::Alias => self.follow(node, |walk, target| walk.value(target, depth + 1)),
            _ if node.tag() == Some("!!null") && !node.kind().is_scalar() => Ok(Value::Null),
            Kind::Sequence => {
                let items = node.items().map(|item| self.value(item, depth + 1));
                items.collect::<Result<_, _>>().map(Value::Array)
            }
            Kind::Mapping => self.mapping(node, depth).map(Value::Object),
            _ => scalar(node, self.reader),
        }
    }

    fn follow<T>(
        &mut self,
        alias: Node<'_>,
        then: impl FnOnce(&mut Walk, Node<'_>) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let target = alias.resolved();
        let around = target.id() < alias.id()
            && target.span().end >= alias.span().end
            && !target.kind().is_scalar();
        if around || self.inside.contains(&target.id()) {
            return Err(fault(alias, "an anchor contains an alias to itself"));
        }
        self.inside.push(target.id());
        let result = then(self, target);
        self.inside.pop();
        result
    }

    fn mapping(&mut self, node: Node<'_>, depth: usize) -> Result<Map<String, Value>, Malformed> {
        let mut map = Map::new();
        let mut merges = Vec::new();
        for (key, value) in node.entries() {
            if is_merge(key) {
                // yaml.v2 merges where the key stands, over what stands above it; yaml.v3 at the
                // end, under every key of the mapping's own.
                if self.reader == Reader::Kubernetes {
                    map.extend(self.merged(value, depth)?);
                } else {
                    merges.push(value);
                }
            } else {
                let name = key_text(key, self.reader)?;
                map.insert(name, self.value(value, depth + 1)?);
            }
        }
        for value in merges {
            for (name, value) in self.merged(value, depth)? {
                map.entry(name).or_insert(value);
            }
        }
        Ok(map)
    }

    /// What a merge key brings: a mapping, or of several the first that has a key.
    fn merged(&mut self, value: Node<'_>, depth: usize) -> Result<Map<String, Value>, Malformed> {
        if depth > MAX_DEPTH {
            return Err(fault(value, &format!("nested deeper than {MAX_DEPTH} levels")));
        }
        match value.kind() {
            Kind::Alias if value.resolved().is_mapping() => {
                self.follow(value, |walk, target| walk.mapping(target, depth + 1))
            }
            Kind::Mapping => self.mapping(value, depth + 1),
            Kind::Sequence => {
                let mut map = Map::new();
                for item in value.items() {
                    if !item.resolved().is_mapping() {
                        return Err(fault(item, "only mappings can be merged"));
                    }
                    for (name, value) in self.merged(item, depth + 1)? {
                        map.entry(name).or_insert(value);
                    }
                }
                Ok(map)
            }
            _ => Err(fault(value, "only mappings can be merged")),
        }
    }
}

/// Whether a key is `<<`, plain and without a tag, or tagged `!!merge`.
pub(crate) fn is_merge(key: Node<'_>) -> bool {
    key.text() == Some("<<")
        && match key.tag() {
            None => key.kind() == Kind::Plain,
            Some(tag) => tag == "!!merge",
        }
}

fn scalar(node: Node<'_>, reader: Reader) -> Result<Value, Malformed> {
    if node.tag() == Some("!!binary") {
        let decoded = decode_base64(node.text().unwrap_or_default());
        return decoded
            .map(|bytes| Value::String(String::from_utf8_lossy(&bytes).into_owned()))
            .ok_or_else(|| fault(node, "`!!binary` holds what is not base64"));
    }
    match resolve_strict(node, reader) {
        None | Some(Ok(Scalar::Null)) => Ok(Value::Null),
        Some(Err(found)) => Err(misfit(node, found)),
        Some(Ok(Scalar::Bool(truth))) => Ok(Value::Bool(truth)),
        Some(Ok(Scalar::String(text))) => Ok(Value::String(text.to_owned())),
        Some(Ok(Scalar::Timestamp(text))) => Ok(Value::String(match reader {
            Reader::Kubernetes => text.to_owned(),
            Reader::Kustomize => timestamp::rfc3339(text).unwrap_or_else(|| text.to_owned()),
        })),
        Some(Ok(Scalar::Integer(number))) => Ok(integer(number, reader)),
        Some(Ok(Scalar::Float(number))) if number.is_finite() => Ok(float(number)),
        Some(Ok(Scalar::Float(_))) => {
            let message = format!("`{}` is no number that JSON can hold", node.written());
            Err(fault(node, &message))
        }
    }
}

/// A whole number: kubectl's JSON keeps 63 bits and a sign, all beyond becomes a float.
fn integer(number: i128, reader: Reader) -> Value {
    if let Ok(number) = i64::try_from(number) {
        return Value::Number(number.into());
    }
    match u64::try_from(number) {
        Ok(number) if reader == Reader::Kustomize => Value::Number(number.into()),
        _ => float(as_float(number)),
    }
}

/// A float as Go's JSON prints it; one without fraction is read back as a whole number.
fn float(number: f64) -> Value {
    let printed = go_float(number);
    let printed = if printed == "-0" { "0".to_owned() } else { printed };
    Value::Number(Number::from_string_unchecked(printed))
}

/// Go's `encoding/json` for float64: the shortest digits; an exponent below 1e-6 and from 1e21.
pub(crate) fn go_float(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let printed = format!("{number:e}");
    match printed.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => printed,
    }
}

/// Standard base64 with its padding; line breaks are passed over.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !b"\r\n".contains(byte)).collect();
    let padding = digits.iter().rev().take_while(|&&byte| byte == b'=').count();
    if !digits.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let (mut word, mut bits) = (0_u32, 0);
    for &digit in &digits[..digits.len() - padding] {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(word >> bits & 0xFF).expect("masked to eight bits"));
        }
    }
    Some(bytes)
}

fn fault(node: Node<'_>, message: &str) -> Malformed {
    Malformed { span: node.span(), message: message.to_owned(), help: None }
}

fn misfit(node: Node<'_>, found: &str) -> Malformed {
    let tag = node.tag().unwrap_or_default();
    fault(node, &format!("cannot decode {found} `{}` as `{tag}`", node.text().unwrap_or_default()))
}

#[cfg(test)]
mod tests;

//! Both modes against the vectors of `../shared/vectors`, which hold what the real filter and real
//! builds made of each input. Passes, saying so, where the vectors are absent.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Number, Value};

use super::{STRETCH, WAITING, each_stretch, edits};
use crate::model::Spanned;
use crate::model::overrides::{Override, OverrideTable};
use crate::resolve::images::{Filtered, Mode, build_whole, is_merge_key, legacy, resource_paths};
use crate::source::{Source, SourceMap, Span};
use crate::yaml::edit::apply;
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Malformed, Node, Path, Step, read_all, read_first};

/// The inputs that Go's reader takes and ours refuses, saying so: NEL and LS as line ends.
const UNREAD: [&str; 5] = [
    "bytes-023",
    "bytes-024",
    "name-regex-flags-009",
    "name-regex-flags-012",
    "random-1287",
];

fn vectors(name: &str) -> Option<Vec<Value>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/vectors")
        .join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: ../shared/vectors/{name} is not there");
        return None;
    };
    // A vector on nesting is deeper than serde_json reads unasked.
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    Some(serde::Deserialize::deserialize(&mut reader).expect("the vectors are JSON"))
}

fn table(images: &Value) -> OverrideTable {
    let field = |entry: &Value, key: &str| {
        entry[key]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(|text| Spanned {
                value: text.to_owned(),
                span: Span::default(),
            })
    };
    let entry = |(index, entry): (usize, &Value)| Override {
        index,
        name: field(entry, "name"),
        new_name: field(entry, "newName"),
        new_tag: field(entry, "newTag"),
        digest: field(entry, "digest"),
        ..Override::default()
    };
    let entries = images
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
        .map(entry)
        .collect();
    OverrideTable {
        entries,
        ..OverrideTable::default()
    }
}

/// What an alias that is a key is called: by its text, or, as the legacy filter knows it, by the
/// name of its anchor.
#[derive(Clone, Copy)]
enum Keys {
    Texts,
    Anchors,
}

/// A node as the vectors show it: aliases resolved; merge keys applied for builds.
fn json(node: Node<'_>, mode: Mode, keys: Keys, depth: usize) -> Value {
    let node = node.resolved();
    if depth > 200 {
        return Value::Null;
    }
    if node.is_sequence() {
        return node
            .items()
            .map(|item| json(item, mode, keys, depth + 1))
            .collect();
    }
    if node.is_mapping() {
        let mut map = Map::new();
        let mut merges = Vec::new();
        for (key, value) in node.entries() {
            if mode == Mode::Build && is_merge_key(key) {
                let value = json(value, mode, keys, depth + 1);
                match value {
                    Value::Array(items) => merges.extend(items),
                    other => merges.push(other),
                }
            } else {
                let key = match (key.target(), keys) {
                    (Some(target), Keys::Anchors) => target.anchor(),
                    _ => key.resolved().text(),
                };
                let key = key.unwrap_or_default().to_owned();
                map.entry(key)
                    .or_insert_with(|| json(value, mode, keys, depth + 1));
            }
        }
        for (key, value) in merges
            .into_iter()
            .filter_map(|found| match found {
                Value::Object(map) => Some(map),
                _ => None,
            })
            .flatten()
        {
            map.entry(key).or_insert(value);
        }
        return Value::Object(map);
    }
    match resolve(node, Reader::Kustomize) {
        Some(Scalar::Null) | None => Value::Null,
        Some(Scalar::Bool(value)) => Value::Bool(value),
        Some(Scalar::Integer(value)) => {
            Value::Number(value.to_string().parse::<Number>().expect("an integer"))
        }
        Some(Scalar::Float(value)) => Number::from_f64(value)
            .map_or_else(|| Value::String(format!("{value:?}")), Value::Number),
        Some(Scalar::Timestamp(text)) if mode == Mode::Build => {
            Value::String(crate::resolve::images::timestamp(text))
        }
        Some(Scalar::Timestamp(text) | Scalar::String(text)) => Value::String(text.to_owned()),
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other
                || one
                    .as_f64()
                    .zip(other.as_f64())
                    .is_some_and(|(one, other)| (one - other).abs() <= f64::EPSILON * one.abs())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|found| same(value, found)))
        }
        _ => one == other,
    }
}

enum Outcome {
    Unread(String),
    Refused(String),
    Written {
        text: String,
        resources: Vec<(usize, Path)>,
    },
}

fn read(source: &Arc<Source>, mode: Mode) -> Result<Vec<Doc>, Malformed> {
    match mode {
        Mode::Legacy => read_first(source).map(|doc| vec![doc]),
        Mode::Build => read_all(source).into_iter().collect(),
    }
}

fn run(input: &str, table: &OverrideTable, mode: Mode) -> Outcome {
    let source = SourceMap::default().add("input.yaml", input);
    let docs = match read(&source, mode) {
        Ok(docs) => docs,
        Err(fault) => return Outcome::Unread(fault.message),
    };
    let filtered: Filtered<'_> = match mode {
        Mode::Legacy => legacy(&docs, table).pop().unwrap_or_default(),
        Mode::Build => build_whole(&source, &docs, table),
    };
    if let Some(refusal) = filtered.refusal {
        return Outcome::Refused(refusal.message);
    }
    let edits = edits(&docs, &filtered, mode);
    let text = apply(input, 0, &edits).expect("edits do not overlap");
    let text = text.into_owned();
    let resources = match mode {
        Mode::Legacy => vec![(0, Path::default())],
        Mode::Build => resource_paths(&source, &docs),
    };
    Outcome::Written { text, resources }
}

/// The value under a vector's JSON pointer, whose first step is the number of the object.
fn at_pointer(objects: &[Value], pointer: &str) -> Option<Value> {
    let mut steps = pointer
        .split('/')
        .skip(1)
        .map(|step| step.replace("~1", "/").replace("~0", "~"));
    let mut value = objects.get(steps.next()?.parse::<usize>().ok()?)?;
    for step in steps {
        let step = step.strip_suffix("#2").map_or(step.clone(), str::to_owned);
        value = match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Object(map) => map.get(&step)?,
            _ => return None,
        };
    }
    Some(value.clone())
}

fn objects(
    text: &str,
    resources: &[(usize, Path)],
    mode: Mode,
    keys: Keys,
) -> Result<Vec<Value>, String> {
    let source = SourceMap::default().add("output.yaml", text);
    let docs = read(&source, mode).map_err(|fault| format!("output unread: {}", fault.message))?;
    let mut objects = Vec::new();
    for (doc, path) in resources {
        let Some(mut node) = docs[*doc].root() else {
            objects.push(Value::Null);
            continue;
        };
        for step in &path.0 {
            node = match step {
                Step::Key(key) => node.at(&[key]),
                Step::Index(at) => node.resolved().items().nth(*at),
            }
            .ok_or("the object is gone")?;
        }
        objects.push(json(node, mode, keys, 0));
    }
    Ok(objects)
}

/// The value of an image as the vectors name it.
fn image_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn judge(vector: &Value, mode: Mode) -> Result<(), String> {
    let table = table(&vector["images"]);
    let input = vector["input"].as_str().expect("an input");
    let fails = vector["error"].as_str();
    match (run(input, &table, mode), fails) {
        (Outcome::Unread(message), None) => Err(format!("unread: {message}")),
        (Outcome::Unread(_), Some(_)) => Ok(()),
        (Outcome::Refused(_), Some(error)) if error != "parse" => Ok(()),
        (Outcome::Refused(message), _) => Err(format!("refused: {message}")),
        (Outcome::Written { .. }, Some(error)) => {
            Err(format!("taken, but the filter says {error}"))
        }
        (Outcome::Written { text, resources }, None) => {
            let named = match mode {
                Mode::Legacy => objects(&text, &resources, mode, Keys::Anchors)?,
                Mode::Build => objects(&text, &resources, mode, Keys::Texts)?,
            };
            let objects = objects(&text, &resources, mode, Keys::Texts)?;
            let wanted = vector.get("alt").unwrap_or(vector);
            compare_images(vector, wanted, &named)
                .and_then(|()| compare_objects(wanted, &objects, mode))
                .map_err(|why| format!("{why}\n{text}"))
        }
    }
}

fn compare_images(vector: &Value, wanted: &Value, objects: &[Value]) -> Result<(), String> {
    for image in wanted["images_out"].as_array().into_iter().flatten() {
        let path = image["path"].as_str().expect("a path");
        if path.contains("#2") || vector["note"].as_str() == Some("duplicate-key") {
            continue;
        }
        let found = at_pointer(objects, path).ok_or_else(|| format!("nothing at {path}"))?;
        let tagged = image.get("tag").and_then(Value::as_str);
        let value = image["value"].as_str().unwrap_or_default();
        let equal = match tagged {
            Some("!!null") => found == Value::Null,
            Some("!!float") if value.contains(['i', 'n']) => {
                let Scalar::Float(number) = crate::yaml::scalar::plain(value, Reader::Kustomize)
                else {
                    return Err(format!("{value} is no number"));
                };
                found == Value::String(format!("{number:?}"))
            }
            Some("!!int" | "!!float") => {
                let number = crate::yaml::scalar::plain(value, Reader::Kustomize);
                let number = match number {
                    Scalar::Integer(number) => number.to_string(),
                    Scalar::Float(number) => number.to_string(),
                    _ => value.to_owned(),
                };
                !found.is_string()
                    && image_text(&found).parse::<f64>().ok() == number.parse::<f64>().ok()
            }
            Some("!!bool") => found.is_boolean() && image_text(&found) == value.to_lowercase(),
            _ => found == Value::String(value.to_owned()),
        };
        if !equal {
            return Err(format!("{path} is {found}, wanted {value:?} {tagged:?}"));
        }
    }
    Ok(())
}

fn compare_objects(wanted: &Value, objects: &[Value], mode: Mode) -> Result<(), String> {
    if mode == Mode::Legacy && !wanted["parsed_out"].is_null() {
        let wanted = wanted["parsed_out"].as_array().expect("a list");
        let blank = wanted.is_empty() && objects == [Value::Null];
        let equal = same(
            &Value::Array(objects.to_vec()),
            &Value::Array(wanted.clone()),
        );
        if !blank && !equal {
            return Err(format!(
                "wanted {}\ngot {}",
                Value::Array(wanted.clone()),
                Value::Array(objects.to_vec())
            ));
        }
    }
    Ok(())
}

fn judge_all(name: &str, mode: Mode) {
    let Some(vectors): Option<Vec<Value>> = vectors(name) else {
        return;
    };
    let mut unread = Vec::new();
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    let mut report = String::new();
    for vector in &vectors {
        let Err(why) = judge(vector, mode) else {
            continue;
        };
        let id = vector["id"].as_str().unwrap_or_default();
        if why.starts_with("unread:") {
            unread.push(format!("{id}: {why}"));
            continue;
        }
        *failures
            .entry(vector["group"].as_str().unwrap_or_default().to_owned())
            .or_default() += 1;
        writeln!(
            report,
            "{id}: {why}\n--- input\n{}",
            vector["input"].as_str().unwrap_or_default()
        )
        .expect("a string takes everything");
    }
    println!(
        "{name}: {} judged, {} agree, {} cannot be read here, {} differ",
        vectors.len(),
        vectors.len() - unread.len() - failures.values().sum::<usize>(),
        unread.len(),
        failures.values().sum::<usize>()
    );
    println!("{}", unread.join("\n"));
    assert!(failures.is_empty(), "{failures:?}\n{report}");
    let known = |line: &&String| {
        UNREAD
            .iter()
            .any(|id| line[2..].starts_with(&format!("{id}: unread: a form")))
    };
    let unknown: Vec<_> = unread.iter().filter(|line| !known(line)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

fn on_a_big_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(test)
        .expect("a thread")
        .join()
        .expect("the test passes");
}

#[test]
fn legacy_agrees_with_the_real_filter() {
    on_a_big_stack(|| judge_all("legacy.json", Mode::Legacy));
}

#[test]
fn build_agrees_with_real_builds() {
    on_a_big_stack(|| judge_all("build.json", Mode::Build));
}

/// Pods one after the other: three rounds of stretches, the last one short.
fn many_pods() -> String {
    let mut text = String::new();
    for at in 0..2 * WAITING * STRETCH + 3 {
        let image = if at % 3 == 0 { "other" } else { "nginx" };
        let _ = write!(
            text,
            "---\nkind: Pod\nmetadata: {{name: p{at}}}\nspec:\n  containers:\n  - image: {image}:1\n"
        );
    }
    text
}

#[test]
fn a_text_put_in_stretches_is_the_text_written_at_once() {
    let source = SourceMap::default().add("pods.yaml", many_pods());
    let docs = read(&source, Mode::Build).unwrap_or_else(|fault| panic!("{}", fault.message));
    let table = table(&serde_json::json!([{"name": "nginx", "newName": "mirror/nginx"}]));
    let filtered = build_whole(&source, &docs, &table);
    let whole = apply(&source.text, 0, &edits(&docs, &filtered, Mode::Build)).expect("no overlap");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let put_in_stretches = |most: usize| {
            let (mut text, mut room) = (String::new(), most);
            let mut put = |part: &str| {
                room = room.checked_sub(part.len()).ok_or("full")?;
                text.push_str(part);
                Ok(())
            };
            let ended = each_stretch(&source.text, &docs, &[&filtered], Mode::Build, &mut put);
            (ended, text)
        };
        pool.expect("threads").install(|| {
            assert_eq!(
                put_in_stretches(whole.len()),
                (Ok(()), whole.clone().into_owned())
            );
            let (ended, text) = put_in_stretches(whole.len() / 2);
            assert_eq!(ended, Err("full"), "{threads} threads");
            assert!(whole.starts_with(&text) && !text.is_empty());
        });
    }
}

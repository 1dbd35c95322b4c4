//! A listing in JSON as a stream: one object at a time is built, of the fields that are kept, and
//! handed on; everything else is passed over where it stands.
//!
//! `items` are entered wherever an object has them, so lists may stand in lists, texts may follow
//! one another, and a bare array is a list as well. Nothing that was read is part of a message.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::fields::{Fields, Keep, OBJECT};
use crate::source::LineCol;

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The byte.
    pub(super) offset: u64,
    /// Its line and column.
    pub(super) place: LineCol,
}

impl Cursor {
    /// The start of a text.
    pub(super) const START: Cursor = Cursor {
        offset: 0,
        place: LineCol { line: 1, column: 1 },
    };

    /// The place behind these bytes.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.offset += 1;
            match byte {
                b'\n' => {
                    self.place.line += 1;
                    self.place.column = 1;
                }
                // Inside a character.
                0x80..0xC0 => {}
                _ => self.place.column += 1,
            }
        }
    }

    /// The place this many characters of one byte before, on the same line.
    fn back(self, count: usize) -> Cursor {
        Cursor {
            offset: self.offset.saturating_sub(count as u64),
            place: LineCol {
                column: self.place.column.saturating_sub(count).max(1),
                ..self.place
            },
        }
    }
}

/// Why a listing could not be read to its end.
#[derive(Debug)]
pub(super) enum Fault {
    /// The system will not read.
    Io(io::Error),
    /// The text is not what it should be, from here on.
    Text(Cursor, &'static str),
}

/// A reader that knows where it is.
pub(super) struct Counted<R> {
    inner: R,
    cursor: Rc<Cell<Cursor>>,
}

impl<R: BufRead> Counted<R> {
    /// Counts from `cursor`.
    pub(super) fn new(inner: R, cursor: Cursor) -> Counted<R> {
        let cursor = Rc::new(Cell::new(cursor));
        Counted { inner, cursor }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let mut cursor = self.cursor.get();
        cursor.pass(&buffer[..count]);
        self.cursor.set(cursor);
        Ok(count)
    }
}

/// Reads every object of a text and hands it to `absorb` with the place of its name and that
/// name's length, or the place of its brace and 1.
pub(super) fn read<R: BufRead>(
    reader: Counted<R>,
    absorb: &mut dyn FnMut(Value, Cursor, usize),
) -> Result<(), Fault> {
    let mut sink = Sink {
        cursor: Rc::clone(&reader.cursor),
        name: None,
        absorb,
    };
    let mut json = serde_json::Deserializer::from_reader(reader);
    loop {
        let read = Item { sink: &mut sink }.deserialize(&mut json);
        read.map_err(|error| fault(error, sink.cursor.get()))?;
        match json.end() {
            Ok(()) => return Ok(()),
            Err(error) if error.is_io() => return Err(Fault::Io(error.into())),
            // Another text follows.
            Err(_) => {}
        }
    }
}

fn fault(error: serde_json::Error, at: Cursor) -> Fault {
    if error.is_io() {
        Fault::Io(error.into())
    } else if error.is_eof() {
        Fault::Text(at, "the JSON text ends before its end, expected all of it")
    } else {
        let message = "the text is no JSON here, expected what `kubectl get -o json` prints";
        Fault::Text(at.back(1), message)
    }
}

/// What a visitor makes of every scalar.
macro_rules! scalars_are {
    ($value:expr) => {
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            Ok($value)
        }
    };
}

/// Where objects go.
struct Sink<'s> {
    cursor: Rc<Cell<Cursor>>,
    /// The place behind the name that was read last.
    name: Option<Cursor>,
    absorb: &'s mut dyn FnMut(Value, Cursor, usize),
}

/// An object, or a list of them.
struct Item<'i, 's> {
    sink: &'i mut Sink<'s>,
}

impl<'de> DeserializeSeed<'de> for Item<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Item<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let start = self.sink.cursor.get().back(1);
        let mut object = Map::new();
        let mut name = None;
        let mut list = false;
        while let Some(key) = map.next_key_seed(Key(OBJECT))? {
            match key {
                Known::Items => {
                    list = true;
                    map.next_value_seed(Item { sink: self.sink })?;
                }
                Known::Field(key, keep) => {
                    self.sink.name = None;
                    let sink = &mut *self.sink;
                    let value = map.next_value_seed(Kept { keep, sink })?;
                    name = self.sink.name.take().or(name);
                    object.insert(key.to_owned(), value);
                }
                Known::Nothing => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if !list {
            let object = Value::Object(object);
            let named = object
                .pointer("/metadata/name")
                .and_then(Value::as_str)
                .map(str::len);
            match (name, named) {
                (Some(end), Some(length)) => {
                    let length = length + 2;
                    (self.sink.absorb)(object, end.back(length), length);
                }
                _ => (self.sink.absorb)(object, start, 1),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Item { sink: self.sink })?.is_some() {}
        Ok(())
    }

    // What is no object is nothing to us.
    scalars_are!(());
}

/// A key, looked up without keeping it.
struct Key(&'static Fields);

/// What a key is.
enum Known {
    /// One that is kept.
    Field(&'static str, &'static Keep),
    /// The objects of a list.
    Items,
    /// Any other.
    Nothing,
}

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Known;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Known, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Known;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Known, E> {
        Ok(match self.0.iter().find(|(name, _)| *name == key) {
            Some((name, keep)) => Known::Field(name, keep),
            None if key == "items" => Known::Items,
            None => Known::Nothing,
        })
    }
}

/// A value of which something is kept.
struct Kept<'i, 's> {
    keep: &'static Keep,
    sink: &'i mut Sink<'s>,
}

impl<'de> DeserializeSeed<'de> for Kept<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        use serde::Deserialize;
        match self.keep {
            Keep::Whole => Value::deserialize(deserializer),
            Keep::Name => {
                let value = Value::deserialize(deserializer)?;
                self.sink.name = Some(self.sink.cursor.get());
                Ok(value)
            }
            Keep::Each(_) | Keep::Of(_) => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Kept<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let fields: &'static Fields = match self.keep {
            Keep::Of(fields) => fields,
            _ => &[],
        };
        let mut kept = Map::new();
        while let Some(key) = map.next_key_seed(Key(fields))? {
            match key {
                Known::Field(key, keep) => {
                    let sink = &mut *self.sink;
                    let value = map.next_value_seed(Kept { keep, sink })?;
                    kept.insert(key.to_owned(), value);
                }
                Known::Items | Known::Nothing => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Value::Object(kept))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let Keep::Each(keep) = self.keep else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Value::Null);
        };
        let mut kept = Vec::new();
        loop {
            let sink = &mut *self.sink;
            match list.next_element_seed(Kept { keep, sink })? {
                Some(value) => kept.push(value),
                None => return Ok(Value::Array(kept)),
            }
        }
    }

    scalars_are!(Value::Null);
}

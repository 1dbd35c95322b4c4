//! Bytes into text.
//!
//! Files are read in parallel and kept in the order they were found. A text that is not UTF-8 is
//! kept up to the first byte that is none, so that the finding has a place.

use std::fs::File;
use std::io::{self, Read};

use rayon::prelude::*;

use super::walk::Found;
use super::{LoadError, NotText};

/// The size that no text may reach: a place is a `u32`.
const LIMIT: u64 = u32::MAX as u64;

/// A text that was read.
#[derive(Debug)]
pub(super) struct FileText {
    /// What it was found as.
    pub(super) found: Found,
    /// The text, up to where it stops being one.
    pub(super) text: String,
    /// Whether that is all of it.
    pub(super) whole: bool,
    /// Why not.
    pub(super) fault: Option<NotText>,
}

/// Reads every text; the first that the system refuses, in their order, stops it.
pub(super) fn read(found: Vec<Found>, stdin: &mut dyn Read) -> Result<Vec<FileText>, LoadError> {
    let mut piped = found
        .iter()
        .filter(|text| text.file.is_none() && text.carried.is_none());
    let piped = match (piped.next(), piped.next()) {
        (_, Some(_)) => return Err(LoadError::StdinTwice),
        (Some(text), None) => Some(bounded(stdin, 0, &text.shown)?),
        (None, None) => None,
    };
    let read: Vec<_> = found
        .into_par_iter()
        .map(|mut text| {
            let bytes = match (text.carried.take(), &text.file) {
                (Some(bytes), _) => bytes,
                (None, Some(path)) => {
                    let mut file =
                        File::open(path).map_err(|source| unreadable(&text.shown, source))?;
                    let size = file.metadata().map_or(0, |it| it.len());
                    bounded(&mut file, size, &text.shown)?
                }
                (None, None) => piped.clone().unwrap_or_default(),
            };
            Ok(decode(text, bytes))
        })
        .collect();
    read.into_iter().collect()
}

/// All bytes, where they are fewer than a place can count.
/// `size` says how many there will likely be.
fn bounded(from: &mut dyn Read, size: u64, shown: &str) -> Result<Vec<u8>, LoadError> {
    let room = usize::try_from(size.min(LIMIT)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(room + 1);
    let count = from
        .take(LIMIT)
        .read_to_end(&mut bytes)
        .map_err(|source| unreadable(shown, source))?;
    if count as u64 >= LIMIT {
        return Err(LoadError::TooLarge {
            path: shown.to_owned(),
        });
    }
    Ok(bytes)
}

fn unreadable(shown: &str, source: io::Error) -> LoadError {
    LoadError::Read {
        path: shown.to_owned(),
        source,
    }
}

fn decode(found: Found, bytes: Vec<u8>) -> FileText {
    match String::from_utf8(bytes) {
        Ok(text) => FileText {
            found,
            text,
            whole: true,
            fault: None,
        },
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let bad = bytes[valid];
            let message = if matches!(bytes[..], [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
                "the text is UTF-16, expected UTF-8".to_owned()
            } else {
                format!("the byte 0x{bad:02X} is not UTF-8, expected a text in UTF-8")
            };
            bytes.truncate(valid);
            let text = String::from_utf8(bytes).expect("cut where UTF-8 ends");
            FileText {
                found,
                text,
                whole: false,
                fault: Some(NotText { message }),
            }
        }
    }
}

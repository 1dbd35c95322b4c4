//! Bytes into text.
//!
//! Files are read in parallel and kept in the order they were found. A text that is not UTF-8 is
//! kept up to the first byte that is none, so that the finding has a place.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

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
                    match in_parts(&file, size) {
                        Some(bytes) => bytes,
                        None => bounded(&mut file, size, &text.shown)?,
                    }
                }
                (None, None) => piped.clone().unwrap_or_default(),
            };
            Ok(decode(text, bytes))
        })
        .collect();
    read.into_iter().collect()
}

/// How much of a file is read at a time where its parts are read side by side.
const PART: usize = 4 << 20;

/// All bytes of a large file, its parts read side by side: what takes the time is that the system copies
/// them. `None` for a small one, and for what turns out to have another size than it says.
fn in_parts(file: &File, size: u64) -> Option<Vec<u8>> {
    let room = usize::try_from(size).ok().filter(|_| size < LIMIT)?;
    if room < 2 * PART {
        return None;
    }
    let mut bytes = vec![0; room];
    let parts = bytes.par_chunks_mut(PART).enumerate();
    let read = parts.map(|(at, part)| file.read_exact_at(part, (at * PART) as u64));
    let whole = read.collect::<io::Result<()>>().is_ok();
    let ends = matches!(file.read_at(&mut [0], size), Ok(0));
    (whole && ends).then_some(bytes)
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

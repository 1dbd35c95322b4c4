//! Go's tables of embedded files in a loaded binary. Which table matters is not decided here.
//!
//! The compiler writes an `embed.FS` as a slice header and, right behind it, the entries it leads
//! to (`cmd/compile/internal/staticdata`, `WriteEmbed`, alike in Go 1.21, 1.24 and 1.27):
//!
//! ```text
//! +0   pointer to +24, count, count               the slice header
//! +24  name (pointer, length)                     an entry, 48 bytes;
//!      data (pointer, length)                     (0, 0) for a directory, whose name ends in `/`
//!      16 bytes of hash                           of the data; zero for a directory
//! +72  the next entry
//! ```
//!
//! A pointer that leads 24 bytes past itself, followed by one number twice, is rare enough to be
//! looked for in one pass over the binary, and the count then says where the table ends. The hash
//! is not compared: which function makes it is an inner affair of Go's compiler.

use std::collections::BTreeMap;

use super::error::OperatorError;
use super::memory::Memory;

/// From the slice header to the first entry.
const HEADER: u64 = 24;
/// From an entry to the next.
const ENTRY: u64 = 48;
/// The longest name; Linux opens no longer path.
const LONGEST_NAME: u64 = 4096;

/// The files of one `embed.FS`.
#[derive(Default)]
pub(super) struct Table<'a> {
    /// Name and content of each file, in table order; directories are left out.
    pub(super) files: Vec<(&'a str, &'a [u8])>,
}

/// How many bytes may still be looked at. Tables of a real binary hardly overlap; those of a
/// made-up one could all point at the same megabytes.
pub(super) struct Budget(u64);

impl Budget {
    /// Eight looks at each byte, beyond the passes over the whole, and enough for the smallest.
    pub(super) fn for_binary(binary: &[u8]) -> Budget {
        Budget(
            (binary.len() as u64)
                .saturating_mul(8)
                .saturating_add(1 << 20),
        )
    }

    /// Counts `bytes` as looked at.
    ///
    /// # Errors
    ///
    /// `Damaged` once there are too many.
    pub(super) fn spend(&mut self, bytes: u64) -> Result<(), OperatorError> {
        match self.0.checked_sub(bytes) {
            Some(left) => self.0 = left,
            None => return Err(OperatorError::Damaged("its embedded files overlap")),
        }
        Ok(())
    }
}

/// The tables behind a slice header, as Go's compiler writes them, by address.
///
/// # Errors
///
/// `Damaged` where the budget does not suffice.
pub(super) fn declared<'a>(
    memory: &Memory<'a>,
    budget: &mut Budget,
) -> Result<BTreeMap<u64, Table<'a>>, OperatorError> {
    collect(memory, budget, |memory, place, target, budget| {
        let is_header = target == place.wrapping_add(HEADER)
            && memory.bytes(place, HEADER).is_some()
            && memory.pointer(place) == Some(target);
        if !is_header || memory.number(place + 8) != memory.number(place + 16) {
            return Ok(None);
        }
        let count = memory.number(place + 8).unwrap_or_default();
        let fits = count
            .checked_mul(ENTRY)
            .is_some_and(|size| memory.bytes(target, size).is_some());
        if count == 0 || !fits {
            return Ok(None);
        }
        let run = Run::at(memory, target, count, budget, |_| true)?;
        Ok((run.entries == count).then_some(run))
    })
}

/// Runs of entries without a slice header before them, by address: what another compiler than
/// Go's own may write. Less certain than [`declared`], since a table of strings can look like one.
///
/// # Errors
///
/// `Damaged` where the budget does not suffice.
pub(super) fn bare<'a>(
    memory: &Memory<'a>,
    budget: &mut Budget,
) -> Result<BTreeMap<u64, Table<'a>>, OperatorError> {
    collect(memory, budget, |memory, place, target, budget| {
        if memory.bytes(target, 1).is_none() {
            return Ok(None);
        }
        // In a table of strings a pointer stands where an entry has its hash.
        let hashed = |entry: u64| {
            let hash = memory.pointer(entry + 32);
            hash.is_some_and(|hash| hash == 0 || memory.bytes(hash, 1).is_none())
        };
        let run = Run::at(memory, place, u64::MAX, budget, hashed)?;
        Ok((run.entries > 0).then_some(run))
    })
}

/// Asks `table_at` at each place for a table, but not inside of one found before.
fn collect<'a>(
    memory: &Memory<'a>,
    budget: &mut Budget,
    table_at: impl Fn(&Memory<'a>, u64, u64, &mut Budget) -> Result<Option<Run<'a>>, OperatorError>,
) -> Result<BTreeMap<u64, Table<'a>>, OperatorError> {
    let mut tables = BTreeMap::new();
    let mut inside = 0..0;
    for (place, target) in memory.places() {
        if inside.contains(&place) {
            continue;
        }
        if let Some(run) = table_at(memory, place, target, budget)? {
            inside = place..run.end;
            tables.insert(place, run.table);
        }
    }
    Ok(tables)
}

/// Entries that follow each other.
struct Run<'a> {
    entries: u64,
    /// The address after the last one.
    end: u64,
    table: Table<'a>,
}

impl<'a> Run<'a> {
    /// Reads entries from `start` on, `at_most` of them, up to the first that is none or that
    /// `accept`, asked with its address, refuses.
    fn at(
        memory: &Memory<'a>,
        start: u64,
        at_most: u64,
        budget: &mut Budget,
        accept: impl Fn(u64) -> bool,
    ) -> Result<Run<'a>, OperatorError> {
        let mut run = Run {
            entries: 0,
            end: start,
            table: Table::default(),
        };
        while run.entries < at_most {
            let Some(entry) = Entry::at(memory, run.end, budget)? else {
                break;
            };
            if !accept(run.end) {
                break;
            }
            budget.spend(ENTRY)?;
            if !entry.name.ends_with('/') {
                run.table.files.push((entry.name, entry.data));
            }
            run.entries += 1;
            run.end += ENTRY;
        }
        Ok(run)
    }
}

/// One entry of a table.
struct Entry<'a> {
    name: &'a str,
    data: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The entry at `address`, if there can be one.
    fn at(
        memory: &Memory<'a>,
        address: u64,
        budget: &mut Budget,
    ) -> Result<Option<Entry<'a>>, OperatorError> {
        let Some((name, data)) = Entry::bytes_at(memory, address) else {
            return Ok(None);
        };
        let control = name.iter().position(u8::is_ascii_control);
        budget.spend(control.unwrap_or(name.len()) as u64)?;
        let (None, Ok(name)) = (control, std::str::from_utf8(name)) else {
            return Ok(None);
        };
        let path = match name.strip_suffix('/') {
            Some(directory) if data.is_empty() => directory,
            _ => name,
        };
        Ok(is_path(path).then_some(Entry { name, data }))
    }

    /// Name and data of the entry at `address`, if both stand in the binary.
    fn bytes_at(memory: &Memory<'a>, address: u64) -> Option<(&'a [u8], &'a [u8])> {
        // The whole of it stands in one segment, so that no address below can overflow.
        memory.bytes(address, ENTRY)?;
        let length = memory.number(address + 8)?;
        if length == 0 || length > LONGEST_NAME {
            return None;
        }
        let name = memory.bytes(memory.pointer(address)?, length)?;
        let data = match memory.number(address + 24)? {
            // Nothing is no place: its pointer may lead past the last byte, or nowhere.
            0 => &[],
            size => memory.bytes(memory.pointer(address + 16)?, size)?,
        };
        Some((name, data))
    }
}

/// Whether `embed` takes a file of this name (`io/fs.ValidPath`, and no control characters as
/// `golang.org/x/mod/module.CheckFilePath` has it).
fn is_path(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !path.contains(|character: char| character.is_control() || character == '\\')
}

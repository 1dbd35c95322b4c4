//! A binary as its program sees it once loaded: which bytes stand at an address, and where the
//! pointer at an address leads after relocation. Knows nothing of Go, and runs nothing.

use super::error::OperatorError;
use super::headers::Headers;

/// The loaded image of a binary.
pub(super) struct Memory<'a> {
    /// What is loaded from the file, by address, without overlaps.
    segments: Vec<Segment<'a>>,
    /// The pointers that the loader writes, by address: where each stands and where it leads.
    relocated: Vec<(u64, u64)>,
}

/// A stretch of memory that is loaded from the file.
pub(super) struct Segment<'a> {
    /// The address of its first byte.
    pub(super) address: u64,
    /// Its bytes, one at least.
    pub(super) bytes: &'a [u8],
}

impl Segment<'_> {
    /// The address after its last byte; none past the end of memory.
    pub(super) fn end(&self) -> Option<u64> {
        self.address.checked_add(self.bytes.len() as u64)
    }
}

impl<'a> Memory<'a> {
    /// Loads a binary, at its own address if it has a fixed one and at 0 if not.
    ///
    /// Pointers relocated by RELR need no list: such a pointer's place holds its target.
    ///
    /// # Errors
    ///
    /// `NotElf`, `OtherMachine`, `Truncated` and `Damaged`.
    pub(super) fn of(binary: &'a [u8]) -> Result<Memory<'a>, OperatorError> {
        let headers = Headers::of(binary)?;
        let mut memory = Memory {
            segments: headers.segments()?,
            relocated: Vec::new(),
        };
        let table = match headers.relocation_table() {
            Some((_, 0)) => &[],
            Some((address, length)) => memory.bytes(address, length).ok_or(
                OperatorError::Damaged("its relocation table lies outside of its segments"),
            )?,
            None => headers.relocation_section().unwrap_or_default(),
        };
        memory.relocated = headers.relative(table).collect();
        memory.relocated.sort_unstable();
        Ok(memory)
    }

    /// The bytes from `address` on, `length` of them, where all come out of one segment.
    pub(super) fn bytes(&self, address: u64, length: u64) -> Option<&'a [u8]> {
        let after = self
            .segments
            .partition_point(|segment| segment.address <= address);
        let segment = &self.segments[after.checked_sub(1)?];
        let start = usize::try_from(address - segment.address).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        segment.bytes.get(start..end)
    }

    /// The eight bytes at `address` as a number.
    pub(super) fn number(&self, address: u64) -> Option<u64> {
        Some(u64::from_le_bytes(*self.bytes(address, 8)?.first_chunk()?))
    }

    /// Where the pointer at `address` leads: where the loader makes it lead, or else what the file
    /// holds.
    pub(super) fn pointer(&self, address: u64) -> Option<u64> {
        let at = self
            .relocated
            .partition_point(|&(place, _)| place < address);
        match self.relocated.get(at) {
            Some(&(place, target)) if place == address => Some(target),
            _ => self.number(address),
        }
    }

    /// Every place where a pointer may stand, and where it leads if it is one: first each aligned
    /// word of the file, then what the loader writes, each by ascending address. Places may come
    /// twice, and a word of the file may be overwritten: ask [`Memory::pointer`].
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, u64)> {
        let words = self.segments.iter().flat_map(|segment| {
            let skipped = segment.address.wrapping_neg() % 8;
            let bytes = segment.bytes.get(skipped as usize..).unwrap_or_default();
            bytes
                .as_chunks::<8>()
                .0
                .iter()
                .zip(0_u64..)
                .map(move |(word, index)| {
                    (
                        segment.address + skipped + 8 * index,
                        u64::from_le_bytes(*word),
                    )
                })
        });
        words.chain(self.relocated.iter().copied())
    }
}

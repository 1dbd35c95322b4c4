//! What the headers of an ELF binary say: its machine, its segments, its relocation table. The one
//! file that knows how the crate `object` names things. Rules: the ELF-64 object file format, and
//! the psABIs of amd64 and arm64 for the types of relocations.
//!
//! Only program headers are needed, so that a binary without section headers reads as well.

use object::elf::{self, FileHeader64, ProgramHeader64, Rela64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, Rela, SectionHeader};
use object::{LittleEndian, pod};

use super::error::OperatorError;
use super::memory::Segment;

type Header = FileHeader64<LittleEndian>;

const LE: LittleEndian = LittleEndian;

/// How many times the bytes of a file may be mapped, all segments taken together. Linkers map a
/// byte once, or twice at the seam of two segments.
const MAPPED_AT_MOST: usize = 4;

/// The bytes are named ELF but are not.
const NO_HEADER: OperatorError = OperatorError::Damaged("its ELF header is no such");

/// The headers of a little-endian 64-bit binary for amd64 or arm64.
pub(super) struct Headers<'a> {
    binary: &'a [u8],
    file: &'a Header,
    program: &'a [ProgramHeader64<LittleEndian>],
    /// The type of a relocation that adds the load address, the only one a static binary needs.
    relative: elf::RelocationType,
}

impl<'a> Headers<'a> {
    /// Reads the file header and the program headers.
    ///
    /// # Errors
    ///
    /// `NotElf`, `OtherMachine`, `Truncated` and `Damaged`.
    pub(super) fn of(binary: &'a [u8]) -> Result<Headers<'a>, OperatorError> {
        if !binary.starts_with(&elf::ELFMAG) {
            return Err(OperatorError::NotElf {
                found: looks_like(binary),
            });
        }
        within(binary, Some(size_of::<Header>() as u64))?;
        let (file, _) = pod::from_bytes::<Header>(binary).map_err(|()| NO_HEADER)?;
        match (file.is_class_64(), file.is_little_endian()) {
            (true, true) => {}
            (false, _) if file.is_class_32() => return Err(other("a 32-bit machine")),
            (true, _) if file.is_big_endian() => return Err(other("a big-endian machine")),
            _ => return Err(NO_HEADER),
        }
        let relative = match file.e_machine(LE) {
            elf::EM_X86_64 => elf::R_X86_64_RELATIVE,
            elf::EM_AARCH64 => elf::R_AARCH64_RELATIVE,
            machine => return Err(other(&go_name(machine))),
        };
        let length = u64::from(file.e_phnum(LE)) * u64::from(file.e_phentsize(LE));
        within(binary, file.e_phoff(LE).checked_add(length))?;
        let program = file
            .program_headers(LE, binary)
            .map_err(|_| OperatorError::Damaged("its program headers are no such"))?;
        Ok(Headers {
            binary,
            file,
            program,
            relative,
        })
    }

    /// What the loader maps from the file, by address, without overlaps and without what it only
    /// zeroes.
    ///
    /// # Errors
    ///
    /// `Truncated` where a segment reaches past the end of the file, `Damaged` where segments
    /// contradict each other or there are none.
    pub(super) fn segments(&self) -> Result<Vec<Segment<'a>>, OperatorError> {
        let loaded = || {
            self.program
                .iter()
                .filter(|header| header.p_type(LE) == elf::PT_LOAD)
        };
        let file_end = loaded().try_fold(0_u64, |end, header| {
            let (offset, size) = header.file_range(LE);
            Some(end.max(offset.checked_add(size)?))
        });
        within(self.binary, file_end)?;

        let mut segments = Vec::new();
        let mut mapped = 0_usize;
        for header in loaded() {
            let Ok(bytes @ [_, ..]) = header.data(LE, self.binary) else {
                continue;
            };
            mapped = mapped.saturating_add(bytes.len());
            segments.push(Segment {
                address: header.p_vaddr(LE),
                bytes,
            });
        }
        segments.sort_by_key(|segment| segment.address);
        let apart =
            segments.is_sorted_by(|one, next| one.end().is_some_and(|end| end <= next.address));
        match segments.last().map(Segment::end) {
            None => Err(OperatorError::Damaged("none of it would be loaded")),
            Some(None) => Err(OperatorError::Damaged("a segment passes the end of memory")),
            Some(Some(_)) if !apart || mapped / MAPPED_AT_MOST > self.binary.len() => {
                Err(OperatorError::Damaged("its segments overlap"))
            }
            Some(Some(_)) => Ok(segments),
        }
    }

    /// Where the dynamic segment says that the relocation table stands: address and length.
    pub(super) fn relocation_table(&self) -> Option<(u64, u64)> {
        let entries = self
            .program
            .iter()
            .find_map(|header| header.dynamic(LE, self.binary).ok()?)?;
        let (mut address, mut length) = (None, None);
        for entry in entries {
            match entry.d_tag(LE) {
                elf::DT_NULL => break,
                elf::DT_RELA => address = Some(entry.d_val(LE)),
                elf::DT_RELASZ => length = Some(entry.d_val(LE)),
                _ => {}
            }
        }
        address.zip(length)
    }

    /// The first relocation table among the sections, for a binary without a dynamic segment.
    pub(super) fn relocation_section(&self) -> Option<&'a [u8]> {
        let sections = self.file.section_headers(LE, self.binary).ok()?;
        let section = sections
            .iter()
            .find(|section| section.sh_type(LE) == elf::SHT_RELA)?;
        section.data(LE, self.binary).ok()
    }

    /// The pointers that the entries of a relocation table write: where each stands and where it
    /// leads. Entries of other types, and a last incomplete one, are passed over.
    pub(super) fn relative<'t>(&self, table: &'t [u8]) -> impl Iterator<Item = (u64, u64)> + 't {
        let relative = self.relative;
        let whole = table.len() - table.len() % size_of::<Rela64<LittleEndian>>();
        let entries: &[Rela64<LittleEndian>] = pod::slice_from_all_bytes(&table[..whole])
            .expect("the length is a multiple of the entry's, and its alignment is one");
        entries
            .iter()
            .filter(move |entry| entry.r_type(LE, false) == relative)
            .map(|entry| (entry.r_offset(LE), entry.r_addend(LE).cast_unsigned()))
    }
}

/// That the file has at least `expected` bytes; none is a sum that no file reaches.
fn within(binary: &[u8], expected: Option<u64>) -> Result<(), OperatorError> {
    let present = binary.len() as u64;
    match expected {
        None => Err(OperatorError::Damaged(
            "its headers point past the end of any file",
        )),
        Some(expected) if expected > present => Err(OperatorError::Truncated { expected, present }),
        Some(_) => Ok(()),
    }
}

/// The error for a binary of another machine than the two.
fn other(machine: &str) -> OperatorError {
    OperatorError::OtherMachine {
        found: machine.to_owned(),
    }
}

/// A machine by Go's name for it, or by its number.
fn go_name(machine: elf::Machine) -> String {
    match machine {
        elf::EM_LOONGARCH => "loong64".to_owned(),
        elf::EM_MIPS => "mips64le".to_owned(),
        elf::EM_PPC64 => "ppc64le".to_owned(),
        elf::EM_RISCV => "riscv64".to_owned(),
        elf::Machine(number) => format!("machine {number}"),
    }
}

/// What bytes that are no ELF binary look like: the things that are mistaken for one.
fn looks_like(bytes: &[u8]) -> &'static str {
    const TAR_MAGIC: std::ops::Range<usize> = 257..262;
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    match bytes {
        [] => "an empty file",
        _ if begins(b"\x1f\x8b") => "gzip data",
        _ if begins(b"\x28\xb5\x2f\xfd") => "zstd data",
        _ if begins(b"PK\x03\x04") => "a zip archive",
        _ if begins(b"MZ") => "a Windows binary",
        _ if begins(b"\xcf\xfa\xed\xfe") || begins(b"\xca\xfe\xba\xbe") => "a macOS binary",
        _ if begins(b"#!") => "a script",
        _ if bytes.get(TAR_MAGIC) == Some(b"ustar") => "a tar archive",
        _ if std::str::from_utf8(&bytes[..bytes.len().min(1024)])
            .is_ok_and(|text| !text.contains('\0')) =>
        {
            "text"
        }
        _ => "other data",
    }
}

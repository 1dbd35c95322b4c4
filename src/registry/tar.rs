//! Tar archives: the members of one that someone else made, and our own, the same bytes each time.
//!
//! What is read is hostile: names are bounded and never lead outside, links are named and never
//! followed, a size is what its header says and no more. Read are ustar, the long names of GNU and
//! the records of pax. Written is ustar, with GNU's numbers where a size needs one.
//!
//! Source: POSIX.1-2024 `pax`; GNU tar 1.35 manual, "Basic Tar Format".

use std::io::{self, Read, Write};

/// The size of a header, and what contents are filled up to.
const BLOCK: usize = 512;

/// The longest name or pax header that is read.
const LONGEST: u64 = 64 << 10;

/// What a member is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file with content.
    File,
    /// A directory.
    Folder,
    /// A link to the name given, of either sort.
    Link(String),
    /// A device, a pipe, anything else.
    Other,
}

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its name, parts between single slashes, never leading outside.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: Kind,
    /// The bytes of its content.
    pub(crate) size: u64,
    /// Where the content begins in the archive.
    pub(crate) start: u64,
}

/// Why an archive is not read on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TarError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is no archive.
    #[error("it is no tar archive: {0}")]
    Broken(&'static str),
    /// It would write outside of where it is put.
    #[error("its member `{0}` leads outside of it")]
    Escape(String),
}

/// Passes over so many bytes, and says over how many it did.
type Skip<R> = fn(&mut R, u64) -> io::Result<u64>;

/// Reads an archive member by member.
pub(crate) struct Archive<R> {
    from: R,
    skip: Skip<R>,
    at: u64,
    next: u64,
}

impl Archive<io::BufReader<std::fs::File>> {
    /// Reads a file whose contents are passed over without being read. Whoever uses what a member
    /// says of its place has to know how long the file is.
    pub(crate) fn of_file(file: std::fs::File) -> Self {
        fn seek(from: &mut io::BufReader<std::fs::File>, left: u64) -> io::Result<u64> {
            let way = i64::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
            from.seek_relative(way)?;
            Ok(left)
        }
        Archive {
            skip: seek,
            ..Archive::new(io::BufReader::with_capacity(4 << 10, file))
        }
    }
}

impl<R: Read> Archive<R> {
    /// Reads from the start of an archive.
    pub(crate) fn new(from: R) -> Archive<R> {
        Archive {
            from,
            skip: |from, left| io::copy(&mut from.take(left), &mut io::sink()),
            at: 0,
            next: 0,
        }
    }

    /// The next member, what is left of the one before passed over; `None` at the end.
    pub(crate) fn member(&mut self) -> Result<Option<Member>, TarError> {
        let (mut long_name, mut long_link, mut long_size) = (None, None, None);
        loop {
            self.skip_to(self.next)?;
            let mut header = [0; BLOCK];
            if !self.fill(&mut header)? || header.iter().all(|byte| *byte == 0) {
                return Ok(None);
            }
            check(&header)?;
            let size = number(&header[124..136]).ok_or(TarError::Broken("a size is no number"))?;
            let flag = header[156];
            if matches!(flag, b'L' | b'K' | b'x' | b'g') {
                if size > LONGEST {
                    return Err(TarError::Broken("a name is longer than 64 KiB"));
                }
                let text = self.short(size)?;
                match flag {
                    b'L' => long_name = Some(c_text(&text)),
                    b'K' => long_link = Some(c_text(&text)),
                    b'x' => {
                        for (key, value) in pax(&text) {
                            match key {
                                "path" => long_name = Some(value.to_owned()),
                                "linkpath" => long_link = Some(value.to_owned()),
                                "size" => long_size = value.parse().ok(),
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                }
                continue;
            }
            let kind = match flag {
                0 | b'0' | b'7' => Kind::File,
                b'5' => Kind::Folder,
                b'1' | b'2' => {
                    let link = long_link.unwrap_or_else(|| c_text(&header[157..257]));
                    Kind::Link(link)
                }
                _ => Kind::Other,
            };
            let size = match kind {
                Kind::File => long_size.unwrap_or(size),
                _ => 0,
            };
            let name = long_name.unwrap_or_else(|| ustar_name(&header));
            self.next = filled(self.at, size).ok_or(TarError::Broken("a size is too large"))?;
            return Ok(Some(Member {
                name: sound(&name)?,
                kind,
                size,
                start: self.at,
            }));
        }
    }

    /// The content of the member that was given last.
    pub(crate) fn content(&mut self, member: &Member) -> impl Read + '_ {
        let left = (member.start + member.size).saturating_sub(self.at);
        Content {
            archive: self,
            left,
        }
    }

    fn short(&mut self, size: u64) -> Result<Vec<u8>, TarError> {
        let mut text = Vec::new();
        let end = filled(self.at, size).ok_or(TarError::Broken("a size is too large"))?;
        let read = (&mut self.from).take(size).read_to_end(&mut text)?;
        self.at += read as u64;
        self.next = end;
        if (read as u64) < size {
            return Err(TarError::Broken("it ends within a name"));
        }
        Ok(text)
    }

    fn skip_to(&mut self, place: u64) -> Result<(), TarError> {
        let left = place.saturating_sub(self.at);
        let skipped = (self.skip)(&mut self.from, left)?;
        self.at += skipped;
        if skipped < left {
            return Err(TarError::Broken("it ends within a member"));
        }
        Ok(())
    }

    /// Whether a block could be read; an archive may end without the blocks that end it.
    fn fill(&mut self, block: &mut [u8; BLOCK]) -> Result<bool, TarError> {
        let mut filled = 0;
        while filled < BLOCK {
            match self.from.read(&mut block[filled..])? {
                0 if filled == 0 => return Ok(false),
                0 => return Err(TarError::Broken("it ends within a header")),
                read => filled += read,
            }
        }
        self.at += BLOCK as u64;
        self.next = self.at;
        Ok(true)
    }
}

struct Content<'a, R> {
    archive: &'a mut Archive<R>,
    left: u64,
}

impl<R: Read> Read for Content<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.archive.from.read(&mut buffer[..most])?;
        self.archive.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

/// The end of content, with what fills its last block.
fn filled(start: u64, size: u64) -> Option<u64> {
    start.checked_add(size.checked_next_multiple_of(BLOCK as u64)?)
}

/// Whether the sum of a header's bytes is what the header says.
fn check(header: &[u8; BLOCK]) -> Result<(), TarError> {
    if number(&header[148..156]) == Some(sum(header)) {
        return Ok(());
    }
    Err(TarError::Broken("a header's sum is wrong"))
}

/// The sum of a header's bytes, those of the sum itself counted as blanks.
fn sum(header: &[u8; BLOCK]) -> u64 {
    let plain = header.iter().enumerate().map(|(at, byte)| match at {
        148..156 => u64::from(b' '),
        _ => u64::from(*byte),
    });
    plain.sum()
}

/// A number, octal or GNU's binary.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let first = u64::from(field[0] & 0x7f);
        return field[1..].iter().try_fold(first, |sum, byte| {
            sum.checked_mul(256)?.checked_add(u64::from(*byte))
        });
    }
    let text = std::str::from_utf8(field).ok()?;
    let text = text.trim_matches(|letter| letter == ' ' || letter == '\0');
    if text.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(text, 8).ok()
}

fn c_text(field: &[u8]) -> String {
    let end = field
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

fn ustar_name(header: &[u8; BLOCK]) -> String {
    let name = c_text(&header[..100]);
    // GNU's own headers have other things where ustar has a prefix.
    let prefix = match &header[257..263] {
        b"ustar\0" => c_text(&header[345..500]),
        _ => String::new(),
    };
    match prefix.as_str() {
        "" => name,
        prefix => format!("{prefix}/{name}"),
    }
}

/// The records of a pax header: `LENGTH KEY=VALUE\n` each.
fn pax(text: &[u8]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(blank) = rest.iter().position(|byte| *byte == b' ') {
        let length = std::str::from_utf8(&rest[..blank])
            .ok()
            .and_then(|n| n.parse().ok());
        let Some(record) = length.and_then(|length: usize| rest.get(blank + 1..length)) else {
            break;
        };
        rest = &rest[blank + 1 + record.len()..];
        let record = std::str::from_utf8(record).unwrap_or_default();
        found.extend(record.trim_end_matches('\n').split_once('='));
    }
    found
}

/// A name without `.` and doubled slashes.
///
/// # Errors
///
/// Where it is absolute or climbs.
fn sound(name: &str) -> Result<String, TarError> {
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if name.starts_with('/') || name.contains('\\') || parts.contains(&"..") {
        return Err(TarError::Escape(name.to_owned()));
    }
    Ok(parts.join("/"))
}

/// Writes an archive.
pub(crate) struct Writer<W> {
    to: W,
}

impl<W: Write> Writer<W> {
    /// Writes to the start of an archive.
    pub(crate) fn new(to: W) -> Writer<W> {
        Writer { to }
    }

    /// Adds a directory.
    pub(crate) fn folder(&mut self, name: &str) -> io::Result<()> {
        self.to
            .write_all(&header(&format!("{name}/"), b'5', 0o755, 0)?)
    }

    /// Adds a file; `from` must give exactly `size` bytes.
    pub(crate) fn file(&mut self, name: &str, size: u64, from: &mut dyn Read) -> io::Result<()> {
        self.to.write_all(&header(name, b'0', 0o644, size)?)?;
        let copied = io::copy(&mut from.take(size), &mut self.to)?;
        if copied < size {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        let over = usize::try_from(size % BLOCK as u64).expect("less than a block");
        if over > 0 {
            self.to.write_all(&[0; BLOCK][over..])?;
        }
        Ok(())
    }

    /// Ends the archive and gives back what it was written to.
    pub(crate) fn end(mut self) -> io::Result<W> {
        self.to.write_all(&[0; 2 * BLOCK])?;
        Ok(self.to)
    }
}

/// A header with a fixed owner and no time.
fn header(name: &str, flag: u8, mode: u32, size: u64) -> io::Result<[u8; BLOCK]> {
    let mut header = [0; BLOCK];
    if name.len() > 100 {
        // The longest name of a bundle is that of a sha512 blob, at 141 bytes: it has a prefix.
        let cut = name[..name.len() - 1]
            .rfind('/')
            .filter(|at| name.len() - at <= 101);
        let cut = cut.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        put(&mut header, 345, &name.as_bytes()[..cut]);
        put(&mut header, 0, &name.as_bytes()[cut + 1..]);
    } else {
        put(&mut header, 0, name.as_bytes());
    }
    put(&mut header, 100, format!("{mode:07o}").as_bytes());
    put(&mut header, 108, b"0000000");
    put(&mut header, 116, b"0000000");
    if size < 1 << 33 {
        put(&mut header, 124, format!("{size:011o}").as_bytes());
    } else {
        header[124] = 0x80;
        put(&mut header, 128, &size.to_be_bytes());
    }
    put(&mut header, 136, b"00000000000");
    header[156] = flag;
    put(&mut header, 257, b"ustar\x0000");
    let sum = format!("{:06o}\0 ", sum(&header));
    put(&mut header, 148, sum.as_bytes());
    Ok(header)
}

fn put(header: &mut [u8; BLOCK], at: usize, bytes: &[u8]) {
    header[at..at + bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests;

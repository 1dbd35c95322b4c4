//! Archives of ours read back, and archives of others refused.

use super::*;

fn members(bytes: &[u8]) -> Result<Vec<(Member, Vec<u8>)>, TarError> {
    let mut archive = Archive::new(bytes);
    let mut found = Vec::new();
    while let Some(member) = archive.member()? {
        let mut content = Vec::new();
        archive.content(&member).read_to_end(&mut content)?;
        found.push((member, content));
    }
    Ok(found)
}

/// An archive of one member whose header is ours but for the name and the flag.
fn one(name: &str, flag: u8) -> Vec<u8> {
    let mut header = header("x", flag, 0o644, 0).expect("a header");
    header[..100].fill(0);
    put(&mut header, 0, name.as_bytes());
    let sum = format!("{:06o}\0 ", sum(&header));
    put(&mut header, 148, sum.as_bytes());
    header.to_vec()
}

#[test]
fn what_is_written_is_read_back() {
    let mut writer = Writer::new(Vec::new());
    writer.folder("blobs").expect("written");
    writer
        .file("blobs/a", 3, &mut &b"abc"[..])
        .expect("written");
    writer.file("empty", 0, &mut io::empty()).expect("written");
    let long = format!("{}/{}", "d".repeat(90), "f".repeat(90));
    let block = [7; BLOCK];
    writer
        .file(&long, BLOCK as u64, &mut &block[..])
        .expect("written");
    let bytes = writer.end().expect("ended");
    assert_eq!(bytes.len() % BLOCK, 0);
    let read = members(&bytes).expect("an archive");
    let names: Vec<_> = read
        .iter()
        .map(|(member, _)| member.name.as_str())
        .collect();
    assert_eq!(names, ["blobs", "blobs/a", "empty", &long]);
    assert_eq!(read[0].0.kind, Kind::Folder);
    assert_eq!(read[1].1, b"abc");
    let start = usize::try_from(read[1].0.start).expect("a short archive");
    assert_eq!(&bytes[start..][..3], b"abc");
    assert_eq!(read[3].1, block);
}

#[test]
fn names_that_lead_outside_are_refused() {
    for name in ["../a", "a/../../b", "/etc/passwd", "a/..", "..\\a"] {
        let refused = members(&one(name, b'0')).expect_err(name);
        assert!(matches!(refused, TarError::Escape(_)), "{name}: {refused}");
    }
    let read = members(&one("./a//b/.", b'0')).expect("sound");
    assert_eq!(read[0].0.name, "a/b");
}

#[test]
fn links_are_named_and_hold_nothing() {
    let mut bytes = one("a", b'2');
    bytes[157..160].copy_from_slice(b"../");
    let header: &mut [u8; BLOCK] = (&mut bytes[..BLOCK]).try_into().expect("a header");
    let sum = format!("{:06o}\0 ", sum(header));
    put(header, 148, sum.as_bytes());
    let read = members(&bytes).expect("an archive");
    assert_eq!(read[0].0.kind, Kind::Link("../".to_owned()));
}

#[test]
fn pax_records_and_long_names_are_read() {
    let long = format!("blobs/{}", "n".repeat(150));
    let record = format!("165 path={long}\n");
    assert_eq!(record.len(), 166);
    let record = record.replacen("165", "166", 1);
    for (flag, text) in [(b'x', record), (b'L', format!("{long}\0"))] {
        let mut bytes = header("pax", flag, 0o644, text.len() as u64)
            .expect("a header")
            .to_vec();
        bytes.extend(text.as_bytes());
        bytes.resize(2 * BLOCK, 0);
        bytes.extend(one("short", b'0'));
        assert_eq!(members(&bytes).expect("an archive")[0].0.name, long);
    }
}

#[test]
fn damage_is_told() {
    let mut writer = Writer::new(Vec::new());
    writer.file("a", 600, &mut io::repeat(1)).expect("written");
    let bytes = writer.end().expect("ended");
    for cut in [100, BLOCK + 10] {
        let mut archive = Archive::new(&bytes[..cut]);
        let first = archive.member();
        assert!(first.is_err() || archive.member().is_err(), "cut at {cut}");
    }
    let mut wrong = bytes;
    wrong[0] = b'b';
    assert!(members(&wrong).is_err());
    let huge = header("L", b'L', 0o644, 1 << 40).expect("a header");
    assert!(members(&huge).is_err());
    assert_eq!(
        number(&[0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]),
        Some(2 << 32)
    );
    assert_eq!(number(&[0xff; 12]), None);
}

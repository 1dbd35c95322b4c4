//! The law of the readers over any bytes; see `src/laws/readers.rs`.

#![no_main]

use std::sync::LazyLock;

use forebay::laws::readers::Comparison;
use libfuzzer_sys::fuzz_target;

static PLACE: LazyLock<(tempfile::TempDir, Comparison)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let comparison = Comparison::new(folder.path()).expect("the commands are understood");
    (folder, comparison)
});

const TABLE: &[u8] = b"images:\n- name: '.*'\n  newName: r.example.org/m\n  newTag: '9'\n";

fuzz_target!(|text: &[u8]| {
    let compared = PLACE.1.compare(text, TABLE).expect("files can be written");
    if let Err(difference) = compared {
        panic!("{difference}");
    }
});

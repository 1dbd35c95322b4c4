//! The edit law over any text, scalar and value; see `src/laws.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, usize, &str)| {
    let (text, pick, value) = input;
    if let Err(broken) = forebay::laws::edit(text, pick, value) {
        panic!("{broken}");
    }
});

//! The rewrite law over any text; see `src/laws.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(broken) = forebay::laws::rewrite(text) {
        panic!("{broken}");
    }
});

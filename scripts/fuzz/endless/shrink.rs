//! A differing input made smaller for as long as it still differs.

use crate::seeds::Seed;

/// How often an input may be tried: what is left then is small enough to read.
const TRIES: usize = 4000;

/// Leaves out lines, then bytes, in ever smaller groups.
pub fn smallest(input: &Seed, mut differs: impl FnMut(&Seed) -> bool) -> Seed {
    let mut tries = TRIES;
    let mut try_it = |smaller: &Seed| {
        tries = tries.saturating_sub(1);
        tries > 0 && differs(smaller)
    };
    let mut best = input.clone();
    for by_lines in [true, false, true, false] {
        let mut count = parts(&best.text, by_lines).len().div_ceil(2);
        while count > 0 {
            let mut at = 0;
            loop {
                let parts = parts(&best.text, by_lines);
                if at >= parts.len() {
                    break;
                }
                let behind = (at + count).min(parts.len());
                let smaller = Seed {
                    text: [&parts[..at], &parts[behind..]].concat().concat(),
                    ..best.clone()
                };
                if try_it(&smaller) {
                    best = smaller;
                } else {
                    at = behind;
                }
            }
            count /= 2;
        }
    }
    best
}

fn parts(text: &[u8], by_lines: bool) -> Vec<&[u8]> {
    if by_lines {
        text.split_inclusive(|byte| *byte == b'\n').collect()
    } else {
        text.chunks(1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let input = Seed {
            name: String::new(),
            text: b"one: 1\ntwo: 2\nthree: [4]\n".to_vec(),
            images: Vec::new(),
        };
        let small = smallest(&input, |it| it.text.contains(&b'['));
        assert_eq!(small.text, b"[");
    }
}

//! Dates and times as Go's YAML readers know them.
//!
//! Source: `resolve.go` `parseTimestamp` of go.yaml.in/yaml/v3 v3.0.4 over Go 1.25 `time.Parse`.

use std::fmt::Write as _;

/// The timestamp as yaml.v3 hands it on through JSON: RFC 3339, seconds with their fraction, no
/// trailing zeros. `None` where the text is none of `2006-1-2`, `2006-1-2 15:4:5.9` and
/// `2006-1-2T15:4:5.9Z07:00`.
pub(crate) fn rfc3339(text: &str) -> Option<String> {
    let mut rest = text;
    let year = fixed(&mut rest, 4)?;
    literal(&mut rest, "-")?;
    let month = short(&mut rest)?;
    literal(&mut rest, "-")?;
    let day = short(&mut rest)?;
    if month == 0 || month > 12 || day == 0 || day > days_in(year, month) {
        return None;
    }
    let mut result = format!("{year:04}-{month:02}-{day:02}T");
    if rest.is_empty() {
        result.push_str("00:00:00Z");
        return Some(result);
    }
    let zoned = match rest.as_bytes()[0] {
        b'T' | b't' => true,
        b' ' => false,
        _ => return None,
    };
    // Go passes over every blank that stands where the layout has one.
    rest = if zoned {
        &rest[1..]
    } else {
        rest.trim_start_matches(' ')
    };
    let hour = short(&mut rest)?;
    literal(&mut rest, ":")?;
    let minute = short(&mut rest)?;
    literal(&mut rest, ":")?;
    let second = short(&mut rest)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let _ = write!(result, "{hour:02}:{minute:02}:{second:02}");
    if let Some(behind) = rest.strip_prefix(['.', ','])
        && behind.starts_with(|first: char| first.is_ascii_digit())
    {
        let length = behind.bytes().take_while(u8::is_ascii_digit).count();
        let digits = behind[..length.min(9)].trim_end_matches('0');
        if !digits.is_empty() {
            result.push('.');
            result.push_str(digits);
        }
        rest = &behind[length..];
    }
    if !zoned {
        result.push('Z');
        return rest.is_empty().then_some(result);
    }
    if rest == "Z" {
        result.push('Z');
        return Some(result);
    }
    let sign = rest.chars().next().filter(|sign| "+-".contains(*sign))?;
    rest = &rest[1..];
    let hours = fixed(&mut rest, 2)?;
    literal(&mut rest, ":")?;
    let minutes = fixed(&mut rest, 2)?;
    if !rest.is_empty() || hours > 23 || minutes > 59 {
        return None;
    }
    if hours == 0 && minutes == 0 {
        result.push('Z');
    } else {
        let _ = write!(result, "{sign}{hours:02}:{minutes:02}");
    }
    Some(result)
}

fn literal(rest: &mut &str, expected: &str) -> Option<()> {
    *rest = rest.strip_prefix(expected)?;
    Some(())
}

/// Exactly `length` digits.
fn fixed(rest: &mut &str, length: usize) -> Option<u32> {
    let digits = rest
        .get(..length)
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    *rest = &rest[length..];
    digits.parse().ok()
}

/// One or two digits.
fn short(rest: &mut &str) -> Option<u32> {
    fixed(rest, 2).or_else(|| fixed(rest, 1))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn timestamps_become_rfc_3339() {
        for (text, expected) in [
            ("2024-01-02", "2024-01-02T00:00:00Z"),
            ("2024-1-2", "2024-01-02T00:00:00Z"),
            (
                "2001-12-14t21:59:43.10-05:00",
                "2001-12-14T21:59:43.1-05:00",
            ),
            ("2001-12-14T1:2:3Z", "2001-12-14T01:02:03Z"),
            ("2001-1-2 3:4:5.60", "2001-01-02T03:04:05.6Z"),
            ("2001-12-14 21:59:43.10", "2001-12-14T21:59:43.1Z"),
            ("2001-12-14T21:59:43+00:00", "2001-12-14T21:59:43Z"),
        ] {
            assert_eq!(rfc3339(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "2024-02-30",
            "24-01-02",
            "2001-12-14 21:59:43.10 -5",
            "2024-01",
            "2024-01-02T",
        ] {
            assert_eq!(rfc3339(text), None, "{text}");
        }
    }
}

//! Durations as Go reads and prints them: `5m` is read, `5m0s` is printed.
//!
//! Source: Go's `time.ParseDuration` and `time.Duration.String`; what the HelmRelease CRD takes of
//! them is the pattern of helm-controller v1.5.0 (`spec/package-rendering.md`, section 2).

use std::fmt;

/// Nanoseconds, as Go counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Duration(pub(crate) i64);

const NANOSECOND: u64 = 1;
const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// One more than the largest amount that a duration holds: what a negative one may reach.
const LIMIT: u64 = 1 << 63;

/// A unit's name with its nanoseconds; `µ` and `μ` are two characters for one letter.
const UNITS: [(&str, u64); 8] = [
    ("ns", NANOSECOND),
    ("us", MICROSECOND),
    ("\u{b5}s", MICROSECOND),
    ("\u{3bc}s", MICROSECOND),
    ("ms", MILLISECOND),
    ("s", SECOND),
    ("m", MINUTE),
    ("h", HOUR),
];

impl Duration {
    /// Whole seconds.
    pub(crate) const fn seconds(count: i64) -> Duration {
        Duration(count * 1_000_000_000)
    }

    /// Reads a duration: a sign, then numbers with units, or `0` alone; `None` for what Go refuses.
    pub(crate) fn parse(text: &str) -> Option<Duration> {
        let (negative, mut rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if rest == "0" {
            return Some(Duration(0));
        }
        if rest.is_empty() {
            return None;
        }
        let mut total: u64 = 0;
        while !rest.is_empty() {
            let (amount, behind) = term(rest)?;
            rest = behind;
            total = total.checked_add(amount).filter(|total| *total <= LIMIT)?;
        }
        if negative {
            return Some(Duration(0i64.wrapping_sub_unsigned(total)));
        }
        i64::try_from(total).ok().map(Duration)
    }

    /// Whether the HelmRelease CRD takes the printed text: only hours, minutes, seconds and
    /// milliseconds.
    pub(crate) fn fits_release(self) -> bool {
        self.0 == 0 || self.0.unsigned_abs() >= MILLISECOND
    }
}

/// The nanoseconds of the first number and unit of `text`, and what stands behind them.
fn term(text: &str) -> Option<(u64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole_length = digits(text);
    let (whole, mut rest) = text.split_at(whole_length);
    let mut fraction = "";
    if let Some(behind) = rest.strip_prefix('.') {
        (fraction, rest) = behind.split_at(digits(behind));
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let length = rest
        .find(|c: char| c == '.' || c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (name, behind) = rest.split_at(length);
    let unit = UNITS.iter().find(|(known, _)| *known == name)?.1;
    let whole: u64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let amount = whole.checked_mul(unit).filter(|amount| *amount <= LIMIT)?;
    let amount = amount
        .checked_add(part(fraction, unit))
        .filter(|amount| *amount <= LIMIT)?;
    Some((amount, behind))
}

/// A fraction of a unit. Go multiplies in floating point and cuts off, and forgets digits that its
/// counter cannot hold.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go computes it so, and the result stays below one unit"
)]
fn part(fraction: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0u64, 1f64);
    for digit in fraction.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

impl fmt::Display for Duration {
    /// As Go prints it: from a second up all units below the largest, below it the largest unit
    /// that fits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let amount = self.0.unsigned_abs();
        if amount < SECOND {
            let (unit, name) = match amount {
                MILLISECOND.. => (MILLISECOND, "ms"),
                MICROSECOND.. => (MICROSECOND, "\u{b5}s"),
                _ => (NANOSECOND, "ns"),
            };
            return write!(f, "{}{name}", Decimal(amount, unit));
        }
        let (hours, minutes) = (amount / HOUR, amount / MINUTE % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if hours > 0 || minutes > 0 {
            write!(f, "{minutes}m")?;
        }
        write!(f, "{}s", Decimal(amount % MINUTE, SECOND))
    }
}

/// An amount in a unit, as a decimal without zeros at its end.
struct Decimal(u64, u64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal(amount, unit) = *self;
        write!(f, "{}", amount / unit)?;
        let rest = amount % unit;
        if rest > 0 {
            let width = unit.ilog10() as usize;
            let digits = format!("{rest:0width$}");
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Option<String> {
        Duration::parse(text).map(|duration| duration.to_string())
    }

    #[test]
    fn durations_are_printed_as_go_prints_them() {
        for (text, expected) in [
            ("5m", "5m0s"),
            ("90s", "1m30s"),
            ("1h", "1h0m0s"),
            ("1h30m", "1h30m0s"),
            ("1500ms", "1.5s"),
            ("0.5s", "500ms"),
            ("30s", "30s"),
            ("500us", "500µs"),
            ("500μs", "500µs"),
            ("1.5h0.25m", "1h30m15s"),
            ("0", "0s"),
            ("+1s", "1s"),
            ("-1.5s", "-1.5s"),
            (".5m", "30s"),
            ("5.s", "5s"),
            ("1ns", "1ns"),
            ("1.000000001s", "1.000000001s"),
            ("9223372036854775807ns", "2562047h47m16.854775807s"),
            ("-9223372036854775808ns", "-2562047h47m16.854775808s"),
            ("0.3333333333333333333h", "20m0s"),
        ] {
            assert_eq!(printed(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for text in [
            "",
            "-",
            "5",
            "m",
            ".s",
            "1x",
            "1 s",
            "9223372036854775808ns",
            "3000000h",
            "1s ",
        ] {
            assert_eq!(Duration::parse(text), None, "{text}");
        }
    }

    #[test]
    fn releases_take_no_unit_below_the_millisecond() {
        assert!(Duration(1_500_000).fits_release());
        assert!(!Duration(500_000).fits_release());
    }
}

//! Points in time as Kubernetes writes them, and the time between two of them for people.
//!
//! Source: RFC 3339, as `metav1.Time` and `metav1.MicroTime` print it. No clock is read here.

use std::fmt;

/// Whole seconds since 1970-01-01T00:00:00Z; fractions are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(pub(crate) i64);

/// The seconds of a day.
const DAY: i64 = 86_400;

impl Moment {
    /// Reads `2026-11-02T10:00:00Z`, with a fraction or an offset where there is one; `None` for
    /// anything else.
    pub(crate) fn parse(text: &str) -> Option<Moment> {
        let bytes = text.as_bytes();
        let marks = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
        if bytes.len() < 20 || marks.iter().any(|&(at, mark)| bytes[at] != mark) {
            return None;
        }
        if !matches!(bytes[10], b'T' | b't') {
            return None;
        }
        let number = |from: usize, to: usize| digits(bytes.get(from..to)?);
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let longest = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if day < 1 || day > longest || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let mut zone = &bytes[19..];
        if let [b'.', fraction @ ..] = zone {
            let length = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
            if length == 0 {
                return None;
            }
            zone = &fraction[length..];
        }
        let offset = match zone {
            [b'Z' | b'z'] => 0,
            [sign @ (b'+' | b'-'), hours @ .., b':', tens, ones] if hours.len() == 2 => {
                let (hours, minutes) = (digits(hours)?, digits(&[*tens, *ones])?);
                if hours > 23 || minutes > 59 {
                    return None;
                }
                let seconds = hours * 3600 + minutes * 60;
                if *sign == b'-' { -seconds } else { seconds }
            }
            _ => return None,
        };
        let days = days_before(year, month) + day - 1;
        Some(Moment(
            days * DAY + hour * 3600 + minute * 60 + second - offset,
        ))
    }

    /// Seconds from `self` to `later`; negative where `later` is earlier.
    pub(crate) fn until(self, later: Moment) -> i64 {
        later.0 - self.0
    }
}

/// A number of digits and nothing else.
fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + i64::from(byte - b'0'))
    })
}

/// Days from 1970-01-01 to the first of a month, in the Gregorian calendar.
fn days_before(year: i64, month: i64) -> i64 {
    // The year begins with March, so that the leap day is its last.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    days + (153 * month + 2) / 5 - 719_468
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let mut year = 1970 + days.div_euclid(366);
        while days_before(year + 1, 1) <= days {
            year += 1;
        }
        let month = (1..=12)
            .rev()
            .find(|&month| days_before(year, month) <= days)
            .unwrap_or(1);
        let day = days - days_before(year, month) + 1;
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// A time for people: its two largest units, `2 h 30 min`.
pub(crate) fn lasting(seconds: i64) -> String {
    let seconds = seconds.unsigned_abs();
    let pair = |large: u64, one: &str, small: u64, other: &str| match small {
        0 => format!("{large} {one}"),
        small => format!("{large} {one} {small} {other}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => pair(seconds / 60, "min", seconds % 60, "s"),
        3600..86_400 => pair(seconds / 3600, "h", seconds / 60 % 60, "min"),
        _ => pair(seconds / 86_400, "d", seconds / 3600 % 24, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_printed() {
        for (text, seconds, shown) in [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
            (
                "2026-11-02T10:00:00Z",
                1_793_613_600,
                "2026-11-02T10:00:00Z",
            ),
            (
                "2024-02-29T23:59:59.123456Z",
                1_709_251_199,
                "2024-02-29T23:59:59Z",
            ),
            (
                "2024-12-31T23:59:59+01:30",
                1_735_684_199,
                "2024-12-31T22:29:59Z",
            ),
            (
                "2000-03-01T00:00:00-00:01",
                951_868_860,
                "2000-03-01T00:01:00Z",
            ),
            ("1969-12-31T23:59:59Z", -1, "1969-12-31T23:59:59Z"),
            ("2000-02-29T00:00:00Z", 951_782_400, "2000-02-29T00:00:00Z"),
            // A leap second is the next second to Unix.
            (
                "2016-12-31T23:59:60Z",
                1_483_228_800,
                "2017-01-01T00:00:00Z",
            ),
            (
                "2024-12-31T23:59:59+23:59",
                1_735_603_259,
                "2024-12-31T00:00:59Z",
            ),
        ] {
            let moment = Moment::parse(text);
            assert_eq!(moment, Some(Moment(seconds)), "{text}");
            assert_eq!(Moment(seconds).to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "now",
            "2026-11-02",
            "2026-11-02 10:00:00Z",
            "2026-11-02T10:00:00",
            "2026-02-29T10:00:00Z",
            "1900-02-29T10:00:00Z",
            "2026-13-01T10:00:00Z",
            "2026-04-31T10:00:00Z",
            "2026-01-00T10:00:00Z",
            "2026-11-02T24:00:00Z",
            "2026-11-02T10:60:00Z",
            "2026-11-02T10:00:61Z",
            "2026-11-02T10:00:00.Z",
            "2026-11-02T10:00:00+24:00",
            "2026-11-02T10:00:00+01:60",
            "2026-11-02T10:00:00+1:00",
            "2026-11-02T1a:00:00Z",
            "2026x11-02T10:00:00Z",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_a_cycle_reads_back() {
        for day in (0..146_097).step_by(13) {
            let moment = Moment(day * DAY + 3_723);
            assert_eq!(Moment::parse(&moment.to_string()), Some(moment));
        }
    }

    #[test]
    fn the_time_between_has_two_units() {
        for (seconds, text) in [
            (0, "0 s"),
            (-20, "20 s"),
            (60, "1 min"),
            (61, "1 min 1 s"),
            (3600, "1 h"),
            (9000, "2 h 30 min"),
            (86_400, "1 d"),
            (100_000, "1 d 3 h"),
        ] {
            assert_eq!(lasting(seconds), text);
        }
        assert_eq!(Moment(5).until(Moment(3)), -2);
    }
}

//! When a request is sent again, and after how long.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ureq::http::{HeaderMap, StatusCode};

use super::error::Error;

/// How often a request is sent at most.
pub(super) const ATTEMPTS: u32 = 6;

/// The longest pause that a registry is granted.
const LONGEST: u64 = 300;

/// The first pause where the registry asks for none; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(250);

/// Whether a status says that it may be another one later.
pub(super) fn temporary(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// How long to wait after the attempt of this number (from 1).
///
/// # Errors
///
/// Where the host asks for more than is granted.
pub(super) fn pause_after(
    attempt: u32,
    headers: &HeaderMap,
    host: &str,
) -> Result<Duration, Error> {
    let asked = headers
        .get("retry-after")
        .and_then(|value| value.to_str().ok())
        .and_then(|text| retry_after(text, SystemTime::now()));
    match asked {
        Some(seconds) if seconds > LONGEST => Err(Error::Wait {
            host: host.to_owned(),
            seconds,
            most: LONGEST,
        }),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Ok(FIRST * 2u32.pow(attempt.saturating_sub(1).min(7))),
    }
}

/// The seconds that `Retry-After` asks for: a number, or a date (RFC 9110 section 10.2.3).
fn retry_after(text: &str, now: SystemTime) -> Option<u64> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(seconds);
    }
    let at = http_date(text.trim())?;
    let now = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(at.saturating_sub(now))
}

/// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`; the two obsolete forms are not read.
fn http_date(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month = words.next().filter(|name| name.len() == 3)?;
    let month = MONTHS.find(month).filter(|at| at % 3 == 0)? as u64 / 3 + 1;
    let year: u64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':').map(str::parse::<u64>);
    let mut next = || clock.next()?.ok();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    if !(1970..10_000).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    // Days from the civil calendar, years beginning in March.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let days = days.checked_sub(719_468)?;
    Some(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_a_number_or_a_date() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(http_date(date), Some(784_111_777));
        assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            http_date("Thu, 29 Feb 2024 12:00:00 GMT"),
            Some(1_709_208_000)
        );
        let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
        assert_eq!(retry_after(date, now), Some(7));
        assert_eq!(retry_after("12", now), Some(12));
        assert_eq!(retry_after("soon", now), None);
    }

    #[test]
    fn pauses_double_and_end() {
        let none = HeaderMap::new();
        let pause = |attempt| {
            pause_after(attempt, &none, "h")
                .expect("a pause")
                .as_millis()
        };
        assert_eq!([pause(1), pause(2), pause(5)], [250, 500, 4000]);
        let mut long = HeaderMap::new();
        long.insert("retry-after", "301".parse().expect("a value"));
        assert!(pause_after(1, &long, "h").is_err());
    }
}

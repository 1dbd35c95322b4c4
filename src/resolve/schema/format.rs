//! The forms that the API server knows for texts and whole numbers.
//!
//! A form that is not here is not looked at: `email`, `uri`, `mac`, the book and card numbers and
//! colours, which no definition of Flux or Cozystack uses.
//!
//! Source: kube-openapi `pkg/validation/strfmt`; apiextensions-apiserver
//! `pkg/apiserver/validation/formats.go`, Kubernetes 1.35.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::model::duration::Duration;

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// 32 bits with a sign.
    Int32,
    /// `2006-01-02`
    Date,
    /// `2006-01-02T15:04:05Z`
    DateTime,
    /// `1h30m`, or `2 days`.
    Duration,
    /// An address of version 4.
    Ipv4,
    /// An address of version 6.
    Ipv6,
    /// An address and a prefix length.
    Cidr,
    /// A UUID of any or of one version, dashes optional.
    Uuid(Option<u8>),
    /// Base64 with padding.
    Byte,
}

impl Format {
    /// The form of this name; dashes do not count.
    pub(super) fn named(name: &str) -> Option<Format> {
        Some(match name.replace('-', "").as_str() {
            "int32" => Format::Int32,
            "date" => Format::Date,
            "datetime" => Format::DateTime,
            "duration" => Format::Duration,
            "ipv4" => Format::Ipv4,
            "ipv6" => Format::Ipv6,
            "cidr" => Format::Cidr,
            "uuid" => Format::Uuid(None),
            "uuid3" => Format::Uuid(Some(b'3')),
            "uuid4" => Format::Uuid(Some(b'4')),
            "uuid5" => Format::Uuid(Some(b'5')),
            "byte" => Format::Byte,
            _ => return None,
        })
    }

    /// What a value of this form is, for a sentence.
    pub(super) fn words(self) -> &'static str {
        match self {
            Format::Int32 => "a whole number of 32 bits",
            Format::Date => "a date such as `2006-01-02`",
            Format::DateTime => "a time such as `2006-01-02T15:04:05Z`",
            Format::Duration => "a duration such as `1h30m`",
            Format::Ipv4 => "an IPv4 address",
            Format::Ipv6 => "an IPv6 address",
            Format::Cidr => "an address with a prefix length, such as `10.0.0.0/8`",
            Format::Uuid(_) => "a UUID",
            Format::Byte => "base64",
        }
    }

    /// Whether a text has the form.
    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            Format::Int32 => true,
            Format::Date => is_date(text),
            Format::DateTime => is_date_time(text),
            Format::Duration => Duration::parse(text).is_some() || is_loose_duration(text),
            Format::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Format::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Format::Cidr => is_cidr(text),
            Format::Uuid(version) => is_uuid(text, version),
            Format::Byte => is_base64(text),
        }
    }
}

fn digits(text: &str, count: usize) -> Option<u32> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (year, month, day, rest) = (parts.next(), parts.next(), parts.next(), parts.next());
    let number = |part: Option<&str>, count| part.and_then(|part| digits(part, count));
    let (Some(year), Some(month), Some(day), None) =
        (number(year, 4), number(month, 2), number(day, 2), rest)
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some((date, time)) = lower.split_once('t') else {
        return false;
    };
    let Some((clock, rest)) = time.split_at_checked(8) else {
        return false;
    };
    let part = |range: std::ops::Range<usize>| clock.get(range).and_then(|part| digits(part, 2));
    let clock_holds = clock.as_bytes()[2] == b':'
        && clock.as_bytes()[5] == b':'
        && part(0..2).is_some_and(|hour| hour <= 23)
        && part(3..5).is_some_and(|minute| minute <= 59)
        && part(6..8).is_some_and(|second| second <= 59);
    // Go's expression has an unescaped dot before the fraction.
    let zone = |rest: &str| {
        rest == "z"
            || rest.strip_prefix(['+', '-']).is_some_and(|rest| {
                rest.split_once(':').is_some_and(|(hours, minutes)| {
                    digits(hours, 2).is_some() && digits(minutes, 2).is_some()
                })
            })
    };
    let mut behind = rest.chars();
    let fraction = behind.next().is_some_and(|_| {
        let rest = behind.as_str();
        let count = rest.bytes().take_while(u8::is_ascii_digit).count();
        count > 0 && zone(&rest[count..])
    });
    is_date(date) && clock_holds && (zone(rest) || fraction)
}

/// Besides Go's own form, numbers with words: `2 days`. The words are not looked at.
fn is_loose_duration(text: &str) -> bool {
    let numbers = text.split(|found: char| !found.is_ascii_digit());
    let mut behind = text;
    for number in numbers.filter(|number| !number.is_empty()) {
        let Some(at) = behind.find(number) else {
            return false;
        };
        behind = &behind[at + number.len()..];
        if behind.trim_start().starts_with(char::is_alphabetic) {
            return true;
        }
    }
    false
}

fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else {
        return false;
    };
    let most = if address.parse::<Ipv4Addr>().is_ok() {
        32
    } else if address.parse::<Ipv6Addr>().is_ok() {
        128
    } else {
        return false;
    };
    length.len() <= 3 && digits(length, length.len()).is_some_and(|length| length <= most)
}

fn is_uuid(text: &str, version: Option<u8>) -> bool {
    let mut plain = Vec::with_capacity(32);
    for byte in text.bytes() {
        match byte {
            b'-' if matches!(plain.len(), 8 | 12 | 16 | 20) => {}
            byte if byte.is_ascii_hexdigit() => plain.push(byte.to_ascii_lowercase()),
            _ => return false,
        }
    }
    let doubled = text.contains("--") || text.ends_with('-');
    let of_version = match version {
        None => true,
        Some(b'3') => plain.get(12) == Some(&b'3'),
        Some(version) => {
            plain.get(12) == Some(&version) && plain.get(16).is_some_and(|it| b"89ab".contains(it))
        }
    };
    plain.len() == 32 && !doubled && of_version
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !body.is_empty() && text.len().is_multiple_of(4) && padding <= 2 && body.bytes().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_take_what_the_api_server_takes() {
        let cases: [(&str, &[&str], &[&str]); 9] = [
            (
                "date-time",
                &[
                    "2024-02-29T23:59:59Z",
                    "2024-01-02t01:02:03.5+02:00",
                    "2024-01-02T01:02:03-00:00",
                ],
                &[
                    "2023-02-29T00:00:00Z",
                    "2024-01-02",
                    "2024-01-02T24:00:00Z",
                    "2024-01-02T01:02:03",
                    "2024-01-02T01:02Z",
                    "",
                ],
            ),
            (
                "date",
                &["2024-12-31"],
                &["2024-13-01", "24-01-01", "2024-1-1"],
            ),
            ("duration", &["1h30m", "2 days", "0"], &["", "soon", "-"]),
            ("ipv4", &["10.0.0.1"], &["10.0.0", "::1", "010.0.0.1"]),
            ("ipv6", &["::1", "fe80::1"], &["10.0.0.1", "fe80::1%eth0"]),
            (
                "cidr",
                &["10.0.0.0/8", "::/0", "10.0.0.1/32"],
                &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "x/8"],
            ),
            (
                "uuid4",
                &[
                    "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
                    "6BA7B8109DAD41D180B400C04FD430C8",
                ],
                &["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810"],
            ),
            ("byte", &["YQ==", "YWJj"], &["YQ", "YQ=", "Y-Q="]),
            ("int64", &[], &[]),
        ];
        for (name, taken, refused) in cases {
            let Some(format) = Format::named(name) else {
                assert!(taken.is_empty(), "{name}");
                continue;
            };
            for text in taken {
                assert!(format.takes(text), "{name} takes {text}");
            }
            for text in refused {
                assert!(!format.takes(text), "{name} refuses {text}");
            }
        }
    }
}

//! What a scalar means, which depends on who reads it.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 `resolve.go`; sigs.k8s.io/yaml v1.6 `goyaml.v2/resolve.go`.

use super::{Kind, Node};

/// Whose rules are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// kubectl and the API server: sigs.k8s.io/yaml v1.6, with YAML 1.1's words for truth.
    Kubernetes,
    /// kustomize: go.yaml.in/yaml/v3 v3.0.4, YAML 1.2 with extensions.
    Kustomize,
}

/// What a scalar means to a reader.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar<'t> {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number of 64 bits, signed or not.
    Integer(i128),
    /// A number with a fraction or exponent, or too large; infinite or not a number included.
    Float(f64),
    /// A date or time; kept as written.
    Timestamp(&'t str),
    /// A string.
    String(&'t str),
}

/// What a scalar node means to `reader`; `None` for collections and aliases.
pub(crate) fn resolve<'d>(node: Node<'d>, reader: Reader) -> Option<Scalar<'d>> {
    let text = node.text()?;
    Some(match node.tag() {
        None if node.kind() == Kind::Plain => plain(text, reader),
        None | Some("!!str" | "!!binary") => Scalar::String(text),
        Some("!!null") => Scalar::Null,
        Some("!!float") => match plain(text, reader) {
            #[expect(clippy::cast_precision_loss, reason = "Go loses the same digits")]
            Scalar::Integer(value) => Scalar::Float(value as f64),
            other => other,
        },
        Some("!!bool" | "!!int" | "!!timestamp") => plain(text, reader),
        Some(_) => Scalar::String(text),
    })
}

/// What a plain text without a tag means to `reader`.
pub(crate) fn plain(text: &str, reader: Reader) -> Scalar<'_> {
    if let Some(word) = word(text, reader) {
        return word;
    }
    match text.as_bytes()[0] {
        b'.' => float(text).map_or(Scalar::String(text), Scalar::Float),
        b'0'..=b'9' | b'+' | b'-' => number(text),
        _ => Scalar::String(text),
    }
}

fn word(text: &str, reader: Reader) -> Option<Scalar<'static>> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if reader == Reader::Kubernetes => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF"
            if reader == Reader::Kubernetes =>
        {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

fn number(text: &str) -> Scalar<'_> {
    if is_timestamp(text) {
        return Scalar::Timestamp(text);
    }
    let digits = text.replace('_', "");
    if let Some(value) = integer(&digits) {
        return Scalar::Integer(value);
    }
    match float(&digits) {
        Some(value) => Scalar::Float(value),
        None => Scalar::String(text),
    }
}

/// A whole number as Go's `strconv.ParseInt` and `ParseUint` read it with base 0: `0x`, `0o`, `0b`
/// and a leading 0 choose the base; 64 bits.
fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (base, digits) = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        Some(pair) if pair.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let value = sign * i128::from_str_radix(digits, base).ok()?;
    // An explicit plus is no unsigned number to Go.
    let most = if text.starts_with('+') { i128::from(i64::MAX) } else { i128::from(u64::MAX) };
    (i128::from(i64::MIN)..=most).contains(&value).then_some(value)
}

/// A decimal number; Go takes one that is out of range for no number.
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if !mantissa_fits || !exponent_fits {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Whether Go's reader takes the text for a date or time (`parseTimestamp`): `2001-1-2`, with
/// `T15:4:5.9Z` or `+07:00`, or a blank and a time without a zone.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || bytes[4] != b'-' || !bytes[..4].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some((text.as_bytes()[at], &text[at + 1..]))),
        None => (text, None),
    };
    let parts: Vec<Option<u32>> = date.split('-').map(small_number).collect();
    let [Some(year), Some(month), Some(day)] = parts[..] else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
        && match time {
            None => true,
            Some((b' ', time)) => clock(time),
            Some((_, time)) => zoned(time),
        }
}

fn small_number(text: &str) -> Option<u32> {
    let fits = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}

fn clock(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<Option<u32>> = whole.split(':').map(small_number).collect();
    let short = whole.split(':').all(|part| part.len() <= 2);
    let fraction_fits =
        !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    short
        && fraction_fits
        && matches!(parts[..], [Some(hour), Some(minute), Some(second)]
            if hour < 24 && minute < 60 && second < 60)
}

fn zoned(text: &str) -> bool {
    if let Some(time) = text.strip_suffix('Z') {
        return clock(time);
    }
    let Some(at) = text.rfind(['+', '-']) else { return false };
    let zone: Vec<Option<u32>> = text[at + 1..].split(':').map(small_number).collect();
    text[at + 1..].len() == 5 && matches!(zone[..], [Some(_), Some(_)]) && clock(&text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_mean_what_go_reads() {
        let table = [
            ("0777", Scalar::Integer(511)), ("0o17", Scalar::Integer(15)),
            ("1_000", Scalar::Integer(1000)), ("0x1F", Scalar::Integer(31)),
            ("-0b11", Scalar::Integer(-3)), ("08", Scalar::Float(8.0)),
            ("1.20", Scalar::Float(1.2)), ("706798e8", Scalar::Float(70_679_800_000_000.0)),
            ("1e400", Scalar::String("1e400")), (".5", Scalar::Float(0.5)),
            ("18446744073709551615", Scalar::Integer(18_446_744_073_709_551_615)),
            ("2001-01-01", Scalar::Timestamp("2001-01-01")),
            ("2001-13-01", Scalar::String("2001-13-01")), ("12:30", Scalar::String("12:30")),
            ("1.2.3", Scalar::String("1.2.3")), ("~", Scalar::Null), ("", Scalar::Null),
            ("-", Scalar::String("-")), ("+.inf", Scalar::Float(f64::INFINITY)),
            ("yes", Scalar::String("yes")), ("0x", Scalar::String("0x")),
        ];
        for (text, expected) in table {
            assert_eq!(plain(text, Reader::Kustomize), expected, "{text}");
        }
        assert_eq!(plain("y", Reader::Kubernetes), Scalar::Bool(true));
        assert_eq!(plain("Off", Reader::Kubernetes), Scalar::Bool(false));
    }
}

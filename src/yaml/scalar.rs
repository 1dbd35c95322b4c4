//! What a scalar means, which depends on who reads it. Whole trees as JSON: [`super::json`].
//!
//! Source: `resolve.go` of go.yaml.in/yaml/v3 v3.0.4 (kustomize) and of sigs.k8s.io/yaml
//! `goyaml.v2` (kubectl, API server), the latter checked against kubectl 1.35.

use super::{Kind, Node};

/// Whose rules are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// kubectl and the API server: sigs.k8s.io/yaml v1.6, YAML 1.1 words and numbers.
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
    /// A whole number of at most 64 bits, with a sign or without.
    Integer(i128),
    /// A number with a fraction or exponent or of more than 64 bits, infinite or not a number
    /// included.
    Float(f64),
    /// A date or time; kept as written.
    Timestamp(&'t str),
    /// A string.
    String(&'t str),
}

impl Scalar<'_> {
    /// The tag that Go's messages call the type by.
    pub(crate) fn tag(&self) -> &'static str {
        match self {
            Scalar::Null => "!!null",
            Scalar::Bool(_) => "!!bool",
            Scalar::Integer(_) => "!!int",
            Scalar::Float(_) => "!!float",
            Scalar::Timestamp(_) => "!!timestamp",
            Scalar::String(_) => "!!str",
        }
    }
}

/// What a scalar node means to `reader`, its tag honoured; `None` for collections and aliases.
///
/// Where the text does not fit the tag, which the reader refuses, the text counts as a string;
/// [`resolve_strict`] tells the two apart.
pub(crate) fn resolve(node: Node<'_>, reader: Reader) -> Option<Scalar<'_>> {
    let text = node.text()?;
    // A tag of null stands, whatever the text: yaml.v3 keeps the node as null.
    let unfit = if node.tag() == Some("!!null") {
        Scalar::Null
    } else {
        Scalar::String(text)
    };
    Some(resolve_strict(node, reader)?.unwrap_or(unfit))
}

/// As [`resolve`], but a text that does not fit the node's tag is an error: the type that the
/// reader finds instead.
pub(crate) fn resolve_strict(
    node: Node<'_>,
    reader: Reader,
) -> Option<Result<Scalar<'_>, &'static str>> {
    let text = node.text()?;
    let Some(tag) = node.tag() else {
        return Some(Ok(match node.kind() {
            Kind::Plain => plain(text, reader),
            _ => Scalar::String(text),
        }));
    };
    let found = match tag {
        // A lone `!` is no tag to yaml.v3 and means a string to yaml.v2.
        "!" if reader == Reader::Kustomize && node.kind() == Kind::Plain => plain(text, reader),
        "!!bool" | "!!int" | "!!float" | "!!null" | "!!timestamp" => plain(text, reader),
        _ => return Some(Ok(Scalar::String(text))),
    };
    Some(match (tag, found) {
        // Only an untagged or `!!timestamp` text is tried as a date.
        ("!!bool" | "!!int" | "!!float" | "!!null", Scalar::Timestamp(_)) => Err("!!str"),
        ("!!float", Scalar::Integer(number)) => Ok(Scalar::Float(as_float(number))),
        (tag, found) if tag == "!" || tag == found.tag() => Ok(found),
        (_, found) => Err(found.tag()),
    })
}

/// A whole number as the nearest float, as Go converts it.
#[expect(
    clippy::cast_precision_loss,
    reason = "Go's reader loses the same digits"
)]
pub(crate) fn as_float(number: i128) -> f64 {
    number as f64
}

/// What an untagged plain scalar of this text means to `reader`.
pub(crate) fn plain(text: &str, reader: Reader) -> Scalar<'_> {
    // The longest of the words below is `false`.
    if text.len() > 5 && text.as_bytes()[0].is_ascii_alphabetic() {
        return Scalar::String(text);
    }
    let kubernetes = reader == Reader::Kubernetes;
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" => return Scalar::Bool(true),
        "false" | "False" | "FALSE" => return Scalar::Bool(false),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if kubernetes => {
            return Scalar::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" if kubernetes => {
            return Scalar::Bool(false);
        }
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Scalar::Float(f64::INFINITY);
        }
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let number = match text.as_bytes()[0] {
        b'.' => float(text).map(Scalar::Float),
        b'+' | b'-' | b'0'..=b'9' => {
            if super::timestamp::rfc3339(text).is_some() {
                return Scalar::Timestamp(text);
            }
            if text.contains('_') {
                number(&text.replace('_', ""), kubernetes)
            } else {
                number(text, kubernetes)
            }
        }
        _ => None,
    };
    number.unwrap_or(Scalar::String(text))
}

/// Whether a text is one of the words that YAML 1.1 takes for something but YAML 1.2 for a string:
/// truth values, sexagesimal numbers, `=` and `<<`.
pub(crate) fn is_yaml_1_1_word(text: &str) -> bool {
    matches!(text, "=" | "<<")
        || matches!(plain(text, Reader::Kubernetes), Scalar::Bool(_))
            && matches!(plain(text, Reader::Kustomize), Scalar::String(_))
        || is_sexagesimal(text)
}

/// `12:30`, `-1:2:3.5`: a number to the base 60, which Go's readers never read but do quote.
fn is_sexagesimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.split(':');
    let head = parts.next().unwrap_or_default();
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let mut tails = 0;
    let sixty = parts.all(|part| {
        tails += 1;
        matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
    });
    tails > 0
        && sixty
        && head.starts_with(|first: char| first.is_ascii_digit())
        && digits(head)
        && digits(fraction)
}

/// A number without its underscores, tried as Go tries it.
fn number(text: &str, kubernetes: bool) -> Option<Scalar<'static>> {
    if let Some(found) = integer(text) {
        return Some(Scalar::Integer(found));
    }
    if let Some(found) = float(text) {
        return Some(Scalar::Float(found));
    }
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (rest, radix) = match rest.get(..2) {
        Some("0b") => (&rest[2..], 2),
        Some("0o") if !kubernetes => (&rest[2..], 8),
        _ => return None,
    };
    // What is left here has a second sign behind the prefix, as in `0b-11`.
    if !sign.is_empty() {
        return None;
    }
    let found = i128::from_str_radix(rest, radix).ok()?;
    i64::try_from(found)
        .ok()
        .map(|found| Scalar::Integer(found.into()))
}

/// `strconv.ParseInt` and `ParseUint` with base 0: a sign, then digits to the base that the prefix
/// names; what is not 64 bits wide is none.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'o' | b'O', ..] => (&digits[2..], 8),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    if !digits.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return None;
    }
    let number = i128::from_str_radix(digits, radix).ok()?;
    let number = if negative { -number } else { number };
    // `ParseUint` takes no sign.
    let signed = text.starts_with(['-', '+']);
    let fits = if signed || number < 0 {
        i64::try_from(number).is_ok()
    } else {
        u64::try_from(number).is_ok()
    };
    fits.then_some(number)
}

/// A decimal number with a fraction or an exponent or without, finite.
fn float(text: &str) -> Option<f64> {
    let digits = |from: &str| from.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let whole = digits(rest);
    rest = &rest[whole..];
    if let Some(behind) = rest.strip_prefix('.') {
        let fraction = digits(behind);
        if whole == 0 && fraction == 0 {
            return None;
        }
        rest = &behind[fraction..];
    } else if whole == 0 {
        return None;
    }
    if let Some(behind) = rest.strip_prefix(['e', 'E']) {
        let exponent = behind.strip_prefix(['+', '-']).unwrap_or(behind);
        if exponent.is_empty() || digits(exponent) < exponent.len() {
            return None;
        }
    } else if !rest.is_empty() {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(text: &str) -> (Scalar<'_>, Scalar<'_>) {
        (
            plain(text, Reader::Kubernetes),
            plain(text, Reader::Kustomize),
        )
    }

    #[test]
    fn numbers_mean_the_same_to_both_readers() {
        for (text, number) in [
            ("0755", 493),
            ("0o400", 256),
            ("0x1F", 31),
            ("0X1f", 31),
            ("0b11", 3),
            ("0B11", 3),
            ("+5", 5),
            ("-0", 0),
            ("1_000", 1000),
            ("0b-11", -3),
            ("-0x10", -16),
            ("18446744073709551615", 18_446_744_073_709_551_615),
        ] {
            assert_eq!(
                both(text),
                (Scalar::Integer(number), Scalar::Integer(number)),
                "{text}"
            );
        }
        for (text, number) in [
            ("08", 8.0),
            ("1.10", 1.1),
            (".5", 0.5),
            ("1.", 1.0),
            ("1e3", 1e3),
            ("1_0.5", 10.5),
            ("18446744073709551616", 18_446_744_073_709_551_616.0),
            ("+9223372036854775808", 9_223_372_036_854_775_808.0),
        ] {
            assert_eq!(
                both(text),
                (Scalar::Float(number), Scalar::Float(number)),
                "{text}"
            );
        }
    }

    #[test]
    fn look_alikes_stay_strings() {
        for text in [
            "1.2.3",
            "1e400",
            "0xFFFFFFFFFFFFFFFFFF",
            "0b2",
            "._5",
            "-",
            "+",
            "-_",
            "1:2",
            "0x",
            "1e",
            "tRue",
            "nUll",
            "2024-13-01",
            "12:30:45",
            "<<",
            "--1",
            "0-1",
            "1a",
            "é",
        ] {
            assert_eq!(
                both(text),
                (Scalar::String(text), Scalar::String(text)),
                "{text}"
            );
        }
    }

    #[test]
    fn words_of_yaml_1_1_are_words_to_kubernetes_only() {
        for (text, truth) in [("y", true), ("No", false), ("ON", true), ("off", false)] {
            assert_eq!(both(text), (Scalar::Bool(truth), Scalar::String(text)));
            assert!(is_yaml_1_1_word(text));
        }
        assert_eq!(
            both("0o-17"),
            (Scalar::String("0o-17"), Scalar::Integer(-15))
        );
        assert!(is_yaml_1_1_word("12:30") && !is_yaml_1_1_word("a:30"));
        assert!(!is_yaml_1_1_word("12:99") && !is_yaml_1_1_word("true"));
    }
}

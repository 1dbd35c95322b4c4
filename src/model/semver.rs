//! Semantic versions as Flux reads tags and chart versions, in their order of precedence.
//!
//! Not here: versions of programs ([`super::version`]), and which versions a range takes
//! ([`super::constraint`]).
//!
//! Source: semver.org 2.0.0; `github.com/Masterminds/semver/v3` v3.4.0 `version.go`, by way of
//! fluxcd/pkg `version` v0.9, whose `ParseVersion` is strict but for a leading `v`.

use std::cmp::Ordering;

/// A version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SemVer {
    /// Major, minor and patch number.
    pub(crate) core: [u64; 3],
    /// What stands behind the dash; empty in a release.
    pub(crate) pre: String,
}

impl SemVer {
    /// Reads a version of three numbers, with or without a `v` before it; `None` where it is none.
    pub(crate) fn parse(text: &str) -> Option<SemVer> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let (text, metadata) = match text.split_once('+') {
            Some((text, metadata)) => (text, Some(metadata)),
            None => (text, None),
        };
        let (numbers, pre) = match text.split_once('-') {
            Some((numbers, pre)) => (numbers, Some(pre)),
            None => (text, None),
        };
        let sound = |part: Option<&str>, numeric: bool| {
            part.is_none_or(|part| part.split('.').all(|it| is_identifier(it, numeric)))
        };
        if !sound(pre, true) || !sound(metadata, false) {
            return None;
        }
        let mut parts = numbers.split('.').map(number);
        let mut next = || parts.next().flatten();
        let core = [next()?, next()?, next()?];
        parts.next().is_none().then(|| SemVer {
            core,
            pre: pre.unwrap_or_default().to_owned(),
        })
    }
}

/// A number without a zero before it.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    (digits && !padded).then(|| text.parse().ok()).flatten()
}

/// Letters, digits and dashes; where numbers count, one without a zero before it.
fn is_identifier(text: &str, numbers_count: bool) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let padded =
        text.len() > 1 && text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit());
    !text.is_empty() && text.bytes().all(is_letter) && !(numbers_count && padded)
}

impl PartialOrd for SemVer {
    fn partial_cmp(&self, other: &SemVer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SemVer {
    fn cmp(&self, other: &SemVer) -> Ordering {
        let pre = || match (self.pre.as_str(), other.pre.as_str()) {
            ("", "") => Ordering::Equal,
            ("", _) => Ordering::Greater,
            (_, "") => Ordering::Less,
            (one, other) => one
                .split('.')
                .map(Identifier::of)
                .cmp(other.split('.').map(Identifier::of)),
        };
        self.core.cmp(&other.core).then_with(pre)
    }
}

/// A part of what stands behind the dash: numbers come before words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'t> {
    Number(usize, &'t str),
    Word(&'t str),
}

impl Identifier<'_> {
    fn of(text: &str) -> Identifier<'_> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            // Of numbers without zeros before them the longer is the greater.
            Identifier::Number(text.len(), text)
        } else {
            Identifier::Word(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precedence_is_that_of_the_specification() {
        let ascending = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "v1.0.0",
            "1.2.0",
            "1.10.0+build",
        ];
        let read: Vec<SemVer> = ascending
            .iter()
            .map(|text| SemVer::parse(text).expect("a version"))
            .collect();
        assert!(read.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn what_is_no_strict_version_is_none() {
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "01.2.3",
            "1.2.3-",
            "1.2.3-01",
            "1.2.x",
            "vv1.2.3",
            "1.2.3+",
            "V1.2.3",
            "1.2.3-a_b",
        ] {
            assert_eq!(SemVer::parse(text), None, "{text}");
        }
        assert!(SemVer::parse("v1.2.3-0a.b-c+01").is_some());
    }
}

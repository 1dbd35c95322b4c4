//! Ranges of versions as Flux reads them: `1.x`, `~1.2`, `^1`, `>=1.0.0 <2.0.0 || 3.1.*`,
//! `1.2 - 1.4`.
//!
//! Source: `github.com/Masterminds/semver/v3` v3.4.0 `constraints.go`, which source-controller v1.8
//! asks. Compared with v3.2.0 over 32,000 seeded pairs of a range and a release: the same is taken
//! and refused. Versions before a release follow v3.3 and were not compared. A range with a hyphen
//! that stands beside other comparisons, or behind `||` without a blank, is read as it looks; the
//! library refuses most of these, since its expression takes `|` for a digit.

use super::semver::SemVer;

/// A range: one of its groups has to take a version whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint(Vec<Group>);

/// Comparisons that all have to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    comparisons: Vec<Comparison>,
    /// Whether versions before a release count, since one of the comparisons names one.
    with_pre: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Comparison {
    operator: Operator,
    than: SemVer,
    /// What was left out, or is an `x`.
    open: Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Patch,
    Minor,
    Major,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
    Tilde,
    Caret,
}

/// The operators, what begins with another one before it.
const OPERATORS: [(&str, Operator); 11] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    ("=>", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("=<", Operator::LessOrEqual),
    ("~>", Operator::Tilde),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("~", Operator::Tilde),
    ("^", Operator::Caret),
];

impl Constraint {
    /// Reads a range; `None` where it is none.
    pub(crate) fn parse(text: &str) -> Option<Constraint> {
        let groups = text.split("||").map(group);
        groups.collect::<Option<Vec<Group>>>().map(Constraint)
    }

    /// Whether a version is in the range.
    pub(crate) fn takes(&self, version: &SemVer) -> bool {
        self.0.iter().any(|group| {
            (version.pre.is_empty() || group.with_pre)
                && group.comparisons.iter().all(|it| it.takes(version))
        })
    }

    /// The highest of these tags that is in the range, by what it says as a version.
    pub(crate) fn highest<'t>(&self, tags: impl Iterator<Item = &'t str>) -> Option<&'t str> {
        let read = tags.filter_map(|tag| Some((SemVer::parse(tag)?, tag)));
        let taken = read.filter(|(version, _)| self.takes(version));
        taken.max().map(|(_, tag)| tag)
    }
}

fn group(text: &str) -> Option<Group> {
    let mut rest = text.trim_matches(is_blank);
    let mut comparisons = Vec::new();
    while !rest.is_empty() || comparisons.is_empty() {
        let (operator, behind) = operator(rest);
        let (than, open, behind) = version(behind.trim_start_matches(is_blank))?;
        // `1.2 - 1.4` is two comparisons.
        let dash = behind.trim_start_matches(is_blank).strip_prefix('-');
        match dash.filter(|_| behind.starts_with(is_blank)) {
            Some(upper) if operator.is_none() && upper.starts_with(is_blank) => {
                let (to, open_to, behind) = version(upper.trim_start_matches(is_blank))?;
                let between = [
                    (Operator::GreaterOrEqual, than, open),
                    (Operator::LessOrEqual, to, open_to),
                ];
                comparisons.extend(between.map(|(operator, than, open)| Comparison {
                    operator,
                    than,
                    open,
                }));
                rest = parted(behind)?;
            }
            _ => {
                comparisons.push(Comparison {
                    operator: operator.unwrap_or(Operator::Equal),
                    than,
                    open,
                });
                rest = parted(behind)?;
            }
        }
    }
    Some(Group {
        with_pre: comparisons.iter().any(|it| !it.than.pre.is_empty()),
        comparisons,
    })
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// What stands behind the blanks or the comma between two comparisons.
fn parted(text: &str) -> Option<&str> {
    if text.is_empty() {
        return Some(text);
    }
    let rest = text.trim_start_matches(is_blank);
    match rest.strip_prefix(',') {
        Some(behind) => Some(behind.trim_start_matches(is_blank)).filter(|it| !it.is_empty()),
        None => (rest.len() < text.len()).then_some(rest),
    }
}

fn operator(text: &str) -> (Option<Operator>, &str) {
    let found = OPERATORS
        .iter()
        .find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    found.map_or((None, text), |(operator, rest)| (Some(operator), rest))
}

/// Reads a version with parts that may be left out or stand as `x`; what follows it.
fn version(text: &str) -> Option<(SemVer, Open, &str)> {
    let mut rest = text.strip_prefix('v').unwrap_or(text);
    let mut numbers = [0; 3];
    let mut open = Open::Nothing;
    for (at, level) in [Open::Major, Open::Minor, Open::Patch]
        .into_iter()
        .enumerate()
    {
        let behind = if at == 0 {
            Some(rest)
        } else {
            rest.strip_prefix('.')
        };
        let is_part = |letter: char| letter.is_ascii_digit() || "xX*".contains(letter);
        let end = behind.map_or(0, |it| {
            it.find(|letter| !is_part(letter)).unwrap_or(it.len())
        });
        let part = behind.map_or("", |it| &it[..end]);
        if part.is_empty() && at == 0 {
            return None;
        }
        if let Some(behind) = behind.filter(|_| !part.is_empty()) {
            rest = &behind[end..];
        }
        if open != Open::Nothing {
            continue;
        }
        if part.is_empty() || matches!(part, "x" | "X" | "*") {
            open = level;
        } else if part.bytes().all(|byte| byte.is_ascii_digit()) {
            numbers[at] = part.parse().ok()?;
        } else {
            return None;
        }
    }
    let (pre, rest) = suffix(rest, '-')?;
    let (_, rest) = suffix(rest, '+')?;
    let than = SemVer {
        core: numbers,
        pre: pre.to_owned(),
    };
    Some((than, open, rest))
}

/// What stands behind a sign, as far as it is made of identifiers. A number among them has no zero
/// before it.
fn suffix(text: &str, sign: char) -> Option<(&str, &str)> {
    let Some(behind) = text.strip_prefix(sign) else {
        return Some(("", text));
    };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    let end = behind
        .find(|letter| !is_letter(letter))
        .unwrap_or(behind.len());
    let part = &behind[..end];
    let probe = format!("0.0.0{sign}{part}");
    SemVer::parse(&probe).map(|_| (part, &behind[end..]))
}

impl Comparison {
    fn takes(&self, version: &SemVer) -> bool {
        let (has, than) = (version.core, self.than.core);
        match self.operator {
            Operator::Equal if self.open == Open::Nothing => *version == self.than,
            Operator::Equal | Operator::Tilde => self.tilde(version),
            Operator::NotEqual => self.differs(version),
            Operator::Greater => match self.open {
                Open::Nothing | Open::Major => *version > self.than,
                Open::Minor => has[0] > than[0],
                Open::Patch => (has[0], has[1]) > (than[0], than[1]),
            },
            Operator::Less => *version < self.than,
            Operator::GreaterOrEqual => *version >= self.than,
            Operator::LessOrEqual => match self.open {
                Open::Nothing => *version <= self.than,
                Open::Minor => has[0] <= than[0],
                Open::Patch | Open::Major => (has[0], has[1]) <= (than[0], than[1]),
            },
            Operator::Caret => self.caret(version),
        }
    }

    fn tilde(&self, version: &SemVer) -> bool {
        let (has, than) = (version.core, self.than.core);
        if *version < self.than {
            return false;
        }
        let zero = than == [0; 3] && !matches!(self.open, Open::Minor | Open::Patch);
        zero || has[0] == than[0] && (has[1] == than[1] || self.open == Open::Minor)
    }

    fn differs(&self, version: &SemVer) -> bool {
        let (has, than) = (version.core, self.than.core);
        if self.open == Open::Nothing || has[0] != than[0] {
            return *version != self.than;
        }
        match self.open {
            Open::Minor => false,
            _ if has[1] != than[1] => true,
            Open::Patch => version.pre != self.than.pre,
            Open::Nothing | Open::Major => *version != self.than,
        }
    }

    fn caret(&self, version: &SemVer) -> bool {
        let (has, than) = (version.core, self.than.core);
        if *version < self.than {
            return false;
        }
        if than[0] > 0 || self.open == Open::Minor {
            return has[0] == than[0];
        }
        if has[0] > 0 {
            return false;
        }
        if than[1] > 0 || self.open == Open::Patch {
            return has[1] == than[1];
        }
        has[1] == 0 && has[2] == than[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the versions a range takes.
    fn taken<'v>(range: &str, versions: &[&'v str]) -> Vec<&'v str> {
        let range = Constraint::parse(range).unwrap_or_else(|| panic!("{range}"));
        let takes = |text: &&&str| range.takes(&SemVer::parse(text).expect("a version"));
        versions.iter().filter(takes).copied().collect()
    }

    #[test]
    fn a_range_takes_what_the_library_says() {
        let versions = [
            "0.2.3", "0.3.0", "1.2.0", "1.2.9", "1.3.0", "2.0.0", "2.1.4",
        ];
        for (range, wanted) in [
            ("*", &versions[..]),
            (">=0", &versions[..]),
            ("1.x", &["1.2.0", "1.2.9", "1.3.0"]),
            ("1", &["1.2.0", "1.2.9", "1.3.0"]),
            ("~1.2", &["1.2.0", "1.2.9"]),
            ("~1.2.3", &["1.2.9"]),
            ("^1.2.3", &["1.2.9", "1.3.0"]),
            ("^0.2", &["0.2.3"]),
            ("^0", &["0.2.3", "0.3.0"]),
            (">1", &["2.0.0", "2.1.4"]),
            (">1.2", &["1.3.0", "2.0.0", "2.1.4"]),
            ("<=1.2", &["0.2.3", "0.3.0", "1.2.0", "1.2.9"]),
            ("=>1.2.1, <2", &["1.2.9", "1.3.0"]),
            (">=1.2.1 <2 || 0.3.x", &["0.3.0", "1.2.9", "1.3.0"]),
            ("1.2.1 - 2.0", &["1.2.9", "1.3.0", "2.0.0"]),
            ("!=1.2", &["0.2.3", "0.3.0", "1.3.0", "2.0.0", "2.1.4"]),
            ("v1.2.0", &["1.2.0"]),
            ("~0.0.0", &versions[..]),
        ] {
            assert_eq!(taken(range, &versions), wanted, "{range}");
        }
    }

    #[test]
    fn what_comes_before_a_release_is_taken_where_one_is_named() {
        let versions = ["1.0.0-rc.1", "1.0.0", "1.1.0-alpha"];
        assert_eq!(taken("1.x", &versions), ["1.0.0"]);
        assert_eq!(taken(">=1.0.0-0", &versions), versions);
        assert_eq!(taken(">=1.0.0-0 <1.1.0", &versions), versions);
        assert_eq!(taken("1.x-0", &versions), versions);
        assert_eq!(taken("<1.0.0-rc.2 || 2", &versions), ["1.0.0-rc.1"]);
    }

    #[test]
    fn what_is_no_range_is_none() {
        for text in [
            "", "latest", "==1", "1.2.3.4", "1,", ">1 ||", ">=1<2", "1.2.3-", "1x", "!",
        ] {
            assert_eq!(Constraint::parse(text), None, "{text}");
        }
    }
}

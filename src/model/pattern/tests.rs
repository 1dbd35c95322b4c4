//! What is accepted, what is refused in which words, and what matches; without Go.
//!
//! Against Go itself: `differential`.

use super::{Operator, Pattern};

/// Names that compile, what they take and what they do not (`spec/image-semantics.md`, 9 to 21).
const ACCEPTED: [(&str, &[&str], &[&str]); 79] = [
    (
        "nginx",
        &[
            "nginx",
            "nginx:1",
            "nginx@sha256:ab",
            "nginx:1@sha256:ab",
            "nginx:",
            "nginx:@sha256:",
            "nginx:{x}",
        ],
        &[
            "nginx@",
            "nginx:1@",
            "nginx::",
            "nginx:1:2",
            "nginx@sha256:ab:1",
            "nginx:1+b",
            "nginx:a b",
            "nginx:\u{e9}",
            "nginx@sha512:ab",
            "nginx@SHA256:ab",
            "Nginx",
            " nginx",
            "nginx:1\n",
            "nginxx",
            "x/nginx",
            "",
        ],
    ),
    (
        "",
        &["", ":", ":1", "@sha256:ab", ":1@sha256:ab"],
        &["n", "@", "\n"],
    ),
    (
        "reg.io/a.b",
        &["reg.io/a.b:1", "regXio/a.b:1", "reg.io/a-b", "reg:io/a@b"],
        &["reg\nio/a.b", "regio/ab"],
    ),
    (r"reg\.io", &["reg.io:1"], &["regXio"]),
    (r"\Qreg.io\E", &["reg.io:1"], &["regXio"]),
    (
        r"\Qreg.io",
        &["reg.io(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$"],
        &["reg.io", "reg.io:1"],
    ),
    ("ng+inx", &["ngginx:1", "nginx"], &["ng+inx:1"]),
    (r"\Qng\E+inx", &["nggginx"], &["ngnginx", "ng+inx"]),
    (
        "nginx|redis",
        &["nginxx", "nginx:1:2", "my/redis:1", "\nredis"],
        &["xnginx", "redis2"],
    ),
    ("nginx|", &["", "anything", "\n"], &[]),
    ("|nginx", &["", "anything"], &[]),
    ("|", &["", "anything"], &[]),
    ("*nginx", &["nginx", "my/nginx:1", "xnginx"], &["nginxx"]),
    ("?nginx", &["my/nginx:1"], &["nginxx"]),
    ("+nginx", &["nginx"], &["xnginx"]),
    ("{2}nginx", &["nginx"], &["xnginx"]),
    ("{1,}nginx", &["nginx"], &["xnginx"]),
    ("*", &["", "anything"], &[]),
    ("+", &["", ":1"], &["n"]),
    (
        "nginx:1",
        &["nginx:1", "nginx:1@sha256:ab", "nginx:1:3"],
        &["nginx:1.0", "nginx"],
    ),
    ("nginx:1.0", &["nginx:1x0"], &["nginx:1"]),
    (
        "nginx@sha256:ab",
        &["nginx@sha256:ab", "nginx@sha256:ab:1"],
        &["nginx"],
    ),
    (
        "localhost:5000/nginx",
        &["localhost:5000/nginx:1"],
        &["localhost/nginx"],
    ),
    ("[::1]:5000/x", &["1:5000/x", "::5000/x"], &["[::1]:5000/x"]),
    (
        "(?i)nginx",
        &[
            "NGINX:1",
            "nginx@SHA256:AB",
            "nginx:\u{212a}",
            "nginx@\u{17f}ha256:",
        ],
        &["nginy"],
    ),
    ("(?i:n)ginx", &["Nginx"], &["NGINX", "nginx@SHA256:ab"]),
    ("(?m)nginx", &["nginx:1\n", "nginx:1\nfoo"], &["nginx:1+"]),
    ("(?s)a.b", &["a\nb"], &["ab"]),
    ("a.b", &["a\u{1f433}b", "a:b"], &["a\nb", "ae\u{301}b"]),
    (r"a\wb", &["a_b", "a9b"], &["a\u{e9}b", "a-b"]),
    (r"a\db", &["a1b"], &["a\u{661}b"]),
    (r"a\sb", &["a b", "a\tb", "a\nb"], &["a\u{b}b", "a\u{a0}b"]),
    (r"a[[:space:]]b", &["a\u{b}b"], &["a\u{a0}b"]),
    (r"a[[:alpha:]]b", &["azb"], &["a\u{e9}b"]),
    (r"a\b-", &["a-"], &["ab"]),
    ("a\u{e9}\\b", &[], &["a\u{e9}"]),
    ("a[^a]b", &["a\nb"], &["aab"]),
    ("n{a}", &["n{a}"], &["n"]),
    ("ng{,2}inx", &["ng{,2}inx"], &["nginx"]),
    ("{nginx}", &["{nginx}"], &["nginx"]),
    ("x:$", &["x:"], &["x:$"]),
    ("n{01}", &["n{01}"], &["n"]),
    ("x{2}", &["xx"], &["x", "xxx"]),
    ("x{1000}", &[], &["x"]),
    ("x*?y??z+?", &["yz", "xxzz"], &["x"]),
    (r"\156", &["n"], &["156"]),
    (r"\0", &["\0"], &["0"]),
    (r"\x6e", &["n"], &[]),
    (r"\x{6E}", &["n"], &[]),
    (r"\a\f\t\n\r\v", &["\u{7}\u{c}\t\n\r\u{b}"], &[]),
    ("\\_\\/\\-\\<\\\"\\ ", &["_/-<\" "], &[]),
    (r"\Aa\z", &["a"], &["a:1"]),
    (r"\pL", &["\u{e9}", "n:1"], &["1"]),
    (r"\p{Greek}", &["\u{3b1}"], &["a"]),
    (r"\p{^Greek}", &["a"], &["\u{3b1}"]),
    (r"\P{^Lu}", &["A"], &["a"]),
    (r"\p{uppercase letter}", &["A"], &["a"]),
    (r"(?i)\p{Lu}", &["a"], &["1"]),
    (r"(?i)\P{Lu}", &["1"], &["a", "A"]),
    ("(?i)\u{390}", &["\u{390}"], &["\u{1fd3}"]),
    (r"\p{Han}", &["\u{4e00}"], &["\u{2ebf0}"]),
    (r"\p{Cn}", &["\u{2ebf0}"], &["\u{4e00}"]),
    ("(?P<a>n)(?<a>x)", &["nx"], &[]),
    ("(?P<1>n)", &["n"], &[]),
    ("(?i-s)n", &["N"], &[]),
    ("(?)n", &["n"], &[]),
    ("(?ii)n", &["N"], &[]),
    ("[]n]", &["]", "n"], &[]),
    ("[a&&b]", &["a", "&", "b"], &[]),
    ("[[n]", &["[", "n"], &[]),
    ("[[=a=]]", &["=]", "a]"], &["a"]),
    ("[a-]", &["a", "-"], &["b"]),
    ("()", &["", ":1"], &["n"]),
    ("(|x)", &["", "x"], &["xx"]),
    ("((a{10}){10}){10}", &[], &["a"]),
    (r"[\x{D800}]", &[], &["\u{fffd}x"]),
    ("(?i)[^k]", &["x"], &["k", "K", "\u{212a}"]),
    ("S\u{df}x|\\B", &["S\u{df}x", "", "-"], &["a", "S\u{df}y"]),
    ("a\\z|b", &["a", "xb:1"], &["ax"]),
];

/// Names that do not compile, what Go says, and the part of the name it blames (22).
const REFUSED: [(&str, &str, &str); 66] = [
    ("(", "missing closing )", "("),
    (")", "unexpected )", ")"),
    ("a[b", "unexpected )", "a[b"),
    ("**", "invalid nested repetition operator: `**`", "**"),
    ("c++", "invalid nested repetition operator: `++`", "++"),
    ("a*+", "invalid nested repetition operator: `*+`", "*+"),
    ("a?+", "invalid nested repetition operator: `?+`", "?+"),
    ("a+*", "invalid nested repetition operator: `+*`", "+*"),
    (
        "x{2}{3}",
        "invalid nested repetition operator: `{2}{3}`",
        "{2}{3}",
    ),
    (
        "x{2}*",
        "invalid nested repetition operator: `{2}*`",
        "{2}*",
    ),
    ("x{2,1}", "invalid repeat count: `{2,1}`", "{2,1}"),
    ("x{1001}", "invalid repeat count: `{1001}`", "{1001}"),
    (
        "x{99999999999}",
        "invalid repeat count: `{99999999999}`",
        "{99999999999}",
    ),
    ("(a{1000}){2}", "invalid repeat count: `{2}`", "{2}"),
    ("((a{10}){10}){11}", "invalid repeat count: `{11}`", "{11}"),
    ("(?=a)", "invalid or unsupported Perl syntax: `(?=`", "(?="),
    ("(?<!a)", "invalid named capture", "(?<!a)"),
    ("(?>a)", "invalid or unsupported Perl syntax: `(?>`", "(?>"),
    ("(?#a)", "invalid or unsupported Perl syntax: `(?#`", "(?#"),
    ("(?x)", "invalid or unsupported Perl syntax: `(?x`", "(?x"),
    ("(?u)", "invalid or unsupported Perl syntax: `(?u`", "(?u"),
    ("(?R)", "invalid or unsupported Perl syntax: `(?R`", "(?R"),
    ("(?0)", "invalid or unsupported Perl syntax: `(?0`", "(?0"),
    ("(?-)", "invalid or unsupported Perl syntax: `(?-)`", "(?-)"),
    (
        "(?i-)",
        "invalid or unsupported Perl syntax: `(?i-)`",
        "(?i-)",
    ),
    ("(?P<>a)", "invalid named capture: `(?P<>`", "(?P<>"),
    (
        "(?P<\u{e9}>a)",
        "invalid named capture: `(?P<\u{e9}>`",
        "(?P<\u{e9}>",
    ),
    ("(?P=a)", "invalid or unsupported Perl syntax: `(?P`", "(?P"),
    ("(*x)", "missing argument to repetition operator: `*`", "*"),
    ("(+x)", "missing argument to repetition operator: `+`", "+"),
    ("a|*x", "missing argument to repetition operator: `*`", "*"),
    ("nginx\\", "unexpected )", "nginx\\"),
    (r"\1", r"invalid escape sequence: `\1`", r"\1"),
    (r"\8", r"invalid escape sequence: `\8`", r"\8"),
    (r"\C", r"invalid escape sequence: `\C`", r"\C"),
    (r"\E", r"invalid escape sequence: `\E`", r"\E"),
    (r"\Z", r"invalid escape sequence: `\Z`", r"\Z"),
    (r"\e", r"invalid escape sequence: `\e`", r"\e"),
    (r"\h", r"invalid escape sequence: `\h`", r"\h"),
    (r"\H", r"invalid escape sequence: `\H`", r"\H"),
    (r"\R", r"invalid escape sequence: `\R`", r"\R"),
    (r"\K", r"invalid escape sequence: `\K`", r"\K"),
    (r"\G", r"invalid escape sequence: `\G`", r"\G"),
    (r"\X", r"invalid escape sequence: `\X`", r"\X"),
    (r"\N", r"invalid escape sequence: `\N`", r"\N"),
    (r"\cA", r"invalid escape sequence: `\c`", r"\c"),
    (r"\u006e", r"invalid escape sequence: `\u`", r"\u"),
    (r"\k<a>", r"invalid escape sequence: `\k`", r"\k"),
    (r"\g1", r"invalid escape sequence: `\g`", r"\g"),
    (r"\i", r"invalid escape sequence: `\i`", r"\i"),
    (r"\y", r"invalid escape sequence: `\y`", r"\y"),
    (r"\m", r"invalid escape sequence: `\m`", r"\m"),
    (
        "\\\u{e9}",
        "invalid escape sequence: `\\\u{e9}`",
        "\\\u{e9}",
    ),
    (r"\x", r"invalid escape sequence: `\x(:`", r"\x"),
    (r"\x6", r"invalid escape sequence: `\x6(`", r"\x6"),
    (r"\x{}", r"invalid escape sequence: `\x{}`", r"\x{}"),
    (
        r"\x{110000}",
        r"invalid escape sequence: `\x{110000`",
        r"\x{110000",
    ),
    (
        r"\p{Foo}",
        r"invalid character class range: `\p{Foo}`",
        r"\p{Foo}",
    ),
    (
        r"\p{Old_Italic}",
        r"invalid character class range: `\p{Old_Italic}`",
        r"\p{Old_Italic}",
    ),
    (
        r"\p{Garay}",
        r"invalid character class range: `\p{Garay}`",
        r"\p{Garay}",
    ),
    ("[z-a]", "invalid character class range: `z-a`", "z-a"),
    ("[a--b]", "invalid character class range: `a--`", "a--"),
    (r"[a-\d]", r"invalid escape sequence: `\d`", r"\d"),
    (
        "[[:foo:]]",
        "invalid character class range: `[:foo:]`",
        "[:foo:]",
    ),
    (r"[\Qab\E]", r"invalid escape sequence: `\Q`", r"\Q"),
    ("a[\\Q", r"invalid escape sequence: `\Q`", "\\Q"),
];

/// Every name of the tables, to make others from.
pub(super) fn names() -> Vec<&'static str> {
    let accepted = ACCEPTED.iter().map(|row| row.0);
    accepted.chain(REFUSED.iter().map(|row| row.0)).collect()
}

fn compiled(name: &str) -> Pattern {
    Pattern::compile(name).unwrap_or_else(|error| panic!("{name:?}: {error}"))
}

#[test]
fn names_take_what_go_takes() {
    for (name, takes, leaves) in ACCEPTED {
        let pattern = compiled(name);
        for image in takes {
            assert!(pattern.is_match(image), "{name:?} on {image:?}");
        }
        for image in leaves {
            assert!(!pattern.is_match(image), "{name:?} on {image:?}");
        }
    }
}

#[test]
fn refusals_speak_and_point_as_go_does() {
    for (name, says, blamed) in REFUSED {
        let error = Pattern::compile(name).expect_err(name);
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("error parsing regexp: {says}")),
            "{name:?}: {text}"
        );
        assert_eq!(
            error.range().map(|range| &name[range]),
            Some(blamed),
            "{name:?}: {text}"
        );
    }
}

#[test]
fn nesting_ends_where_go_ends_it() {
    let nested = |open: &str, count: usize| format!("{}a{}", open.repeat(count), ")".repeat(count));
    assert!(compiled(&nested("(", 998)).is_match("a:1"));
    let error = Pattern::compile(&nested("(", 999)).expect_err("too deep");
    assert!(
        error
            .to_string()
            .starts_with("error parsing regexp: expression nests too deeply")
    );
    assert!(compiled(&nested("(?:", 20_000)).is_match("a"));
    // Each level is a group, a choice and a sequence to Go.
    let mixed = |count: usize| format!("{}x{}", "(ab|c".repeat(count), "d)".repeat(count));
    assert!(compiled(&mixed(332)).is_match("ab"));
    assert!(Pattern::compile(&mixed(340)).is_err());
    assert!(!compiled(r"(?:\pL{100}){9}").is_match("nginx"));
}

#[test]
fn the_hand_comparison_agrees_with_the_engine() {
    let images: Vec<&str> = ACCEPTED
        .iter()
        .flat_map(|row| row.1.iter().chain(row.2))
        .copied()
        .collect();
    let mut by_hand = 0;
    for (name, _, _) in ACCEPTED {
        let pattern = compiled(name);
        by_hand += usize::from(pattern.is_by_hand());
        for image in &images {
            assert_eq!(
                pattern.is_match(image),
                pattern.by_engine().is_match(image),
                "{name:?} on {image:?}"
            );
        }
    }
    assert!(by_hand > 20, "{by_hand}");
}

#[test]
fn a_literal_is_known_by_its_one_text() {
    let literals = [
        ("nginx", "nginx"),
        (r"reg\.io/app", "reg.io/app"),
        (r"\Qreg.io\E", "reg.io"),
        ("", ""),
        ("reg[.]io", "reg.io"),
        ("(?:a)(b)c{2}", "abcc"),
        ("^nginx", "nginx"),
        ("nginx:1", "nginx:1"),
        ("n{a}", "n{a}"),
        (r"\x6e\156", "nn"),
    ];
    for (name, text) in literals {
        assert_eq!(compiled(name).literal(), Some(text), "{name:?}");
    }
    for name in [
        "reg.io/a",
        "ng+inx",
        "a|b",
        "(?i)nginx",
        "nginx$",
        "[ab]",
        r"\d",
        "*a",
        r"\Qa",
    ] {
        assert_eq!(compiled(name).literal(), None, "{name:?}");
    }
}

#[test]
fn the_plain_text_is_what_was_meant() {
    let texts = [
        ("reg.io/a", "reg.io/a"),
        (r"reg\.io", "reg.io"),
        (r"\Qreg.io\E/x", "reg.io/x"),
        ("ng+inx", "ng+inx"),
        ("reg[.]io", "reg.io"),
        (r"a\d", r"a\d"),
        (r"\Qa.b", "a.b"),
    ];
    for (name, text) in texts {
        assert_eq!(compiled(name).plain_text(), text, "{name:?}");
    }
}

#[test]
fn operators_are_found_where_they_stand() {
    let found = |name: &str| -> Vec<(String, bool)> {
        let operators = compiled(name).operators();
        operators
            .into_iter()
            .map(|Operator { range, dot }| (name[range].to_owned(), dot))
            .collect()
    };
    assert_eq!(found(r"a.b\.c{x}[.]"), [(".".to_owned(), true)]);
    let all = ["(?i:", "a", "|", "[bc]", ")", "+?", "{2,", r"\d", "$"];
    let wanted: Vec<_> = all
        .iter()
        .filter(|text| !matches!(**text, "a" | "{2,"))
        .collect();
    let name = r"(?i:a|[bc])+?{2,\d$";
    assert_eq!(
        found(name).iter().map(|(text, _)| text).collect::<Vec<_>>(),
        wanted
    );
    assert_eq!(compiled("ab.c").operators()[0].range, 2..3);
}

#[test]
fn names_that_come_loose_from_the_anchors_are_known() {
    for name in ["nginx|redis", "nginx|", "|"] {
        assert!(compiled(name).unanchored_alternation(), "{name:?}");
    }
    for name in ["(nginx|redis)", "nginx", r"a\|b", "[a|b]", "(?:a|b)c"] {
        assert!(!compiled(name).unanchored_alternation(), "{name:?}");
    }
    for name in ["", "*", "?", "|", "nginx|", "|nginx", ".*", "(|x)"] {
        assert!(compiled(name).matches_empty(), "{name:?}");
    }
    for name in ["nginx", ".", "nginx|redis", "nginx?"] {
        assert!(!compiled(name).matches_empty(), "{name:?}");
    }
}

#[test]
fn an_escaped_text_takes_itself_alone() {
    for text in [
        "nginx",
        "reg.io:5000/a+b",
        r"\Q.*\E",
        "[::1]/x{2}",
        "a|b",
        "\u{e9}\n",
        "",
        "^$()?",
    ] {
        let pattern = compiled(&Pattern::escape(text));
        assert_eq!(pattern.literal(), Some(text));
        assert!(pattern.is_match(text));
    }
}

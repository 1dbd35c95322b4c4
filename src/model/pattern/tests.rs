//! What Go accepts, refuses and matches (`spec/image-semantics.md` rules 9–23).

use super::{Matcher, Pattern, parse, translate};

fn takes(name: &str, image: &str) -> bool {
    Pattern::compile(name).expect("Go accepts the name").is_match(image)
}

#[test]
fn tags_and_digests_may_follow_a_name() {
    for image in ["nginx", "nginx:", "nginx:1", "nginx@sha256:", "nginx:1@sha256:ab", "nginx:{x}"] {
        assert!(takes("nginx", image), "{image}");
    }
    for image in ["nginx@", "nginx:1@", "nginx::", "nginx:1:2", "nginx@sha512:ab", "nginx:1+b",
        "nginx:1\n", "xnginx", "Nginx", "docker.io/nginx", "nginx@sha256:ab:1"]
    {
        assert!(!takes("nginx", image), "{image}");
    }
}

#[test]
fn operators_mean_what_go_means() {
    let table = [
        ("a.b", "a:b", true), ("reg.io/a", "regXio/a:1", true), (r"reg\.io", "regXio", false),
        ("ng+inx", "ngginx:1", true), ("ng+inx", "ng+inx:1", false),
        ("nginx|redis", "nginxx", true), ("nginx|redis", "my/redis:1", true), ("nginx|", "x", true),
        ("*nginx", "my/nginx:1", true), ("?nginx", "xnginx", true), ("+nginx", "xnginx", false),
        ("{2}nginx", "nginx", true), ("*", "anything at all", true), ("+", ":1", true),
        ("", ":1@sha256:ab", true), ("", "x", false), ("nginx:1.0", "nginx:1x0", true),
        ("[::1]:5000/x", "1:5000/x", true), ("(?i)nginx", "NGINX:1", true),
        ("(?i)nginx", "nginx@SHA256:AB", true), ("(?i)nginx", "nginx:\u{212A}", true),
        ("(?m)nginx", "nginx:1\nfoo", true), ("n{a}", "n{a}", true), ("ng{,2}inx", "ng{,2}inx", true),
        (r"\Qa.b\E", "a.b", true), (r"\Qa.b", "a.b:1", false), (r"\Qa.b", "a.b", false), (r"\156", "n", true),
        (r"\x{6E}", "n", true), (r"\s", "\u{B}", false), ("[[:space:]]", "\u{B}", true),
        (r"\w", "é", false), ("[^a]", "\n", true), (".", "\n", false), ("[a&&b]", "&", true),
        (r"\<", "<", true), ("(?P<a>n)(?P<a>m)", "nm", true), (r"\p{^Greek}", "a", true),
        (r"\PL", "1", true), ("[]n]", "]", true), ("(?U)n+?", "nn", true), (r"\x{D800}", "a", false),
        (r"n\b", "n", true), (r"n\B", "n", false),
    ];
    for (name, image, expected) in table {
        assert_eq!(takes(name, image), expected, "{name} on {image:?}");
    }
}

#[test]
fn go_refuses() {
    let too_many = format!("{}{}", "(".repeat(999), ")".repeat(999));
    for name in ["(", ")", "[", "a**", "++", "*+", "?+", "+*", "x{2}{3}", "x{2}*", "x{2,1}", "x{1001}",
        "(a{1000}){2}", "((a{10}){10}){11}", "(?=a)", "(?>a)", "(?#)", "(?x)", "(?u)", "(?R)", "(?0)",
        "(?-)", "(?i-)", "(?P<>a)", "(?P<é>a)", "(?P=a)", "(*x)", "(+x)", "a|*x", "\\", r"\1", r"\8",
        r"\C", r"\E", r"\Z", r"\e", r"\h", r"\R", r"\cA", r"\u006e", r"\é", r"\x", r"\x6", r"\x{}",
        r"\x{110000}", r"\p{Foo}", "[z-a]", "[a--b]", r"[a-\d]", "[[:foo:]]", r"[\Qab\E]", "a[", "c++",
        "registry.io/g++", too_many.as_str()]
    {
        assert!(Pattern::compile(name).is_err(), "{name}");
    }
    let fine = format!("{}{}", "(".repeat(998), ")".repeat(998));
    assert!(Pattern::compile(&fine).is_ok());
    assert!(Pattern::compile("((a{10}){10}){10}").is_ok());
}

#[test]
fn errors_read_as_go_prints_them() {
    let says = |name: &str| Pattern::compile(name).expect_err("refused").to_string();
    assert_eq!(says("a**"), "error parsing regexp: invalid nested repetition operator: `**`");
    assert_eq!(says("x{1001}"), "error parsing regexp: invalid repeat count: `{1001}`");
    assert_eq!(says(r"\Z"), r"error parsing regexp: invalid escape sequence: `\Z`");
    assert_eq!(says("[z-a]"), "error parsing regexp: invalid character class range: `z-a`");
}

#[test]
fn comparing_by_hand_equals_the_expression() {
    let names = ["nginx", "reg.io/a", "", "a.b", r"a\.b", "é.", "localhost:5000/x", "nginx:1"];
    let images = ["nginx", "nginx:1", "reg.io/a@sha256:ab", "regXio/a", "", ":", "a\nb", "a.b:1", "éé",
        "localhost:5000/x:2", "nginx:1:2", "nginx:1@sha256:x", "a.b::", "reg.io/a:1@sha256:", "é.:x@"];
    for name in names {
        let pattern = Pattern::compile(name).expect("a plain name");
        assert!(matches!(pattern.matcher, Matcher::Places(_)), "{name}");
        let whole = format!("^{name}{}", super::TAIL);
        let tree = parse::parse(&whole).expect("it was read before");
        let full = translate::compile(&tree, &whole).expect("it is small");
        for image in images {
            assert_eq!(pattern.is_match(image), full.is_match(image.as_bytes()), "{name} {image:?}");
        }
    }
}

#[test]
fn a_literal_is_told_from_what_takes_more() {
    let literal = |name: &str| Pattern::compile(name).expect("a plain name").literal();
    assert_eq!(literal(r"reg\.io/a").as_deref(), Some("reg.io/a"));
    assert_eq!(literal("reg.io/a"), None);
    assert_eq!(Pattern::compile("reg.io/a").expect("fine").plain_text(), "reg.io/a");
    let escaped = Pattern::escape("reg.io/a+b{c}");
    assert_eq!(literal(&escaped).as_deref(), Some("reg.io/a+b{c}"));
}

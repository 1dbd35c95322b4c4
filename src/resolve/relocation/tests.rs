//! Every table made does what it is for, by kustomize's own filter.

use super::*;
use crate::resolve::images::{build_whole, legacy};
use crate::source::SourceMap;
use crate::yaml::read_all;

fn moves(typed: &[&str]) -> Vec<Move> {
    typed.iter().map(|it| it.parse().expect(it)).collect()
}

fn set(images: &[&str]) -> BTreeSet<String> {
    images.iter().map(|&it| it.to_owned()).collect()
}

fn names(relocation: &Relocation) -> Vec<(&str, &str)> {
    let entries = relocation.table.entries.iter();
    entries.map(|it| (it.name(), it.new_name())).collect()
}

/// What the operator's filter and a build make of these images.
fn filtered(images: &BTreeSet<String>, table: &OverrideTable) -> [Vec<String>; 2] {
    let list: Vec<String> = images
        .iter()
        .map(|image| format!("  - image: '{image}'\n"))
        .collect();
    let list = list.concat();
    let text =
        format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n{list}");
    let source = SourceMap::default().add("a.yaml", text);
    let docs: Vec<_> = read_all(&source)
        .into_iter()
        .map(|it| it.expect("YAML"))
        .collect();
    let texts = |visits: Vec<crate::resolve::images::Visit<'_>>| {
        visits
            .into_iter()
            .map(|visit| visit.after().to_owned())
            .collect()
    };
    [
        texts(legacy(&docs, table).remove(0).visits),
        texts(build_whole(&source, &docs, table).visits),
    ]
}

#[test]
fn names_are_plain_where_they_take_nothing_else() {
    let images = set(&["ghcr.io/a/b:1", "ghcr.io/a/c.d:1", "ghcr.io/a/c-d:1"]);
    let moves = moves(&["ghcr.io=r.example/ghcr.io"]);
    let made = relocate(&moves, &images, &images, Escape::Needed);
    assert_eq!(
        names(&made),
        [
            ("ghcr.io/a/b", "r.example/ghcr.io/a/b"),
            ("ghcr.io/a/c-d", "r.example/ghcr.io/a/c-d"),
            (r"ghcr\.io/a/c\.d", "r.example/ghcr.io/a/c.d"),
        ]
    );
    let made = relocate(&moves, &images, &images, Escape::Always);
    assert!(
        names(&made)
            .iter()
            .all(|(name, _)| name.starts_with(r"ghcr\.io/"))
    );
}

#[test]
fn every_spelling_of_the_hub_seen_has_its_entry() {
    let images = set(&[
        "redis:7",
        "docker.io/redis:7",
        "index.docker.io/library/redis",
        "a/b:1",
    ]);
    let moves = moves(&["index.docker.io=r.example/hub"]);
    let made = relocate(&moves, &images, &images, Escape::Needed);
    assert_eq!(
        names(&made),
        [
            ("a/b", "r.example/hub/a/b"),
            ("docker.io/redis", "r.example/hub/library/redis"),
            (
                "index.docker.io/library/redis",
                "r.example/hub/library/redis"
            ),
            ("redis", "r.example/hub/library/redis"),
        ]
    );
    assert!(made.wrong.is_empty());
}

#[test]
fn the_longest_place_wins_and_ends_at_a_slash() {
    let moves = moves(&["h.io=r.io/h", "h.io/team=r.io/t", "h.io/team/app=r.io/one"]);
    let name_of = |image| moved_name(&moves, image);
    assert_eq!(name_of("h.io/team/app:1"), Some((2, "r.io/one".to_owned())));
    assert_eq!(
        name_of("h.io/team/apps:1"),
        Some((1, "r.io/t/apps".to_owned()))
    );
    assert_eq!(
        name_of("h.io/teams/app"),
        Some((0, "r.io/h/teams/app".to_owned()))
    );
    assert_eq!(name_of("oci://h.io/team"), Some((1, "r.io/t".to_owned())));
    assert_eq!(name_of("h.io:5000/a"), None);
}

#[test]
fn places_without_a_registry_are_refused() {
    for typed in [
        "",
        "ghcr.io",
        "redis=r.io",
        "ghcr.io=mirror",
        "=r.io",
        "a.io=",
        "a.io=r.io/A",
    ] {
        assert!(typed.parse::<Move>().is_err(), "{typed}");
    }
    let twice = moves(&["a.io=b.io", "a.io/=c.io"]);
    assert!(contradiction(&twice).is_some());
}

#[test]
fn a_move_onto_another_goes_behind_it_and_a_circle_is_told() {
    let images = set(&["a.io/x:1", "b.io/x:1"]);
    let made = relocate(
        &moves(&["a.io=b.io", "b.io=c.io"]),
        &images,
        &images,
        Escape::Needed,
    );
    assert_eq!(names(&made), [("b.io/x", "c.io/x"), ("a.io/x", "b.io/x")]);
    assert!(made.wrong.is_empty());
    let made = relocate(
        &moves(&["a.io=b.io", "b.io=a.io"]),
        &images,
        &images,
        Escape::Needed,
    );
    assert_eq!(made.wrong.len(), 1);
}

/// Small numbers that look random and are the same in every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits fit") % below
    }
}

#[test]
fn kustomize_makes_of_every_image_what_the_moves_say() {
    let hosts = [
        "",
        "docker.io/",
        "index.docker.io/",
        "a.b.io/",
        "a-b.io/",
        "b.io:5000/",
        "localhost/",
    ];
    let paths = [
        "x",
        "library/x",
        "x.y",
        "x-y",
        "x/x.y",
        "team/x",
        "team/x-y",
        "team/x.y",
    ];
    let sha = |kind: &str, digits: usize| format!("@{kind}:{}", "ab".repeat(digits / 2));
    let ends = [
        String::new(),
        ":1.0".to_owned(),
        sha("sha256", 64),
        sha("sha512", 128),
        format!(":1{}", sha("sha256", 64)),
    ];
    let from = [
        "a.b.io",
        "a-b.io",
        "docker.io",
        "docker.io/library",
        "b.io:5000/team",
        "a.b.io/x",
        "localhost",
    ];
    let to = [
        "r.io",
        "r.io/hub",
        "a.b.io",
        "a-b.io/x",
        "b.io:5000",
        "localhost:1/team",
    ];
    let mut number = numbers();
    let (mut proved, mut circles) = (0, 0);
    for _ in 0..400 {
        let mut pick = |of: &[&str]| of[number(of.len())].to_owned();
        let images: BTreeSet<String> = (0..12)
            .map(|_| pick(&hosts) + &pick(&paths) + &pick(&ends.each_ref().map(String::as_str)))
            .collect();
        let typed: BTreeMap<String, String> = (0..3).map(|_| (pick(&from), pick(&to))).collect();
        let typed: Vec<String> = typed
            .iter()
            .map(|(from, to)| format!("{from}={to}"))
            .collect();
        let moves = moves(&typed.iter().map(String::as_str).collect::<Vec<_>>());
        for escape in [Escape::Needed, Escape::Always] {
            let made = relocate(&moves, &images, &images, escape);
            if !made.wrong.is_empty() {
                circles += 1;
                continue;
            }
            let expected: Vec<String> = images
                .iter()
                .map(|image| match moved_name(&moves, image) {
                    Some((_, name)) => renamed(image, &name),
                    None => image.clone(),
                })
                .collect();
            if made.table.entries.is_empty() {
                assert!(expected.iter().eq(&images), "{typed:?}");
                continue;
            }
            let [legacy, build] = filtered(&images, &made.table);
            assert_eq!(build, expected, "{typed:?} {:?}", names(&made));
            assert_eq!(legacy, expected, "{typed:?} {:?}", names(&made));
            proved += 1;
        }
    }
    assert!(proved > 600, "{proved} proved, {circles} circles");
}

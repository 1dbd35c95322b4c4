//! The quick way says what the whole way says, or gives up: over texts of one and of many documents
//! and mutations of them.

use crate::model::Spanned;
use crate::model::overrides::{Override, OverrideTable};
use crate::resolve::images::record::Entries;
use crate::resolve::images::{Filtered, build_whole, joined, legacy, ordinary};
use crate::source::{SourceMap, Span};
use crate::yaml::read_all;

/// The ways without a short cut.
mod whole {
    pub(super) use super::super::super::build::filter as build;
    pub(super) use super::super::super::legacy::filter as legacy;
}

const TEXTS: [&str; 10] = [
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  initContainers:\n  - image: \
     r.io/a:1\n  containers:\n  - name: x\n    image: 'nginx'\n  - image: ~\n  - name: y\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: b\nspec:\n  template:\n    spec:\n      \
     containers:\n      - image: nginx@sha256:ab\n      volumes:\n      - image: {reference: r.io/a}\n",
    "kind: CustomResourceDefinition\nmetadata: {name: c}\nspec: {containers: [{image: nginx}]}\n",
    "kind: A\nmetadata: {name: d}\ncontainers:\n- containers\n",
    "kind: A\nmetadata: {name: e}\ndeep:\n- containers:\n  - image: nginx:1\n    initContainers: \
     [{image: nginx}]\n",
    "apiVersion: v1\nkind: List\nmetadata: {name: f}\nitems:\n- kind: Pod\n  metadata: {name: g}\n",
    "kind: Pod\nmetadata: {name: h}\nspec: {containers: , initContainers: {image: a}}\n",
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: i}\nsubjects:\n- \
     {kind: User, name: x}\nroleRef: {name: r}\n",
    "# nothing\n",
    "kind: A\nmetadata: {name: j}\ncontainers:\n- containers:\n  - image: nginx\n  image: r.io/a\n",
];

const PARTS: [&str; 22] = [
    "&a ",
    "*a",
    "!!str ",
    "<<: {b: c}\n",
    "containers",
    "image: nginx\n",
    "- ",
    "  ",
    "\n",
    "~",
    "[]",
    "{}",
    "null",
    "1: x\n",
    ".inf",
    "\"a\\x62\": c\n",
    "name: b\n",
    "kind: Pod\n",
    ": ",
    "'nginx'",
    "metadata: {annotations: {config.kubernetes.io/local-config: x}}\n",
    "r.io/a:2",
];

fn table(entries: &[(&str, &str)]) -> OverrideTable {
    let spanned = |value: &str| {
        Some(Spanned {
            value: value.to_owned(),
            span: Span::default(),
        })
    };
    let entries = entries.iter().enumerate();
    let entry = |(index, (name, new_name)): (usize, &(&str, &str))| Override {
        index,
        name: spanned(name),
        new_name: spanned(new_name),
        ..Override::default()
    };
    OverrideTable {
        entries: entries.map(entry).collect(),
        ..OverrideTable::default()
    }
}

/// Compares the two ways over one text: how many times the quick one did not give up.
fn compare(text: &str, table: &OverrideTable) -> usize {
    let source = SourceMap::default().add("a.yaml", text);
    let docs: Vec<_> = read_all(&source).into_iter().flatten().collect();
    let entries = Entries::new(table);
    let alone = docs.len() == 1;
    let mut taken = 0;
    for (at, doc) in docs.iter().enumerate() {
        if let Some(quick) = ordinary::legacy(doc, at, &entries) {
            let whole = whole::legacy(doc, at, alone, &entries);
            same(&quick, &whole, text);
            taken += 1;
        }
    }
    if let Some(quick) = ordinary::build(&source, &docs, &entries) {
        let whole = whole::build(&source, &docs, &entries);
        same(&joined(quick), &whole, text);
        taken += 1;
    }
    taken
}

fn same(quick: &Filtered<'_>, whole: &Filtered<'_>, text: &str) {
    assert_eq!(whole.refusal, None, "{text}");
    assert_eq!(quick.findings, whole.findings, "{text}");
    assert_eq!(quick.visits, whole.visits, "{text}");
}

#[test]
fn both_ways_say_the_same() {
    let tables = [
        table(&[
            ("nginx", "m.io/nginx"),
            ("r.io/a", "nginx"),
            ("nginx", "x:.inf"),
        ]),
        table(&[("nginx", ".inf"), ("", "1.5"), ("r.io/a", "2024-01-02")]),
        table(&[("(", "x")]),
        table(&[]),
    ];
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed >> 33).expect("31 bits") % limit
    };
    let mut taken = 0;
    for round in 0..20_000 {
        let mut text = TEXTS[below(TEXTS.len())].to_owned();
        for _ in 0..below(3) {
            text.push_str("---\n");
            text.push_str(TEXTS[below(TEXTS.len())]);
        }
        for _ in 0..round % 3 {
            let lines = text.matches('\n').count();
            let line = below(lines);
            let at = text
                .match_indices('\n')
                .nth(line)
                .map_or(0, |(at, _)| at + 1);
            let inside = text[at..].find([':', '\n']).map_or(at, |found| at + found);
            let place = if below(2) == 0 { at } else { inside };
            text.insert_str(place, PARTS[below(PARTS.len())]);
        }
        taken += compare(&text, &tables[below(tables.len())]);
    }
    assert!(taken > 10_000, "the quick way took only {taken}");
}

#[test]
fn an_object_twice_and_a_list_are_left_to_the_whole_way() {
    let table = table(&[("nginx", "m.io/nginx")]);
    let twice = format!("{}---\n{}", TEXTS[0], TEXTS[0]);
    for (text, refused) in [(twice.as_str(), true), (TEXTS[5], false)] {
        let source = SourceMap::default().add("a.yaml", text);
        let docs: Vec<_> = read_all(&source).into_iter().flatten().collect();
        assert!(ordinary::build(&source, &docs, &Entries::new(&table)).is_none());
        assert_eq!(
            build_whole(&source, &docs, &table).refusal.is_some(),
            refused
        );
        assert!(
            legacy(&docs, &table)
                .iter()
                .all(|one| one.refusal.is_none())
        );
    }
}

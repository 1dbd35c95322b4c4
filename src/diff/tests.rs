//! Whole comparisons: what is paired with what, in every format.

use super::*;
use crate::load::side::SideText;
use crate::source::SourceMap;

/// Two sides of files; a file without a name makes its side a stream.
fn sides(old: &[(&str, &str)], new: &[(&str, &str)]) -> (Side, Side) {
    let mut sources = SourceMap::default();
    let mut side = |files: &[(&str, &str)]| Side {
        texts: files
            .iter()
            .map(|(name, text)| SideText {
                source: sources.add(*name, *text),
                name: (*name).to_owned(),
                explicit: name.is_empty(),
            })
            .collect(),
        tree: files.iter().any(|(name, _)| !name.is_empty()),
        ..Side::default()
    };
    let old = side(old);
    (old, side(new))
}

fn compared(old: &[(&str, &str)], new: &[(&str, &str)], options: &Options) -> Diff {
    let (old, new) = sides(old, new);
    diff(&old, &new, options, &|_| true).expect("two good sides")
}

fn text(old: &str, new: &str) -> String {
    let diff = compared(&[("", old)], &[("", new)], &Options::default());
    diff.print(Format::Text, &Printing::default())
}

fn map(name: &str, value: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{k: {value}}}\n"
    )
}

#[test]
fn lists_are_unrolled_and_documents_found_wherever_they_stand() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: \
                {name: a}\n  data: {k: v}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n  \
                data: {k: w}\n";
    assert_eq!(text(list, &(map("b", "w") + &map("a", "v"))), "");
    let typed =
        "apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}, data: {k: v}}]\n";
    assert_eq!(text(typed, &map("a", "v")), "");
}

#[test]
fn a_version_is_a_change_and_a_namespace_default_is_said_aloud() {
    let object = |version, meta| {
        format!("apiVersion: apps/{version}\nkind: Deployment\nmetadata: {{name: a{meta}}}\n")
    };
    let found = text(
        &object("v1beta1", ""),
        &object("v1", ", namespace: default"),
    );
    let expected = "changed Deployment default/a\n  apiVersion\n    - apps/v1beta1\n    + apps/v1\n  \
                    metadata.namespace\n    + default\n\n1 changed\n";
    assert_eq!(found, expected);
}

#[test]
fn moves_are_told_between_trees_only() {
    let (one, two) = (map("a", "v"), map("b", "w"));
    let old = [("x.yaml", one.as_str()), ("y.yaml", two.as_str())];
    let both = one.clone() + &two;
    let diff = compared(&old, &[("y.yaml", &both)], &Options::default());
    assert_eq!(diff.summary(), "1 moved, 1 the same");
    let shown = diff.print(Format::Text, &Printing::default());
    assert!(
        shown.contains("1 object moved to another file\n  ConfigMap a: x.yaml → y.yaml\n"),
        "{shown}"
    );
    assert!(compared(&old, &[("", &both)], &Options::default()).is_empty());
}

#[test]
fn a_new_name_is_found_where_one_object_has_the_content() {
    let found = text(&map("a", "v"), &map("b", "v"));
    assert!(
        found.starts_with("renamed ConfigMap b (was ConfigMap a)\n"),
        "{found}"
    );
    let two = map("b", "v") + &map("c", "v");
    assert!(text(&map("a", "v"), &two).ends_with("2 added, 1 removed\n"));
}

#[test]
fn two_of_one_identity_are_never_no_difference() {
    let twice = map("a", "v") + &map("a", "v");
    for (old, new) in [
        (&twice, &twice),
        (&twice, &map("a", "v")),
        (&map("a", "v"), &twice),
    ] {
        let (old, new) = sides(&[("", old)], &[("", new)]);
        let wrong = diff(&old, &new, &Options::default(), &|_| true).expect_err("twice");
        assert_eq!(wrong[0].rule, "duplicate-object");
    }
}

#[test]
fn objects_of_generated_names_are_paired_in_order() {
    let job = |value: &str| {
        format!(
            "---\napiVersion: batch/v1\nkind: Job\nmetadata: {{generateName: j-}}\nspec: {{v: {value}}}\n"
        )
    };
    assert_eq!(text(&(job("1") + &job("1")), &(job("1") + &job("1"))), "");
    assert!(text(&job("1"), &(job("1") + &job("1"))).ends_with("1 added, 1 the same\n"));
    assert!(text(&job("1"), &job("2")).starts_with("changed Job j-*\n"));
}

#[test]
fn what_cannot_be_read_is_wrong_also_where_both_sides_have_it() {
    for broken in [
        "kind: [\n",
        "a: 1\n",
        "apiVersion: v1\nkind: X\nspec: {a: .inf}\nb: {c: 1}\n",
    ] {
        let other = map("a", "v");
        let (old, new) = sides(&[("", broken)], &[("", &other)]);
        assert!(
            diff(&old, &new, &Options::default(), &|_| true).is_err(),
            "{broken}"
        );
    }
    let (old, new) = sides(&[("", "kind: [\n")], &[("", "kind: [\n")]);
    assert!(diff(&old, &new, &Options::default(), &|_| true).is_err());
}

/// Sides that differ in everything there is, with marks that break out of markup.
fn wild(count: usize) -> Diff {
    let object = |at: usize, value: &str| {
        map(
            &format!("c{at:04}"),
            &format!("\"`````{value}|<b>&amp;\\n\\n{}\"", "x".repeat(at % 700)),
        )
    };
    let old: String = (0..count).map(|at| object(at, "old")).collect();
    let new: String = (count / 3..count + count / 3)
        .map(|at| object(at, "new"))
        .collect();
    compared(&[("", &old)], &[("", &new)], &Options::default())
}

#[test]
fn markdown_is_never_longer_than_asked_and_never_cut_in_an_object() {
    let diff = wild(200);
    for most in (0..4_000)
        .step_by(97)
        .chain([10_000, 65_000, 200_000, 2_000_000])
    {
        let printing = Printing {
            most: Some(most),
            full: Some("whole.md"),
            ..Printing::default()
        };
        let page = diff.print(Format::Markdown, &printing);
        assert!(page.chars().count() <= most, "{most}");
        assert_eq!(
            page.matches("<details>").count(),
            page.matches("</details>").count()
        );
        let fences = page.lines().filter(|line| line.starts_with("```")).count();
        assert_eq!(fences % 2, 0, "{most}");
        if most > 2_000 && most < 200_000 {
            assert!(page.contains("the whole diff is in `whole.md`"), "{most}");
        }
    }
    let whole = diff.print(Format::Markdown, &Printing::default());
    assert_eq!(whole.matches("<details>").count(), diff.entries.len());
    assert!(!whole.contains("Cut:"));
}

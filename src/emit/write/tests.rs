//! Trees over directories in every state.

use super::*;

fn of(files: &[(&str, &str)]) -> Tree {
    let file = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
    Tree {
        files: files.iter().map(file).collect(),
    }
}

fn listing(root: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name();
    entries
        .into_iter()
        .map(|entry| entry.expect("readable"))
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            entry
                .path()
                .strip_prefix(root)
                .expect("below")
                .display()
                .to_string()
        })
        .collect()
}

fn put(path: &Path, tree: &Tree) -> Result<(), WriteError> {
    Target::look(path)?.write(tree)
}

#[test]
fn a_tree_is_created_and_replaced() {
    let root = tempfile::tempdir().expect("temporary directory");
    let out = root.path().join("deep/out");
    let (one, two) = (
        of(&[("a/x.yaml", "1"), ("b.yaml", "2")]),
        of(&[("b.yaml", "3")]),
    );
    assert!(
        Target::look(&out)
            .and_then(|it| it.would_change(&one))
            .expect("readable")
    );
    put(&out, &one).expect("written");
    assert!(
        !Target::look(&out)
            .and_then(|it| it.would_change(&one))
            .expect("readable")
    );
    assert!(
        Target::look(&out)
            .and_then(|it| it.would_change(&two))
            .expect("readable")
    );
    put(&out, &two).expect("written");
    assert_eq!(
        listing(&root.path().join("deep")),
        ["out/.forebay.json", "out/b.yaml"]
    );
    assert_eq!(
        Target::look(&out)
            .and_then(|it| it.standing())
            .expect("readable"),
        two
    );
}

#[test]
fn what_is_someone_elses_is_refused() {
    let root = tempfile::tempdir().expect("temporary directory");
    fs::write(root.path().join("mine.txt"), "x").expect("file");
    assert!(matches!(
        put(root.path(), &of(&[])),
        Err(WriteError::Foreign { .. })
    ));
    let file = root.path().join("mine.txt");
    assert!(matches!(put(&file, &of(&[])), Err(WriteError::File { .. })));
    fs::write(root.path().join(marker::MARKER), "{}").expect("file");
    assert!(matches!(
        put(root.path(), &of(&[])),
        Err(WriteError::Foreign { .. })
    ));
    assert_eq!(listing(root.path()), [".forebay.json", "mine.txt"]);
}

#[test]
fn files_of_others_in_forebays_directory_stay() {
    let root = tempfile::tempdir().expect("temporary directory");
    let out = root.path().join("out");
    put(&out, &of(&[("a/x.yaml", "1"), ("c.yaml", "1")])).expect("written");
    fs::write(out.join("mine.txt"), "x").expect("file");
    put(&out, &of(&[("b/y.yaml", "2"), ("c.yaml", "2")])).expect("written");
    assert_eq!(
        listing(&out),
        [".forebay.json", "b/y.yaml", "c.yaml", "mine.txt"]
    );
    assert!(!out.join("a").exists());
    let clash = put(&out, &of(&[("mine.txt", "3")]));
    assert!(matches!(clash, Err(WriteError::InTheWay { .. })));
    assert_eq!(
        listing(&out),
        [".forebay.json", "b/y.yaml", "c.yaml", "mine.txt"]
    );
}

#[test]
fn an_empty_directory_is_taken() {
    let root = tempfile::tempdir().expect("temporary directory");
    put(root.path(), &of(&[("a.yaml", "1")])).expect("written");
    assert_eq!(listing(root.path()), [".forebay.json", "a.yaml"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_directory_stays_a_link() {
    let root = tempfile::tempdir().expect("temporary directory");
    let (out, link) = (root.path().join("out"), root.path().join("link"));
    fs::create_dir(&out).expect("directory");
    std::os::unix::fs::symlink("out", &link).expect("link");
    put(&link, &of(&[("a.yaml", "1")])).expect("written");
    assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
    assert_eq!(listing(&out), [".forebay.json", "a.yaml"]);
}

#[test]
fn a_tree_that_cannot_be_written_leaves_the_old_one() {
    let root = tempfile::tempdir().expect("temporary directory");
    let out = root.path().join("out");
    put(&out, &of(&[("a.yaml", "1")])).expect("written");
    // A name that is a file and a directory at once stands for a disk that is full half-way.
    assert!(put(&out, &of(&[("a", "2"), ("a/b.yaml", "2")])).is_err());
    assert_eq!(listing(root.path()), ["out/.forebay.json", "out/a.yaml"]);
    assert_eq!(fs::read(out.join("a.yaml")).expect("file"), b"1");
}

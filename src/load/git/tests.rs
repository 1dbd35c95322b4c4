//! Names of revisions and paths in them. What is read out of a repository is tested through the binary.

use std::path::Path;

use super::tree::joined;
use super::*;

#[test]
fn a_place_has_a_revision_and_perhaps_a_path() {
    let read = |text: &str| place(Path::new(text)).expect("a place");
    assert_eq!(read("deploy"), None);
    assert_eq!(read("./git:x"), None);
    let found = read("git:main:deploy/prod").expect("it is git's");
    assert_eq!(
        (found.revision.as_str(), found.path.as_deref()),
        ("main", Some("deploy/prod"))
    );
    assert_eq!(read("git:v1").expect("it is git's").path, None);
    assert!(place(Path::new("git:")).is_err() && place(Path::new("git::x")).is_err());
}

#[test]
fn paths_are_joined_inside_the_root_only() {
    assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
    assert_eq!(joined("", "a//b/").as_deref(), Some("a/b"));
    assert_eq!(joined("a", "../.."), None);
}

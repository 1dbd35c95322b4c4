//! What a run reads, over directories made for the test.

use std::fs;
use std::io::empty;
use std::path::Path;

use super::*;

fn write(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a file stands in a directory")).expect("directory");
    fs::write(path, text).expect("file");
}

fn manifests(paths: &[PathBuf]) -> Result<Loaded, LoadError> {
    load(
        &Request {
            manifests: paths.to_vec(),
            ..Request::default()
        },
        &mut empty(),
    )
}

fn names(root: &Path, loaded: &Loaded) -> Vec<String> {
    let prefix = root
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    let shorten = |input: &Input| {
        let path = &input.source.path;
        path.split_once(&format!("{prefix}/"))
            .map_or(path.clone(), |(_, name)| name.to_owned())
    };
    loaded.inputs.iter().map(shorten).collect()
}

#[test]
fn directories_are_walked_in_name_order() {
    let root = tempfile::tempdir().expect("temporary directory");
    for name in [
        "b.yaml",
        "a/z.yml",
        "a.json",
        ".hidden.yaml",
        ".git/c.yaml",
        "notes.txt",
    ] {
        write(root.path(), name, "{}");
    }
    write(root.path(), "chart/Chart.yaml", "name: x");
    write(root.path(), "chart/templates/x.yaml", "{{ broken");
    write(root.path(), "kustomization.yaml", "resources: []");
    let loaded = manifests(&[root.path().to_path_buf()]).expect("readable");
    assert_eq!(names(root.path(), &loaded), ["a/z.yml", "a.json", "b.yaml"]);
    assert_eq!(
        loaded.skipped,
        Skipped {
            charts: 1,
            trees: vec![root.path().join("chart")],
            kustomizations: 1
        }
    );
    assert!(loaded.inputs.iter().all(|input| !input.explicit));
}

#[test]
fn sourceignore_leaves_out_and_a_name_brings_back() {
    let root = tempfile::tempdir().expect("temporary directory");
    write(root.path(), ".sourceignore", "/drop/\n*.yml\n");
    write(root.path(), "keep/.sourceignore", "!b.yml\n");
    for name in ["drop/a.yaml", "keep/a.yml", "keep/b.yml", "c.yaml"] {
        write(root.path(), name, "{}");
    }
    let loaded = manifests(&[root.path().to_path_buf()]).expect("readable");
    assert_eq!(names(root.path(), &loaded), ["c.yaml", "keep/b.yml"]);
    let named = [root.path().to_path_buf(), root.path().join("drop/a.yaml")];
    let loaded = manifests(&named).expect("readable");
    assert_eq!(
        names(root.path(), &loaded),
        ["c.yaml", "keep/b.yml", "drop/a.yaml"]
    );
    assert!(loaded.inputs[2].explicit);
}

#[test]
fn sourceignore_above_counts_up_to_the_root_of_the_work_tree() {
    let root = tempfile::tempdir().expect("temporary directory");
    fs::create_dir_all(root.path().join("tree/.git")).expect("directory");
    write(root.path(), ".sourceignore", "*\n");
    write(
        root.path(),
        "tree/.sourceignore",
        "/apps/drop\n*.yml\n/a.yaml\n",
    );
    write(root.path(), "tree/apps/.sourceignore", "!/b.yml\nlate/\n");
    for name in [
        "a.yaml",
        "a.yml",
        "b.yml",
        "drop/a.yaml",
        "late/a.yaml",
        "deep/a.yml",
    ] {
        write(root.path(), &format!("tree/apps/{name}"), "{}");
    }
    let apps = root.path().join("tree/apps");
    let loaded = manifests(&[apps]).expect("readable");
    assert_eq!(
        names(root.path(), &loaded),
        ["tree/apps/a.yaml", "tree/apps/b.yml"]
    );
    let named = root.path().join("tree/apps/drop");
    let loaded = manifests(&[named]).expect("readable");
    assert_eq!(names(root.path(), &loaded), ["tree/apps/drop/a.yaml"]);
    fs::remove_dir(root.path().join("tree/.git")).expect("empty");
    let loaded = manifests(&[root.path().join("tree/apps/deep")]).expect("readable");
    assert_eq!(names(root.path(), &loaded), ["tree/apps/deep/a.yml"]);
}

#[test]
fn bytes_that_are_no_text_are_a_finding_with_a_place() {
    let root = tempfile::tempdir().expect("temporary directory");
    write(root.path(), "a.yaml", b"a: 1\nb: \xFF\n");
    write(root.path(), "b.yaml", "kind: [\n");
    write(root.path(), "c.yaml", "kind: A\n");
    let loaded = manifests(&[root.path().to_path_buf()]).expect("readable");
    assert_eq!(loaded.inputs.len(), 3);
    let places: Vec<_> = loaded
        .findings
        .iter()
        .map(|finding| {
            let span = finding.primary.span;
            loaded
                .sources
                .get(span.source)
                .line_col(span.start)
                .to_string()
        })
        .collect();
    assert_eq!(places.first().map(String::as_str), Some("2:4"));
    assert_eq!(places.len(), 2);
    assert!(!loaded.inputs[0].whole && !loaded.inputs[1].whole && loaded.inputs[2].whole);
}

#[test]
fn stdin_is_read_once() {
    let request = Request {
        manifests: vec!["-".into()],
        values: vec!["-".into()],
        ..Request::default()
    };
    assert!(matches!(
        load(&request, &mut empty()),
        Err(LoadError::StdinTwice)
    ));
    let request = Request {
        manifests: vec!["-".into()],
        ..Request::default()
    };
    let loaded = load(&request, &mut "kind: A\n".as_bytes()).expect("readable");
    assert_eq!(loaded.inputs[0].source.path, "-");
    assert!(loaded.inputs[0].explicit);
}

#[test]
fn what_is_not_there_is_an_error() {
    assert!(matches!(
        manifests(&["no/such/path".into()]),
        Err(LoadError::Read { .. })
    ));
    let request = Request {
        flux: "oci://a/b".parse().expect("infallible"),
        ..Request::default()
    };
    assert!(matches!(
        load(&request, &mut empty()),
        Err(LoadError::NoRegistry { .. })
    ));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_mounted_config_map_reads_like_a_directory() {
        let root = tempfile::tempdir().expect("temporary directory");
        write(root.path(), "..2026_01/a.yaml", "{}");
        symlink("..2026_01", root.path().join("..data")).expect("link");
        symlink("..data/a.yaml", root.path().join("a.yaml")).expect("link");
        symlink("..data", root.path().join("all")).expect("link");
        let loaded = manifests(&[root.path().to_path_buf()]).expect("readable");
        assert_eq!(names(root.path(), &loaded), ["a.yaml", "all/a.yaml"]);
    }

    #[test]
    fn a_loop_is_an_error_unless_hidden() {
        let root = tempfile::tempdir().expect("temporary directory");
        write(root.path(), "a/a.yaml", "{}");
        symlink("..", root.path().join("a/.up")).expect("link");
        assert!(manifests(&[root.path().to_path_buf()]).is_ok());
        symlink("..", root.path().join("a/up")).expect("link");
        let fault = manifests(&[root.path().to_path_buf()]);
        assert!(matches!(fault, Err(LoadError::Loop { .. })));
    }

    #[test]
    fn a_link_to_nothing_matters_only_where_it_would_be_read() {
        let root = tempfile::tempdir().expect("temporary directory");
        write(root.path(), "a.yaml", "{}");
        symlink("nowhere", root.path().join("b.txt")).expect("link");
        assert!(manifests(&[root.path().to_path_buf()]).is_ok());
        symlink("nowhere", root.path().join("b.yaml")).expect("link");
        let fault = manifests(&[root.path().to_path_buf()]);
        assert!(matches!(fault, Err(LoadError::Read { .. })));
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_an_error() {
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().expect("temporary directory");
        let name = std::ffi::OsStr::from_bytes(b"a\xFF.yaml");
        if fs::write(root.path().join(name), "{}").is_ok() {
            let fault = manifests(&[root.path().to_path_buf()]);
            assert!(matches!(fault, Err(LoadError::Name { .. })));
        }
    }
}

#[test]
fn a_large_file_is_read_in_parts_as_it_is() {
    let root = tempfile::tempdir().expect("temporary directory");
    let lines = (0..500_000).map(|at| format!("k{at}: v{at}\n"));
    let text = lines.collect::<String>();
    write(root.path(), "large.yaml", &text);
    let loaded = manifests(&[root.path().join("large.yaml")]).expect("readable");
    assert!(loaded.inputs[0].whole && loaded.inputs[0].source.text == text);
}

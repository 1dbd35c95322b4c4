//! The names that files are shown by: relative to the working directory, with `/`.
//!
//! Only text: nothing here asks the file system.

use std::path::{Component, Path, PathBuf};

use super::LoadError;

/// The name that `path` is shown by. A relative path keeps its `..`, since what stands before one
/// may be a link; an absolute path becomes relative to `base`.
pub(super) fn shown(path: &Path, base: &Path) -> Result<String, LoadError> {
    let relative = if path.has_root() {
        relative(path, base)
    } else {
        path.to_path_buf()
    };
    let mut name = String::new();
    for component in relative.components() {
        let part = match component {
            Component::CurDir => continue,
            other => other.as_os_str(),
        };
        let Some(part) = part.to_str() else {
            return Err(LoadError::Name {
                path: path.to_string_lossy().into_owned(),
            });
        };
        if !name.is_empty() && !name.ends_with('/') {
            name.push('/');
        }
        name.push_str(if part == "\\" { "/" } else { part });
    }
    if name.is_empty() {
        name.push('.');
    }
    Ok(name)
}

/// The way from the directory `base` to `path`, both absolute; `path` where there is none, as
/// between two drives.
fn relative(path: &Path, base: &Path) -> PathBuf {
    let (path_parts, base_parts) = (plain(path), plain(base));
    if path_parts.first() != base_parts.first() {
        return path.to_path_buf();
    }
    let common = path_parts
        .iter()
        .zip(&base_parts)
        .take_while(|(a, b)| a == b)
        .count();
    let up = base_parts[common..].iter().map(|_| Component::ParentDir);
    up.chain(path_parts[common..].iter().copied()).collect()
}

/// The components of an absolute path with `.` and `..` done away.
fn plain(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(parts.last(), Some(Component::Normal(_))) {
                    parts.pop();
                }
            }
            other => parts.push(other),
        }
    }
    parts
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_working_directory() {
        let name = |path| shown(Path::new(path), Path::new("/home/me/repo")).expect("UTF-8");
        assert_eq!(name("a.yaml"), "a.yaml");
        assert_eq!(name("./x//a.yaml"), "x/a.yaml");
        assert_eq!(name("../a.yaml"), "../a.yaml");
        assert_eq!(name("/home/me/repo/x/a.yaml"), "x/a.yaml");
        assert_eq!(name("/home/me/other/a.yaml"), "../other/a.yaml");
        assert_eq!(name("/home/me/repo"), ".");
        assert_eq!(name("/dev/stdin"), "../../../dev/stdin");
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xFF.yaml"));
        assert!(matches!(
            shown(path, Path::new("/")),
            Err(LoadError::Name { .. })
        ));
    }
}

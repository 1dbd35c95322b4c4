//! One directory put in another's place: in one step where the system can, else in two that are
//! undone when the second cannot be done.

use std::fs;
use std::io;
use std::path::Path;

/// Puts the directory `new` where `old` stands; afterwards the old one stands where `new` stood.
/// When it returns an error, both stand where they stood.
pub(crate) fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    match at_once(new, old) {
        Err(why) if cannot(&why) => in_two_steps(new, old),
        done => done,
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn at_once(new: &Path, old: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn at_once(_new: &Path, _old: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Whether the system, or this file system, knows no exchange.
fn cannot(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

fn in_two_steps(new: &Path, old: &Path) -> io::Result<()> {
    let aside = new.with_extension("old");
    fs::rename(old, &aside)?;
    if let Err(why) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(why);
    }
    fs::rename(&aside, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Exchange = fn(&Path, &Path) -> io::Result<()>;

    #[test]
    fn both_ways_exchange() {
        for exchange in [exchange as Exchange, in_two_steps as Exchange] {
            let root = tempfile::tempdir().expect("temporary directory");
            let (new, old) = (root.path().join("new"), root.path().join("old"));
            for path in [&new, &old] {
                fs::create_dir(path).expect("directory");
                fs::write(path.join("it"), path.as_os_str().as_encoded_bytes()).expect("file");
            }
            exchange(&new, &old).expect("exchanged");
            let it = |path: &Path| fs::read(path.join("it")).expect("file");
            assert_eq!(it(&old), new.as_os_str().as_encoded_bytes());
            assert_eq!(it(&new), old.as_os_str().as_encoded_bytes());
        }
    }

    #[test]
    fn what_cannot_be_done_is_undone() {
        let root = tempfile::tempdir().expect("temporary directory");
        let (new, old) = (root.path().join("new"), root.path().join("old"));
        fs::create_dir(&old).expect("directory");
        assert!(in_two_steps(&new, &old).is_err());
        assert!(old.is_dir());
    }
}

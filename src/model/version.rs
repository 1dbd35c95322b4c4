//! Versions of programs: `1.36`, `v2.8.3`.
//!
//! Source: Flux's releases 2.3 to 2.9: helm-controller's minor number is Flux's less three, and
//! kustomize-controller's is Flux's.

use std::fmt;
use std::str::FromStr;

/// Major, minor and patch number, the last 0 where it is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32, pub(crate) u32);

impl Version {
    /// Whether it is at least this major and minor version.
    pub(crate) fn reaches(self, major: u32, minor: u32) -> bool {
        (self.0, self.1) >= (major, minor)
    }

    /// The helm-controller of a Flux version.
    pub(crate) fn helm_controller(self) -> Option<Version> {
        let minor = self.1.checked_sub(3).filter(|_| self.0 == 2)?;
        Some(Version(1, minor, self.2))
    }

    /// The Flux version of a helm-controller or kustomize-controller of 1.x, by its image's name.
    pub(crate) fn flux_of(image: &str, controller: Version) -> Option<Version> {
        let ahead = match image {
            "helm-controller" => 3,
            "kustomize-controller" => 0,
            _ => return None,
        };
        let minor = controller.1 + ahead;
        (controller.0 == 1).then_some(Version(2, minor, controller.2))
    }
}

impl FromStr for Version {
    type Err = String;

    /// Reads `X.Y`, `X.Y.Z` and `vX.Y.Z`, what follows a dash or a plus left out.
    fn from_str(text: &str) -> Result<Version, String> {
        let wrong = || format!("`{text}` is no version, expected `X.Y`");
        let core = text.trim_start_matches('v');
        let core = core.split(['-', '+']).next().unwrap_or_default();
        let mut parts = core.split('.').map(str::parse::<u32>);
        let mut next = || parts.next().transpose().map_err(|_| wrong());
        let (major, minor, patch) = (next()?, next()?, next()?);
        match (major, minor) {
            (Some(major), Some(minor)) => Ok(Version(major, minor, patch.unwrap_or(0))),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Version {
    /// Major and minor, which is how people name them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_their_numbers() {
        let read = |text: &str| text.parse::<Version>();
        assert_eq!(read("v2.8.3-rc.1"), Ok(Version(2, 8, 3)));
        assert_eq!(read("1.36"), Ok(Version(1, 36, 0)));
        assert!(read("2").is_err() && read("a.b").is_err());
        assert!(Version(2, 10, 0).reaches(2, 9));
        assert_eq!(Version(2, 8, 0).helm_controller(), Some(Version(1, 5, 0)));
    }

    #[test]
    fn a_controller_tells_which_flux_it_belongs_to() {
        let flux = Version::flux_of("helm-controller", Version(1, 5, 3));
        assert_eq!(flux, Some(Version(2, 8, 3)));
        assert_eq!(
            Version::flux_of("source-controller", Version(1, 8, 0)),
            None
        );
    }
}

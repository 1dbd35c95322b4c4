//! Artifacts whose version is open until a registry is asked: which one source-controller would take.
//!
//! Source: source-controller v1.8 `internal/controller/ocirepository_controller.go` (`getTagBySemver`),
//! `internal/helm/repository/oci_chart_repository.go` (`GetChartVersion`).

use crate::finding::{Finding, Label, Level, ObjectId};
use crate::source::Span;
use crate::yaml::Path;

/// The rule of artifacts whose version is open.
const OPEN_VERSION: &str = "artifact-version-open";

/// An artifact that is asked for by a range of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenVersion {
    /// The repository that is asked, without `oci://`.
    pub(crate) address: String,
    /// The range.
    pub(crate) range: String,
    /// What tags have to match beside it: `semverFilter`.
    pub(crate) filter: Option<String>,
    /// Whether it is a chart, whose tags hold `_` where its version has `+`.
    pub(crate) chart: bool,
    /// Where the range stands.
    pub(crate) span: Span,
    /// The object that asks.
    pub(crate) object: ObjectId,
    /// The route of the range in that object.
    pub(crate) path: Path,
}

impl OpenVersion {
    /// Where the range stands.
    pub(crate) fn label(&self) -> Label {
        Label::new(self.span).object(&self.object)
    }

    /// Says that the version is open.
    pub(crate) fn finding(&self) -> Finding {
        let message = format!(
            "which version of `{} {}` source-controller pulls is known to its registry alone",
            self.address, self.range
        );
        Finding::new(OPEN_VERSION, Level::Note, self.label(), message)
            .help("ask the registry with `--resolve`, or name one version or a digest")
    }
}

/// Asking a registry.
#[cfg(any(test, feature = "registry"))]
impl OpenVersion {
    /// The tag that source-controller would take of these; `None` where none fits.
    ///
    /// # Errors
    ///
    /// Where the range or the filter is none, in words.
    pub(crate) fn of<'t>(
        &self,
        tags: impl Iterator<Item = &'t str>,
    ) -> Result<Option<&'t str>, String> {
        use crate::model::constraint::Constraint;
        use crate::model::pattern::Expression;

        let range = Constraint::parse(&self.range)
            .ok_or_else(|| format!("`{}` is no range of versions", self.range))?;
        let filter = self.filter.as_deref().map(Expression::compile).transpose();
        let filter = filter.map_err(|why| format!("`semverFilter`: {why}"))?;
        let mut fits: Vec<(String, &str)> = tags
            .filter(|tag| filter.as_ref().is_none_or(|filter| filter.is_match(tag)))
            .map(|tag| (self.version_of(tag), tag))
            .collect();
        fits.sort_unstable();
        let highest = range.highest(fits.iter().map(|(version, _)| version.as_str()));
        let tag = highest.and_then(|highest| fits.iter().find(|(version, _)| version == highest));
        Ok(tag.map(|(_, tag)| *tag))
    }

    fn version_of(&self, tag: &str) -> String {
        if self.chart {
            tag.replace('_', "+")
        } else {
            tag.to_owned()
        }
    }

    /// The artifact under a tag.
    #[cfg(feature = "registry")]
    pub(crate) fn under(&self, tag: &str) -> super::Named {
        let image = format!("{}:{tag}", self.address);
        super::Named {
            rewritten: image.clone(),
            image,
            grade: super::Grade::Artifact,
            entry: None,
            digest: None,
            span: self.span,
            object: self.object.clone(),
            path: self.path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(range: &str, filter: Option<&str>, chart: bool) -> OpenVersion {
        OpenVersion {
            address: "r.io/a".to_owned(),
            range: range.to_owned(),
            filter: filter.map(str::to_owned),
            chart,
            span: Span::default(),
            object: ObjectId::default(),
            path: Path::default(),
        }
    }

    #[test]
    fn the_highest_tag_in_the_range_is_taken() {
        let tags = [
            "latest",
            "1.2.0",
            "v1.10.0",
            "1.9.9",
            "2.0.0-rc.1",
            "1.11.0-rc.1",
        ];
        let of = |range, filter| open(range, filter, false).of(tags.into_iter());
        assert_eq!(of("1.x", None), Ok(Some("v1.10.0")));
        assert_eq!(of("1.x", Some("^[0-9]")), Ok(Some("1.9.9")));
        assert_eq!(of(">=1.0.0-0", None), Ok(Some("2.0.0-rc.1")));
        assert_eq!(of("3.x", None), Ok(None));
        assert!(of("newest", None).is_err() && of("1.x", Some("(")).is_err());
    }

    #[test]
    fn the_tag_of_a_chart_has_an_underscore_for_a_plus() {
        let chart = open("*", None, true);
        assert_eq!(
            chart.of(["1.0.0", "1.0.1_build"].into_iter()),
            Ok(Some("1.0.1_build"))
        );
    }
}

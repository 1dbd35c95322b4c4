//! `image-without-tag`: an image has neither tag nor digest.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "image-without-tag",
    ids: &[],
    level: Level::Warning,
    summary: "an image has neither tag nor digest",
    explain: "\
A reference without tag and digest means `latest`. What runs then depends on the day it was pulled,
and a bundle made today holds another image than the one that runs.

Example:

    containers:
    - name: app
      image: registry.example.org/app

Fix: name a tag, or better a digest.

Quiet: images with either; texts that only look like images.

Source: `github.com/distribution/reference` v0.6.0 `TagNameOnly`; `spec/bundle.md`.
",
    check: found_elsewhere,
};

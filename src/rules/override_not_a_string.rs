//! `override-not-a-string`: a field of an override entry is no string.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-a-string",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "a field of an override entry is no string",
    explain: "\
The fields of an entry are strings, and tables are read as Kubernetes reads YAML: `1.20` is the number
1.2, `010` the number 8, `706798e8` a float, `y`, `on` and `no` are truth values. What would arrive is
not what was written, so the real readers refuse it: `cannot unmarshal number into Go struct field
Image.newTag of type string`.

Example:

    - name: registry.example.org/app
      newTag: 1.20

Fix: quote it: `newTag: \"1.20\"`.

Quiet: null and empty values, which count as absent; texts with a tag `!!str`; dates, which stay texts.

Source: `spec/package-rendering.md` section 10; sigs.k8s.io/yaml v1.6 `goyaml.v2/resolve.go`.
",
    check: found_elsewhere,
};

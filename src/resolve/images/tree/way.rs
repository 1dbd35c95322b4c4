//! What a walk through a document in memory is inside of, so that what has no end is seen to have none.

use super::CellId;
use crate::yaml::NodeId;

/// What a walk is inside of.
#[derive(Default)]
pub(super) struct Way {
    /// What aliases name.
    pub(super) aliases: Vec<CellId>,
    /// Mappings that others were merged into.
    pub(super) merged: Vec<NodeId>,
}

impl Way {
    /// Whether a mapping brings itself along, with its merge, in what is merged into it: kustomize does
    /// not come to an end there. Once it may be a copy, and once itself, which loses its merge key.
    pub(super) fn has_merged_twice(&self, mapping: NodeId) -> bool {
        self.merged.iter().filter(|it| **it == mapping).count() > 1
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Spanned;
    use crate::model::overrides::{Override, OverrideTable};
    use crate::resolve::images::{Mode, build_whole};
    use crate::rewrite::edits;
    use crate::source::{SourceMap, Span};
    use crate::yaml::edit::apply;
    use crate::yaml::{Doc, read_all};

    /// The document with `nginx:2`, or what stops the build.
    fn built(x: &str) -> String {
        let text = format!("apiVersion: ex.io/v1\nkind: Foo\nmetadata: {{name: a}}\nx: {x}\n");
        let source = SourceMap::default().add("a.yaml", text.as_str());
        let docs: Vec<Doc> = read_all(&source).into_iter().flatten().collect();
        let text_of = |value: &str| {
            Some(Spanned {
                value: value.to_owned(),
                span: Span::default(),
            })
        };
        let table = OverrideTable {
            entries: vec![Override {
                name: text_of("nginx"),
                new_tag: text_of("2"),
                ..Override::default()
            }],
            ..OverrideTable::default()
        };
        let filtered = build_whole(&source, &docs, &table);
        if let Some(refusal) = &filtered.refusal {
            return refusal.message.clone();
        }
        let edits = edits(&docs, &filtered, Mode::Build);
        let new = apply(&text, 0, &edits).expect("no two edits of one place");
        new.lines().last().unwrap_or_default().to_owned()
    }

    // What kubectl 1.35 makes of each, which runs out of stack where this refuses.
    #[test]
    fn a_mapping_may_merge_itself() {
        let containers = "containers: [{image: 'nginx:1'}]";
        for rest in ["<<: *c", "<<: [*c]", "a: {<<: *c, a: 1}"] {
            let new = built(&format!("&c {{{containers}, {rest}}}"));
            assert_eq!(
                new,
                format!("x: &c {{{}, {rest}}}", containers.replace(":1", ":2"))
            );
        }
    }

    #[test]
    fn what_brings_itself_along_is_refused() {
        for x in [
            "&c {a: {<<: *c}}",
            "&c {containers: [{image: 'nginx:1', <<: *c}]}",
            "&c {a: {b: 1, <<: *c}, b: {<<: *c, a: 1, b: 2}}",
        ] {
            assert!(
                built(x).ends_with("a merge of a mapping that it stands in"),
                "{x}"
            );
        }
        for x in [
            "&c {y: *c}",
            "&c [*c]",
            "&c {y: &e {<<: [*c, {z: *c}], w: *e}}",
        ] {
            assert!(built(x).ends_with("an alias inside its own anchor"), "{x}");
        }
    }
}

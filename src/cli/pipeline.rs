//! From what was read to what will be applied: bytes in, objects and findings out.
//!
//! Pure: nothing here reads, writes or prints. Objects that are not Flux's own pass byte for byte.

use std::collections::BTreeMap;

use super::join::{self, Read};
use crate::emit::{Emitted, Origin, standing_alone};
use crate::finding::{Finding, Level};
use crate::load::{Loaded, Role};
use crate::resolve::environment::{Environment, inject};
use crate::resolve::images::Mode;
use crate::resolve::plan::{Plan, plan};
use crate::source::{Edit, Span};

/// What comes of a run.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The objects in the order of application.
    pub(super) objects: Vec<Emitted>,
    /// Everything there is to say.
    pub(super) findings: Vec<Finding>,
    /// Whether something is wrong that cannot be left out.
    pub(super) stopped: bool,
    /// How many documents found by walking are no manifests.
    pub(super) skipped: usize,
}

/// Renders what was read.
pub(super) fn prepare(loaded: &Loaded, environment: &Environment) -> Outcome {
    let plan = plan(loaded);
    let tables = join::tables(loaded, true);
    let wrong = |finding: &Finding| finding.level == Level::Error;
    let mut stopped = loaded.findings.iter().chain(&tables.findings).any(wrong);
    let mut findings = loaded.findings.clone();
    findings.extend(plan.findings.iter().cloned());
    findings.extend(tables.findings.iter().cloned());

    let mut edits = BTreeMap::new();
    let mut filtered = Vec::new();
    for (input, text) in loaded.inputs.iter().enumerate() {
        if text.role != Role::Flux {
            continue;
        }
        let mut of_text = Vec::new();
        if let Some(table) = &tables.tables.flux {
            for pass in join::filter(Mode::Legacy, &text.source, &text.docs, table) {
                stopped |= pass.refusal.is_some();
                findings.extend(pass.refusal.iter().chain(&pass.findings).cloned());
                of_text.extend(join::edits(&pass, &text.docs, Mode::Legacy));
                filtered.push((input, pass));
            }
        }
        for doc in &text.docs {
            let (injected, said) = inject(doc, environment);
            of_text.extend(injected);
            findings.extend(said);
        }
        of_text.sort();
        edits.insert(input, of_text);
    }
    findings.extend(join::check(loaded, &tables.tables, &filtered, true));
    let objects = emitted(loaded, &plan, &edits);
    Outcome {
        objects,
        findings,
        stopped,
        skipped: plan.skipped,
    }
}

/// The planned objects with their texts.
fn emitted(loaded: &Loaded, plan: &Plan, edits: &BTreeMap<usize, Vec<Edit>>) -> Vec<Emitted> {
    let object = |planned: &crate::resolve::plan::Planned| {
        let input = &loaded.inputs[planned.input];
        let doc = &input.docs[planned.doc];
        let own = edits
            .get(&planned.input)
            .map_or(&[][..], |edits| within(edits, doc.span()));
        let text = join::apply(doc.text(), doc.start, own);
        Emitted {
            text: standing_alone(doc, &text),
            id: planned.id.clone(),
            stage: planned.stage,
            source: input.source.id,
            origin: if input.role == Role::Flux {
                Origin::Flux
            } else {
                Origin::Given
            },
        }
    };
    plan.objects.iter().map(object).collect()
}

/// The part of sorted edits that lies in a span.
fn within(edits: &[Edit], span: Span) -> &[Edit] {
    let from = edits.partition_point(|edit| edit.span.start < span.start);
    let to = edits.partition_point(|edit| edit.span.start < span.end || edit.span.end <= span.end);
    &edits[from..to.max(from)]
}

/// The tables, validated as strictly as asked for, and whether they can be used.
pub(super) fn tables(loaded: &Loaded, strict: bool) -> (Read, bool) {
    let tables = join::tables(loaded, strict);
    let wrong = |finding: &Finding| finding.level == Level::Error;
    let usable = !loaded.findings.iter().chain(&tables.findings).any(wrong);
    (tables, usable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::stream;
    use crate::load::{Request, load};

    #[test]
    fn manifests_pass_byte_for_byte_in_two_stages() {
        let text = "# about it\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a} # x\n---\n\
                    # empty\n---\napiVersion: v1\nkind: Namespace\nmetadata:   {name: n}\n";
        let request = Request {
            manifests: vec!["-".into()],
            ..Request::default()
        };
        let loaded = load(&request, &mut text.as_bytes()).expect("readable");
        let outcome = prepare(&loaded, &Environment::default());
        assert_eq!(
            stream(&outcome.objects),
            "---\napiVersion: v1\nkind: Namespace\nmetadata:   {name: n}\n---\n# about it\n\
             apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a} # x\n"
        );
        assert!(!outcome.stopped && outcome.findings.is_empty());
    }
}

//! `object-too-large`: an object is too large for client-side apply.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Kind, Node};

pub(crate) const RULE: Rule = Rule {
    code: "object-too-large",
    ids: &[],
    level: Level::Warning,
    summary: "an object is too large for client-side apply",
    explain: "\
`kubectl apply` keeps a copy of the object in an annotation, and all annotations of an object together
may have 262144 bytes. A large CustomResourceDefinition does not fit: `metadata.annotations: Too
long`. Flux applies on the server side, where there is no copy.

Fix: `kubectl apply --server-side`, or `kubectl create`.

Quiet: objects whose JSON is smaller.

Source: apimachinery `pkg/api/validation/objectmeta.go` `TotalAnnotationSizeLimitB`.
",
    check: check,
};

/// The sum of all annotations of an object, in bytes.
const LIMIT: usize = 262_144;

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in &context.subjects {
        // The JSON text is never three times as long as the YAML that it stands for.
        if subject.doc.text().len() < LIMIT / 3 {
            continue;
        }
        let Some(root) = subject.doc.root() else { continue };
        let size = json_length(root);
        if size > LIMIT {
            let place = root.children().next().map_or(root.span(), |key| key.span());
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(place).object(&subject.id),
                    format!(
                        "{} has {size} bytes as JSON, more than the {LIMIT} that `kubectl apply` \
                         can keep in an annotation",
                        subject.id
                    ),
                )
                .help("apply it with `--server-side`, as Flux does"),
            );
        }
    }
}

/// How long the subtree is as compact JSON.
fn json_length(root: Node<'_>) -> usize {
    let mut length = 0;
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        let node = node.resolved();
        match node.text() {
            Some(text) => {
                let escapes = text.bytes().filter(|byte| b"\"\\\n\t<>&".contains(byte)).count();
                let quotes = match resolve(node, Reader::Kubernetes) {
                    Some(Scalar::String(_) | Scalar::Timestamp(_)) => 2,
                    _ => 0,
                };
                length += text.len() + escapes + quotes;
            }
            None => {
                let children = node.children().count();
                let separators = if node.is_mapping() { children } else { children.max(1) };
                length += 1 + separators.max(1);
                if node.is_mapping() {
                    let bare = |key: Node<'_>| usize::from(key.kind() == Kind::Plain);
                    length += node.entries().map(|(key, _)| 2 * bare(key)).sum::<usize>();
                    length -= node
                        .entries()
                        .filter(|(key, _)| {
                            let scalar = resolve(*key, Reader::Kubernetes);
                            key.kind() == Kind::Plain && matches!(scalar, Some(Scalar::String(_)))
                        })
                        .count()
                        * 2;
                }
                stack.extend(node.children());
            }
        }
    }
    length
}

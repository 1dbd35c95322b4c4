//! Messages without the secrets that they would quote.

use crate::diff::{conceals, redacted};
use crate::finding::Finding;
use crate::source::SourceMap;

/// The finding as it may be shown: where it stands on the value of a Secret or of a key that looks
/// like a credential, nothing quotes that value.
pub(crate) fn shown(finding: &Finding, sources: &SourceMap) -> Finding {
    let mut shown = finding.clone();
    let source = sources.get(finding.primary.span.source);
    let place = finding.primary.span.range().start;
    let of_secret = finding.object().is_some_and(|id| id.kind == "Secret");
    if of_secret && !in_text(&source.text, place) || conceals(&source.text, place) {
        let clean = |text: &str| redacted(text, &source.text, place);
        shown.message = clean(&finding.message);
        shown.help = finding.help.as_deref().map(clean);
        for label in shown.related.iter_mut().chain([&mut shown.primary]) {
            label.message = clean(&label.message);
        }
    }
    shown
}

/// Whether a place stands inside a longer text that a Secret holds, such as values of a chart: there
/// only credentials are secret, or nothing could be said of an override table in it.
fn in_text(text: &str, place: usize) -> bool {
    let line = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = line(at);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(text[start..].lines().next().unwrap_or_default());
    let above = text[..start].lines().rev();
    let mut above = above.filter(|line| !line.trim().is_empty() && depth(line) < own);
    above.next().is_some_and(|line| {
        let line = line.trim();
        line != "data:" && line != "stringData:" && depth(line) == 0 && own > 2
    })
}

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
    if of_secret && in_data(&source.text, place) || conceals(&source.text, place) {
        let clean = |text: &str| redacted(text, &source.text, place);
        shown.message = clean(&finding.message);
        shown.help = finding.help.as_deref().map(clean);
        for label in shown.related.iter_mut().chain([&mut shown.primary]) {
            label.message = clean(&label.message);
        }
    }
    shown
}

/// Whether a place is a value of a Secret's `data` or `stringData`. Inside a longer text that one
/// holds, such as values of a chart, only credentials are secret, or nothing could be said of an
/// override table there.
fn in_data(text: &str, place: usize) -> bool {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let opens = |line: &str| {
        let key = line.trim_start().trim_start_matches(['-', ' ', '{', '"']);
        let keys = ["data", "stringData"].into_iter();
        let mut behind = keys.filter_map(|name| key.strip_prefix(name));
        behind.any(|rest| rest.starts_with([':', '"']))
    };
    let own = text[start..].lines().next().unwrap_or_default();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut above = text[..start]
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty() && depth(line) < depth(own));
    opens(own) || above.next().is_some_and(opens)
}

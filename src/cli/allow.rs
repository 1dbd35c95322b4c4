//! Findings that are known and meant: silenced where they stand, or in `forebay.yaml`.
//!
//! `# forebay: allow[code]` on the line of a finding's primary place, with several codes or ids
//! between commas, silences those findings; so does an entry of `allow`. What silences nothing is a
//! finding. Malformed input cannot be silenced: nobody knows what it holds.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::config::{Allow, Settings};
use super::join;
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::{Input, Loaded, MALFORMED, Role};
use crate::resolve::plan::{identity_of, unrolled};
use crate::source::{Source, SourceMap, Span};
use crate::yaml::Doc;

/// The rule that an allow which silences nothing falls under.
const UNUSED: &str = "allow-unused";

/// What opens an allow in a comment.
const MARK: &str = "forebay: allow[";

/// A code in a comment.
struct Written<'s> {
    rule: &'s str,
    span: Span,
    /// The first byte of its line.
    line: usize,
    used: bool,
}

/// Takes out what is allowed. Where every rule has run (`whole`), what silences nothing is told.
pub(super) fn silence(
    findings: Vec<Finding>,
    loaded: &Loaded,
    settings: &Settings,
    whole: bool,
) -> Vec<Finding> {
    let mut written = Vec::new();
    let own = [Role::Table, Role::Values, Role::Manifest, Role::Flux];
    for input in loaded.inputs.iter().filter(|it| own.contains(&it.role)) {
        comments(&input.source, &mut written);
    }
    let mut entries: Vec<Entry<'_>> = settings.allow.iter().map(Entry::of).collect();
    let mut kept = Vec::new();
    for finding in findings {
        let by_comment = written
            .iter_mut()
            .filter(|it| it.covers(&finding, &loaded.sources))
            .map(|it| it.used = true)
            .count();
        let by_entry = entries
            .iter_mut()
            .filter(|it| it.covers(&finding, &loaded.sources))
            .map(|it| it.used = true)
            .count();
        if by_comment + by_entry == 0 || finding.rule == MALFORMED {
            kept.push(finding);
        }
    }
    if whole {
        let unused = written.iter().filter(|it| !it.used);
        kept.extend(unused.map(|it| unused_finding(it.rule, it.span)));
        let file = settings.file.as_ref();
        let source = file.and_then(|(path, text)| {
            let mut sources = loaded.sources.iter();
            sources.find(|source| source.path == *path && source.text == *text)
        });
        for entry in entries
            .iter()
            .filter(|entry| !entry.used && entry.is_about(loaded))
        {
            let span = Span {
                source: source.map_or(entry.allow.span.source, |source| source.id),
                ..entry.allow.span
            };
            if source.is_some() {
                kept.push(unused_finding(&entry.allow.rule, span));
            }
        }
    }
    kept
}

fn unused_finding(rule: &str, span: Span) -> Finding {
    let known = join::page(rule).is_some();
    let message = if rule == MALFORMED {
        format!("`{MALFORMED}` cannot be allowed: nobody knows what the text holds")
    } else if known {
        format!("nothing is silenced by allowing `{rule}` here")
    } else {
        format!("no rule is called `{rule}`, so that nothing is silenced")
    };
    let finding = Finding::new(UNUSED, Level::Warning, Label::new(span), message);
    if known {
        finding.help("take it out")
    } else {
        finding.help("`forebay explain` lists the rules")
    }
}

fn names(finding: &Finding, rule: &str) -> bool {
    finding.rule == rule || finding.ids.contains(&rule)
}

impl Written<'_> {
    fn covers(&self, finding: &Finding, sources: &SourceMap) -> bool {
        let place = finding.primary.span;
        place.source == self.span.source
            && names(finding, self.rule)
            && sources.get(place.source).line_at(place.start).start == self.line
    }
}

/// The codes of the allows in a text's comments.
fn comments<'s>(source: &'s Source, found: &mut Vec<Written<'s>>) {
    let text = source.text.as_bytes();
    for at in memchr::memmem::find_iter(text, MARK) {
        let line = source.line_at(crate::yaml::split::offset(at));
        let before = source.text[line.start..at].trim_end();
        let comment = before
            .strip_suffix('#')
            .is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace));
        let start = at + MARK.len();
        let Some(length) = source.text[start..line.end].find(']').filter(|_| comment) else {
            continue;
        };
        let mut from = start;
        for part in source.text[start..start + length].split(',') {
            let rule = part.trim();
            let start = from + (part.len() - part.trim_start().len());
            found.push(Written {
                rule,
                span: Span {
                    source: source.id,
                    start: crate::yaml::split::offset(start),
                    end: crate::yaml::split::offset(start + rule.len()),
                },
                line: line.start,
                used: false,
            });
            from += part.len() + 1;
        }
    }
}

/// An entry of the configuration with its pattern.
struct Entry<'s> {
    allow: &'s Allow,
    path: Option<Gitignore>,
    used: bool,
}

impl Entry<'_> {
    fn of(allow: &Allow) -> Entry<'_> {
        let path = allow.path.as_ref().map(|path| {
            let mut builder = GitignoreBuilder::new("");
            let _a_pattern_that_is_none_matches_nothing = builder.add_line(None, path);
            builder.build().unwrap_or_else(|_| Gitignore::empty())
        });
        Entry {
            allow,
            path,
            used: false,
        }
    }

    fn covers(&self, finding: &Finding, sources: &SourceMap) -> bool {
        let path = &sources.get(finding.primary.span.source).path;
        let object = || finding.object().is_some_and(|object| self.means(object));
        names(finding, &self.allow.rule)
            && self.holds(path)
            && (self.allow.object.is_none() || object())
    }

    fn holds(&self, path: &str) -> bool {
        self.path.as_ref().is_none_or(|pattern| {
            !path.starts_with("../") && pattern.matched_path_or_any_parents(path, false).is_ignore()
        })
    }

    fn means(&self, object: &ObjectId) -> bool {
        let whole = object.to_string();
        let name = whole.split_once(' ').map(|(_, name)| name);
        let wanted = self.allow.object.as_deref();
        wanted.is_some_and(|wanted| whole == wanted || name == Some(wanted))
    }

    /// Whether what it is about was read: a run over a part of a repository says nothing of the rest.
    fn is_about(&self, loaded: &Loaded) -> bool {
        let manifests = || {
            loaded
                .of(Role::Manifest)
                .filter(|it| self.holds(&it.source.path))
        };
        let whole = |input: &Input| input.place.as_ref().is_none_or(|place| place.whole);
        if self.allow.object.is_some() {
            let mut roots = manifests()
                .flat_map(|input| &input.docs)
                .filter_map(Doc::root);
            roots.any(|root| {
                unrolled(root)
                    .into_iter()
                    .any(|it| self.means(&identity_of(it)))
            })
        } else if self.path.is_some() {
            loaded
                .inputs
                .iter()
                .any(|input| self.holds(&input.source.path))
        } else {
            manifests().all(whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<String> {
        let source = SourceMap::default().add("a.yaml", text);
        let mut found = Vec::new();
        comments(&source, &mut found);
        let shown = found.iter().map(|it| {
            assert_eq!(&source.text[it.span.range()], it.rule);
            format!("{}@{}", it.rule, source.line_col(it.span.start))
        });
        shown.collect()
    }

    #[test]
    fn only_comments_allow() {
        assert_eq!(
            codes("a: 1 # forebay: allow[yaml-word, HZ04] it is meant\n#forebay: allow[x]\n"),
            ["yaml-word@1:23", "HZ04@1:34", "x@2:17"]
        );
        for text in [
            "a: 'forebay: allow[x]'\n",
            "a: b#forebay: allow[x]\n",
            "# forebay: allow[x\n",
        ] {
            assert_eq!(codes(text), Vec::<String>::new(), "{text}");
        }
    }
}

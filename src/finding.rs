//! What forebay tells its user about the input: findings, with their places.
//!
//! A finding is collected and never stops a run. What is wrong with the world (a path that cannot
//! be read, a registry that says no) is an error of the module that met it, never a finding.

use std::fmt;

use smol_str::SmolStr;

use crate::source::{Edit, Span};

/// How grave a finding is. The order is that of gravity: a note is less than an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Will be refused, will destroy something, or cannot be read.
    Error,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        })
    }
}

/// A Kubernetes object as people name it. Ordered, so that it can be the key of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// `apiVersion`, empty where unknown.
    pub api_version: SmolStr,
    /// `kind`.
    pub kind: SmolStr,
    /// `metadata.namespace`, empty where the object names none.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
}

impl ObjectId {
    /// The API group: what stands before the `/` of `apiVersion`, empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or("", |(group, _)| group)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{} {}", self.kind, self.name)
        } else {
            write!(f, "{} {}/{}", self.kind, self.namespace, self.name)
        }
    }
}

/// A place with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say; may be empty on a primary label.
    pub message: String,
    /// The object that the place belongs to, where it belongs to one.
    pub object: Option<ObjectId>,
}

impl Label {
    /// A bare place.
    pub fn new(span: Span) -> Label {
        Label {
            span,
            message: String::new(),
            object: None,
        }
    }

    /// The same place with a message.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Label {
        self.message = message.into();
        self
    }

    /// The same place as part of an object.
    #[must_use]
    pub fn object(mut self, object: &ObjectId) -> Label {
        self.object = Some(object.clone());
        self
    }
}

/// One fact about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's code, kebab-case.
    pub rule: &'static str,
    /// The ids of specification entries that this fact answers to, in the order of the rule.
    pub ids: Vec<&'static str>,
    /// How grave it is.
    pub level: Level,
    /// What is wrong, then what was expected: lower case, no full stop.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// The one place that the finding stands at.
    pub primary: Label,
    /// Other places that belong to it.
    pub related: Vec<Label>,
    /// Edits that would mend it, where they are certain.
    pub fix: Vec<Edit>,
}

impl Finding {
    /// A finding of `rule` at a place.
    pub fn new(
        rule: &'static str,
        level: Level,
        primary: Label,
        message: impl Into<String>,
    ) -> Finding {
        Finding {
            rule,
            ids: Vec::new(),
            level,
            message: message.into(),
            help: None,
            primary,
            related: Vec::new(),
            fix: Vec::new(),
        }
    }

    /// The same finding with a way to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// The same finding with one more place.
    #[must_use]
    pub fn related(mut self, label: Label) -> Finding {
        self.related.push(label);
        self
    }

    /// The same finding with one more id of a specification.
    #[must_use]
    pub fn id(mut self, id: &'static str) -> Finding {
        self.ids.push(id);
        self
    }

    /// The object that the finding is about, if any.
    pub fn object(&self) -> Option<&ObjectId> {
        self.primary.object.as_ref()
    }
}

/// Sorts findings by place, then rule and message, and drops exact repeats: the order of every
/// output.
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        (a.primary.span, b.level, a.rule, &a.message).cmp(&(
            b.primary.span,
            a.level,
            b.rule,
            &b.message,
        ))
    });
    findings.dedup();
}

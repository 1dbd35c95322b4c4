//! Where in an object a change is, as people read it.

use std::fmt;

/// One step of a route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Into a mapping.
    Key(String),
    /// Into a list, by number: of the new list, or of the old one where the item is gone.
    Index(usize),
    /// Into a list whose items have names.
    Item(String),
}

/// A route from an object to a value in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Route(pub(crate) Vec<Step>);

impl Route {
    /// The route with one more step.
    pub(crate) fn with(&self, step: Step) -> Route {
        let mut steps = self.0.clone();
        steps.push(step);
        Route(steps)
    }

    /// The key of the last step, where that is one.
    pub(crate) fn last_key(&self) -> Option<&str> {
        match self.0.last() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Whether it leads to a label or an annotation.
    pub(crate) fn is_tag(&self) -> bool {
        matches!(&self.0[..], [.., Step::Key(meta), Step::Key(tags), Step::Key(_)]
            if meta == "metadata" && (tags == "labels" || tags == "annotations"))
    }
}

impl fmt::Display for Route {
    /// Keys joined by dots, items in brackets; an odd key is quoted in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the whole object");
        }
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Item(name) => write!(f, "[{name}]")?,
                Step::Key(key) => {
                    let odd = |c: char| c.is_whitespace() || c.is_control() || ".[]\"".contains(c);
                    if key.is_empty() || key.contains(odd) {
                        write!(f, "[{key:?}]")?;
                    } else {
                        if at > 0 {
                            f.write_str(".")?;
                        }
                        f.write_str(key)?;
                    }
                }
            }
        }
        Ok(())
    }
}

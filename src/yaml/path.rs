//! Routes into a document, as people read them: `spec.containers[0].image`.

use std::fmt;

/// One step of a route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// Into a mapping.
    Key(String),
    /// Into a sequence, counted from 0.
    Index(usize),
}

/// A route from a document's root to a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path(pub(crate) Vec<Step>);

impl Path {
    /// The route with one more key.
    pub(crate) fn key(&self, key: impl Into<String>) -> Path {
        let mut steps = self.0.clone();
        steps.push(Step::Key(key.into()));
        Path(steps)
    }

    /// The route with one more index.
    pub(crate) fn index(&self, index: usize) -> Path {
        let mut steps = self.0.clone();
        steps.push(Step::Index(index));
        Path(steps)
    }
}

impl fmt::Display for Path {
    /// Keys joined by dots, indices in brackets; a key that holds a dot, a bracket or a blank, or
    /// nothing, is quoted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => {
                    let odd = key.is_empty()
                        || key.contains(|c: char| c.is_whitespace() || ".[]\"".contains(c));
                    if odd {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_keys_are_quoted() {
        let path = Path::default()
            .key("spec")
            .key("containers")
            .index(0)
            .key("a.b/c");
        assert_eq!(path.to_string(), r#"spec.containers[0]["a.b/c"]"#);
    }
}

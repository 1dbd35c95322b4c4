//! Stand-in.
use std::fmt;
#[derive(Debug, Clone)]
pub(crate) struct Pattern(regex::Regex);
#[derive(Debug, Clone)]
pub(crate) struct PatternError(String);
impl fmt::Display for PatternError { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) } }
impl Pattern {
    pub(crate) fn compile(name: &str) -> Result<Pattern, PatternError> {
        regex::Regex::new(&format!("^{name}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$")).map(Pattern).map_err(|e| PatternError(e.to_string()))
    }
    pub(crate) fn is_match(&self, t: &str) -> bool { self.0.is_match(t) }
}

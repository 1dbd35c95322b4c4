//! What a scalar means, which depends on who reads it.

use super::{Kind, Node};

/// Whose rules are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// kubectl and the API server: sigs.k8s.io/yaml v1.6, YAML 1.1 words and numbers.
    Kubernetes,
    /// kustomize: go.yaml.in/yaml/v3 v3.0.4, YAML 1.2 with extensions.
    Kustomize,
}

/// What a scalar means to a reader.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar<'t> {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction or exponent, infinite or not a number included.
    Float(f64),
    /// A date or time; kept as written.
    Timestamp(&'t str),
    /// A string.
    String(&'t str),
}

/// What a scalar node means to `reader`; `None` for collections and aliases.
pub(crate) fn resolve<'d>(node: Node<'d>, _reader: Reader) -> Option<Scalar<'d>> {
    let text = node.text()?;
    Some(if node.kind() == Kind::Plain && node.is_null() {
        Scalar::Null
    } else {
        Scalar::String(text)
    })
}

/// What a plain text without a tag means to `reader`.
pub(crate) fn plain(text: &str, _reader: Reader) -> Scalar<'_> {
    Scalar::String(text)
}

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
    if node.kind() != Kind::Plain {
        return Some(Scalar::String(text));
    }
    Some(match text {
        _ if node.is_null() => Scalar::Null,
        "true" | "True" | "yes" | "on" => Scalar::Bool(true),
        "false" | "False" | "no" | "off" => Scalar::Bool(false),
        _ => match (text.parse(), text.parse()) {
            (Ok(number), _) => Scalar::Integer(number),
            (_, Ok(number)) => Scalar::Float(number),
            _ => Scalar::String(text),
        },
    })
}

/// A node as JSON; the error is that it cannot become JSON.
pub(crate) fn to_json(node: Node<'_>, reader: Reader) -> Result<serde_json::Value, &'static str> {
    use serde_json::Value;
    let node = node.resolved();
    if node.is_mapping() {
        let entries = node.entries();
        return entries
            .map(|(key, value)| {
                Ok((
                    key.text().unwrap_or_default().to_owned(),
                    to_json(value, reader)?,
                ))
            })
            .collect::<Result<serde_json::Map<_, _>, _>>()
            .map(Value::Object);
    }
    if node.is_sequence() {
        return node.items().map(|item| to_json(item, reader)).collect();
    }
    Ok(match resolve(node, reader).ok_or("no value")? {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Integer(_) | Scalar::Float(_) => {
            serde_json::from_str(node.written()).map_err(|_| "no number")?
        }
        Scalar::Timestamp(text) | Scalar::String(text) => Value::from(text),
    })
}

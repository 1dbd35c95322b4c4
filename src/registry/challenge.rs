//! What a registry asks for when it answers 401.
//!
//! Source: RFC 9110 section 11.6.1; distribution's `spec/auth/token.md`.

use ureq::http::HeaderMap;

/// How credentials are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Challenge {
    /// Name and password with each request.
    Basic,
    /// A token of a token service.
    Bearer {
        /// The service's address.
        realm: String,
        /// Who the token is for; may be empty.
        service: String,
        /// What the registry would ask it for; may be empty.
        scope: String,
    },
}

/// The challenge to answer: a token before a password.
pub(super) fn read(headers: &HeaderMap) -> Option<Challenge> {
    let mut basic = None;
    for value in headers.get_all("www-authenticate") {
        let Ok(text) = value.to_str() else { continue };
        for (scheme, parameters) in challenges(text) {
            let get = |name: &str| {
                let named = parameters
                    .iter()
                    .find(|(key, _)| key.eq_ignore_ascii_case(name));
                named.map_or_else(String::new, |(_, value)| value.clone())
            };
            if scheme.eq_ignore_ascii_case("bearer") && !get("realm").is_empty() {
                return Some(Challenge::Bearer {
                    realm: get("realm"),
                    service: get("service"),
                    scope: get("scope"),
                });
            }
            if scheme.eq_ignore_ascii_case("basic") {
                basic = Some(Challenge::Basic);
            }
        }
    }
    basic
}

/// The challenges of one header, each with its parameters.
fn challenges(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for piece in pieces(text) {
        let (name, value) = match piece.split_once('=') {
            Some((name, value)) => (name.trim(), Some(unquoted(value.trim()))),
            None => (piece.trim(), None),
        };
        // A scheme stands before its first parameter, with a blank between.
        let (scheme, name) = match name.split_once(char::is_whitespace) {
            Some((scheme, name)) => (Some(scheme), name.trim()),
            None if value.is_none() => (Some(name), ""),
            None => (None, name),
        };
        if let Some(scheme) = scheme.filter(|scheme| !scheme.is_empty()) {
            found.push((scheme.to_owned(), Vec::new()));
        }
        if let (Some((_, parameters)), Some(value)) = (found.last_mut(), value) {
            parameters.push((name.to_owned(), value));
        }
    }
    found
}

/// The parts between commas that stand outside of quotes.
fn pieces(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

fn unquoted(text: &str) -> String {
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return text.to_owned();
    };
    let mut plain = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Option<Challenge> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("www-authenticate", value.parse().expect("a value"));
        }
        read(&headers)
    }

    #[test]
    fn commas_in_quotes_part_nothing() {
        let bearer = Challenge::Bearer {
            realm: "https://auth.example/token".to_owned(),
            service: "registry".to_owned(),
            scope: "repository:a/b:pull,push".to_owned(),
        };
        let text = "Bearer realm=\"https://auth.example/token\",service=\"registry\",\
                    scope=\"repository:a/b:pull,push\"";
        assert_eq!(of(&[text]), Some(bearer.clone()));
        assert_eq!(of(&["Basic realm=\"a, b\"", text]), Some(bearer.clone()));
        assert_eq!(of(&[&format!("Basic realm=x, {text}")]), Some(bearer));
        assert_eq!(
            of(&["basic realm=\"Registry Realm\""]),
            Some(Challenge::Basic)
        );
        assert_eq!(of(&["Negotiate"]), None);
        assert_eq!(of(&[]), None);
    }
}

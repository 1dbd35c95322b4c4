//! Which redirects are followed, and to where.
//!
//! `spec/bundle.md`, "Registries": nothing is sent to a host that no reference names, redirects for
//! blobs excepted.

use ureq::http::{Method, StatusCode, Uri};

use super::error::Error;
use super::http::{Answer, Call, Http, authority, without_query};

/// How many are followed in a row.
const HOPS: u32 = 5;

/// Whether a status is a redirect that can be followed.
pub(super) fn is_one(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads.
///
/// # Errors
///
/// Where it is not to be followed.
pub(super) fn target(
    http: &Http,
    call: &Call<'_>,
    answer: &Answer,
    hops: u32,
) -> Result<Uri, Error> {
    let location = answer.header("location").unwrap_or_default();
    let target = join(&answer.url, location);
    let refuse = |why| Error::Redirect {
        url: without_query(&answer.url),
        target: target.as_ref().map_or_else(String::new, without_query),
        why,
    };
    let Some(url) = &target else {
        return Err(refuse("which is no address"));
    };
    if hops > HOPS {
        return Err(refuse("one redirect too many"));
    }
    if !matches!(call.method, Method::GET | Method::HEAD) {
        return Err(refuse("and nothing is sent where no reference points"));
    }
    let host = authority(url);
    if url.scheme_str() == Some("http")
        && answer.url.scheme_str() == Some("https")
        && !http.may_be_plain(&host)
    {
        return Err(refuse("which gives up TLS"));
    }
    if !call.elsewhere && host != authority(&answer.url) {
        return Err(refuse("and only blobs are fetched from other hosts"));
    }
    Ok(url.clone())
}

/// An address as seen from another one; `None` where it is none, or not HTTP.
pub(super) fn join(base: &Uri, location: &str) -> Option<Uri> {
    let scheme = base.scheme_str()?;
    let whole = if location.starts_with("http://") || location.starts_with("https://") {
        location.to_owned()
    } else if let Some(rest) = location.strip_prefix("//") {
        format!("{scheme}://{rest}")
    } else if location.starts_with('/') {
        format!("{scheme}://{}{location}", authority(base))
    } else if let Some(query) = location.strip_prefix('?') {
        format!("{scheme}://{}{}?{query}", authority(base), base.path())
    } else if location.is_empty() || location.contains("://") {
        return None;
    } else {
        let folder = base
            .path()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        format!("{scheme}://{}{folder}/{location}", authority(base))
    };
    let url: Uri = whole.parse().ok()?;
    // Names and passwords in addresses are not for us to send on.
    (!authority(&url).is_empty() && !authority(&url).contains('@')).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_read_as_seen_from_where_it_was_said() {
        let base: Uri = "https://h.example:5/v2/a/blobs/uploads/?x=1"
            .parse()
            .expect("an address");
        let joined = |location| join(&base, location).map(|url| url.to_string());
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(joined("/v2/b?c=d"), is("https://h.example:5/v2/b?c=d"));
        assert_eq!(joined("//other.example/b"), is("https://other.example/b"));
        assert_eq!(joined("http://o.example/b"), is("http://o.example/b"));
        assert_eq!(
            joined("next"),
            is("https://h.example:5/v2/a/blobs/uploads/next")
        );
        assert_eq!(
            joined("?c=d"),
            is("https://h.example:5/v2/a/blobs/uploads/?c=d")
        );
        for none in [
            "",
            "ftp://h.example/a",
            "https://user:word@h.example/a",
            "https://",
        ] {
            assert_eq!(joined(none), None, "{none}");
        }
    }
}

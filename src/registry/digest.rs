//! Digests: names of content that can be checked.

use std::fmt;
use std::io::{self, Read};

use ring::digest::{Context, SHA256, SHA384, SHA512};

use crate::model::reference::is_digest;

/// A digest with its algorithm, `sha256:…`; its digits are checked, so it is safe in a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digest(String);

impl Digest {
    /// Reads a digest; `None` for an unknown algorithm, a wrong length or other digits.
    pub(crate) fn parse(text: &str) -> Option<Digest> {
        is_digest(text).then(|| Digest(text.to_owned()))
    }

    /// The sha256 of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::sha256();
        hasher.update(bytes);
        hasher.finish()
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The algorithm: `sha256`, `sha384` or `sha512`.
    pub(crate) fn algorithm(&self) -> &str {
        self.0
            .split_once(':')
            .map_or("", |(algorithm, _)| algorithm)
    }

    /// The digits.
    pub(crate) fn hex(&self) -> &str {
        self.0.split_once(':').map_or("", |(_, hex)| hex)
    }

    /// Where a layout keeps it, relative to the layout.
    pub(crate) fn path(&self) -> String {
        format!("blobs/{}/{}", self.algorithm(), self.hex())
    }

    /// The tag that the tag scheme gives a digest: `sha256-<hex>`.
    pub(crate) fn as_tag(&self) -> String {
        self.0.replacen(':', "-", 1)
    }

    /// A hasher of the same algorithm.
    pub(crate) fn hasher(&self) -> Hasher {
        let algorithm = match self.algorithm() {
            "sha512" => &SHA512,
            "sha384" => &SHA384,
            _ => &SHA256,
        };
        Hasher(Context::new(algorithm), self.algorithm().to_owned())
    }

    /// Whether bytes hash to it.
    pub(crate) fn fits(&self, bytes: &[u8]) -> bool {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        hasher.finish() == *self
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Hashes content while it passes.
#[derive(Clone)]
pub(crate) struct Hasher(Context, String);

impl Hasher {
    /// A hasher for sha256.
    pub(crate) fn sha256() -> Hasher {
        Hasher(Context::new(&SHA256), "sha256".to_owned())
    }

    /// Takes more bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Takes all bytes of a reader and says how many there were.
    pub(crate) fn drain(&mut self, from: &mut dyn Read) -> io::Result<u64> {
        let mut buffer = vec![0; 256 << 10];
        let mut count = 0;
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return Ok(count),
                Ok(read) => {
                    self.update(&buffer[..read]);
                    count += read as u64;
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
    }

    /// The digest of what was taken.
    pub(crate) fn finish(self) -> Digest {
        let mut text = self.1;
        text.push(':');
        for byte in self.0.finish().as_ref() {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
            }
        }
        Digest(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_hashed_by_the_algorithm_of_its_digest() {
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").as_str(), abc);
        let digest = Digest::parse(abc).expect("a digest");
        assert!(digest.fits(b"abc") && !digest.fits(b"abd"));
        assert_eq!(digest.path(), format!("blobs/sha256/{}", &abc[7..]));
        let long = "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
        assert!(Digest::parse(long).expect("a digest").fits(b"abc"));
    }

    #[test]
    fn what_could_escape_a_folder_is_no_digest() {
        for text in [
            "sha256:../../etc",
            "md5:d41d8cd98f00b204e9800998ecf8427e",
            "sha256:AB",
        ] {
            assert_eq!(Digest::parse(text), None, "{text}");
        }
    }
}

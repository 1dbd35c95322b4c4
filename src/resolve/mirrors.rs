//! The mirrors on nodes that pull what a table says, by the images' own names.
//!
//! A mirror stands for a whole registry: every repository of it under one place, tags and digests as
//! they are. An entry that says more than that has no mirror.
//!
//! Source: containerd `docs/hosts.md` (2.1), whose model Talos and k3s share.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::overrides::{Override, OverrideTable};
use crate::model::reference::Reference;

/// A registry, and where what it holds is found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mirror {
    /// The registry in the images' names.
    pub(crate) upstream: String,
    /// The registry that is asked.
    pub(crate) host: String,
    /// What stands there before the repository's own path; empty for nothing.
    pub(crate) prefix: String,
}

/// An entry that no mirror stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unmirrored {
    /// The entry's place in the table, from 0.
    pub(crate) entry: usize,
    /// Its name.
    pub(crate) name: String,
    /// Why.
    pub(crate) why: String,
}

impl Mirror {
    /// The address that is asked, without a path. Loopback registries speak plain HTTP.
    pub(crate) fn address(&self) -> String {
        address(&self.host)
    }
}

/// The address of a registry.
pub(crate) fn address(host: &str) -> String {
    let host = if host == "docker.io" {
        "registry-1.docker.io"
    } else {
        host
    };
    let loopback = host.starts_with("127.")
        || host.starts_with("[::1]")
        || host.split(':').next() == Some("localhost");
    let scheme = if loopback { "http" } else { "https" };
    format!("{scheme}://{host}")
}

/// The mirrors that match a table, by registry, and the entries that have none.
pub(crate) fn mirrors(table: &OverrideTable) -> (Vec<Mirror>, Vec<Unmirrored>) {
    let mut found: BTreeMap<String, BTreeMap<Mirror, Vec<&Override>>> = BTreeMap::new();
    let mut without = Vec::new();
    let name_why = |entry: &Override, why: String| Unmirrored {
        entry: entry.index,
        name: entry.name().to_owned(),
        why,
    };
    for entry in &table.entries {
        match mirror(entry) {
            Ok(mirror) => {
                let of = found.entry(mirror.upstream.clone()).or_default();
                of.entry(mirror).or_default().push(entry);
            }
            Err(why) => without.push(name_why(entry, why.to_owned())),
        }
    }
    let mut mirrors = Vec::new();
    for (upstream, places) in found {
        if places.len() > 1 {
            let all: BTreeSet<String> = places
                .keys()
                .map(|it| {
                    format!(
                        "`{}`",
                        [it.host.as_str(), &it.prefix]
                            .join("/")
                            .trim_end_matches('/')
                    )
                })
                .collect();
            let all: Vec<String> = all.into_iter().collect();
            let why = format!("the table takes `{upstream}` to {}", all.join(" and to "));
            let entries = places.values().flatten();
            without.extend(entries.map(|entry| name_why(entry, why.clone())));
        } else {
            mirrors.extend(places.into_keys());
        }
    }
    without.sort_by_key(|it| it.entry);
    (mirrors, without)
}

/// The mirror that does what an entry does, or why there is none.
fn mirror(entry: &Override) -> Result<Mirror, &'static str> {
    if !entry.new_tag().is_empty() {
        return Err("it changes the tag");
    }
    if !entry.digest().is_empty() {
        return Err("it changes the digest");
    }
    let pattern = entry.pattern().map_err(|_| "its name is no pattern")?;
    if pattern.operators().iter().any(|operator| !operator.dot) {
        return Err("its name takes several images");
    }
    let old = Reference::parse(&pattern.plain_text()).map_err(|_| "its name is no repository")?;
    let new = Reference::parse(entry.new_name()).map_err(|_| "it has no new name")?;
    let prefix = new.repository.strip_suffix(old.repository.as_str());
    match prefix {
        Some(prefix) if prefix.is_empty() || prefix.ends_with('/') => Ok(Mirror {
            upstream: old.host,
            host: new.host,
            prefix: prefix.trim_end_matches('/').to_owned(),
        }),
        _ => Err("it changes the path"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Spanned;
    use crate::resolve::relocation::{Escape, moved_name, relocate};
    use crate::source::Span;

    fn table(entries: &[(&str, &str, &str)]) -> OverrideTable {
        let spanned = |text: &str| {
            Some(Spanned {
                value: text.to_owned(),
                span: Span::default(),
            })
        };
        let entry = |(index, (name, new_name, new_tag)): (usize, &(&str, &str, &str))| Override {
            index,
            name: spanned(name),
            new_name: spanned(new_name),
            new_tag: spanned(new_tag),
            ..Override::default()
        };
        OverrideTable {
            entries: entries.iter().enumerate().map(entry).collect(),
            span: Span::default(),
        }
    }

    #[test]
    fn what_a_mirror_cannot_do_is_named() {
        let (mirrors, without) = mirrors(&table(&[
            (r"ghcr\.io/a/b", "r.io/ghcr/a/b", ""),
            ("redis", "r.io/redis", ""),
            ("quay.io/a", "r.io/a", "2"),
            ("h.io/a", "r.io/h/a", ""),
            ("h.io/b", "q.io/h/b", ""),
            ("k.io/.*", "r.io/k", ""),
        ]));
        assert_eq!(
            mirrors,
            [Mirror {
                upstream: "ghcr.io".to_owned(),
                host: "r.io".to_owned(),
                prefix: "ghcr".to_owned()
            }]
        );
        let why: Vec<_> = without
            .iter()
            .map(|it| (it.entry, it.why.as_str()))
            .collect();
        let two = "the table takes `h.io` to `q.io/h` and to `r.io/h`";
        assert_eq!(
            why,
            [
                (1, "it changes the path"),
                (2, "it changes the tag"),
                (3, two),
                (4, two),
                (5, "its name takes several images"),
            ]
        );
    }

    #[test]
    fn a_mirror_is_asked_for_what_the_table_names() {
        let images = ["redis:7", "docker.io/a/b", "ghcr.io/x/y:1", "k.io:80/z"].map(str::to_owned);
        let images = BTreeSet::from(images);
        let moves: Vec<_> = [
            "docker.io=r.io/hub",
            "ghcr.io=r.io",
            "k.io:80=localhost:5000/k",
        ]
        .map(|it| it.parse().expect(it))
        .into();
        let table = relocate(&moves, &images, &images, Escape::Needed).table;
        let (mirrors, without) = mirrors(&table);
        assert_eq!(without, []);
        for image in &images {
            let reference = Reference::parse(image).expect(image);
            let mirror = mirrors
                .iter()
                .find(|it| it.upstream == reference.host)
                .expect(image);
            let parts = [&mirror.host, &mirror.prefix, &reference.repository];
            let parts: Vec<&str> = parts
                .into_iter()
                .map(String::as_str)
                .filter(|it| !it.is_empty())
                .collect();
            let (_, name) = moved_name(&moves, image).expect(image);
            assert_eq!(parts.join("/"), name);
        }
        assert_eq!(address("localhost:5000"), "http://localhost:5000");
        assert_eq!(address("r.io"), "https://r.io");
    }
}

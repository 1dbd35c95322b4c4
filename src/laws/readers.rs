//! The law of the readers: whichever reads, every command gives the same bytes, says the same and ends
//! the same, on one thread and on two. Commands run whole, over files, as users run them.

use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::kept::{Kept, Prepared};

/// Documents nest 10,000 deep.
const STACK: usize = 256 << 20;

/// The commands that are compared, over a text `@input` and a table `@images`.
const COMMANDS: [&str; 6] = [
    "rewrite @input --images @images --mode legacy --fail-on never",
    "rewrite @input --images @images --mode build --fail-on never",
    "render @input --images @images --fail-on never",
    "render --flux @input --images @images --fail-on never",
    "check @input --images @images --fail-on never --format json",
    "check @input --values @input --format json",
];

/// A folder in which the commands run over one text after the other, with either reader.
pub struct Comparison {
    input: PathBuf,
    images: PathBuf,
    /// The quick reader's commands and the full reader's, in the same order.
    runs: [Vec<Prepared>; 2],
    /// A pool for each.
    pools: [rayon::ThreadPool; 2],
}

impl Comparison {
    /// Prepares the commands for files in `folder`, which is there.
    pub fn new(folder: &Path) -> io::Result<Comparison> {
        let (input, images) = (folder.join("input.yaml"), folder.join("images.yaml"));
        let prepared = |reader: &str| {
            let words = |line: &str| {
                let word = |word: &str| match word {
                    "@input" => input.clone().into_os_string(),
                    "@images" => images.clone().into_os_string(),
                    _ => word.into(),
                };
                let line = format!("{line} --reader {reader}");
                line.split(' ').map(word).collect::<Vec<_>>()
            };
            let lines = COMMANDS.iter().map(|line| Prepared::new(words(line)));
            lines.collect::<Result<_, _>>().map_err(io::Error::other)
        };
        let pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK);
            pool.num_threads(threads).build().map_err(io::Error::other)
        };
        Ok(Comparison {
            runs: [prepared("quick")?, prepared("full")?],
            pools: [pool(2)?, pool(1)?],
            input,
            images,
        })
    }

    /// Runs every command over `text` with the table `images`, with either reader. Gives a number that
    /// tells one kind of outcome from another (which findings, which exits), and says what differs
    /// where something does. The error is a folder that cannot be written to.
    pub fn compare(&self, text: &[u8], images: &[u8]) -> io::Result<Result<u64, String>> {
        fs::write(&self.input, text)?;
        fs::write(&self.images, images)?;
        let mut kind = DefaultHasher::new();
        let [quick, full] = &self.runs;
        for (line, (quick, full)) in COMMANDS.iter().zip(quick.iter().zip(full)) {
            let quick = self.pools[0].install(|| quick.run());
            let full = self.pools[1].install(|| full.run());
            if quick != full {
                return Ok(Err(format!("`{line}`:\n{}", difference(&quick, &full))));
            }
            (quick.exit as u8).hash(&mut kind);
            rules(&quick).for_each(|rule| rule.hash(&mut kind));
        }
        Ok(Ok(kind.finish()))
    }
}

/// The codes of the findings that were printed, in brackets or as JSON.
fn rules(kept: &Kept) -> impl Iterator<Item = &[u8]> {
    let code = |part: &'_ [u8]| {
        part.iter()
            .all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
    };
    let parts = [&kept.stdout, &kept.stderr]
        .into_iter()
        .flat_map(|stream| stream.split(|byte| b"[]\"".contains(byte)));
    parts.filter(move |part| part.len() > 8 && part.contains(&b'-') && code(part))
}

/// The first place at which the two differ.
fn difference(quick: &Kept, full: &Kept) -> String {
    let streams = [
        ("stdout", &quick.stdout, &full.stdout),
        ("stderr", &quick.stderr, &full.stderr),
    ];
    let mut said = format!("quick ends {:?}, full {:?}\n", quick.exit, full.exit);
    for (name, quick, full) in streams.into_iter().filter(|(_, one, other)| one != other) {
        let alike = quick
            .iter()
            .zip(full)
            .take_while(|(one, other)| one == other);
        let from = alike.count().saturating_sub(40);
        for (reader, bytes) in [("quick", quick), ("full", full)] {
            let shown = bytes[from..].iter().take(400).copied().collect::<Vec<_>>();
            let shown = String::from_utf8_lossy(&shown).into_owned();
            writeln!(said, "{name} of {reader} from byte {from}: {shown:?}")
                .expect("a string takes everything");
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::laws::tests::below;

    /// A table that takes the images of our own inputs.
    const TABLE: &str = "images:\n- name: '.*nginx'\n  newName: registry.example.org/nginx\n- name: \
                         ghcr.io/.*\n  newTag: '9'\n- name: (a|b|x).*\n  newName: registry.example.org/m\n";

    /// Compares over each text with each of its tables, and says which differ.
    fn same(inputs: impl Iterator<Item = (String, String, String)>) {
        let folder = tempfile::tempdir().expect("a folder");
        let comparison = Comparison::new(folder.path()).expect("the commands are understood");
        let differ = |(name, text, table): (String, String, String)| {
            let compared = comparison
                .compare(text.as_bytes(), table.as_bytes())
                .expect("files are written");
            compared
                .err()
                .map(|difference| format!("{name}, {difference}"))
        };
        let differing: Vec<String> = inputs.filter_map(differ).collect();
        assert!(differing.is_empty(), "{}", differing.join("\n"));
    }

    #[test]
    fn the_commands_say_the_same_of_every_case_with_its_tables() {
        let mut folders = BTreeMap::<String, Vec<(String, String)>>::new();
        for (path, text) in below("../shared/cases") {
            let (folder, name) = path.rsplit_once('/').unwrap_or_default();
            if name.split('.').next_back() == Some("yaml") && !folder.ends_with("/oracle") {
                let folder = folders.entry(folder.to_owned()).or_default();
                folder.push((name.to_owned(), text));
            }
        }
        let mut inputs = Vec::new();
        for (folder, files) in folders {
            let is_table = |(name, _): &&(String, String)| name.contains("values");
            let (mut tables, texts): (Vec<_>, Vec<_>) = files.iter().partition(is_table);
            let own = (String::new(), TABLE.to_owned());
            if tables.is_empty() {
                tables.push(&own);
            }
            for (name, text) in texts {
                let name = format!("{folder}/{name}");
                inputs.extend(
                    tables
                        .iter()
                        .map(|(_, table)| (name.clone(), text.clone(), table.clone())),
                );
            }
        }
        same(inputs.into_iter());
    }
}

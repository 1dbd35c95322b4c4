//! The rules of the house that can be checked: import order, file size, file heads, a golden case
//! and a row of the README for each rule.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn all_sources() -> Vec<(String, String)> {
    let found: Vec<PathBuf> = walkdir::WalkDir::new(root().join("src"))
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    let shown = |path: &PathBuf| {
        path.strip_prefix(root())
            .unwrap_or(path)
            .to_string_lossy()
            .replace('\\', "/")
    };
    found
        .iter()
        .map(|path| (shown(path), fs::read_to_string(path).unwrap_or_default()))
        .collect()
}

/// The modules in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
        .map(|line| line.trim_end_matches(';').to_owned())
        .collect()
}

/// The text without what stands behind the first `#[cfg(test)]` of a module at its foot.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[test]
fn a_module_names_only_what_stands_before_it() {
    let order = modules();
    let mut wrong = Vec::new();
    for (path, text) in all_sources() {
        let own = path
            .trim_start_matches("src/")
            .split(['/', '.'])
            .next()
            .unwrap_or_default();
        let Some(place) = order.iter().position(|name| name == own) else {
            continue;
        };
        let tested = path.ends_with("tests.rs") || path.contains("/tests/");
        if tested {
            continue;
        }
        for line in without_tests(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for part in line.split("crate::").skip(1) {
                let named: String = part
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                    .collect();
                if order
                    .iter()
                    .position(|name| *name == named)
                    .is_some_and(|at| at > place)
                {
                    wrong.push(format!("{path} names {named}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_fit_in_one_head_and_say_what_they_hold() {
    let mut wrong = Vec::new();
    for (path, text) in all_sources() {
        let lines = text.lines().count();
        if lines > 500 {
            wrong.push(format!("{path} has {lines} lines"));
        }
        if !text.starts_with("//!") {
            wrong.push(format!("{path} does not open with `//!`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rule_codes() -> BTreeSet<String> {
    all_sources()
        .iter()
        .filter_map(|(path, _)| path.strip_prefix("src/rules/")?.strip_suffix(".rs"))
        .filter(|name| !matches!(*name, "mod" | "context" | "fixture") && !name.contains('/'))
        .map(|name| name.replace('_', "-"))
        .collect()
}

#[test]
fn every_rule_has_a_golden_case_and_a_row_in_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let mut wrong = Vec::new();
    for code in rule_codes() {
        if !root().join("golden/rules").join(&code).is_dir() {
            wrong.push(format!("no golden/rules/{code}"));
        }
        if !readme.contains(&format!("| `{code}` |")) {
            wrong.push(format!("no row `{code}` in the README"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rows_of_the_readme_are_the_rules_there_are() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let table = readme.split("<!-- rules -->").nth(1).unwrap_or_default();
    let table = table.split("<!-- /rules -->").next().unwrap_or_default();
    let listed: Vec<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(code, _)| code.to_owned())
        .collect();
    assert_eq!(listed, rule_codes().into_iter().collect::<Vec<_>>());
    let sources = all_sources();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let file = format!(
            "src/rules/{}.rs",
            cells[0].trim_matches('`').replace('-', "_")
        );
        let text = &sources
            .iter()
            .find(|(path, _)| *path == file)
            .expect("listed above")
            .1;
        let level = text.split("level: Level::").nth(1).unwrap_or_default();
        assert!(level.to_lowercase().starts_with(cells[1]), "level: {line}");
        assert!(
            text.contains(&format!("summary: \"{}\"", cells[2])),
            "summary: {line}"
        );
    }
}

/// Every text of the repository but those that other tools make.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for path in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
    {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if matches!(name.as_str(), ".git" | "target") {
            continue;
        }
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

#[test]
fn nothing_names_a_path_of_one_machine() {
    let mut found = Vec::new();
    texts(&root(), &mut found);
    assert!(found.len() > 100, "the repository is read");
    // In two halves, so that this file names none.
    let paths = [["/ro", "ot/"], ["/wo", "rk/"]].map(|it| it.concat());
    let stands = |text: &str, path: &String| {
        // Within a longer path it is something else.
        let mut hits = text.match_indices(path.as_str());
        hits.any(|(at, _)| {
            !text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-{}$*~".contains(c))
        })
    };
    let wrong: Vec<String> = found
        .iter()
        .filter_map(|(file, text)| Some((file, paths.iter().find(|path| stands(text, path))?)))
        .map(|(file, path)| format!("{} names {path}", file.display()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_commands_of_the_readme_are_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let main = fs::read_to_string(root().join("src/cli/mod.rs")).unwrap_or_default();
    let (mut fenced, mut seen) = (false, 0);
    for line in readme.lines() {
        fenced ^= line.starts_with("```");
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let Some(rest) = line.strip_prefix("forebay ").filter(|_| fenced) else {
            continue;
        };
        let name = rest.split(' ').next().unwrap_or_default();
        assert!(main.contains(&format!("({name}::Arguments)")), "{line}");
        seen += 1;
    }
    assert!(seen > 0, "the README shows commands");
}

#[test]
fn the_console_blocks_of_the_readme_are_what_a_golden_case_prints() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let mut blocks = 0;
    for block in readme.split("```").skip(1).step_by(2) {
        let Some((command, printed)) = block
            .split_once("\n$ forebay ")
            .and_then(|(_, block)| block.split_once('\n'))
        else {
            continue;
        };
        let prints = |case: &Path| {
            let run = fs::read_to_string(case.join("cmd")).unwrap_or_default();
            let said = ["stdout", "stderr"].map(|name| fs::read_to_string(case.join(name)));
            run.lines().any(|line| line == format!("run: {command}"))
                && said.iter().flatten().any(|text| text.contains(printed))
        };
        let mut cases = walkdir::WalkDir::new(root().join("golden"))
            .into_iter()
            .flatten();
        assert!(
            cases.any(|entry| prints(entry.path())),
            "no golden case runs `forebay {command}` and prints\n{printed}"
        );
        blocks += 1;
    }
    assert!(blocks > 0, "the README shows what a command prints");
}

#[test]
fn the_readme_names_the_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    for command in [
        "cargo run --release --locked -- render --images testdata/overrides/mirror.yaml",
        "scripts/test",
    ] {
        assert!(readme.contains(command), "{command}");
    }
}

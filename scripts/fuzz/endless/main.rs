//! Compares the two readers without end, on any compiler: takes the texts at hand, changes them the
//! ways YAML can be changed, and runs every command over each with either reader. What is compared is
//! in `src/laws/readers.rs`; which texts, in `seeds.rs`; which changes, in `mutate.rs`.
//!
//! A seed number gives the same inputs in the same order on every machine with the same texts; time
//! only says when to stop.

mod mutate;
mod random;
mod seeds;
mod shrink;

use std::collections::HashSet;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use forebay::laws::readers::Comparison;
use random::Random;
use seeds::Seed;

/// So many differences are enough to begin with.
const MOST: usize = 20;

const USAGE: &str = "usage: scripts/fuzz/run [--hours N | --minutes N | --executions N] [--seed N]";

/// What was asked for.
struct Asked {
    until: Duration,
    executions: u64,
    seed: u64,
}

fn main() -> ExitCode {
    let Some(asked) = asked(env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&asked) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Reads the arguments; by default ten minutes of seed 1.
fn asked(mut words: impl Iterator<Item = String>) -> Option<Asked> {
    let (mut until, mut executions, mut seed) = (None, None, 1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--hours" => until = Some(value.parse::<f64>().ok()? * 3600.0),
            "--minutes" => until = Some(value.parse::<f64>().ok()? * 60.0),
            "--executions" => executions = Some(value.parse().ok()?),
            "--seed" => seed = value.parse().ok()?,
            _ => return None,
        }
    }
    let until = until.or_else(|| executions.is_none().then_some(600.0));
    Some(Asked {
        until: until.map_or(Duration::MAX, Duration::from_secs_f64),
        executions: executions.unwrap_or(u64::MAX),
        seed,
    })
}

/// The commands, and how often they ran.
struct Runner {
    comparison: Comparison,
    executions: u64,
}

impl Runner {
    /// What kind of outcome the input has; the error says how the readers differ.
    fn run(&mut self, input: &Seed) -> io::Result<Result<u64, String>> {
        self.executions += 1;
        let compare = || self.comparison.compare(&input.text, &input.images);
        panic::catch_unwind(AssertUnwindSafe(compare)).unwrap_or_else(|_| Ok(Err("a panic".into())))
    }
}

/// Runs until it is time to stop; how many differences were found.
fn run(asked: &Asked) -> io::Result<usize> {
    let folder = tempfile::tempdir_in(fastest())?;
    // A stack that overflows ends the process without a word.
    let place = folder.path().display();
    eprintln!("should this end early, the last input is in {place}");
    let mut runner = Runner {
        comparison: Comparison::new(folder.path())?,
        executions: 0,
    };
    let mut pool = seeds::all();
    if pool.is_empty() {
        return Err(io::Error::other(
            "no texts, expected to run in the repository",
        ));
    }
    // First every text as it is.
    let given = pool.clone();
    let mut given = given.iter().cloned();
    let mut random = Random::new(asked.seed);
    let (mut kinds, mut differences) = (HashSet::new(), 0);
    let (began, mut tell) = (Instant::now(), Duration::ZERO);
    while differences < MOST
        && runner.executions < asked.executions
        && began.elapsed() < asked.until
    {
        let whole = given.next();
        let mutated = whole.is_none();
        let input = whole.unwrap_or_else(|| mutate::mutated(&pool, &mut random));
        match runner.run(&input)? {
            // What came to a new kind of outcome is worth changing further.
            Ok(kind) => {
                if kinds.insert(kind) && mutated && input.text.len() < seeds::LONGEST {
                    pool.push(input);
                }
            }
            Err(said) => {
                differences += 1;
                report(&mut runner, &input, &said, asked.seed)?;
            }
        }
        if began.elapsed() >= tell {
            tell = began.elapsed() + Duration::from_mins(1);
            eprintln!(
                "{}",
                summary(asked, &runner, kinds.len(), began, differences)
            );
        }
    }
    println!(
        "{}",
        summary(asked, &runner, kinds.len(), began, differences)
    );
    Ok(differences)
}

fn summary(asked: &Asked, runner: &Runner, kinds: usize, began: Instant, found: usize) -> String {
    let (seed, inputs, seconds) = (asked.seed, runner.executions, began.elapsed().as_secs());
    format!(
        "seed {seed}, {seconds} s: {inputs} inputs, {kinds} kinds of outcome, {found} differences"
    )
}

/// Memory where the system offers a folder in it.
fn fastest() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        memory.to_owned()
    } else {
        env::temp_dir()
    }
}

/// Makes a differing input as small as it gets, and saves it with its table.
fn report(runner: &mut Runner, input: &Seed, said: &str, seed: u64) -> io::Result<()> {
    let counted = runner.executions;
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let small = shrink::smallest(input, |smaller| {
        runner.run(smaller).is_ok_and(|compared| compared.is_err())
    });
    panic::set_hook(hook);
    let said = match runner.run(&small)? {
        Err(said) => said,
        Ok(_) => said.to_owned(),
    };
    runner.executions = counted;
    let folder = Path::new("scripts/fuzz/artifacts/endless");
    fs::create_dir_all(folder)?;
    let name = format!("{seed}-{counted}");
    let path = folder.join(format!("{name}.yaml"));
    fs::write(&path, &small.text)?;
    fs::write(folder.join(format!("{name}.images.yaml")), &small.images)?;
    let mut stderr = io::stderr().lock();
    writeln!(
        stderr,
        "difference, from {}: {}",
        input.name,
        path.display()
    )?;
    writeln!(stderr, "{said}{}", String::from_utf8_lossy(&small.text))
}

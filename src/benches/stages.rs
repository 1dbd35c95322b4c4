//! How long each stage takes over 1,000 Deployments (929 KB), on one thread:
//!
//! ```sh
//! cargo bench --features laws
//! cargo bench --features laws -- read       # those whose name holds `read`
//! ```
//!
//! What whole runs take, beside other programs, is `scripts/bench`.

use std::fs;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use forebay::stages::{Run, Table, Text, diff};

const DEPLOYMENTS: usize = 1000;

const TABLE: &str = "\
- {name: ghcr.io/acme/migrate, newName: registry.example.org/acme/migrate}
- {name: quay.io/acme/server, newName: registry.example.org/acme/server, newTag: v9.09.09}
- {name: docker.io/acme/proxy, newName: registry.example.org/acme/proxy}
";

/// As scripts/bench makes it, but for chance: what differs follows from the number.
fn estate() -> String {
    let template = include_str!("../../scripts/bench.d/deployment.yaml");
    let one = |number: usize| {
        [
            ("@number@", format!("{number:07}")),
            ("@team@", format!("{:03}", number % 997)),
            ("@replicas@", format!("{}", number % 9 + 1)),
            ("@port@", format!("{}", 3000 + number % 7000)),
            ("@level@", "debug".to_owned()),
            ("@migrate@", format!("1.{:02}.00", number % 100)),
            ("@server@", format!("2.{:02}.00", number % 83)),
            ("@proxy@", format!("3.{:02}.00", number % 71)),
        ]
        .iter()
        .fold(template.to_owned(), |text, (name, value)| {
            text.replace(name, value)
        })
    };
    (0..DEPLOYMENTS).map(one).collect()
}

fn stages(criterion: &mut Criterion) {
    let estate = estate();
    let (text, table) = (Text::new(&estate), Table::new(TABLE));
    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Bytes(estate.len() as u64));
    group.bench_function("split", |bench| bench.iter(|| text.split()));
    group.bench_function("read-quick", |bench| {
        bench.iter(|| black_box(text.read(true)));
    });
    group.bench_function("read-full", |bench| {
        bench.iter(|| black_box(text.read(false)));
    });
    let docs = text.read(true);
    for (name, as_build) in [("rewrite-legacy", false), ("rewrite-build", true)] {
        group.bench_function(name, |bench| bench.iter(|| docs.rewrite(&table, as_build)));
    }
    let objects = docs.objects();
    group.bench_function("emit", |bench| bench.iter(|| objects.emit()));
    // One object in a hundred differs.
    let other = estate.replace("99.00", "99.01");
    group.bench_function("diff", |bench| bench.iter(|| diff(&estate, &other)));
    group.finish();
}

fn commands(criterion: &mut Criterion) {
    let estate = estate();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file can be written");
        path.into_os_string()
    };
    let (source, images) = (write("estate.yaml", &estate), write("images.yaml", TABLE));
    let mut group = criterion.benchmark_group("commands");
    group.throughput(Throughput::Bytes(estate.len() as u64));
    for line in ["rewrite", "check --fail-on never", "render"] {
        let words = line.split(' ').map(Into::into);
        let more = [source.clone(), "--images".into(), images.clone()];
        let run = Run::new(words.chain(more)).expect("the command is understood");
        let name = line.split(' ').next().unwrap_or_default();
        group.bench_function(name, |bench| bench.iter(|| run.run()));
    }
    group.finish();
}

fn on_one_thread(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    pool.build_global().expect("no thread runs yet");
    stages(criterion);
    commands(criterion);
}

criterion_group!(benches, on_one_thread);
criterion_main!(benches);

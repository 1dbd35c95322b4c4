//! What is named on the command line, read into texts and documents.
//!
//! Lives here: which texts a run reads, in which role, in which order. Below: the walk through
//! directories ([`walk`]), bytes into text ([`read`]), the sources of Flux's manifests ([`flux`]).
//! Not here: what the documents mean. What is wrong inside a text is a finding; what cannot be read
//! at all is a [`LoadError`].

mod chart;
pub(crate) mod embedded;
pub(crate) mod flux;
mod git;
mod ignored;
pub(crate) mod listing;
mod name;
mod operator;
mod read;
pub(crate) mod side;
pub(crate) mod threads;
mod unfold;
mod walk;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::finding::{Finding, Label, Level};
use crate::source::{Source, SourceMap, Span};
use crate::yaml::split::{Piece, bad_separator, pieces, with_directives};
use crate::yaml::{Doc, Malformed, PieceReader, Reading};

#[cfg(feature = "registry")]
pub(crate) use chart::counts as counts_in_chart;
pub(crate) use chart::{ChartContent, ChartSource};
#[cfg(feature = "registry")]
pub(crate) use flux::extract;
pub(crate) use flux::{FluxSource, OperatorFault};
pub(crate) use git::GitFault;
pub(crate) use threads::Threads;

/// The rule that every text which cannot be read as YAML falls under.
pub(crate) const MALFORMED: &str = "malformed-input";

/// The rule that text falls under which stands where no reader looks.
const DROPPED: &str = "dropped-document";

/// What a text is to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// An override table by itself (`--images`).
    Table,
    /// Values (`--values`).
    Values,
    /// Flux's own manifests (`--flux`).
    Flux,
    /// Manifests (a PATH).
    Manifest,
    /// Definitions to hold objects against (`--schemas`).
    Schema,
    /// What stood before the change (`--against`).
    Old,
    /// What a chart renders (`--rendered`).
    Rendered,
    /// Values and image tags of a chart tree.
    Chart,
    /// What a cluster holds (`--snapshot`), as `kubectl get` or `helm list` tell it.
    Snapshot,
}

/// The HelmRelease whose chart rendered a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RenderedBy {
    /// Its namespace.
    pub(crate) namespace: String,
    /// Its name.
    pub(crate) name: String,
}

/// Where a file stands in its repository. Absolute, so never shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// What `spec.path` of a Flux Kustomization counts from: the root of the git work tree, else the
    /// PATH.
    pub(crate) root: PathBuf,
    /// The file.
    pub(crate) file: PathBuf,
    /// The file's path below the PATH that was given, with `/`.
    pub(crate) below: String,
    /// Whether the whole of `root` is read.
    pub(crate) whole: bool,
}

/// One text with the documents that could be read in it.
#[derive(Debug)]
pub(crate) struct Input {
    /// The text.
    pub(crate) source: Arc<Source>,
    /// What it is to the run.
    pub(crate) role: Role,
    /// Whether it was named, or came on stdin, rather than found in a directory.
    pub(crate) explicit: bool,
    /// The file it came from; `None` for stdin and what is part of a program.
    pub(crate) file: Option<PathBuf>,
    /// Where that stands; `None` as above.
    pub(crate) place: Option<Place>,
    /// The HelmRelease that rendered it, for [`Role::Rendered`].
    pub(crate) rendered_by: Option<RenderedBy>,
    /// The documents in order, without the malformed ones.
    pub(crate) docs: Vec<Doc>,
    /// Whether all of it could be read as YAML.
    pub(crate) whole: bool,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// The texts by number.
    pub(crate) sources: SourceMap,
    /// The texts with their documents: tables, values, Flux, manifests, definitions, the old state.
    pub(crate) inputs: Vec<Input>,
    /// kustomize's own files, known by their name, among PATHs and what stood before the change.
    pub(crate) kustomizations: Vec<Input>,
    /// What cannot be read as YAML, one finding a document.
    pub(crate) findings: Vec<Finding>,
    /// What was seen in directories and left alone.
    pub(crate) skipped: Skipped,
    /// Where Flux's manifests come from, for people; `None` where there are none.
    pub(crate) flux_origin: Option<String>,
}

impl Loaded {
    /// The texts of one role, in order.
    pub(crate) fn of(&self, role: Role) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(move |input| input.role == role)
    }

    /// The places of the texts that were named, or came on stdin.
    pub(crate) fn named(&self) -> BTreeSet<usize> {
        let texts = self.inputs.iter().enumerate();
        let named = texts.filter(|(_, input)| input.explicit);
        named.map(|(at, _)| at).collect()
    }
}

/// What a walk saw and did not read as manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Directories with a `Chart.yaml`.
    pub(crate) charts: usize,
    /// Those of them that stand on this machine.
    pub(crate) trees: Vec<PathBuf>,
    /// Files that configure kustomize, known by their name.
    pub(crate) kustomizations: usize,
}

/// How a text is cut into documents, and what is said of text behind a `---`, where only blanks and
/// a comment may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cut {
    /// As it is cut on its way to the cluster. Such text is malformed.
    #[default]
    Cluster,
    /// As a build cuts it, which says itself what it refuses.
    Build,
    /// As the legacy filter is given documents: one by one, each with its directives. Such text is
    /// dropped, with a warning.
    Filter,
}

/// What a run is asked to read; `-` is stdin in every place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// Files and directories of manifests.
    pub(crate) manifests: Vec<PathBuf>,
    /// Files of values, the later ones over the earlier.
    pub(crate) values: Vec<PathBuf>,
    /// Files that are override tables.
    pub(crate) tables: Vec<PathBuf>,
    /// Flux's manifests.
    pub(crate) flux: FluxSource,
    /// How manifests are cut into documents.
    pub(crate) cut: Cut,
    /// What stood before the change: a file or a directory.
    pub(crate) against: Option<PathBuf>,
    /// What the charts of HelmReleases render.
    pub(crate) rendered: Vec<(RenderedBy, PathBuf)>,
    /// Whether chart trees among the manifests are looked into.
    pub(crate) look_into_charts: bool,
    /// Charts, each with the source that they are the content of.
    pub(crate) charts: Vec<(ChartSource, ChartContent)>,
    /// Files and directories of definitions.
    pub(crate) schemas: Vec<PathBuf>,
    /// Files of what a cluster holds.
    pub(crate) snapshots: Vec<PathBuf>,
    /// Which readers of YAML are asked.
    pub(crate) reading: Reading,
    /// The threads that it is read on.
    pub(crate) threads: Threads,
}

/// What stops a run before anything can be said about the input.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// A path that the system will not read.
    #[error("cannot read `{path}`")]
    Read {
        /// The path as shown.
        path: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// A link that leads back to a directory it stands in.
    #[error("`{path}` is a link that leads back to `{ancestor}`, which holds it")]
    Loop {
        /// The link.
        path: String,
        /// Where it leads.
        ancestor: String,
    },
    /// A name that no output could hold.
    #[error("the name of `{path}` is not UTF-8")]
    Name {
        /// The path, with replacement characters.
        path: String,
    },
    /// A directory where only a file can be meant.
    #[error("`{path}` is a directory, expected a file")]
    Directory {
        /// The path as shown.
        path: String,
    },
    /// A text that places cannot be counted in.
    #[error("`{path}` has 4 GiB or more, expected less")]
    TooLarge {
        /// The path as shown.
        path: String,
    },
    /// Threads that the system will not start.
    #[error("cannot start threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// One stdin for two inputs.
    #[error("stdin is named twice, expected `-` once at most")]
    StdinTwice,
    /// A program that was built without manifests.
    #[error(
        "this binary embeds no Flux manifests; name a set with `--flux PATH`, leave Flux out with \
         `--flux none`, or build with `FOREBAY_FLUX_DIR` naming a directory of manifests"
    )]
    EmbedsNothing,
    /// A registry that this program cannot ask, or that was not asked before.
    #[error("`{name}` needs a registry, and this forebay was built without `registry`")]
    NoRegistry {
        /// The option as typed.
        name: String,
    },
    /// A revision that cannot be read.
    #[error("cannot read `{path}`")]
    Git {
        /// The place as typed.
        path: String,
        /// Why not.
        #[source]
        source: GitFault,
    },
    /// An operator's binary that gives no manifests.
    #[error("cannot take Flux's manifests out of `{path}`")]
    Operator {
        /// The binary.
        path: String,
        /// Why not.
        #[source]
        source: OperatorFault,
    },
}

/// Reads everything that is asked for. The result is the same on any number of threads; `stdin` is
/// read at most once.
pub(crate) fn load(request: &Request, stdin: &mut dyn Read) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    let mut plan = Vec::new();
    for (paths, role) in [
        (&request.tables, Role::Table),
        (&request.values, Role::Values),
        (&request.snapshots, Role::Snapshot),
    ] {
        for path in paths {
            plan.push(walk::named(path, role)?);
        }
    }
    let (origin, flux) = flux::plan(&request.flux)?;
    loaded.flux_origin = origin;
    plan.extend(flux);
    for path in &request.manifests {
        plan.extend(walk::walk(path, Role::Manifest, &mut loaded.skipped)?);
    }
    if request.look_into_charts {
        for tree in &loaded.skipped.trees {
            plan.extend(chart::texts(tree)?);
        }
    }
    for (_, content) in &request.charts {
        plan.extend(content.texts()?);
    }
    if let Some(path) = &request.against {
        plan.extend(walk::walk(path, Role::Old, &mut Skipped::default())?);
    }
    for (release, path) in &request.rendered {
        let mut found = walk::walk(path, Role::Rendered, &mut Skipped::default())?;
        found.retain(|text| !text.kustomization);
        plan.extend(found.into_iter().map(|mut text| {
            text.rendered_by = Some(release.clone());
            text
        }));
    }
    for path in &request.schemas {
        let mut found = walk::walk(path, Role::Schema, &mut Skipped::default())?;
        found.retain(|text| !text.kustomization);
        plan.extend(found);
    }
    let plan = walk::distinct(plan);
    if let Threads::Start(asked) = request.threads {
        threads::start(asked, threads::size(&plan))?;
    }
    let files = read::read(plan, stdin)?;

    let mut unread = Vec::new();
    for file in files {
        let source = loaded.sources.add(file.found.shown.clone(), file.text);
        if let Some(fault) = file.fault {
            loaded.findings.push(fault.finding(&source));
        }
        unread.push((source, file.found, file.whole));
    }
    let parsed: Vec<_> = unread
        .into_par_iter()
        .map(|(source, found, whole)| {
            let role = found.role;
            let cut = match role {
                Role::Manifest => request.cut,
                _ => Cut::Cluster,
            };
            let cut_pieces = cut.pieces(&source);
            let behind = behind_separator(&source, &cut_pieces, role, cut);
            let (mut docs, mut faults) = if whole {
                documents_of(&source, cut_pieces, request.reading)
            } else {
                (Vec::new(), Vec::new())
            };
            docs = match (role, cut) {
                (Role::Values | Role::Chart, _) => unfold::unfolding(docs, &mut faults),
                // The filter by itself counts no aliases.
                (Role::Manifest, Cut::Filter) => docs,
                _ => unfold::bounded(docs, &mut faults),
            };
            let faults: Vec<Finding> = faults.into_iter().map(malformed).chain(behind).collect();
            let whole = whole && faults.is_empty();
            let kustomization = found.kustomization;
            let input = Input {
                source,
                role,
                explicit: found.explicit,
                file: found.file,
                place: found.place,
                rendered_by: found.rendered_by,
                docs,
                whole,
            };
            (input, kustomization, faults)
        })
        .collect();
    for (input, kustomization, faults) in parsed {
        loaded.findings.extend(faults);
        if kustomization {
            loaded.kustomizations.push(input);
        } else {
            loaded.inputs.push(input);
        }
    }
    Ok(loaded)
}

/// The documents of a text as the cluster sees them, and what could not be read of it.
pub(crate) fn documents(source: &Arc<Source>) -> (Vec<Doc>, Vec<Malformed>) {
    documents_of(source, pieces(source), Reading::default())
}

impl Cut {
    /// The pieces of a text.
    fn pieces(self, source: &Source) -> Vec<Piece> {
        let pieces = pieces(source);
        match self {
            Cut::Cluster | Cut::Build => pieces,
            Cut::Filter => with_directives(source, &pieces),
        }
    }
}

fn documents_of(
    source: &Arc<Source>,
    pieces: Vec<Piece>,
    reading: Reading,
) -> (Vec<Doc>, Vec<Malformed>) {
    let new = || PieceReader::new(reading);
    let read = |reader: &mut PieceReader, piece| reader.read(source, piece);
    let read: Vec<_> = if rayon::current_num_threads() == 1 {
        // Shared out, they would be read by two readers all the same, each with room of its own.
        let mut reader = new();
        let pieces = pieces.into_iter();
        pieces.map(|piece| read(&mut reader, piece)).collect()
    } else {
        let pieces = pieces.into_par_iter().with_max_len(threads::AT_A_TIME);
        pieces.map_init(new, read).collect()
    };
    let mut faults = Vec::new();
    let sound = |document: Result<Doc, Malformed>| document.map_err(|it| faults.push(it)).ok();
    let docs = read.into_iter().filter_map(sound).collect();
    (docs, faults)
}

/// What there is to say of text behind a separator. The operator and kubectl refuse it wherever it
/// stands; Flux, whose kustomize does not look at the first line, takes it there.
fn behind_separator(
    source: &Arc<Source>,
    pieces: &[Piece],
    role: Role,
    cut: Cut,
) -> Option<Finding> {
    let bad = || pieces.iter().find_map(|piece| piece.bad_separator);
    let (place, code, level, says) = match (role, cut) {
        (
            Role::Table | Role::Values | Role::Chart | Role::Schema | Role::Snapshot | Role::Old,
            _,
        )
        | (_, Cut::Build) => {
            return None;
        }
        (Role::Flux, _) => (
            bad_separator(source)?,
            MALFORMED,
            Level::Error,
            "the operator refuses",
        ),
        (Role::Manifest | Role::Rendered, Cut::Cluster) => {
            (bad()?, MALFORMED, Level::Error, "kubectl and Flux refuse")
        }
        (Role::Manifest | Role::Rendered, Cut::Filter) => {
            (bad()?, DROPPED, Level::Warning, "the filter does not see")
        }
    };
    let label = Label::new(Malformed::at(source, place as usize, "").span);
    let message = format!("{says} text behind the separator `---`, expected a comment or nothing");
    Some(Finding::new(code, level, label, message).help("begin the document on the next line"))
}

/// A fault of a text as a finding.
pub(crate) fn malformed(fault: Malformed) -> Finding {
    let finding = Finding::new(
        MALFORMED,
        Level::Error,
        Label::new(fault.span),
        fault.message,
    );
    match fault.help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Bytes that are no text, at the end of what is.
#[derive(Debug)]
pub(crate) struct NotText {
    /// What is wrong.
    pub(crate) message: String,
}

impl NotText {
    fn finding(self, source: &Source) -> Finding {
        let end = crate::yaml::split::offset(source.text.len());
        let place = Span {
            source: source.id,
            start: end,
            end,
        };
        Finding::new(MALFORMED, Level::Error, Label::new(place), self.message)
            .help("save the file as UTF-8")
    }
}

#[cfg(test)]
mod tests;

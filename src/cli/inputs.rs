//! What the commands read: the arguments they share, and reading them.

use std::io;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::config::Settings;
use super::console::Console;
use super::{Global, findings, schemas};
use crate::load::{FluxSource, Loaded, RenderedBy, Request, Skipped, Threads, load};
use crate::model::version::Version;
use crate::resolve::environment::Environment;
use crate::yaml::Reading;

/// Manifests.
#[derive(Debug, Args)]
pub(super) struct PathArguments {
    /// Files and directories of manifests; `-` is stdin
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

/// Values and tables.
#[derive(Debug, Args)]
pub(super) struct TableArguments {
    /// Values of the platform or the installer; the later files over the earlier
    #[arg(long, value_name = "FILE")]
    pub(super) values: Vec<PathBuf>,
    /// A table of image overrides by itself
    #[arg(long, value_name = "FILE")]
    pub(super) images: Vec<PathBuf>,
}

/// Flux's own manifests.
#[derive(Debug, Args)]
pub(super) struct FluxArguments {
    /// Flux's own manifests: `embedded`, `none`, a path, `-`, `oci://REF`, `operator:PATH`, or
    /// `operator:oci://REF`
    #[arg(long, value_name = "SOURCE")]
    flux: Option<String>,
}

impl FluxArguments {
    /// The source that was named, or `fallback`.
    pub(super) fn source(&self, fallback: FluxSource) -> FluxSource {
        self.flux
            .as_ref()
            .map_or(fallback, |text| text.parse().unwrap_or_default())
    }
}

/// What decides whether a collision is meant.
#[derive(Debug, Args)]
pub(super) struct MoveArguments {
    /// The annotation on a HelmRelease that names the Package which may take it over
    /// [default: operator.cozystack.io/adopt-by]
    #[arg(long, value_name = "KEY")]
    pub(super) move_annotation: Option<String>,
}

/// What some rules need besides manifests.
#[derive(Debug, Default, Args)]
pub(super) struct HazardArguments {
    /// What the chart of a HelmRelease renders: a file or a directory
    #[arg(long, value_name = "NAMESPACE/NAME=PATH", value_parser = rendered)]
    pub(super) rendered: Vec<(RenderedBy, PathBuf)>,
    /// The version of Flux that applies this [default: told by the images of its manifests]
    #[arg(long, value_name = "X.Y")]
    pub(super) flux_version: Option<Version>,
    /// The version of Kubernetes that it is applied to
    #[arg(long, value_name = "X.Y")]
    pub(super) kubernetes_version: Option<Version>,
}

/// What the objects will meet, as far as it is told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    /// The version of Flux.
    pub(super) flux_version: Option<Version>,
    /// The version of Kubernetes.
    pub(super) kubernetes_version: Option<Version>,
}

impl HazardArguments {
    /// The versions.
    pub(super) fn target(&self) -> Target {
        Target {
            flux_version: self.flux_version,
            kubernetes_version: self.kubernetes_version,
        }
    }
}

/// Reads `NAMESPACE/NAME=PATH`.
pub(super) fn rendered(text: &str) -> Result<(RenderedBy, PathBuf), String> {
    let parts = text.split_once('=').and_then(|(release, path)| {
        let (namespace, name) = release.split_once('/')?;
        [namespace, name, path]
            .iter()
            .all(|part| !part.is_empty())
            .then(|| {
                let (namespace, name) = (namespace.to_owned(), name.to_owned());
                (RenderedBy { namespace, name }, PathBuf::from(path))
            })
    });
    parts.ok_or_else(|| "expected `NAMESPACE/NAME=PATH`".to_owned())
}

/// The API server's address for Flux's own pods.
#[derive(Debug, Args)]
pub(super) struct EnvironmentArguments {
    /// The host that Flux's pods on the host network reach the API server by
    #[arg(
        long,
        value_name = "HOST",
        default_value = "",
        hide_default_value = true
    )]
    kubernetes_service_host: String,
    /// The port that belongs to it
    #[arg(
        long,
        value_name = "PORT",
        default_value = "",
        hide_default_value = true
    )]
    kubernetes_service_port: String,
}

impl EnvironmentArguments {
    /// The variables.
    pub(super) fn environment(&self) -> Environment {
        Environment {
            host: self.kubernetes_service_host.clone(),
            port: self.kubernetes_service_port.clone(),
        }
    }
}

/// Definitions to hold objects against.
#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// CustomResourceDefinitions or an OpenAPI document to hold objects against
    #[arg(long, value_name = "DIR")]
    pub(super) schemas: Vec<PathBuf>,
}

impl SchemaArguments {
    /// Puts them into a request.
    pub(super) fn join(&self, request: Request) -> Request {
        Request {
            schemas: self.schemas.clone(),
            ..request
        }
    }
}

/// What a cluster holds.
#[derive(Debug, Args)]
pub(super) struct SnapshotArguments {
    /// What a cluster holds, as `kubectl get -o yaml` or `-o json` tells it
    #[arg(long, value_name = "FILE")]
    pub(super) snapshot: Vec<PathBuf>,
}

/// The request that the arguments make.
pub(super) fn request(
    paths: &[PathBuf],
    tables: &TableArguments,
    flux: FluxSource,
) -> anyhow::Result<Request> {
    let nothing = paths.is_empty() && tables.values.is_empty() && tables.images.is_empty();
    if nothing && flux == FluxSource::None {
        bail!("nothing to read, expected a PATH, `--values`, `--images` or `--flux`");
    }
    Ok(Request {
        manifests: paths.to_vec(),
        values: tables.values.clone(),
        tables: tables.images.clone(),
        flux,
        ..Request::default()
    })
}

/// The request with what the configuration adds where nothing of the kind was typed.
fn settled(request: &Request, settings: &Settings) -> Request {
    let mut request = request.clone();
    if request.values.is_empty() && request.tables.is_empty() {
        request.values.clone_from(&settings.values);
        request.tables.clone_from(&settings.images);
    }
    if request.schemas.is_empty() {
        request.schemas.clone_from(&settings.schemas);
    }
    request
}

/// `--reader`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReaderName {
    /// The quick reader where it can.
    Quick,
    /// The full reader alone.
    Full,
}

impl From<ReaderName> for Reading {
    fn from(name: ReaderName) -> Reading {
        match name {
            ReaderName::Quick => Reading::Quick,
            ReaderName::Full => Reading::Full,
        }
    }
}

/// Lets go of what a run has read where the process ends with the run: to give an estate's memory
/// back document by document takes longer than to let the system take all of it.
pub(super) fn let_go<T>(read: T, global: &Global) {
    if global.one_run {
        std::mem::forget(read);
    }
}

/// Reads what is asked for. Where that cannot be done, `--report` still gets its file.
pub(super) fn read(
    request: &Request,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Loaded> {
    let request = Request {
        reading: global.reader.into(),
        threads: if global.one_run {
            Threads::Start(global.jobs)
        } else {
            Threads::Standing
        },
        ..settled(request, &global.settings)
    };
    match fetch_and_load(&request, global, console) {
        Ok(loaded) if !request.schemas.is_empty() && !schemas::has_definitions(&loaded) => {
            bail!(
                "`--schemas` names no definition, expected CustomResourceDefinitions or an \
                 `/openapi/v2` document"
            )
        }
        Ok(mut loaded) => {
            if let Some((path, text)) = &global.settings.file {
                loaded.sources.add(path.as_str(), text.as_str());
            }
            if let Some(origin) = loaded.flux_origin.as_ref().filter(|_| console.verbose) {
                console.note(&format!("Flux's manifests are from `{origin}`"));
            }
            Ok(loaded)
        }
        Err(error) => {
            let verdict = findings::judge(Vec::new(), true, global.fail_on);
            verdict.file(global, &crate::source::SourceMap::default())?;
            Err(error)
        }
    }
}

/// Reads what is asked for, what only a registry has fetched first.
#[cfg(feature = "registry")]
fn fetch_and_load(request: &Request, global: &Global, console: &Console) -> anyhow::Result<Loaded> {
    let fetched = super::registries::fetched(request, global, console)?;
    let request = fetched.as_ref().unwrap_or(request);
    Ok(load(request, &mut io::stdin().lock())?)
}

#[cfg(not(feature = "registry"))]
fn fetch_and_load(request: &Request, _: &Global, _: &Console) -> anyhow::Result<Loaded> {
    Ok(load(request, &mut io::stdin().lock())?)
}

/// Says what a walk left alone: documents that are no manifests, and files that serve kustomizations.
pub(super) fn tell_skipped(loaded: &Loaded, documents: (usize, usize), console: &Console) {
    tell_left_out(&loaded.skipped, documents, console);
}

/// As [`tell_skipped`], of a walk by itself.
pub(super) fn tell_left_out(
    skipped: &Skipped,
    (documents, inert): (usize, usize),
    console: &Console,
) {
    let count = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {more}")),
    };
    let parts: Vec<_> = [
        count(
            documents,
            "document without `apiVersion` and `kind`",
            "documents without `apiVersion` and `kind`",
        ),
        count(
            skipped.kustomizations,
            "kustomization file",
            "kustomization files",
        ),
        count(
            inert,
            "file that a kustomization uses",
            "files that kustomizations use",
        ),
        count(skipped.charts, "chart", "charts"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !parts.is_empty() {
        console.note(&format!("left out {}", parts.join(", ")));
    }
}

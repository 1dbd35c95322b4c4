//! What `render` and `check` are told alike: what to read, and how the controllers are set.

use std::path::PathBuf;

use clap::Args;

use super::inputs::{
    EnvironmentArguments, FluxArguments, HazardArguments, MoveArguments, PathArguments,
    SchemaArguments, SnapshotArguments, TableArguments, request,
};
use super::packages::{OperatorArguments, Options};
use crate::load::{FluxSource, Request};
use crate::resolve::environment::Environment;

/// The estate and its controllers.
#[derive(Debug, Args)]
pub(super) struct EstateArguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    flux: FluxArguments,
    #[command(flatten)]
    environment: EnvironmentArguments,
    #[command(flatten)]
    hazards: HazardArguments,
    #[command(flatten)]
    schemas: SchemaArguments,
    #[command(flatten)]
    snapshot: SnapshotArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    #[command(flatten)]
    moves: MoveArguments,
    /// Put the platform's table on the HelmReleases among the inputs too
    #[arg(long)]
    override_releases: bool,
}

impl EstateArguments {
    /// What is to be read beside what stood `against` it before; where no PATH is given, Flux's
    /// manifests are those of `alone`.
    pub(super) fn request(
        &self,
        against: Option<&PathBuf>,
        alone: FluxSource,
    ) -> anyhow::Result<Request> {
        let paths = &self.paths.paths;
        let fallback = if paths.is_empty() {
            alone
        } else {
            FluxSource::None
        };
        let request = request(paths, &self.tables, self.flux.source(fallback))?;
        let mut request = self.schemas.join(request);
        request.snapshots.clone_from(&self.snapshot.snapshot);
        request.rendered.clone_from(&self.hazards.rendered);
        request.against = against.cloned();
        Ok(request)
    }

    /// How Packages and releases are rendered.
    pub(super) fn options(&self) -> anyhow::Result<Options> {
        Ok(Options {
            flags: self.operator.flags()?,
            moved_by: self.moves.move_annotation.clone(),
            override_releases: self.override_releases,
            target: self.hazards.target(),
            ..Options::default()
        })
    }

    /// The API server's address for Flux's own pods.
    pub(super) fn environment(&self) -> Environment {
        self.environment.environment()
    }
}

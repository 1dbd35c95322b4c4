//! What the command line says of registries, and what is read out of one: Flux's manifests, charts.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Global;
use super::console::Console;
use crate::load::{ChartContent, FluxSource, Request};
use crate::registry::artifact::{charts, take};
use crate::registry::cache::{Cached, folder};
use crate::registry::client::Client;
use crate::registry::error::Error;
use crate::registry::settings::{Settings, Watch};

/// How registries are asked, the same in every command.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_field_names,
    reason = "the names of the fields are those of the options"
)]
#[command(next_help_heading = "Registries")]
pub(super) struct RegistryArguments {
    /// The CA that signs for a registry, in PEM
    #[arg(long, global = true, value_name = "HOST=FILE", value_parser = ca)]
    registry_ca: Vec<(String, PathBuf)>,
    /// Do not look at the certificate of a registry
    #[arg(long, global = true, value_name = "HOST")]
    registry_insecure: Vec<String>,
    /// Ask a registry without TLS; one on loopback needs no leave
    #[arg(long, global = true, value_name = "HOST")]
    registry_plain_http: Vec<String>,
    /// Credentials in the form of docker's `config.json` [default: docker's own]
    #[arg(long, global = true, value_name = "FILE", env = "REGISTRY_AUTH_FILE")]
    registry_auth_file: Option<PathBuf>,
}

fn ca(text: &str) -> Result<(String, PathBuf), &'static str> {
    match text.split_once('=') {
        Some((host, file)) if !host.is_empty() && !file.is_empty() => {
            Ok((host.to_owned(), file.into()))
        }
        _ => Err("expected HOST=FILE"),
    }
}

impl RegistryArguments {
    /// The settings that the arguments make; `watch` is told what happens.
    pub(super) fn settings(&self, watch: Option<Arc<dyn Watch>>) -> Settings {
        Settings {
            ca: self.registry_ca.iter().cloned().collect(),
            insecure: self.registry_insecure.iter().cloned().collect(),
            plain_http: self.registry_plain_http.iter().cloned().collect(),
            auth_file: self.registry_auth_file.clone(),
            watch,
        }
    }
}

/// The request with what only registries have in it, Flux's manifests and charts, where it asks for
/// any.
pub(super) fn fetched(
    request: &Request,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Option<Request>> {
    let asks = |(_, content): &(_, ChartContent)| matches!(content, ChartContent::Registry(_));
    let of_flux = matches!(request.flux, FluxSource::Registry(_));
    if !of_flux && !request.charts.iter().any(asks) {
        return Ok(None);
    }
    let watch: Option<Arc<dyn Watch>> = Some(Arc::new(Lines::new(console)));
    let client = if global.offline {
        None
    } else {
        Some(Client::new(&global.registries.settings(watch))?)
    };
    let cached = Cached {
        client: client.as_ref(),
        folder: folder(),
    };
    let mut request = request.clone();
    if let FluxSource::Registry(source) = &request.flux {
        let taken = take(&cached, source)?;
        if !console.verbose {
            console.note(&format!("Flux's manifests are from `{}`", taken.origin));
        }
        request.flux = FluxSource::Fetched {
            origin: taken.origin,
            files: taken.files,
        };
    }
    for (source, content) in &mut request.charts {
        if let ChartContent::Registry(name) = content {
            let taken = charts(&cached, name)?;
            let source = [&*source.kind, &*source.namespace, &*source.name].join("/");
            console.note(&format!(
                "the charts of {source} are from `{}`",
                taken.origin
            ));
            *content = ChartContent::Fetched(taken.files);
        }
    }
    Ok(Some(request))
}

/// What to do about an error of a registry.
pub(super) fn help(error: &anyhow::Error) -> Option<String> {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Error>())
        .and_then(Error::help)
}

/// Tells what happens in plain lines on stderr.
pub(super) struct Lines {
    verbose: bool,
    quiet: bool,
}

impl Lines {
    /// As the console is asked to speak.
    pub(super) fn new(console: &Console) -> Lines {
        Lines {
            verbose: console.verbose,
            quiet: console.quiet,
        }
    }

    fn say(line: &str) {
        use std::io::Write;
        let _gone = writeln!(std::io::stderr().lock(), "{line}");
    }
}

impl Watch for Lines {
    fn request(&self, line: &str) {
        if self.verbose {
            Lines::say(&format!("request: {line}"));
        }
    }

    fn waits(&self, host: &str, seconds: f64, why: &str) {
        if !self.quiet {
            Lines::say(&format!("note: waiting {seconds:.1} s for `{host}`: {why}"));
        }
    }

    fn expects(&self, _bytes: u64) {}

    fn passed(&self, _bytes: u64) {}
}

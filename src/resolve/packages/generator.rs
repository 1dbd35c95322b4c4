//! PackageSources become ArtifactGenerators, one for all variants, installed or not.
//!
//! Source: `spec/package-rendering.md`, section 3.

use std::collections::{BTreeMap, BTreeSet};

use super::Estate;
use super::objects::{Artifact, Copy, Generator, Release, artifact_id, generator_id};
use super::readiness::Joined;
use super::reasons::{
    ARTIFACT_COLLISION, ARTIFACT_MISSING, DUPLICATE_ARTIFACT_NAME, DUPLICATE_COMPONENT,
    DUPLICATE_VARIANT, INVALID_ARTIFACT_NAME, INVALID_COPY, INVALID_LABEL, INVALID_SOURCE_NAME,
    Reason, SOURCE_REF_NOT_SET, TOO_MANY_ARTIFACTS, UNKNOWN_LIBRARY,
};
use crate::finding::{Finding, Label};
use crate::model::release::is_dns_label_text;
use crate::model::source_package::{Component, PackageSource, SourceRef, Variant, last_segment};
use crate::source::Span;

/// The most artifacts that a generator holds.
const MOST_ARTIFACTS: usize = 1000;

/// The longest copy path.
const LONGEST_PATH: usize = 1024;

/// What the generators of an estate make.
#[derive(Debug, Default)]
pub(super) struct Generation {
    /// Those that the API server takes, by name.
    pub(super) generators: Vec<Generator>,
    /// The names of the artifacts that are really made.
    made: BTreeSet<String>,
}

/// The name of a component's artifact: the three names with dots as dashes.
pub(super) fn artifact_name(source: &str, variant: &str, component: &str) -> String {
    format!("{source}-{variant}-{component}").replace('.', "-")
}

/// Makes the generators and finds what is wrong with the sources by themselves.
pub(super) fn generate(estate: &Estate, findings: &mut Vec<Finding>) -> Generation {
    let mut generation = Generation::default();
    let mut makers: BTreeMap<String, Vec<(&PackageSource, Span)>> = BTreeMap::new();
    for source in estate.sources.values() {
        check_names(source, findings);
        let Some(source_ref) = &source.source_ref else {
            let message = format!(
                "PackageSource `{}` has no `sourceRef`: no ArtifactGenerator is made, and its \
                 releases have no chart",
                source.id.name
            );
            let label = Label::new(source.span).object(&source.id);
            findings.push(SOURCE_REF_NOT_SET.finding(label, message));
            continue;
        };
        let Some(generator) = make(source, source_ref) else {
            continue;
        };
        if refused(source, source_ref, &generator, findings) {
            continue;
        }
        if !stalled(&generator, findings) {
            for artifact in &generator.artifacts {
                generation.made.insert(artifact.name.clone());
                makers
                    .entry(artifact.name.clone())
                    .or_default()
                    .push((source, artifact.span));
            }
        }
        generation.generators.push(generator);
    }
    for (name, owners) in makers {
        if let [(first, span), others @ ..] = owners.as_slice()
            && !others.is_empty()
        {
            findings.push(collision(&name, first, *span, others));
        }
    }
    generation
}

fn collision(
    name: &str,
    first: &PackageSource,
    span: Span,
    others: &[(&PackageSource, Span)],
) -> Finding {
    let names: Vec<String> = others
        .iter()
        .map(|(other, _)| quoted(&other.id.name))
        .collect();
    let message = format!(
        "ExternalArtifact `{name}` is made by PackageSource `{}` and by {}: its content \
         alternates, and every release that uses it gets the wrong chart at each turn",
        first.id.name,
        names.join(", ")
    );
    let mut finding = ARTIFACT_COLLISION
        .finding(Label::new(span).object(&artifact_id(name)), message)
        .help("rename a source, variant or component: dots count as dashes");
    for (other, span) in others {
        finding = finding.related(Label::new(*span).message("and here").object(&other.id));
    }
    finding
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// The generator of a source; `None` where it has no artifact.
fn make(source: &PackageSource, source_ref: &SourceRef) -> Option<Generator> {
    let mut artifacts = Vec::new();
    for variant in &source.variants {
        let mut libraries: BTreeMap<&str, &str> = BTreeMap::new();
        for library in &variant.libraries {
            libraries.insert(library.known_by(), &library.path.value);
        }
        for component in &variant.components {
            let directory = last_segment(&component.path.value);
            if directory.is_empty() {
                continue;
            }
            let name = artifact_name(&source.id.name, &variant.name.value, &component.name.value);
            artifacts.push(Artifact {
                name,
                owner: (variant.name.value.clone(), component.name.value.clone()),
                span: component.name.span,
                copies: copies(source_ref, component, directory, &libraries),
            });
        }
    }
    let text = |field: &crate::model::Spanned<String>| field.value.clone();
    (!artifacts.is_empty()).then(|| Generator {
        name: source.id.name.clone(),
        source: (
            text(&source_ref.kind),
            text(&source_ref.name),
            text(&source_ref.namespace),
        ),
        artifacts,
        owner_uid: None,
    })
}

fn copies(
    source_ref: &SourceRef,
    component: &Component,
    directory: &str,
    libraries: &BTreeMap<&str, &str>,
) -> Vec<Copy> {
    let path = component.path.value.as_str();
    let whole = |path: &str| joined(source_ref, &[path, "**"]);
    let mut copies = vec![Copy {
        from: whole(path),
        to: format!("@artifact/{directory}/"),
        strategy: None,
    }];
    for library in &component.libraries {
        if let Some(path) = libraries.get(library.value.as_str()) {
            let to = format!("@artifact/{directory}/charts/{}/", library.value);
            copies.push(Copy {
                from: whole(path),
                to,
                strategy: None,
            });
        }
    }
    for (at, file) in component.values_files.iter().enumerate() {
        copies.push(Copy {
            from: joined(source_ref, &[path, &file.value]),
            to: format!("@artifact/{directory}/values.yaml"),
            strategy: Some(if at == 0 { "Overwrite" } else { "Merge" }),
        });
    }
    copies
}

/// `@source/base/part/part`, without slashes at the ends of base and first part, empty ones left
/// out. The base is `sourceRef.path`, else `packages` for Git and nothing for OCI.
fn joined(source_ref: &SourceRef, parts: &[&str]) -> String {
    let base = match &source_ref.path {
        Some(path) if !path.value.is_empty() => path.value.as_str(),
        _ if source_ref.kind.value == "GitRepository" => "packages",
        _ => "",
    };
    let mut text = format!("@{}", source_ref.name.value);
    let base = [base.trim_matches('/'), parts[0].trim_matches('/')];
    for part in base.into_iter().chain(parts[1..].iter().copied()) {
        if !part.is_empty() {
            text.push('/');
            text.push_str(part);
        }
    }
    text
}

/// Whether the API server refuses the generator.
fn refused(
    source: &PackageSource,
    source_ref: &SourceRef,
    generator: &Generator,
    findings: &mut Vec<Finding>,
) -> bool {
    let before = findings.len();
    let mut refuse = |reason: &Reason, span: Span, what: String| {
        let label = Label::new(span).object(&generator_id(&source.id.name));
        let end = "the ArtifactGenerator is refused, and none of its artifacts is made";
        findings.push(reason.finding(label, format!("{what}: {end}")));
    };
    if source.id.name.len() > 63 {
        let length = source.id.name.len();
        let what = format!("the PackageSource's name has {length} characters, a label holds 63");
        refuse(&INVALID_LABEL, source.span, what);
    }
    let name = &source_ref.name;
    if !is_dns_label_text(&name.value) || name.value.len() > 63 {
        let what = format!(
            "`{}` cannot be an alias, expected at most 63 of lower-case letters, digits and `-`",
            name.value
        );
        refuse(&INVALID_SOURCE_NAME, name.span, what);
    }
    let count = generator.artifacts.len();
    if count > MOST_ARTIFACTS {
        let what =
            format!("{count} artifacts over all variants, at most {MOST_ARTIFACTS} expected");
        refuse(&TOO_MANY_ARTIFACTS, source.span, what);
    }
    for artifact in &generator.artifacts {
        if !is_dns_label_text(&artifact.name) || artifact.name.len() > 253 {
            let what = format!(
                "`{}` cannot be the name of an artifact, expected at most 253 of lower-case \
                 letters, digits and `-`",
                artifact.name
            );
            refuse(&INVALID_ARTIFACT_NAME, artifact.span, what);
        }
        let long = |copy: &&Copy| {
            [&copy.from, &copy.to]
                .iter()
                .any(|path| path.chars().count() > LONGEST_PATH)
        };
        if let Some(copy) = artifact.copies.iter().find(long) {
            let length = copy.from.chars().count().max(copy.to.chars().count());
            let what = format!(
                "a copy path of component `{}` has {length} characters, at most {LONGEST_PATH} \
                 expected",
                artifact.owner.1
            );
            refuse(&INVALID_COPY, artifact.span, what);
        }
    }
    findings.len() > before
}

/// Whether two artifacts of one name stall the generator.
fn stalled(generator: &Generator, findings: &mut Vec<Finding>) -> bool {
    let mut names: BTreeMap<&str, Vec<&Artifact>> = BTreeMap::new();
    for artifact in &generator.artifacts {
        names.entry(&artifact.name).or_default().push(artifact);
    }
    let before = findings.len();
    for (name, owners) in names {
        let [first, others @ ..] = owners.as_slice() else {
            continue;
        };
        if others.is_empty() {
            continue;
        }
        let label = Label::new(others[0].span).object(&generator.id());
        let who: Vec<String> = owners
            .iter()
            .map(|owner| {
                format!(
                    "component `{}` of variant `{}`",
                    owner.owner.1, owner.owner.0
                )
            })
            .collect();
        let message = format!(
            "artifact `{name}` is there {} times: {}; source-watcher stalls the whole generator, \
             and none of its artifacts is made",
            owners.len(),
            who.join(", ")
        );
        let mut finding = DUPLICATE_ARTIFACT_NAME.finding(label, message).related(
            Label::new(first.span)
                .message("the first of that name")
                .object(&generator.id()),
        );
        for other in &others[1..] {
            finding = finding.related(Label::new(other.span).message("and here"));
        }
        findings.push(finding.help("dots count as dashes: rename a variant or component"));
    }
    findings.len() > before
}

/// Finds names that are there twice and libraries that nobody declares.
fn check_names(source: &PackageSource, findings: &mut Vec<Finding>) {
    let label = |span| Label::new(span).object(&source.id);
    let mut variants: BTreeMap<&str, Span> = BTreeMap::new();
    for variant in &source.variants {
        let name = variant.name.value.as_str();
        if let Some(first) = variants.get(name) {
            let message = format!(
                "variant `{name}` of `{}` is there twice: a Package gets the first, the artifacts \
                 of both are made",
                source.id.name
            );
            let first = label(*first).message("a Package gets this one");
            let finding = DUPLICATE_VARIANT.finding(label(variant.name.span), message);
            findings.push(finding.related(first));
        } else {
            variants.insert(name, variant.name.span);
        }
        check_components(source, variant, findings);
    }
}

fn check_components(source: &PackageSource, variant: &Variant, findings: &mut Vec<Finding>) {
    let label = |span| Label::new(span).object(&source.id);
    let declared: BTreeSet<&str> = variant
        .libraries
        .iter()
        .map(crate::model::source_package::Library::known_by)
        .collect();
    let mut names: BTreeMap<&str, Span> = BTreeMap::new();
    for component in &variant.components {
        let name = component.name.value.as_str();
        if let Some(first) = names.insert(name, component.name.span) {
            let message = format!(
                "component `{name}` is twice in variant `{}` of `{}`: both take one set of \
                 settings from the Package, and `dependsOn` finds the later",
                variant.name.value, source.id.name
            );
            let first = label(first).message("the first of that name");
            let finding = DUPLICATE_COMPONENT.finding(label(component.name.span), message);
            findings.push(
                finding
                    .related(first)
                    .help("give one of the two another name"),
            );
        }
        for library in &component.libraries {
            if !declared.contains(library.value.as_str()) {
                let message = format!(
                    "component `{name}` asks for library `{}`, which variant `{}` does not \
                     declare: it is left out without a word",
                    library.value, variant.name.value
                );
                let finding = UNKNOWN_LIBRARY.finding(label(library.span), message);
                findings.push(finding.help("libraries belong to their variant: declare it there"));
            }
        }
    }
}

/// Finds releases whose artifact nothing makes.
pub(super) fn missing(
    generation: &Generation,
    releases: &[Release],
    joined: &[Joined<'_>],
    findings: &mut Vec<Finding>,
) {
    let packages: BTreeMap<&str, &Joined<'_>> = joined
        .iter()
        .map(|joined| (joined.package.id.name.as_str(), joined))
        .collect();
    for release in releases {
        if generation.made.contains(&release.artifact) {
            continue;
        }
        let Some(joined) = packages.get(release.package.as_str()) else {
            continue;
        };
        let message = format!(
            "component `{}` of `{}` points at ExternalArtifact `{}`, which nothing makes: the \
             HelmRelease `{}/{}` is written and waits for it",
            release.component, release.package, release.artifact, release.namespace, release.name
        );
        let label = Label::new(release.span).object(&joined.package.id);
        let package = Label::new(release.package_span).message("installed here");
        findings.push(ARTIFACT_MISSING.finding(label, message).related(package));
    }
}

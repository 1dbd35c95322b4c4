//! What the rules look at: tables, objects, what was done to them and what is made of them.

use std::sync::{Arc, OnceLock};

use memchr::memmem::Finder;
use serde_json::Value;
use smol_str::SmolStr;

use crate::model::overrides::{OverrideTable, Tables};
use crate::resolve::dependencies::Graph;
use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, Label, Level, ObjectId};
use crate::model::cluster::Cluster;
use crate::model::field;
use crate::model::kinds;
use crate::model::version::Version;
use crate::model::workload;
use crate::resolve::builds::{self, Builds, DocPlace, Facts, key};
use crate::resolve::claims::Claims;
use crate::resolve::image_lists::{Renderer, renderers};
use crate::resolve::images::{Filtered, Visit};
use crate::resolve::packages::{Estate, Release, Rendered};
use crate::resolve::plan::first_line;
use crate::resolve::releases::AnyRelease;
use crate::resolve::schema::{Fault, Violation};
use crate::yaml::Doc;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// How strictly the table rules are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// `rewrite` takes what the real filter takes: values that make no image only warn.
    Primitive,
    /// `render` and `check` refuse them.
    Full,
}

/// An object among the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Subject<'c> {
    /// Its document.
    pub(crate) doc: &'c Doc,
    /// Its mapping; `None` where the document has none.
    pub(crate) node: Option<Node<'c>>,
    /// What it is.
    pub(crate) id: Arc<ObjectId>,
    /// Whether it is one of Flux's own.
    pub(crate) flux: bool,
    /// The place of its document.
    pub(crate) place: DocPlace,
    /// The path of its file below the PATH that was given, to tell which old file became which new
    /// one.
    pub(crate) below: &'c str,
    /// What builds make of it.
    pub(crate) facts: Facts,
    /// The HelmRelease whose chart rendered it, as namespace and name: told on the command line, or
    /// by the labels that helm-controller puts on.
    pub(crate) rendered_by: Option<(String, String)>,
}

impl<'c> Subject<'c> {
    /// A document as one object, whatever it holds.
    pub(crate) fn new(doc: &'c Doc, id: Arc<ObjectId>) -> Subject<'c> {
        Subject {
            node: doc.root().map(Node::resolved),
            doc,
            id,
            flux: false,
            place: DocPlace::default(),
            below: "",
            facts: Facts::default(),
            rendered_by: None,
        }
    }

    /// An object of a document, which may be an element of a List.
    pub(crate) fn of(doc: &'c Doc, node: Node<'c>, id: Arc<ObjectId>) -> Subject<'c> {
        let label = |name| field::label(node, name).map(str::to_owned);
        let rendered_by =
            || label("helm.toolkit.fluxcd.io/namespace").zip(label("helm.toolkit.fluxcd.io/name"));
        Subject {
            node: Some(node),
            rendered_by: doc.traits.helm_labels.then(rendered_by).flatten(),
            ..Subject::new(doc, id)
        }
    }

    /// The object's mapping.
    pub(crate) fn root(&self) -> Option<Node<'c>> {
        self.node
    }

    /// The place of its name, or of the whole document.
    pub(crate) fn label(&self) -> Label {
        let name = self.root().and_then(|root| root.at(&["metadata", "name"]));
        Label::new(name.map_or(self.doc.span(), Node::span)).object(&self.id)
    }

    /// A place in it.
    pub(crate) fn at(&self, node: Node<'_>) -> Label {
        Label::new(first_line(node)).object(&self.id)
    }

    /// The first place of a text in a node that is no comment of a script, or the node.
    pub(crate) fn at_text(&self, node: Node<'_>, text: &str) -> Label {
        let (mut span, written) = (node.span(), node.written());
        let said = |at: &usize| {
            let line = written[..*at].rsplit('\n').next().unwrap_or_default();
            !line.trim_start().starts_with('#')
        };
        let mut places = written.match_indices(text).map(|(at, _)| at);
        let Some(at) = places.find(said) else {
            return self.at(node);
        };
        span.start += u32::try_from(at).expect("a span counts its bytes in a u32");
        span.end = span.start + u32::try_from(text.len()).expect("it stands in the span");
        Label::new(span).object(&self.id)
    }

    /// Whether a text in it may hold this word, which has no blanks.
    pub(crate) fn may_hold(&self, word: &Finder<'_>) -> bool {
        self.node.is_some_and(|node| node.may_hold(word))
    }

    /// What makes it one object with others.
    pub(crate) fn key(&self) -> (String, String, String, String) {
        key(&self.id)
    }

    /// The namespaces that it may come to stand in: those that builds put it into, else its own;
    /// empty where it names none and nothing tells.
    pub(crate) fn namespaces(&self) -> Vec<&str> {
        if !self.facts.namespaces.is_empty() {
            return self.facts.namespaces.iter().map(String::as_str).collect();
        }
        let own = self.id.namespace.as_str();
        if own.is_empty() {
            Vec::new()
        } else {
            vec![own]
        }
    }

    /// Whether two objects may come to stand in one namespace.
    pub(crate) fn may_share_namespace(&self, other: &Subject<'_>) -> bool {
        let (own, others) = (self.namespaces(), other.namespaces());
        own.is_empty() || others.is_empty() || own.iter().any(|name| others.contains(name))
    }
}

/// What a table did to the documents of a text, or would do.
#[derive(Debug)]
pub(crate) struct Applied<'c> {
    /// The table.
    pub(crate) table: &'c OverrideTable,
    /// The documents that visits count in.
    pub(crate) docs: &'c [Doc],
    /// What happened: for all of them together, or document by document, in their order.
    pub(crate) passes: Vec<&'c Filtered<'c>>,
}

impl Applied<'_> {
    /// The images visited.
    pub(crate) fn visits(&self) -> impl Iterator<Item = &Visit<'_>> {
        self.passes.iter().flat_map(|pass| &pass.visits)
    }

    /// Where the filter refuses one of them.
    pub(crate) fn refusal(&self) -> Option<&Finding> {
        self.passes.iter().find_map(|pass| pass.refusal.as_deref())
    }
}

/// What the operator makes of the Packages among the inputs, and every HelmRelease of the run.
///
/// Findings about Packages themselves are the core's own ([`Rendered::findings`]) and are reported
/// already; rules must not tell them again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'c> {
    /// PackageSources, Packages and HelmReleases as they were read.
    pub(crate) estate: &'c Estate,
    /// Namespaces, generators and releases that are made; nothing under a refused table.
    pub(crate) rendered: &'c Rendered,
    /// Every HelmRelease: those among the inputs, Lists unrolled, then those made.
    pub(crate) releases: &'c [AnyRelease<'c>],
}

/// The HelmRelease that an object comes from.
#[derive(Debug)]
pub(crate) struct Parent {
    /// Its spec.
    pub(crate) spec: Value,
    /// Its place, or that of the component that a Package makes it of.
    pub(crate) label: Label,
}

/// What the rules look at.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    /// The tables.
    pub(crate) tables: &'c Tables,
    /// What each table did, text by text.
    pub(crate) applied: Vec<Applied<'c>>,
    /// The documents that are objects, in the order of reading.
    pub(crate) subjects: Vec<Subject<'c>>,
    /// The HelmReleases of the run.
    pub(crate) claims: Claims<'c>,
    /// Those of the state that it is compared with (`--against`).
    pub(crate) before: Option<Claims<'c>>,
    /// What a cluster holds, where a snapshot says so.
    pub(crate) cluster: Option<Cluster>,
    /// The annotation that declares which Package may take a HelmRelease over.
    pub(crate) move_annotation: &'c str,
    /// The objects, Lists unrolled, in the same order.
    pub(crate) objects: Vec<Subject<'c>>,
    /// Documents that are no objects: tables and values.
    pub(crate) settings: Vec<&'c Doc>,
    /// Where objects fail their schemas.
    pub(crate) violations: Vec<Violation>,
    /// The places of the objects of each kind, once a rule has asked.
    pub(crate) by_kind: OnceLock<BTreeMap<SmolStr, Vec<usize>>>,
    /// What waits for what, once a rule has asked.
    pub(crate) graph: OnceLock<Graph<'c>>,
    /// How strictly the table rules are meant.
    pub(crate) strictness: Strictness,
    /// The objects that stood before the change; `None` where no change is looked at.
    pub(crate) old: Option<Vec<Subject<'c>>>,
    /// What the charts of HelmReleases render, as far as it was given by itself.
    pub(crate) rendered: Vec<Subject<'c>>,
    /// What is built of directories, and applied.
    pub(crate) builds: &'c Builds,
    /// The same of what stood before the change.
    pub(crate) old_builds: &'c Builds,
    /// The texts that were named, or came on stdin, by number.
    pub(crate) named: BTreeSet<usize>,
    /// The version of Flux, where it was told.
    pub(crate) flux_version: Option<Version>,
    /// The version of Kubernetes, where it was told.
    pub(crate) kubernetes_version: Option<Version>,
    /// Packages and releases.
    pub(crate) made: Made<'c>,
}

impl<'c> Context<'c> {
    /// The HelmReleases, wherever they are declared.
    pub(crate) fn releases(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.objects_of("HelmRelease")
            .filter(|subject| kinds::is_release(&subject.id))
    }

    /// The objects of a kind, of whatever group, in their order.
    pub(crate) fn objects_of(&self, kind: &str) -> impl Iterator<Item = &Subject<'c>> {
        let by_kind = self.by_kind.get_or_init(|| {
            let mut places: BTreeMap<SmolStr, Vec<usize>> = BTreeMap::new();
            for (at, subject) in self.objects.iter().enumerate() {
                match places.get_mut(&subject.id.kind) {
                    Some(of_kind) => of_kind.push(at),
                    None => _ = places.insert(subject.id.kind.clone(), vec![at]),
                }
            }
            places
        });
        let places = by_kind.get(kind).into_iter().flatten();
        places.map(|at| &self.objects[*at])
    }

    /// The same of everything that reaches the API server.
    pub(crate) fn everything_of<'s>(
        &'s self,
        kind: &'s str,
    ) -> impl Iterator<Item = &'s Subject<'c>> {
        let rendered = self.rendered.iter().filter(move |it| it.id.kind == kind);
        self.objects_of(kind).chain(rendered)
    }

    /// The HelmReleases that stood before the change.
    pub(crate) fn old_releases(&self) -> impl Iterator<Item = &Subject<'c>> {
        let old = self.old.iter().flatten();
        old.filter(|subject| kinds::is_release(&subject.id))
    }

    /// The Kustomizations of Flux.
    pub(crate) fn kustomizations(&self) -> impl Iterator<Item = &Subject<'c>> {
        let own = |subject: &&Subject<'_>| kinds::is_flux_kustomization(&subject.id);
        self.objects_of("Kustomization").filter(own)
    }

    /// The HelmReleases that write post-renderers and that no patch may change, with these.
    pub(crate) fn post_rendered(&self) -> impl Iterator<Item = (&Subject<'c>, Vec<Renderer<'c>>)> {
        let sound = self.releases().filter(|it| !it.facts.patched);
        sound.filter_map(|release| {
            let root = release.root()?;
            root.at(&["spec", "postRenderers"])?;
            Some((release, renderers(root)))
        })
    }

    /// Everything that reaches the API server: what is given, and what charts render.
    pub(crate) fn everything(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.objects.iter().chain(&self.rendered)
    }

    /// The workloads of ours that speak of one of these words and that no patch may change.
    pub(crate) fn workloads_with(&self, words: &[&str]) -> impl Iterator<Item = &Subject<'c>> {
        let words: Vec<_> = words.iter().copied().map(Finder::new).collect();
        self.everything().filter(move |it| {
            let own = !it.flux && !it.facts.patched && workload::is_workload(&it.id);
            own && words.iter().any(|word| it.may_hold(word))
        })
    }

    /// What the charts of HelmReleases render.
    pub(crate) fn charted(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.everything()
            .filter(|subject| subject.rendered_by.is_some())
    }

    /// The HelmRelease whose chart rendered an object, where it is among the inputs.
    pub(crate) fn release_of(&self, object: &Subject<'_>) -> Option<&Subject<'c>> {
        let (namespace, name) = object.rendered_by.as_ref()?;
        self.releases().find(|release| {
            release.id.name == *name
                && (release.id.namespace == *namespace
                    || release.facts.namespaces.contains(namespace))
        })
    }

    /// The made HelmRelease whose chart rendered an object.
    pub(crate) fn made_release_of(&self, object: &Subject<'_>) -> Option<&'c Release> {
        let (namespace, name) = object.rendered_by.as_ref()?;
        let made = self.made.releases.iter().filter_map(AnyRelease::made);
        let mut own = made.filter(|it| it.namespace == *namespace && it.name == *name);
        own.next()
    }

    /// Whether the release that rendered an object is set to client-side apply throughout.
    pub(crate) fn applies_client_side(&self, object: &Subject<'_>) -> bool {
        let release = self.release_of(object).and_then(Subject::root);
        release.is_some_and(|root| {
            field::boolean(root, &["spec", "install", "serverSideApply"]) == Some(false)
                && field::string(root, &["spec", "upgrade", "serverSideApply"]) == Some("disabled")
        })
    }

    /// The objects that stand on both sides of the change, the old one first.
    pub(crate) fn changed(&self) -> Vec<(&Subject<'c>, &Subject<'c>)> {
        if self.old.is_none() {
            return Vec::new();
        }
        let mut sides: BTreeMap<_, [Vec<&Subject<'c>>; 2]> = BTreeMap::new();
        for old in self.old.iter().flatten() {
            sides.entry(old.key()).or_default()[0].push(old);
        }
        for new in self.everything() {
            if let Some(side) = sides.get_mut(&new.key()) {
                side[1].push(new);
            }
        }
        let mut pairs = Vec::new();
        for [old, new] in sides.into_values() {
            let alone = old.len() == 1 && new.len() == 1;
            for old in old {
                // Of several clusters' objects of one name, those of one file belong together.
                let mut same = new.iter().filter(|new| alone || new.below == old.below);
                pairs.extend(same.next().map(|new| (old, *new)));
            }
        }
        pairs.sort_by_key(|(old, _)| old.place);
        pairs
    }

    /// The objects that stood before the change and are gone.
    pub(crate) fn removed(&self) -> Vec<&Subject<'c>> {
        if self.old.is_none() {
            return Vec::new();
        }
        let new: BTreeSet<_> = self.everything().map(Subject::key).collect();
        let old = self.old.iter().flatten();
        old.filter(|old| !new.contains(&old.key())).collect()
    }

    /// Whether an object that goes is surely not pruned: all that applied it either do not prune, or go
    /// themselves and leave what they applied.
    pub(crate) fn keeps(&self, old: &Subject<'_>) -> bool {
        let of = |applied: &&builds::Applied| applied.built.iter().any(|it| it.place == old.place);
        let applied: Vec<_> = self.old_builds.applied.iter().filter(of).collect();
        let spares = |applied: &&builds::Applied| {
            let mut owners = self
                .old
                .iter()
                .flatten()
                .filter(|it| it.place == applied.place);
            owners.next().and_then(Subject::root).is_some_and(|root| {
                let policy = field::string(root, &["spec", "deletionPolicy"]);
                let stays = self.kustomizations().any(|new| *new.id == applied.id);
                !field::is_true(root, &["spec", "prune"]) || !stays && policy == Some("Orphan")
            })
        };
        !applied.is_empty() && applied.iter().all(spares)
    }

    /// The objects that a change takes away: those that are gone, and those that a Kustomization
    /// applied which is gone. What is kept from pruning stays.
    pub(crate) fn leaving(&self) -> Vec<&Subject<'c>> {
        let Some(old) = &self.old else {
            return Vec::new();
        };
        let new: BTreeSet<_> = self.everything().map(Subject::key).collect();
        let built = |applied: &'c [builds::Applied]| applied.iter().flat_map(|it| &it.built);
        let still: BTreeSet<_> = built(&self.builds.applied).map(|it| key(&it.id)).collect();
        let gone = self.old_builds.applied.iter();
        let gone = gone.filter(|it| !new.contains(&key(&it.id)));
        let dropped: BTreeSet<DocPlace> = gone
            .flat_map(|it| &it.built)
            .filter(|it| !still.contains(&key(&it.id)))
            .map(|it| it.place)
            .collect();
        old.iter()
            .filter(|old| !new.contains(&old.key()) || dropped.contains(&old.place))
            .filter(|old| !old.root().is_some_and(field::kept_from_pruning) && !self.keeps(old))
            .collect()
    }

    /// Whether all that reaches the cluster is read: what is not here is nowhere. A Kustomization that
    /// is not followed applies what nobody knows, and so do stdin and the objects that make others.
    pub(crate) fn whole_estate(&self) -> bool {
        let followed: BTreeSet<DocPlace> = self.builds.applied.iter().map(|it| it.place).collect();
        self.builds.complete()
            && self.kustomizations().all(|it| followed.contains(&it.place))
            && !self
                .objects
                .iter()
                .any(|it| it.id.group() == "fluxcd.controlplane.io" || it.doc.source.path == "-")
    }

    /// The HelmRelease whose chart rendered an object, which a Package may make; `None` where it is
    /// not known or a patch may change it.
    pub(crate) fn parent(&self, object: &Subject<'_>) -> Option<Parent> {
        if let Some(release) = self.release_of(object) {
            let root = release.root().filter(|_| !release.facts.patched)?;
            return Some(Parent {
                spec: to_json(root.at(&["spec"])?, Reader::Kubernetes).ok()?,
                label: release.label(),
            });
        }
        let (namespace, name) = object.rendered_by.as_ref()?;
        let mut made = self.made.releases.iter().filter(|it| it.made().is_some());
        let own = made.find(|it| it.id.namespace == *namespace && it.id.name == *name)?;
        Some(Parent {
            spec: own.value().get("spec")?.clone(),
            label: own.label.clone(),
        })
    }

    /// The level of a value that makes no image that can be pulled.
    pub(crate) fn value_level(&self) -> Level {
        match self.strictness {
            Strictness::Primitive => Level::Warning,
            Strictness::Full => Level::Error,
        }
    }

    /// What waits for what.
    pub(crate) fn graph(&self) -> &Graph<'c> {
        self.graph.get_or_init(|| {
            let place = |it: &Subject<'c>| Some((it.root()?, it.facts.namespace()));
            let waits = |it: &&Subject<'c>| {
                kinds::is_release(&it.id) || kinds::is_flux_kustomization(&it.id)
            };
            let waiting = self.objects.iter().filter(waits);
            Graph::of(self.made.releases, waiting.filter_map(place))
        })
    }

    /// The failures of one kind.
    pub(crate) fn failing(&self, fault: Fault) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |it| it.fault == fault)
    }

    /// The texts that a table was applied to.
    pub(crate) fn of<'s>(
        &'s self,
        table: &'s OverrideTable,
    ) -> impl Iterator<Item = &'s Applied<'s>> {
        self.applied
            .iter()
            .filter(move |applied| applied.table.span == table.span)
    }
}

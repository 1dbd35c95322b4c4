//! What waits for what: HelmReleases, declared and made of Packages, and Flux Kustomizations, with
//! the ends of their `dependsOn`.
//!
//! helm-controller looks for HelmReleases only and kustomize-controller for Kustomizations only, so
//! an edge never leads from one kind to the other. Whether an end that is missing here is missing in
//! the cluster cannot be told. Putting objects into an order is in [`order`].
//!
//! Source: `spec/hazards.md` HZ04; helm-controller v1.5.0 and kustomize-controller v1.8.0
//! `checkDependencies`.

pub(crate) mod order;

use std::collections::BTreeMap;

use super::cycles::circles;
use super::plan::identity_of;
use super::releases::{AnyRelease, Origin};
use crate::finding::{Label, ObjectId};
use crate::model::release::ReleaseKey;
use crate::source::Span;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// What kind of object waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A HelmRelease.
    Release,
    /// A Kustomization of Flux.
    Kustomization,
}

impl Kind {
    /// As the manifests call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Release => "HelmRelease",
            Kind::Kustomization => "Kustomization",
        }
    }

    /// The kind that it is mistaken for.
    pub(crate) fn other(self) -> Kind {
        match self {
            Kind::Release => Kind::Kustomization,
            Kind::Kustomization => Kind::Release,
        }
    }

    /// What an object is, if it is one that waits.
    pub(crate) fn of(id: &ObjectId) -> Option<Kind> {
        match (id.group(), id.kind.as_str()) {
            ("helm.toolkit.fluxcd.io", "HelmRelease") => Some(Kind::Release),
            ("kustomize.toolkit.fluxcd.io", "Kustomization") => Some(Kind::Kustomization),
            _ => None,
        }
    }
}

/// An object by kind, namespace and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The kind.
    pub(crate) kind: Kind,
    /// The namespace, `default` where none is written.
    pub(crate) namespace: String,
    /// The name.
    pub(crate) name: String,
}

impl Place {
    /// The place of an object, if it is one that waits.
    pub(crate) fn of(id: &ObjectId) -> Option<Place> {
        Some(Place {
            kind: Kind::of(id)?,
            namespace: or_default(&id.namespace),
            name: id.name.clone(),
        })
    }
}

/// An object that waits, or is waited for.
#[derive(Debug)]
pub(crate) struct Unit<'c> {
    /// Which.
    pub(crate) place: Place,
    /// Where it is declared, by everyone who declares it: more than one is a fight.
    pub(crate) owners: Vec<Label>,
    /// The Package that makes it.
    pub(crate) package: Option<&'c str>,
    /// Whether its namespace is written or told by a build; else it is wherever it is applied.
    pub(crate) settled: bool,
    /// Whether `spec.suspend` is true.
    pub(crate) suspended: bool,
    /// The Helm release that it works on.
    pub(crate) key: Option<&'c ReleaseKey>,
    /// What it waits for, in order, repeats included.
    pub(crate) edges: Vec<Edge>,
}

/// One `dependsOn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Where it leads.
    pub(crate) end: End,
    /// Where it is written; of a made release the component.
    pub(crate) span: Span,
    /// Whether it names a namespace.
    pub(crate) qualified: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// To [`Graph::units`].
    Unit(usize),
    /// To [`Graph::missing`].
    Missing(usize),
}

/// Everything that waits, and for what.
#[derive(Debug, Default)]
pub(crate) struct Graph<'c> {
    /// Declared releases in the order of reading, made ones, Kustomizations.
    pub(crate) units: Vec<Unit<'c>>,
    /// Ends that are not among them, in the order of meeting.
    pub(crate) missing: Vec<Place>,
    places: BTreeMap<Place, usize>,
}

/// An edge before its end is looked up.
struct Named {
    to: Place,
    span: Span,
    qualified: bool,
}

impl<'c> Graph<'c> {
    /// The graph of the releases of a run and the Kustomizations among its objects, each object
    /// with the namespace that a build puts it into.
    pub(crate) fn of(
        releases: &'c [AnyRelease<'c>],
        objects: impl IntoIterator<Item = (Node<'c>, Option<String>)>,
    ) -> Graph<'c> {
        let mut graph = Graph::default();
        let mut edges: Vec<Vec<Named>> = Vec::new();
        let mut told: BTreeMap<Span, String> = BTreeMap::new();
        let mut kustomizations = Vec::new();
        for (node, namespace) in objects {
            let id = identity_of(node);
            if let Some(place) = Place::of(&id) {
                if place.kind == Kind::Kustomization {
                    kustomizations.push((node, place, id));
                }
                told.extend(namespace.map(|namespace| (node.span(), namespace)));
            }
        }
        for release in releases {
            let mut place = Place {
                kind: Kind::Release,
                namespace: release.id.namespace.clone(),
                name: release.id.name.clone(),
            };
            let mut settled = true;
            let (named, suspended) = match &release.origin {
                Origin::Written { node, view } => {
                    settled = settle(&mut place, *node, &told);
                    (named(*node, &place), view.suspended)
                }
                Origin::Made(made) => {
                    let to = |(namespace, name): &(String, String)| Named {
                        to: Place {
                            kind: Kind::Release,
                            namespace: namespace.clone(),
                            name: name.clone(),
                        },
                        span: release.label.span,
                        qualified: true,
                    };
                    (made.depends_on.iter().map(to).collect(), false)
                }
            };
            let unit = Unit {
                place,
                owners: vec![release.label.clone()],
                package: release.made().map(|made| made.package.as_str()),
                settled,
                suspended,
                key: Some(&release.key),
                edges: Vec::new(),
            };
            graph.add(unit, named, &mut edges);
        }
        for (node, mut place, id) in kustomizations {
            let settled = settle(&mut place, node, &told);
            let named = named(node, &place);
            let unit = kustomization(node, place, settled, &id);
            graph.add(unit, named, &mut edges);
        }
        graph.join(edges);
        graph
    }

    fn add(&mut self, unit: Unit<'c>, named: Vec<Named>, edges: &mut Vec<Vec<Named>>) {
        if let Some(&at) = self.places.get(&unit.place) {
            let first = &mut self.units[at];
            first.owners.extend(unit.owners);
            first.package = first.package.or(unit.package);
            edges[at].extend(named);
        } else {
            self.places.insert(unit.place.clone(), self.units.len());
            self.units.push(unit);
            edges.push(named);
        }
    }

    /// Looks up where the edges lead.
    fn join(&mut self, edges: Vec<Vec<Named>>) {
        let mut absent: BTreeMap<Place, usize> = BTreeMap::new();
        for (at, named) in edges.into_iter().enumerate() {
            for Named {
                to,
                span,
                qualified,
            } in named
            {
                let end = match self.places.get(&to) {
                    Some(&unit) => End::Unit(unit),
                    None => End::Missing(*absent.entry(to).or_insert_with_key(|to| {
                        self.missing.push(to.clone());
                        self.missing.len() - 1
                    })),
                };
                self.units[at].edges.push(Edge {
                    end,
                    span,
                    qualified,
                });
            }
        }
    }

    /// The unit of that place.
    pub(crate) fn find(&self, place: &Place) -> Option<usize> {
        self.places.get(place).copied()
    }

    /// For each unit the units that it waits for.
    pub(crate) fn targets(&self) -> Vec<Vec<usize>> {
        let unit = |edge: &Edge| match edge.end {
            End::Unit(at) => Some(at),
            End::Missing(_) => None,
        };
        let targets = self
            .units
            .iter()
            .map(|it| it.edges.iter().filter_map(unit).collect());
        targets.collect()
    }

    /// The groups that wait for each other for ever, as places in [`Graph::units`], in order.
    pub(crate) fn circles(&self) -> Vec<Vec<usize>> {
        circles(&self.targets())
    }

    /// The groups of HelmReleases that work on one Helm release, in order.
    pub(crate) fn collisions(&self) -> Vec<Vec<usize>> {
        let mut keys: BTreeMap<&ReleaseKey, Vec<usize>> = BTreeMap::new();
        for (at, unit) in self.units.iter().enumerate() {
            if let Some(key) = unit.key {
                keys.entry(key).or_default().push(at);
            }
        }
        let mut groups: Vec<_> = keys.into_values().filter(|it| it.len() > 1).collect();
        groups.sort();
        groups
    }
}

/// Puts an object where a build puts it; false where nothing tells its namespace.
fn settle(place: &mut Place, node: Node<'_>, told: &BTreeMap<Span, String>) -> bool {
    if let Some(namespace) = told.get(&node.span()) {
        place.namespace.clone_from(namespace);
        return true;
    }
    !identity_of(node).namespace.is_empty()
}

fn kustomization<'c>(node: Node<'c>, place: Place, settled: bool, id: &ObjectId) -> Unit<'c> {
    let suspend = node.at(&["spec", "suspend"]);
    let span = node
        .at(&["metadata", "name"])
        .map_or(node.span(), Node::span);
    Unit {
        place,
        owners: vec![Label::new(span).object(id)],
        package: None,
        settled,
        suspended: suspend.and_then(|it| resolve(it, Reader::Kubernetes))
            == Some(Scalar::Bool(true)),
        key: None,
        edges: Vec::new(),
    }
}

fn or_default(namespace: &str) -> String {
    if namespace.is_empty() {
        "default".to_owned()
    } else {
        namespace.to_owned()
    }
}

/// The `dependsOn` of a declared object; what names nothing is passed over.
fn named(node: Node<'_>, from: &Place) -> Vec<Named> {
    let text = |item: Node<'_>, key: &str| match resolve(item.at(&[key])?, Reader::Kubernetes)? {
        Scalar::String("") => None,
        Scalar::String(text) | Scalar::Timestamp(text) => Some(text.to_owned()),
        _ => None,
    };
    let items = node.at(&["spec", "dependsOn"]).into_iter();
    let items = items.flat_map(Node::items).map(Node::resolved);
    items
        .filter_map(|item| {
            let namespace = text(item, "namespace");
            Some(Named {
                qualified: namespace.is_some(),
                to: Place {
                    kind: from.kind,
                    namespace: namespace.unwrap_or_else(|| from.namespace.clone()),
                    name: text(item, "name")?,
                },
                span: item.at(&["name"]).map_or(item.span(), Node::span),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::packages::Rendered;
    use crate::resolve::plan::unrolled;
    use crate::resolve::releases::releases;
    use crate::source::SourceMap;
    use crate::yaml::{Doc, read_all};

    #[test]
    fn edges_stay_within_a_kind_and_default_to_the_own_namespace() {
        let text = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, \
                    namespace: apps}\nspec: {dependsOn: [{name: b}, {name: b, namespace: infra}, {name: k}]}\n\
                    ---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: \
                    b, namespace: apps}\nspec: {suspend: true}\n---\napiVersion: \
                    kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, \
                    namespace: apps}\nspec: {dependsOn: [{name: k}]}\n";
        let source = SourceMap::default().add("a.yaml", text);
        let docs: Vec<Doc> = read_all(&source).into_iter().map(Result::unwrap).collect();
        let roots = || docs.iter().filter_map(Doc::root);
        let rendered = Rendered::default();
        let releases = releases(roots(), &rendered);
        let objects = roots().flat_map(unrolled).map(|node| (node, None));
        let graph = Graph::of(&releases, objects);
        let ends: Vec<End> = graph.units[0].edges.iter().map(|edge| edge.end).collect();
        assert_eq!(ends, [End::Unit(1), End::Missing(0), End::Missing(1)]);
        assert_eq!(graph.missing[1].kind, Kind::Release);
        assert!(graph.units[1].suspended && !graph.units[0].suspended);
        assert_eq!(graph.circles(), [vec![2]]);
        assert_eq!(graph.collisions(), Vec::<Vec<usize>>::new());
    }
}

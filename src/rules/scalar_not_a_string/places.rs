//! Where texts are expected: by the schema of an object, or by the name of a value.
//!
//! Source: `spec/hazards.md` HZ03; the built-in kinds of Kubernetes and the API of Flux.

use super::super::Subject;
use crate::model::{field, kinds, workload};
use crate::yaml::Node;

/// Gives the values of an object that the API server wants to be texts, each scalar of them.
pub(super) fn texts<'d>(subject: &Subject<'d>, give: &mut dyn FnMut(Node<'d>)) {
    let Some(root) = subject.root() else {
        return;
    };
    let mut found = |node: Node<'d>| {
        if node.kind().is_scalar() {
            give(node);
        }
    };
    let mut map = |node: Node<'d>, route: &[&str]| {
        field::map(node, route).for_each(|(_, value)| found(value));
    };
    let described = |object: Node<'d>, map: &mut dyn FnMut(Node<'d>, &[&str])| {
        if let Some(metadata) = object.at(&["metadata"]) {
            map(metadata, &["labels"]);
            map(metadata, &["annotations"]);
        }
    };
    described(root, &mut map);
    match (subject.id.group(), subject.id.kind.as_str()) {
        ("", "ConfigMap") => map(root, &["data"]),
        ("", "Secret") => {
            map(root, &["data"]);
            map(root, &["stringData"]);
        }
        ("", "Service") => map(root, &["spec", "selector"]),
        ("apps", _) => map(root, &["spec", "selector", "matchLabels"]),
        (kinds::KUSTOMIZE, "Kustomization") => {
            map(root, &["spec", "postBuild", "substitute"]);
            map(root, &["spec", "commonMetadata", "labels"]);
            map(root, &["spec", "commonMetadata", "annotations"]);
        }
        (kinds::SOURCE, "GitRepository" | "OCIRepository") => map(root, &["spec", "ref"]),
        _ => {}
    }
    if let Some(pod) = workload::pod(root, &subject.id) {
        described(pod, &mut map);
        let spec = pod.at(&["spec"]);
        if let Some(spec) = spec {
            map(spec, &["nodeSelector"]);
        }
        for (_, container) in spec.into_iter().flat_map(workload::containers) {
            let variables = container.at(&["env"]).into_iter().flat_map(Node::items);
            let values = variables.filter_map(|variable| variable.at(&["value"]));
            values.for_each(&mut found);
        }
    }
    let images = |node| field::elements(node, &["images"]);
    let fields = |image: Node<'d>| {
        ["newTag", "digest", "newName", "name"]
            .into_iter()
            .filter_map(move |key| image.at(&[key]))
    };
    if kinds::is_flux_kustomization(&subject.id) {
        let images = root.at(&["spec"]).into_iter().flat_map(images);
        images.flat_map(fields).for_each(&mut found);
    }
    if kinds::is_release(&subject.id) {
        let version = root.at(&["spec", "chart", "spec", "version"]);
        let names = ["releaseName", "targetNamespace", "storageNamespace"];
        let names = names
            .into_iter()
            .filter_map(|name| root.at(&["spec", name]));
        version.into_iter().chain(names).for_each(&mut found);
    }
}

/// Whether a value of this name is a text in nearly every chart.
pub(super) fn is_text_name(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "tag",
        "newtag",
        "version",
        "appversion",
        "digest",
        "revision",
        "branch",
        "image",
        "password",
        "token",
        "account",
        "accountid",
        "zip",
        "zipcode",
        "postalcode",
        "projectid",
        "tenantid",
    ];
    let lower = name.to_ascii_lowercase();
    NAMES.contains(&lower.as_str()) || name.ends_with("Version")
}

/// Whether a whole number of this name is one in many charts: a dashboard's `revision`, a schema's
/// `version`.
pub(super) fn counts(name: &str) -> bool {
    name == "revision" || name == "version" || name.ends_with("Version") && name != "appVersion"
}

/// Whether the value of a name is shown to nobody.
pub(super) fn is_secret_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["password", "token", "secret"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a number under a name is surely meant as one: a decimal under the name of an amount, or
/// a file mode.
pub(super) fn is_amount(name: &str, written: &str) -> bool {
    const WORDS: [&str; 33] = [
        "amount",
        "burst",
        "capacity",
        "coefficient",
        "count",
        "cpu",
        "delay",
        "duration",
        "factor",
        "fraction",
        "interval",
        "limit",
        "max",
        "memory",
        "min",
        "multiplier",
        "percent",
        "percentile",
        "period",
        "probability",
        "qps",
        "quantile",
        "quota",
        "rate",
        "ratio",
        "sampl",
        "scale",
        "seconds",
        "size",
        "target",
        "threshold",
        "timeout",
        "weight",
    ];
    let lower = name.to_ascii_lowercase();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let decimal = written
        .trim_start_matches(['-', '+'])
        .split_once('.')
        .is_some_and(|(whole, fraction)| digits(whole) && digits(fraction));
    let mode = lower.contains("mode") || lower.contains("umask") || lower.contains("permission");
    decimal && WORDS.iter().any(|word| lower.contains(word)) || mode && digits(written)
}

//! Which of Flux's controllers the workloads of a file run, by the look of its lines.
//!
//! Not a YAML reader: a document counts by its top-level `kind`, and an image by a key `image` in
//! block or flow style. Images under other kinds (a `ConfigMap` that carries manifests, a
//! `HelmRelease`'s values), in comments and in prose do not count.

use std::collections::BTreeSet;

use memchr::{memchr, memmem};

/// Flux's controllers, as their images are named (Flux 2.0 to 2.8).
const CONTROLLERS: [&str; 7] = [
    "helm-controller",
    "image-automation-controller",
    "image-reflector-controller",
    "kustomize-controller",
    "notification-controller",
    "source-controller",
    "source-watcher",
];

/// The one name that others use as well: k3s has a `helm-controller` of its own.
const SHARED_NAME: &str = "helm-controller";

/// Kinds whose documents have containers. A `List` may hold them.
const WORKLOADS: [&[u8]; 6] = [
    b"DaemonSet",
    b"Deployment",
    b"List",
    b"Pod",
    b"ReplicaSet",
    b"StatefulSet",
];

/// The controllers that were seen.
#[derive(Default)]
pub(super) struct Controllers {
    names: BTreeSet<&'static str>,
    /// Whether a reference also says `flux` beside a controller's name.
    says_flux: bool,
}

impl Controllers {
    /// The controllers that the workloads of a file run. One pass over its bytes.
    pub(super) fn run_by(file: &[u8]) -> Controllers {
        let mut controllers = Controllers::default();
        let mut document = Document::default();
        let mut rest = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let mut line = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if let Some(after) = line.strip_prefix(b"---")
                && after.first().is_none_or(u8::is_ascii_whitespace)
            {
                controllers.add(&std::mem::take(&mut document).finish());
                line = after.trim_ascii_start();
            }
            document.read(line);
        }
        controllers.add(&document.finish());
        controllers
    }

    /// Adds what another file runs.
    pub(super) fn add(&mut self, other: &Controllers) {
        self.names.extend(&other.names);
        self.says_flux |= other.says_flux;
    }

    /// How many different controllers of Flux there are; 0 where what there is need not be Flux.
    pub(super) fn count(&self) -> usize {
        let only_shared = self.names.iter().all(|name| *name == SHARED_NAME);
        if only_shared && !self.says_flux {
            0
        } else {
            self.names.len()
        }
    }
}

/// What is known of the document whose lines are being read.
#[derive(Default)]
struct Document {
    /// Whether it is in flow style, as JSON is; none before its first line with anything on it.
    flow: Option<bool>,
    is_workload: bool,
    seen: Controllers,
}

impl Document {
    fn read(&mut self, line: &[u8]) {
        let trimmed = line.trim_ascii();
        if trimmed.is_empty() || trimmed[0] == b'#' {
            return;
        }
        let flow = *self.flow.get_or_insert(matches!(trimmed[0], b'{' | b'['));
        let line = match memmem::find(line, b" #") {
            Some(comment) if !flow => &line[..comment],
            _ => line,
        };
        let is_top_level = flow || !line[0].is_ascii_whitespace();
        if is_top_level && values(line, b"kind").any(|kind| WORKLOADS.contains(&kind)) {
            self.is_workload = true;
        }
        for reference in values(line, b"image") {
            let Some((name, says_flux)) = controller(reference) else {
                continue;
            };
            self.seen.names.insert(name);
            self.seen.says_flux |= says_flux;
        }
    }

    fn finish(self) -> Controllers {
        if self.is_workload {
            self.seen
        } else {
            Controllers::default()
        }
    }
}

/// The scalars that stand behind the key `key` on a line: `key: value`, `- "key": 'value'`,
/// `{"key":"value",…`.
fn values<'l>(line: &'l [u8], key: &'l [u8]) -> impl Iterator<Item = &'l [u8]> {
    let lead = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'-'))
        .count();
    memmem::find_iter(line, key).filter_map(move |at| {
        let (before, after) = (&line[..at], &line[at + key.len()..]);
        let (before, after, quoted) = match before.split_last() {
            Some((quote @ (b'"' | b'\''), before)) => {
                (before, after.strip_prefix(&[*quote])?, true)
            }
            _ => (before, after, false),
        };
        let is_key = before.len() <= lead
            || matches!(before.trim_ascii_end().last(), Some(b'{' | b',' | b'['));
        let value = after.trim_ascii_start().strip_prefix(b":")?;
        let is_apart = quoted || value.first().is_none_or(u8::is_ascii_whitespace);
        (is_key && is_apart).then(|| scalar(value.trim_ascii_start()))
    })
}

/// The scalar that `text` begins with, without its quotes.
fn scalar(text: &[u8]) -> &[u8] {
    if let [quote @ (b'"' | b'\''), quoted @ ..] = text {
        return quoted
            .split(|byte| byte == quote)
            .next()
            .unwrap_or_default();
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let plain = text.split(ends).next().unwrap_or_default();
    // Closing brackets are flow style's, or a placeholder's in the tag.
    let last = plain.iter().rposition(|byte| !matches!(byte, b'}' | b']'));
    &plain[..last.map_or(0, |last| last + 1)]
}

/// Flux's controller that an image reference names by its last part, and whether the reference
/// says `flux` as well: `ghcr.io/fluxcd/source-controller:v1.8.0`, `mirror/flux-source-controller`.
fn controller(reference: &[u8]) -> Option<(&'static str, bool)> {
    let reference = std::str::from_utf8(reference).ok()?;
    let (path, last) = reference.rsplit_once('/').unwrap_or(("", reference));
    // A digest has no slash, and a colon that is not a port's opens a tag.
    let last = last.split(['@', ':']).next()?;
    let name = CONTROLLERS.into_iter().find(|name| last.ends_with(name))?;
    let prefix = &last[..last.len() - name.len()];
    let is_flux_prefix = matches!(prefix, "flux-" | "fluxcd-");
    if !prefix.is_empty() && !is_flux_prefix {
        return None;
    }
    Some((name, is_flux_prefix || path.contains("flux")))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::Controllers;

    fn count(text: &str) -> usize {
        Controllers::run_by(text.as_bytes()).count()
    }

    fn deployment(image_line: &str) -> usize {
        count(&format!(
            "kind: Deployment\nspec:\n  containers:\n{image_line}\n"
        ))
    }

    #[test]
    fn images_of_workloads_count_in_every_style() {
        for line in [
            "  - image: ghcr.io/fluxcd/source-controller:v1.0.0",
            "    image: 'source-controller'",
            "    \"image\" : \"r.example.org:5000/source-controller@sha256:00\" # a comment",
            "  - {name: manager, image: mirror/fluxcd-source-controller:v1.0.0}",
            "  - - image:   mirror/flux-source-controller:v1\r",
            "    image: ${REGISTRY}/source-controller:${TAG}",
        ] {
            assert_eq!(deployment(line), 1, "{line}");
        }
    }

    #[test]
    fn other_text_does_not_count() {
        for line in [
            "  # - image: ghcr.io/fluxcd/source-controller:v1.0.0",
            "    args: [--image=ghcr.io/fluxcd/source-controller:v1.0.0]",
            "    note: the image: ghcr.io/fluxcd/source-controller:v1.0.0",
            "    name: x # image: ghcr.io/fluxcd/source-controller:v1.0.0",
            "    imagePullPolicy: source-controller",
            "    image: ghcr.io/fluxcd/source-controller/docs:v1",
            "    image: example.org/my-source-controller:v1",
            "    image: ghcr.io/fluxcd/source-controller-docs:v1",
            "    image:source-controller",
            "    image:",
        ] {
            assert_eq!(deployment(line), 0, "{line}");
        }
    }

    #[test]
    fn only_documents_of_workloads_count() {
        let image = "  - image: fluxcd/source-controller\n";
        assert_eq!(
            count(&format!("kind: ConfigMap\ndata:\n  kind: Pod\n{image}")),
            0
        );
        assert_eq!(
            count(&format!("kind: Deployment\n---\nkind: ConfigMap\n{image}")),
            0
        );
        assert_eq!(
            count(&format!(
                "kind: ConfigMap\n--- # next\n{image}kind: Deployment"
            )),
            1
        );
        assert_eq!(
            count(&format!("\u{feff}kind: 'DaemonSet'\r\n---\r\n{image}")),
            0
        );
        assert_eq!(count(&format!("\u{feff}kind: 'DaemonSet'\r\n{image}")), 1);
    }

    #[test]
    fn json_counts_by_its_keys() {
        let pod = r#"{"kind":"Pod","spec":{"containers":[{"image":"fluxcd/source-watcher:v2"}]}}"#;
        assert_eq!(count(pod), 1);
        assert_eq!(count(&format!("--- {pod}")), 1);
        assert_eq!(count(&pod.replace(',', ",\n  ").replace(':', ": ")), 1);
        let carried = pod.replace('"', "\\\"");
        assert_eq!(
            count(&format!(
                r#"{{"kind":"ConfigMap","data":{{"pod":"{carried}"}}}}"#
            )),
            0
        );
    }

    #[test]
    fn a_shared_name_counts_with_another_or_under_flux() {
        let helm = |path: &str| format!("    image: {path}helm-controller:v1");
        assert_eq!(deployment(&helm("rancher/")), 0);
        assert_eq!(deployment(&helm("ghcr.io/fluxcd/")), 1);
        let both = format!(
            "{}\n    image: mirror/source-controller:v1",
            helm("mirror/")
        );
        assert_eq!(deployment(&both), 2);
        let mut two_files = Controllers::run_by(b"kind: Pod\nimage: mirror/helm-controller");
        two_files.add(&Controllers::run_by(
            b"kind: Pod\nimage: mirror/source-controller",
        ));
        assert_eq!(two_files.count(), 2);
    }

    #[test]
    fn the_manifests_of_cozystack_run_five_controllers() {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../shared/corpus/flux/cozystack-v1.6-"
        );
        let read = |name: &str| std::fs::read(format!("{folder}{name}"));
        let (Ok(flux), Ok(service)) = (read("fluxcd.yaml"), read("fluxcd-service.yaml")) else {
            let note = "skipped: Cozystack's manifests, since ../shared/corpus is not there";
            return writeln!(std::io::stderr(), "{note}").expect("stderr can be written");
        };
        assert_eq!(Controllers::run_by(&flux).count(), 5);
        assert_eq!(Controllers::run_by(&service).count(), 0);
    }
}

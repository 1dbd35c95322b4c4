"""Inputs for the benchmarks: seeded, so that every machine measures the same bytes.

What they are measured with is measure.py.
"""

import json
import pathlib
import random
import shutil

# One entry for each of the three images of a Deployment; together they use every field there is.
ESTATE_TABLE = [
    {"name": "ghcr.io/acme/migrate", "newName": "registry.example.org/acme/migrate"},
    {
        "name": "quay.io/acme/server",
        "newName": "registry.example.org/acme/server",
        "newTag": "v9.09.09",
    },
    {
        "name": "docker.io/acme/proxy",
        "newName": "registry.example.org/acme/proxy",
        "digest": "sha256:" + "0123456789abcdef" * 4,
    },
]

FLUX_TABLE = [
    {"name": f"ghcr.io/fluxcd/{name}", "newName": f"registry.example.org/flux/{name}"}
    for name in (
        "helm-controller",
        "kustomize-controller",
        "notification-controller",
        "source-controller",
        "source-watcher",
    )
]

DEPLOYMENT_LINES = 37
DEPLOYMENT_BYTES = 929
# With `@name@` where one differs from the next; src/benches reads it too.
DEPLOYMENT = (pathlib.Path(__file__).parent / "deployment.yaml").read_text(encoding="utf-8")


PACKAGE = """\
---
apiVersion: cozystack.io/v1alpha1
kind: PackageSource
metadata:
  name: acme.app-{number:07}
spec:
  sourceRef: {{kind: OCIRepository, name: acme-packages, namespace: cozy-system}}
  variants:
  - name: default
    dependsOn: {depends}
    components:
    - name: app
      path: system/app-{number:07}
      install:
        namespace: cozy-team-{team:03}
        releaseName: app-{number:07}
---
apiVersion: cozystack.io/v1alpha1
kind: Package
metadata:
  name: acme.app-{number:07}
spec:
  components:
    app: {{enabled: {enabled}, values: {{replicas: 2}}}}
"""


def write_packages(path, count):
    """Writes `count` PackageSources with a Package each to `path`: chains of ten, each member waits
    for the one before it, and the first of every ten is switched off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for number in range(count):
            before = f"[acme.app-{number - 1:07}]" if number % 10 else "[]"
            enabled = "true" if number % 10 else "false"
            values = {"number": number, "team": number % 997, "depends": before, "enabled": enabled}
            file.write(PACKAGE.format(**values))
    return path


def write_estate(path, count, seed=1):
    """Writes `count` Deployments to `path`, which is kept where an earlier run wrote it whole."""
    if path.exists() and path.stat().st_size == count * DEPLOYMENT_BYTES:
        return path
    draw = random.Random(seed)

    def version():
        return f"{draw.randrange(10)}.{draw.randrange(100):02}.{draw.randrange(100):02}"

    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for number in range(count):
            values = {
                "number": f"{number:07}",
                "team": f"{draw.randrange(1000):03}",
                "replicas": draw.randrange(1, 10),
                "port": draw.randrange(3000, 10000),
                "level": draw.choice(["debug", "error", "fatal", "trace"]),
                "migrate": version(),
                "server": version(),
                "proxy": version(),
            }
            text = DEPLOYMENT
            for name, value in values.items():
                text = text.replace(f"@{name}@", str(value))
            if len(text) != DEPLOYMENT_BYTES or text.count("\n") != DEPLOYMENT_LINES:
                raise AssertionError(f"{len(text)} bytes on {text.count(chr(10))} lines")
            file.write(text)
    return path


def write_changed(path, source, count):
    """Writes the estate `source` with another number of replicas in `count` of its Deployments."""
    documents = source.read_text(encoding="utf-8").split("---\n")[1:]
    for at in range(0, len(documents), len(documents) // count):
        documents[at] = documents[at].replace("  replicas: ", "  replicas: 1", 1)
    path.write_text("".join(f"---\n{document}" for document in documents), encoding="utf-8")
    return path


def write_table(path, entries):
    """Writes an override table as `--images` takes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["images:\n"]
    for entry in entries:
        for index, (key, value) in enumerate(entry.items()):
            lines.append(f"  {'- ' if index == 0 else '  '}{key}: {value}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_kustomization(directory, source, entries):
    """Makes `directory` a kustomization that does to `source` what the table `entries` asks for."""
    directory.mkdir(parents=True, exist_ok=True)
    table = write_table(directory / "kustomization.yaml", entries)
    with open(table, "a", encoding="utf-8") as file:
        file.write("resources:\n  - input.yaml\n")
    # A copy and not a link: kustomize does not follow one out of its root.
    shutil.copyfile(source, directory / "input.yaml")
    return directory


def write_snapshot(path, releases, records=5):
    """Writes what kubectl would print of `releases` HelmReleases and `records` Secrets of 4 KB for
    each, as one JSON List, to `path`; kept where an earlier run wrote it whole."""
    done = path.with_suffix(".whole")
    if done.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    payload = "".join(random.Random(1).choices("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/", k=4096))
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write('{\n"apiVersion": "v1",\n"items": [\n')
        for number in range(releases):
            file.write(json.dumps(_release(number, records), indent=4) + ",\n")
        for number in range(releases):
            for revision in range(1, records + 1):
                last = number == releases - 1 and revision == records
                secret = _record(number, revision, revision == records, payload)
                file.write(json.dumps(secret, indent=4) + ("\n" if last else ",\n"))
        file.write('],\n"kind": "List",\n"metadata": {"resourceVersion": ""}\n}\n')
    done.touch()
    return path


def _names(number):
    return f"app-{number:06}", f"tenant-{number % 500:03}"


def _release(number, records):
    """One in a hundred is held by flux-plunger for too long."""
    name, namespace = _names(number)
    held = number % 100 == 0
    fence = "flux-plunger.cozystack.io/uninstall-fence"
    managed = [
        {
            "manager": "helm-controller",
            "operation": "Update",
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "time": "2026-03-01T08:00:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:finalizers": {".": {}, 'v:"finalizers.fluxcd.io"': {}}}},
        }
    ]
    if held:
        managed.append(
            {
                "manager": "flux-plunger",
                "operation": "Apply",
                "apiVersion": "helm.toolkit.fluxcd.io/v2",
                "time": "2026-03-01T09:00:00Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {
                    "f:metadata": {"f:finalizers": {f'v:"{fence}"': {}}},
                    "f:spec": {"f:suspend": {}},
                },
            }
        )
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"3f1c0000-0000-4000-8000-{number:012}",
            "resourceVersion": str(number + 1000),
            "generation": 2,
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "finalizers": ["finalizers.fluxcd.io", *([fence] if held else [])],
            "managedFields": managed,
        },
        "spec": {
            "chartRef": {"kind": "OCIRepository", "name": name},
            "interval": "5m",
            "values": {"replicas": 3, "resources": {"cpu": "1", "memory": "1Gi"}},
            **({"suspend": True} if held else {}),
        },
        "status": {
            "observedGeneration": 2,
            "storageNamespace": namespace,
            "history": [
                {
                    "name": name,
                    "namespace": namespace,
                    "version": records,
                    "status": "deployed",
                    "lastDeployed": "2026-02-01T00:00:00Z",
                }
            ],
            "conditions": [
                {
                    "type": "Ready",
                    "status": "True",
                    "reason": "UpgradeSucceeded",
                    "message": f"Helm upgrade succeeded for release {namespace}/{name}.v{records}",
                    "lastTransitionTime": "2026-02-01T00:00:00Z",
                }
            ],
            "inventory": {
                "entries": [{"id": f"{namespace}_{name}-{i}_apps_Deployment", "v": "v1"} for i in range(8)]
            },
        },
    }


def _record(number, revision, newest, payload):
    name, namespace = _names(number)
    return {
        "apiVersion": "v1",
        "data": {"release": payload},
        "kind": "Secret",
        "metadata": {
            "name": f"sh.helm.release.v1.{name}.v{revision}",
            "namespace": namespace,
            "labels": {
                "name": name,
                "owner": "helm",
                "status": "deployed" if newest else "superseded",
                "version": str(revision),
            },
        },
        "type": "helm.sh/release.v1",
    }

"""Inputs for the benchmarks: seeded, so that every machine measures the same bytes.

What they are measured with is measure.py.
"""

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
DEPLOYMENT = """\
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{number:07}
  namespace: team-{team:03}
  labels:
    app.kubernetes.io/name: app-{number:07}
    app.kubernetes.io/part-of: estate-of-acme
  annotations:
    example.org/contact: platform+team-{team:03}@example.org
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app.kubernetes.io/name: app-{number:07}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-{number:07}
    spec:
      initContainers:
        - name: migrate
          image: ghcr.io/acme/migrate:v{migrate}
          args: ["--wait", "--timeout=5m"]
      containers:
        - name: server
          image: "quay.io/acme/server:v{server}"
          ports:
            - containerPort: {port}
          env:
            - name: LOG_LEVEL
              value: {level}
        - name: proxy
          image: docker.io/acme/proxy:v{proxy}
          resources:
            limits: {{cpu: 200m, memory: 128Mi}}
"""


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
            text = DEPLOYMENT.format(
                number=number,
                team=draw.randrange(1000),
                replicas=draw.randrange(1, 10),
                port=draw.randrange(3000, 10000),
                level=draw.choice(["debug", "error", "fatal", "trace"]),
                migrate=version(),
                server=version(),
                proxy=version(),
            )
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

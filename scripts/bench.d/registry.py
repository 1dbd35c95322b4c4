"""Two registries on loopback, with images of two platforms in one of them, for scripts/bench."""

import hashlib
import json
import pathlib
import random
import shlex
import shutil
import socket
import subprocess
import time

from measure import Failed

IMAGE = "application/vnd.oci.image."


class Registry:
    """Debian's docker-registry with its own storage and port."""

    def __init__(self, directory):
        self.storage = directory / "storage"
        directory.mkdir(parents=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.host = f"127.0.0.1:{probe.getsockname()[1]}"
        config = directory / "config.yml"
        config.write_text(
            "version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\n"
            f"storage: {{filesystem: {{rootdirectory: {self.storage.resolve()}}}}}\n"
            f"http: {{addr: '{self.host}'}}\n",
            encoding="ascii",
        )
        self.process = subprocess.Popen(
            ["docker-registry", "serve", config],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        address = self.host.split(":")
        for _ in range(200):
            try:
                socket.create_connection((address[0], int(address[1]))).close()
                return
            except OSError:
                time.sleep(0.05)
        raise Failed("docker-registry does not listen")

    def stop(self):
        self.process.kill()
        self.process.wait()


def seed(layout, count, own, base):
    """A layout of `count` images, each of two platforms with `own` bytes over the same `base`."""
    noise = random.Random(1)
    blobs = layout / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def blob(media_type, content):
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def document(media_type, value):
        return blob(media_type, json.dumps(value).encode())

    shared = blob(IMAGE + "layer.v1.tar", noise.randbytes(base))
    entries = []
    for number in range(count):
        platforms = []
        for architecture in ("amd64", "arm64"):
            layers = [shared, blob(IMAGE + "layer.v1.tar", noise.randbytes(own))]
            ids = [layer["digest"] for layer in layers]
            config = {
                "architecture": architecture,
                "os": "linux",
                "config": {},
                "rootfs": {"type": "layers", "diff_ids": ids},
            }
            manifest = {
                "schemaVersion": 2,
                "mediaType": IMAGE + "manifest.v1+json",
                "config": document(IMAGE + "config.v1+json", config),
                "layers": layers,
            }
            image = document(IMAGE + "manifest.v1+json", manifest)
            image["platform"] = {"architecture": architecture, "os": "linux"}
            platforms.append(image)
        index = {
            "schemaVersion": 2,
            "mediaType": IMAGE + "index.v1+json",
            "manifests": platforms,
        }
        entry = document(IMAGE + "index.v1+json", index)
        entry["annotations"] = {"org.opencontainers.image.ref.name": f"seed.example/app{number}:1"}
        entries.append(entry)
    (layout / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}', encoding="ascii")
    index = {"schemaVersion": 2, "manifests": entries}
    (layout / "index.json").write_text(json.dumps(index), encoding="ascii")


class Estate:
    """A registry with images, one without, and how each program is asked for the same work."""

    def __init__(self, directory, binary, count=10, own=8 << 20, base=20 << 20):
        if not (shutil.which("docker-registry") and shutil.which("skopeo")):
            raise Failed("docker-registry and skopeo are not both installed")
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        self.directory = directory.resolve()
        self.binary = pathlib.Path(binary).resolve()
        self.names = [f"app{number}:1" for number in range(count)]
        seed(directory / "seed", count, own, base)
        self.source = Registry(directory / "source")
        self.target = Registry(directory / "target")
        push = [self.binary, "bundle", "push", directory / "seed", f"oci://{self.source.host}"]
        subprocess.run(push, check=True, capture_output=True)
        references = [f"{self.source.host}/{name}" for name in self.names]
        (directory / "list").write_text("\n".join(references), encoding="ascii")

    def stop(self):
        self.source.stop()
        self.target.stop()
        shutil.rmtree(self.directory)

    def fresh(self, *steps):
        """A command that begins with an empty target and no bundle, and then takes these steps."""
        storage, out = self.target.storage.resolve(), self.directory / "out"
        lines = [f"rm -rf {shlex.quote(str(path))}" for path in (storage, out)]
        lines += [" ".join(shlex.quote(str(word)) for word in step) for step in steps]
        return ["sh", "-c", " && ".join(lines)]

    def create(self):
        return [self.binary, "-q", "bundle", "create", "--from", self.directory / "list", "-o",
                self.directory / "out"]

    def push(self, bundle):
        return [self.binary, "-q", "bundle", "push", bundle, f"oci://{self.target.host}"]

    def skopeo(self, source, target):
        """A copy for each image; `source` and `target` make an address of a name."""
        copy = ["skopeo", "copy", "-q", "--all", "--preserve-digests", "--src-tls-verify=false",
                "--dest-tls-verify=false"]
        return [[*copy, source(name), target(name)] for name in self.names]

    def in_source(self, name):
        return f"docker://{self.source.host}/{name}"

    def in_target(self, name):
        return f"docker://{self.target.host}/{name}"

    def in_layout(self, name):
        return f"oci:{self.directory / 'out'}:{name}"

    def in_seed(self, name):
        return f"oci:{self.directory / 'seed'}:seed.example/{name}"

"""What is asked of forebay's speed and memory, measured: the five demands, the growth, the plot.

The work is always the same: an override table of three entries over one file of n Deployments of
929 bytes, three images each. Rows of one size are measured in turn (measure.py), and ratios are
those of the medians; those of the best runs stand in brackets.
"""

import datetime
import filecmp
import os
import pathlib
import struct
import subprocess

import inputs
import plot
from measure import Failed, count, duration

SMALL = (250, 500, 1000)
MIDDLE = (2000, 4000)
LARGE = (20_000, 40_000, 80_000, 160_000)

# Minutes of work, or a program that no registry has: measured once, on a machine like ours.
QUOTED = {
    "kubectl kustomize": {250: 0.99, 500: 1.82, 1000: 5.23, 2000: 23.3, 4000: 106.0},
    "kbld": {1000: 1.68, 2000: 6.46, 4000: 13.4},
}
REWRITTEN = b"registry.example.org/"
PLOT = pathlib.Path(".github/speed.svg")
MARKS = ("<!-- speed -->\n", "<!-- /speed -->")


class Speed:
    """One run of all of it: rows by size and label, and what was found."""

    def __init__(self, tools, directory, most):
        self.tools = tools
        self.directory = directory
        self.most = most
        self.rows = {}
        self.bytes = {}
        self.demands = []

    def measure(self):
        self.start()
        self.flux()
        for n in (*SMALL, *MIDDLE, *LARGE):
            if n <= self.most:
                self.estate(n)
        self.judge()
        return self

    # ── what is run ───────────────────────────────────────────────────────────────────────────────

    def commands(self, source, images, entries, kustomize):
        forebay = self.tools.binary
        table = ["--images", images]
        rewrite = [forebay, "rewrite", source, *table, "--mode", "build"]
        check = [forebay, "check", source, *table, "--fail-on", "never"]
        found = {
            "cat": ["cat", source],
            "forebay rewrite": rewrite,
            "forebay render": [forebay, "render", source, *table],
            "forebay check": check,
        }
        if kustomize and self.tools.kubectl:
            directory = inputs.write_kustomization(self.directory / "kustomize", source, entries)
            found["kubectl kustomize"] = [self.tools.kubectl, "kustomize", directory]
        return found

    def start(self):
        """Starting and ending: no work at all."""
        commands = {"true": ["true"], "forebay --version": [self.tools.binary, "--version"]}
        self.rows["start"] = self.tools.runner.interleave(commands)

    def flux(self):
        """Flux's install manifests."""
        source = flux_install(self.directory / "flux.yaml", self.tools.binary)
        images = inputs.write_table(self.directory / "flux-images.yaml", inputs.FLUX_TABLE)
        commands = self.commands(source, images, inputs.FLUX_TABLE, True)
        commands["forebay render"][2:3] = ["--flux", source]
        rows = self.tools.runner.interleave(commands)
        same_rewrites(rows)
        self.rows["flux"], self.bytes["flux"] = rows, source.stat().st_size

    def estate(self, n):
        """n Deployments."""
        source = inputs.write_estate(self.directory / f"estate-{n}.yaml", n)
        images = inputs.write_table(self.directory / "estate-images.yaml", inputs.ESTATE_TABLE)
        kustomize = n in SMALL or (n in MIDDLE and self.tools.full)
        commands = self.commands(source, images, inputs.ESTATE_TABLE, kustomize)
        if n == 40_000:
            for jobs in (1, 2):
                for what in ("rewrite", "check"):
                    command = [*commands[f"forebay {what}"], "--jobs", jobs]
                    commands[f"forebay {what} --jobs {jobs}"] = command
        rows = self.tools.runner.interleave(commands)
        same_rewrites(rows)
        if n == 40_000:
            self.same_bytes(rows, commands)
        for row in rows.values():
            row.output.unlink()
        self.rows[n], self.bytes[n] = rows, source.stat().st_size
        print("  " + ", ".join(f"{row.label} {duration(row.median)}" for row in rows.values()))

    def same_bytes(self, rows, commands):
        """One thread or two, the quick reader or the full one: the same bytes."""
        for what in ("rewrite", "render", "check"):
            label = f"forebay {what}"
            full = f"{label} --reader full"
            slow = self.tools.runner.once(full, [*commands[label], "--reader", "full"])
            others = [slow, *(rows[name].output for name in rows if name.startswith(f"{label} --"))]
            for other in others:
                if not filecmp.cmp(rows[label].output, other, shallow=False):
                    raise Failed(f"{label} writes something else than {other.name}")
            slow.unlink()

    # ── what is asked ─────────────────────────────────────────────────────────────────────────────

    def judge(self):
        self.judge_others()
        self.judge_growth()
        self.judge_limit()
        self.judge_start()

    def ask(self, number, what, asked, measured, met):
        self.demands.append((number, what, asked, measured, "met" if met else "**missed**"))

    def ask_ratio(self, number, what, over, under, limit, at_least=True):
        """`over` to `under` in time, each a row or quoted seconds."""
        ratio = seconds(over) / seconds(under)
        best = seconds(over, best=True) / seconds(under, best=True)
        met = ratio >= limit if at_least else ratio <= limit
        bound = "at least" if at_least else "at most"
        self.ask(number, what, f"{bound} {limit:g} ×", f"{times(ratio)} ({times(best)})", met)

    def judge_others(self):
        flux = self.rows["flux"]
        kustomize = flux.get("kubectl kustomize")
        for what in ("rewrite", "render") if kustomize else ():
            row = flux[f"forebay {what}"]
            title = f"Flux install, `{what}` faster than kustomize"
            self.ask_ratio(1, title, kustomize, row, 100)
            share = row.peak / kustomize.peak
            title = f"Flux install, `{what}`: memory of kustomize's"
            self.ask(1, title, "at most 10 %", f"{100 * share:.1f} %", share <= 0.1)
        if 4000 in self.rows:
            rows = self.rows[4000]
            row = rows["forebay rewrite"]
            measured = rows.get("kubectl kustomize")
            mark = "" if measured else " (quoted)"
            kustomize = measured or QUOTED["kubectl kustomize"][4000]
            self.ask_ratio(2, f"n=4,000, `rewrite` faster than kustomize{mark}", kustomize, row, 1000)
            self.ask_ratio(2, "n=4,000, `rewrite` faster than kbld (quoted)", QUOTED["kbld"][4000], row, 100)

    def judge_growth(self):
        sizes = [n for n in LARGE if n in self.rows]
        for what in ("rewrite", "render", "check") if sizes[1:] else ():
            label = f"forebay {what}"
            pairs = zip(sizes, sizes[1:])
            worst = max(pairs, key=lambda pair: self.growth(label, *pair))
            title = f"`{what}`, n doubled {worst[0]:,} → {worst[1]:,} (the worst)"
            self.ask_ratio(3, title, self.rows[worst[1]][label], self.rows[worst[0]][label], 2.1, False)
            share = max(self.rows[n][label].peak / self.bytes[n] for n in sizes)
            title = f"`{what}`, memory for a byte of input"
            self.ask(3, title, "at most 3 bytes", f"{share:.2f} bytes", share <= 3)

    def growth(self, label, less, more):
        return seconds(self.rows[more][label]) / seconds(self.rows[less][label])

    def judge_limit(self):
        if 40_000 not in self.rows:
            return
        rows = self.rows[40_000]
        cat = rows["cat"]
        for what, limit in (("rewrite", 5), ("render", 20), ("check", 20)):
            title = f"n=40,000, `{what}` to `cat`"
            self.ask_ratio(4, title, rows[f"forebay {what}"], cat, limit, False)
        for what, gain, near in (("check", 1.6, 3), ("rewrite", 1.3, 2)):
            one, two = (rows[f"forebay {what} --jobs {jobs}"] for jobs in (1, 2))
            title = f"n=40,000, `{what} --jobs 2` faster than `--jobs 1`"
            if seconds(one) <= near * seconds(cat):
                close = f"one job is {times(seconds(one) / seconds(cat))} `cat`"
                self.ask(5, title, f"at least {gain} ×, or within {near} × `cat`", close, True)
            else:
                self.ask_ratio(5, title, one, two, gain)

    def judge_start(self):
        nothing, version = self.rows["start"].values()
        measured = f"{duration(version.median)} (`true`: {duration(nothing.median)})"
        self.ask("", "`forebay --version`", "a few ms", measured, version.median < 0.005)
        size = self.tools.binary.stat().st_size
        stripped = is_stripped(self.tools.binary)
        linked = "static" if is_static(self.tools.binary) else "dynamic"
        measured = f"{size / 1e6:.1f} MB, {'stripped' if stripped else 'with symbols'}, {linked}"
        title = "the binary, stripped"
        self.ask("", title, "under 15 MB", measured, stripped and size < 15e6)

    # ── what is shown ─────────────────────────────────────────────────────────────────────────────

    def markdown(self):
        """Both tables, with the day and the machine."""
        runs = self.tools.runner.runs
        lines = [
            f"Measured {datetime.date.today().isoformat()} on {machine()}, by `scripts/bench speed`: "
            f"medians of up to {runs} runs, programs in turn, with the best in brackets.",
            "",
            "| demand | | asked | measured | |",
            "| --- | --- | --- | --- | --- |",
            *(f"| {' | '.join(str(cell) for cell in demand)} |" for demand in self.demands),
            "",
        ]
        sizes = [n for n in (1000, 4000, *LARGE) if n in self.rows]
        lines += [
            f"| n Deployments | {' | '.join(f'{n:,}' for n in sizes)} | peak of the last |",
            f"| --- |{' --- |' * len(sizes)} --- |",
            *(self.line(label, sizes) for label in self.labels()),
            "",
            "\\* quoted: an earlier measurement on a machine of this kind. kustomize is kubectl's, 1.35.",
        ]
        return "\n".join(lines) + "\n"

    def labels(self):
        plain = ("cat", "forebay rewrite", "forebay render", "forebay check")
        return (*plain, *QUOTED)

    def line(self, label, sizes):
        cells, last = [], None
        for n in sizes:
            row, quoted = self.rows[n].get(label), QUOTED.get(label, {}).get(n)
            last = row or last
            if row:
                cells.append(f"{duration(row.median)} ({duration(row.best)})")
            else:
                cells.append(f"{duration(quoted)} \\*" if quoted else "–")
        cells.append(("≤ " if last.bound else "") + f"{last.peak / 2**20:.0f} MiB" if last else "–")
        return f"| {label} | {' | '.join(cells)} |"

    def lines_of_plot(self):
        """For each tool: its points, and whether each was measured."""
        found = {}
        for label in self.labels():
            points = {n: (seconds, False) for n, seconds in QUOTED.get(label, {}).items()}
            for n, rows in self.rows.items():
                if isinstance(n, int) and label in rows:
                    points[n] = (rows[label].median, True)
            if points:
                found[label] = [(n, *point) for n, point in sorted(points.items())]
        return found

    def put_into_readme(self):
        """Writes the plot, and the tables between the two marks of the README."""
        PLOT.write_text(plot.svg(self.lines_of_plot()), encoding="utf-8")
        readme = pathlib.Path("README.md")
        before, rest = readme.read_text(encoding="utf-8").split(MARKS[0])
        _, after = rest.split(MARKS[1])
        picture = f"![Time over the number of Deployments, for each tool]({PLOT})\n"
        text = f"{before}{MARKS[0]}{self.markdown()}\n{picture}{MARKS[1]}{after}"
        readme.write_text(text, encoding="utf-8")


def seconds(row, best=False):
    if isinstance(row, float):
        return row
    return row.best if best else row.median


def times(ratio):
    return f"{ratio:,.0f} ×" if ratio >= 20 else f"{ratio:.2f} ×"


def same_rewrites(rows):
    """Stops a comparison in which the programs did not do the same work."""
    counts = {
        label: count(rows[label].output, REWRITTEN)
        for label in ("forebay rewrite", "kubectl kustomize")
        if label in rows
    }
    if len(set(counts.values())) != 1 or 0 in counts.values():
        raise Failed(f"images rewritten: {counts}")


def flux_install(path, binary):
    """The real install manifests where they are at hand, else those inside forebay."""
    real = pathlib.Path("../shared/corpus/flux")
    path.parent.mkdir(parents=True, exist_ok=True)
    if real.is_dir():
        parts = [part.read_bytes() for part in sorted(real.glob("*.yaml"))]
        path.write_bytes(b"---\n".join(part.rstrip(b"\n") + b"\n" for part in parts))
    else:
        with open(path, "wb") as file:
            subprocess.run([binary, "flux"], check=True, stdout=file)
    return path


def machine():
    """The processor, and how many cores of it are ours."""
    cores = len(os.sched_getaffinity(0))
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return f"{cores} cores of {line.split(':', 1)[1].strip()}"
    return f"{cores} cores"


def is_stripped(binary):
    """Whether an ELF file of 64 bits has no table of symbols."""
    return 2 not in kinds(binary, 0x28, 0x3A, 4)


def is_static(binary):
    """Whether an ELF file of 64 bits asks for no loader."""
    return 3 not in kinds(binary, 0x20, 0x36, 0)


def kinds(binary, place, sizes, kind):
    """The kinds in a table of an ELF file, by where its head says where the table is and how large
    and how many its entries are, and where an entry says its kind."""
    with open(binary, "rb") as file:
        head = file.read(64)
        (table,) = struct.unpack_from("<Q", head, place)
        size, count = struct.unpack_from("<HH", head, sizes)
        file.seek(table)
        entries = file.read(size * count)
    return [struct.unpack_from("<I", entries, at + kind)[0] for at in range(0, len(entries), size)]

"""Runs a program several times and says how long it took and how much memory it held at its peak.

What is run, and over which input, is scripts/bench.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Measured:
    """What the runs of one program came to."""

    label: str
    output: object
    seconds: list = field(default_factory=list)
    peak: int = 0
    # Set where the program may have held less than `peak` says.
    bound: bool = False

    @property
    def best(self):
        return min(self.seconds)

    @property
    def median(self):
        return statistics.median(self.seconds)


class Failed(Exception):
    """A program that could not be run, or said no."""


class Runner:
    """Measures programs, each for `runs` runs or until `budget` seconds are spent on it."""

    def __init__(self, directory, runs, budget, gnu_time):
        self.directory = directory
        self.runs = runs
        self.budget = budget
        self.gnu_time = gnu_time
        directory.mkdir(parents=True, exist_ok=True)

    def measure(self, label, command):
        """Runs `command` with its output to a file, so that a slow reader costs it nothing."""
        return self.interleave({label: command})[label]

    def interleave(self, commands):
        """Runs the commands, by label, in turn, so that what disturbs one disturbs all. One whose
        budget is spent sits out."""
        rows = {label: Measured(label, self.directory / _file_name(label)) for label in commands}
        for _ in range(self.runs):
            for label, command in commands.items():
                row = rows[label]
                if sum(row.seconds) < self.budget:
                    seconds, peak = spawn(command, row.output)
                    row.seconds.append(seconds)
                    row.peak = max(row.peak, peak)
        # A child starts as a copy of this process, so its peak is never below ours.
        floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        for label, row in rows.items():
            if row.peak <= floor:
                row.bound = True
                if self.gnu_time:
                    row.peak, row.bound = self.weigh(commands[label], row.output), False
        return rows

    def once(self, label, command):
        """Where the output of `command` is, run once and not measured."""
        output = self.directory / _file_name(label)
        spawn(command, output)
        return output

    def weigh(self, command, output):
        """The peak of `command` in bytes, as told by a parent smaller than we are."""
        note = self.directory / "peak"
        spawn([self.gnu_time, "--format=%M", f"--output={note}", *command], output)
        return int(note.read_text(encoding="ascii").split()[-1]) * 1024


def _file_name(label):
    return "".join(c if c.isalnum() else "-" for c in label)


def spawn(command, output):
    """Runs `command` once; gives its seconds on the wall and its peak in bytes."""
    # Else the time it takes to free what an earlier run wrote would count.
    pathlib.Path(output).unlink(missing_ok=True)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, f"{output}.stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    ]
    command = [str(word) for word in command]
    began = time.perf_counter()
    try:
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    except OSError as error:
        raise Failed(f"cannot run {command[0]}: {error.strerror}") from error
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status != 0:
        with open(f"{output}.stderr", encoding="utf-8", errors="replace") as file:
            said = file.read(2000)
        code = os.waitstatus_to_exitcode(status)
        raise Failed(f"exit code {code} from {' '.join(command)}\n{said}")
    return seconds, usage.ru_maxrss * 1024


def count(path, needle):
    """How often the bytes `needle` stand in the file, read in pieces so that we stay small."""
    total, rest = 0, b""
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            piece = rest + piece
            total += piece.count(needle)
            rest = piece[len(piece) - len(needle) + 1 :]
    return total


def oracle(name, variable):
    """The path that scripts/oracles/fetch has for `variable`, or None after it said why not."""
    said = subprocess.run(
        ["scripts/oracles/fetch", name], check=True, stdout=subprocess.PIPE, text=True
    )
    paths = dict(line.split("=", 1) for line in said.stdout.splitlines())
    return paths.get(variable)


def table(rows, reference):
    """Rows as aligned text, times and peaks also as multiples of those of `reference`."""
    head = ["", "runs", "best", "median", "peak", "time ×", "memory ×"]
    lines = [head]
    for row in rows:
        lines.append(
            [
                row.label,
                str(len(row.seconds)),
                duration(row.best),
                duration(row.median),
                ("≤ " if row.bound else "") + f"{row.peak / 2**20:.1f} MiB",
                f"{row.best / reference.best:.2f}",
                f"{row.peak / reference.peak:.2f}",
            ]
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  "
        + "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )


def duration(seconds):
    if seconds < 1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds:.0f} s"

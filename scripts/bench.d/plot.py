"""A plot of time over n, both axes logarithmic, as an SVG that reads on light and on dark pages.

What is plotted is speed.py's. No dependency: the file is text.
"""

import math

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 24, 50
# On a light page and on a dark one. Told apart without colour too: by the names at their ends.
COLOURS = {
    "cat": ("#6e7781", "#8b949e"),
    "forebay rewrite": ("#0969da", "#58a6ff"),
    "forebay render": ("#1a7f37", "#3fb950"),
    "forebay check": ("#8250df", "#bc8cff"),
    "kubectl kustomize": ("#cf222e", "#ff7b72"),
    "kbld": ("#9a6700", "#d29922"),
}


def svg(lines):
    """The picture of `lines`: a list of (n, seconds, measured) for each tool."""
    ns = [n for points in lines.values() for n, _, _ in points]
    times = [seconds for points in lines.values() for _, seconds, _ in points]
    x = _scale(min(ns), max(ns), LEFT, WIDTH - RIGHT)
    y = _scale(10 ** math.floor(math.log10(min(times))), max(times) * 1.5, HEIGHT - BOTTOM, TOP)
    parts = [_head(), *_grid(x, y, ns, times)]
    for label, points in lines.items():
        parts += _line(list(COLOURS).index(label), points, x, y)
    parts += _names(lines, x, y)
    return "\n".join(parts) + "\n</svg>\n"


def _scale(least, most, start, end):
    low, high = math.log10(least), math.log10(most)
    return lambda value: start + (math.log10(value) - low) / (high - low) * (end - start)


def _head():
    light = [f".c{at} {{ stroke: {one}; fill: {one} }}" for at, (one, _) in enumerate(COLOURS.values())]
    dark = [f".c{at} {{ stroke: {one}; fill: {one} }}" for at, (_, one) in enumerate(COLOURS.values())]
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">
<title>Time over the number of Deployments, for each tool</title>
<style>
text {{ font: 12px system-ui, sans-serif; fill: #1f2328; stroke: none }}
.page {{ fill: #ffffff }}
.grid {{ stroke: #d0d7de; stroke-width: 1 }}
.line {{ fill: none; stroke-width: 2 }}
.quoted {{ stroke-dasharray: 5 4 }}
{chr(10).join(light)}
.line {{ fill: none }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3 }}
.page {{ fill: #0d1117 }}
.grid {{ stroke: #30363d }}
{chr(10).join(dark)}
.line {{ fill: none }}
}}
</style>
<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>"""


def _grid(x, y, ns, times):
    right, foot = WIDTH - RIGHT, HEIGHT - BOTTOM
    for n in (250, 1000, 4000, 20_000, 40_000, 80_000, 160_000):
        if min(ns) <= n <= max(ns):
            yield f'<path class="grid" d="M{x(n):.1f} {TOP}V{foot}"/>'
            yield f'<text x="{x(n):.1f}" y="{foot + 18}" text-anchor="middle">{n:,}</text>'
    for power in range(math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))) + 1):
        seconds = 10.0**power
        if seconds <= max(times) * 1.5:
            name = f"{seconds:g} s" if power >= 0 else f"{seconds * 1000:g} ms"
            yield f'<path class="grid" d="M{LEFT} {y(seconds):.1f}H{right}"/>'
            yield f'<text x="{LEFT - 8}" y="{y(seconds) + 4:.1f}" text-anchor="end">{name}</text>'
    middle = (LEFT + right) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">Deployments in one file; dashed: quoted</text>'


def _line(at, points, x, y):
    for (n, seconds, one), (after, later, other) in zip(points, points[1:]):
        quoted = "" if one and other else " quoted"
        place = f"M{x(n):.1f} {y(seconds):.1f}L{x(after):.1f} {y(later):.1f}"
        yield f'<path class="c{at} line{quoted}" d="{place}"/>'
    for n, seconds, _ in points:
        yield f'<circle class="c{at}" cx="{x(n):.1f}" cy="{y(seconds):.1f}" r="3"/>'


def _names(lines, x, y):
    """The names beside the lines' ends; those at the right edge in order, none over another."""
    ends = sorted((y(points[-1][1]), x(points[-1][0]), label) for label, points in lines.items())
    floor = TOP
    for place, right, label in ends:
        if right > WIDTH - RIGHT - 1:
            place = max(place, floor)
            floor = place + 16
        yield f'<text x="{right + 10:.1f}" y="{place + 4:.1f}">{label}</text>'

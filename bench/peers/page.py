"""One self-contained page: a log-log plot of CPU seconds against error for each model, and the tables at equal error."""
import math
from html import escape

import tables

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 460, 330, 52, 44, 30, 12
COLOURS = {"Trunnion": ["#b3261e", "#e07a5f", "#f2a65a"], "Trunnion explicit": ["#7a0c1a"], "Simbody": ["#1d5fa8", "#6fa8dc"],
           "Exudyn": ["#2d7d46", "#8abf69"], "Exudyn plane": ["#0f766e", "#5bc0b5"], "Pinocchio": ["#6a3fa0"], "MuJoCo": ["#555555"]}
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#222}
svg{font:11px system-ui,sans-serif} table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:2px 12px;text-align:right;border-bottom:1px solid #ddd} .plots{display:flex;flex-wrap:wrap;gap:12px}"""


class Axes:
    """Decades of error (falling to the right) and of CPU seconds."""

    def __init__(self, points):
        self.x = self.decades([e for e, _ in points])
        self.y = self.decades([c for _, c in points])

    @staticmethod
    def decades(values):
        return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(self, error, cpu):
        across = (self.x[1] - math.log10(error)) / (self.x[1] - self.x[0])
        up = (math.log10(cpu) - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - TOP)

    def grid(self):
        for power in range(self.x[0], self.x[1] + 1):
            x, low = self.place(10.0**power, 10.0 ** self.y[0])
            yield line(x, TOP, x, low) + text(x, low + 15, f"1e{power}", "middle")
        for power in range(self.y[0], self.y[1] + 1):
            left, y = self.place(10.0 ** self.x[1], 10.0**power)
            yield line(left, y, WIDTH - RIGHT, y) + text(left - 5, y + 4, f"{10.0**power:g}", "end")


def line(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def text(x, y, words, anchor="start", colour="#444"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def curve(axes, points, colour):
    places = [axes.place(*p) for p in points]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>{dots}'


def methods(rows):
    """(code, method, colour, points) in the order of the rows."""
    used = {}
    for row in rows:
        used.setdefault((row["code"], row["method"]), []).append((row["error"], row["cpu"]))
    count = {}
    for (code, method), points in used.items():
        k = count[code] = count.get(code, -1) + 1
        yield code, method, COLOURS[code][k % len(COLOURS[code])], points


def plot(title, rows):
    axes = Axes([(r["error"], r["cpu"]) for r in rows])
    parts = [text(LEFT, 16, title, colour="#000"), *axes.grid(), text(WIDTH / 2, HEIGHT - 8, "error, m", "middle"),
             text(6, TOP - 8, "CPU s")]
    for k, (code, method, colour, points) in enumerate(methods(rows)):
        parts += [curve(axes, points, colour), text(LEFT + 8, TOP + 14 + 14 * k, f"{code} {method}", colour=colour)]
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'


def table_of(made):
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>" for cells in made.cells())
    return f"<h2>{escape(made.title)}</h2><table><tr>" + "".join(f"<th>{escape(h)}</th>" for h in made.head()) + f"</tr>{rows}</table>"


def render(rows, made):
    done = [r for r in rows if "cpu" in r]
    cases = dict.fromkeys((r["kind"], r["number"]) for r in done)
    plots = [plot(tables.name(kind, n), [r for r in done if (r["kind"], r["number"]) == (kind, n)]) for kind, n in cases]
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Work and precision</title><style>{STYLE}</style>'
            "<h1>Chains of rods and closed loops: CPU time against true error</h1><p>CPU seconds of the integration; the largest "
            "distance of any mass centre at the end from the true motion. Down and to the right is better.</p>"
            f'<div class="plots">{"".join(plots)}</div>{"".join(map(table_of, made))}<p>{escape(tables.LEGEND)}</p></html>')

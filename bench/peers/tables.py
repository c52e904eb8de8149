"""CPU seconds at equal error, as the README, the page and the screen show them, and how they stand to the aims."""
import math
from dataclasses import dataclass

OURS, EXPLICIT = "Trunnion", "Trunnion explicit"
JUMP = 300  # errors of neighbours further apart are no ladder: the coarser run was unstable
LEGEND = ("≤: a run that is better than asked, nothing cheaper being known; >: the finest run within the limit took this long and is "
          "worse than asked; –: no run. Ratios are over Trunnion's implicit column; they take a ≤ as it is.")


def name(kind, number):
    return f"{number} {kind}" if number > 1 else kind


@dataclass
class Cost:
    """`mark`: "" between two runs of a ladder, "≤" by one that is better, ">" by one that is worse, "–" unknown."""
    seconds: float
    mark: str
    method: str = ""

    def __str__(self):
        return self.mark if self.mark == "–" else f"{self.mark}{' ' if self.mark else ''}{figures(self.seconds)}"

    def over(self, other):
        unknown, marks = "–" in (self.mark, other.mark), (self.mark == ">", other.mark == ">")
        if unknown or all(marks):
            return Cost(math.nan, "–")
        return Cost(self.seconds / other.seconds, {(True, False): ">", (False, True): "<"}.get(marks, ""))


def figures(value):
    """Three of them, as plain digits."""
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def ladders(rows):
    """The finished runs of every method, from coarse to fine."""
    return {method: [r for r in rows if r["method"] == method and "cpu" in r] for method in dict.fromkeys(r["method"] for r in rows)}


def cost(rows, target):
    """What one code needs for an error: log-log between neighbours of a ladder, or a run that is better; its best method."""
    reached = []
    for method, runs in ladders(rows).items():
        reached += [Cost(r["cpu"], "≤", method) for r in runs if r["error"] <= target]
        for a, b in zip(runs, runs[1:]):
            if a["error"] >= target > b["error"] > a["error"] / JUMP:
                t = math.log(a["error"] / target) / math.log(a["error"] / b["error"])
                reached.append(Cost(a["cpu"] ** (1 - t) * b["cpu"] ** t, "", method))
    if reached:
        return min(reached, key=lambda c: c.seconds)
    finest = [Cost(runs[-1]["cpu"], ">", method) for method, runs in ladders(rows).items() if runs]
    return min(finest, key=lambda c: c.seconds, default=Cost(math.nan, "–"))


class Table:
    """Rows are models at an error, columns are codes."""

    def __init__(self, title, names, cases, targets, rows):
        self.title, self.names = title, names
        self.ratios = [n for n in names if n not in (OURS, EXPLICIT)]
        self.lines = []  # ((kind, number), target, {code: cost})
        for case in cases:
            of = {n: [r for r in rows if (r["kind"], r["number"], r["code"]) == (*case, n)] for n in names}
            if any(of.values()):
                self.lines += [(case, t, {n: cost(of[n], t) for n in names}) for t in targets]

    def head(self):
        named = {OURS: ["Trunnion implicit, s", "method"], EXPLICIT: ["Trunnion DOP853, s"]}
        return ["model", "error, m", *(h for n in self.names for h in named.get(n, [f"{n}, s"])), *(f"{n} / T." for n in self.ratios)]

    def cells(self):
        for (kind, number), target, costs in self.lines:
            shown = [c for n in self.names for c in ([str(costs[n]), costs[n].method or "–"] if n == OURS else [str(costs[n])])]
            yield [name(kind, number), f"{target:.0e}", *shown, *(str(costs[n].over(costs[OURS])) for n in self.ratios)]

    def markdown(self):
        rows = [self.head(), ["---"] * len(self.head()), *self.cells()]
        return f"### {self.title}\n\n" + "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"

    def judged(self, aim):
        """Where the times of one code over ours meet an aim, at the errors it is for."""
        met, missed, unsure = 0, [], 0
        for (kind, number), target, costs in self.lines:
            ratio = costs[aim.code].over(costs[OURS])
            if target not in aim.targets or ratio.mark == "–":
                continue
            enough = ratio.seconds >= aim.least
            if ratio.mark == ("<" if enough else ">"):
                unsure += 1
            elif enough:
                met += 1
            else:
                missed.append(f"{name(kind, number)} at {target:.0e} ({ratio})")
        return met, missed, unsure


@dataclass
class Aim:
    text: str
    code: str
    least: float  # of its time over ours
    targets: list


def judgement(table, aims):
    lines = []
    for aim in aims:
        met, missed, unsure = table.judged(aim)
        if met or missed or unsure:
            said = f"- {aim.text}: met in {met} of {met + len(missed) + unsure}"
            said += f", undecided by these runs in {unsure}" if unsure else ""
            lines.append(said + (f". **Not met**: {', '.join(missed)}." if missed else "."))
    return lines

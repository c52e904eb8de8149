#!/usr/bin/env python3
"""Prints docs/studies/belt.md or docs/studies/track.md: the first two experiments of the HHT paper, with this program.

    bench/contact_studies.py belt|track [--program build/release/trunnion] [--work FOLDER] [--end SECONDS] > docs/studies/belt.md

A run that is already in FOLDER with the same model and settings is not repeated. Times are processor time of the whole run (getrusage), not
time on the wall; where other processes fill the machine they are still off by up to a half, and the page says so.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Run:
    """One run, or what an earlier one has left."""

    def __init__(self, options, name, model, end, dtout, integrator, channels):
        folder = pathlib.Path(options.work) / name
        folder.mkdir(parents=True, exist_ok=True)
        script = f"{name}.adm\n{name}\nSIMULATE/DYNAMICS, END={end:g}, DTOUT={dtout:g}\nSTOP\n"
        key = "\n".join([model, script, integrator, channels])
        mark = folder / "key.txt"
        if not (mark.exists() and mark.read_text() == key and (folder / "seconds.txt").exists()):
            (folder / f"{name}.adm").write_text(model)
            (folder / f"{name}.acf").write_text(script)
            mark.write_text(key)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([str(options.program), "run", f"{name}.adm", f"{name}.acf", "--out", ".", "--no-store", "--report",
                                   "--integrator", integrator, "--channels", channels], cwd=folder, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            (folder / "log.txt").write_text(done.stdout + done.stderr)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            (folder / "seconds.txt").write_text(f"{cpu:.3f} {os.getloadavg()[1] / os.cpu_count():.1f}")
        self.cpu, self.load = map(float, (folder / "seconds.txt").read_text().split())
        self.report = json.loads((folder / f"{name}.report.json").read_text())["simulations"][-1]
        with open(folder / f"{name}.csv") as file:
            rows = list(csv.reader(file))
        names = [column.split(" [")[0] for column in rows[0]]
        self.columns = {n: [float(row[k]) for row in rows[1:]] for k, n in enumerate(names)}
        self.time = self.columns["time"]

    def __getitem__(self, channel):
        return self.columns[channel]

    def work(self):
        s, c, j, t = (self.report[k] for k in ("steps", "corrector", "jacobians", "seconds"))
        rejected = s["rejected_by_error"] + s["rejected_by_corrector"]
        share = 100 / t["all"] if t["all"] > 0 else 0
        return [f"{self.report['reached']:g}", f"{self.cpu:.1f}", str(s["accepted"]), str(rejected),
                f"{s['smallest_h']:.1e} … {s['largest_h']:.1e}", str(c["iterations"]), str(j["refactored"] + j["pivoted"]),
                f"{share * t['evaluating']:.0f} · {share * t['factoring']:.0f} · {share * t['solving']:.0f}"]


WORK_ROWS = ["time reached, s", "processor time, s", "steps", "rejected", "step size, s", "iterations", "Jacobians",
             "evaluating · factoring · solving, % of the time"]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def side_by_side(runs):
    names = list(runs)
    lines = table([""] + names, [[row] + [runs[n].work()[k] for n in names] for k, row in enumerate(WORK_ROWS)])
    busiest = max(run.load for run in runs.values())
    if busiest < 1.5:
        return lines
    return lines + f"""

**The machine was busy** ({busiest:.0f} processes for each core wanted to run): times of equal work differ by up to a half, so that no ratio of times on this page
is proven. Steps, iterations and Jacobians do not depend on that."""


def differences(a, b, channel, begin=0.0, spike=0.1):
    """Largest and root-mean-square difference over the largest value, how many rows differ by more than `spike` of it, and that value."""
    rows = [(x, y) for t, x, y in zip(a.time, a[channel], b[channel]) if t >= begin]
    scale = max(max(abs(x), abs(y)) for x, y in rows) or 1.0
    d = [abs(x - y) / scale for x, y in rows]
    return max(d), math.sqrt(sum(x * x for x in d) / len(d)), sum(x > spike for x in d) / len(d), scale


def percent(x):
    return f"{100 * x:.2g} %"


def generate(script, *arguments):
    return subprocess.run([sys.executable, str(ROOT / script), *arguments], capture_output=True, text=True, check=True).stdout


def statements(model):
    count = {}
    for line in model.splitlines():
        head, _, rest = line.partition("/")
        if not rest or not head.isupper():
            continue
        word = rest.split(",")[1].strip().split("=")[0] if "," in rest else ""
        key = f"{head} {word}" if head in ("JOINT", "JPRIM") else head
        count[key] = count.get(key, 0) + 1
    return count


def cut_short(end, paper, unit, factor):
    return "" if end >= paper else f"\n\n**Only the first {factor * end:g} {unit} of the paper's {factor * paper:g} {unit} were run.**"


def iterations(run):
    return run.report["corrector"]["iterations"]


def a_step(run):
    """What decides over formulas: iterations and matrices a step, and time an iteration."""
    steps, jacobians = run.report["steps"]["accepted"], run.report["jacobians"]
    return (f"{iterations(run) / steps:.2g} iterations and {(jacobians['refactored'] + jacobians['pivoted']) / steps:.2g} matrices, "
            f"{1000 * run.cpu / iterations(run):.2g} ms an iteration")


WINDOWS = [(0.01, 0.05), (0.05, 0.1), (0.1, 0.15), (0.15, 0.2)]


def within(a, b, channel, begin, end, scale):
    """The largest difference between two times, over `scale`."""
    rows = [abs(x - y) / scale for t, x, y in zip(a.time, a[channel], b[channel]) if begin <= t < end + 1e-9]
    return max(rows, default=0.0)


def belt(options):
    end = options.end or 0.2
    model = generate("examples/belt/make_belt.py")
    channels = "PART/2.WZ,PART/5.*,REQUEST/1.*"
    runs = {f"{name}": Run(options, folder, model, end, 0.001, integrator, channels)
            for name, folder, integrator in [("HHT, ERROR=1E-5", "belt_hht", "HHT, I3, ERROR=1E-5"),
                                             ("GSTIFF, ERROR=1E-4", "belt_gstiff", "GSTIFF, I3, ERROR=1E-4")]}
    hht, gstiff = runs.values()
    # The same belt with springs longer by 6e-10 of their length: what differs then is not the formula.
    moved = Run(options, "belt_moved", generate("examples/belt/make_belt.py", "100", "0.0060000006"), end, 0.001, "HHT, I3, ERROR=1E-5",
                channels)
    count = statements(model)
    ratio = gstiff.cpu / hht.cpu
    begin = 0.01
    force, speed = differences(hht, gstiff, "REQUEST/1.F2", begin, 0.03), differences(hht, gstiff, "PART/5.WZ", begin, 0.01)
    print(f"""# The belt of the HHT paper

Printed by `bench/contact_studies.py {' '.join(options.given)}`. The model is that of `examples/belt`: {count.get("PART", 0) - 1} moving parts, {count.get("VFORCE", 0)} VFORCEs with IMPACT
and friction, {end * 1000:g} ms. The paper (Negrut, Ottarsson, Rampalli, Sajdak, DETC2005-85096, experiment 1) has 100 segments and 400 VFORCEs too, but prints no
dimensions: only ratios and differences can be compared.{cut_short(end, 0.2, "ms", 1000)}

## Work

{side_by_side(runs)}

## Beside the paper

Differences between the two runs, over the largest value of either, from {begin * 1000:g} ms on.

{table(["", "paper", "here, largest", "here, root mean square", "rows above the paper's limit"],
       [["alternator, x of the bearing's reaction", "< 3 %", percent(force[0]), percent(force[1]), percent(force[2])],
        ["alternator, speed", "< 1 %", percent(speed[0]), percent(speed[1]), percent(speed[2])],
        ["processor time, GSTIFF : HHT", "1286 s : 485 s = 2.65", f"{gstiff.cpu:.0f} s : {hht.cpu:.0f} s = {ratio:.2f}", "", ""],
        ["iterations, GSTIFF : HHT", "", f"{iterations(gstiff) / iterations(hht):.2f}", "", ""]])}

A step of HHT takes {a_step(hht)}, one of GSTIFF {a_step(gstiff)}. Matrices are kept about as long by both, and to factor them is
2 % of the time: the ratio is that of iterations, times what evaluating contacts costs in each.

Largest values: reaction {force[3]:.4g} N, speed {speed[3]:.4g} rad/s.

## What the difference is

The largest difference of the reaction, over its largest value, by time:

{table(["ms", "GSTIFF from HHT", "HHT from HHT, springs longer by 6e-10"],
       [[f"{1000 * a:g}–{1000 * b:g}", percent(within(hht, gstiff, "REQUEST/1.F2", a, b, force[3])),
         percent(within(hht, moved, "REQUEST/1.F2", a, b, force[3]))] for a, b in WINDOWS if a < end])}

{what_it_is(options, model, channels, end, hht, gstiff, moved, force, speed)}""")


def apart(a, b, channel, begin, end, scale):
    """Largest and root-mean-square difference between two times, over `scale`."""
    d = [abs(x - y) / scale for t, x, y in zip(a.time, a[channel], b[channel]) if begin <= t < end + 1e-9]
    return max(d, default=0.0), math.sqrt(sum(x * x for x in d) / max(len(d), 1))


def what_it_is(options, model, channels, end, hht, gstiff, moved, force, speed):
    """Whose error the difference is: tighter runs over the beginning, and another tolerance further on. Every figure is of these runs."""
    reaction, scale, begin = "REQUEST/1.F2", force[3], 0.01
    early, late = min(end, 0.05), min(end, 0.15)
    run = lambda name, until, integrator: Run(options, name, model, until, 0.001, integrator, channels)
    tight_hht, tight_gstiff = run("belt_hht_1e7", early, "HHT, I3, ERROR=1E-7"), run("belt_si2_1e5", early, "GSTIFF, SI2, ERROR=1E-5")
    tighter = run("belt_gstiff_1e5", late, "GSTIFF, I3, ERROR=1E-5")
    show = lambda a, b, until: " (".join(map(percent, apart(a, b, reaction, begin, until, scale))) + ")"
    last = [w for w in WINDOWS if w[0] < end][-1]
    formula, nudge = (within(hht, other, reaction, *last, scale) for other in (gstiff, moved))
    verdict = ("a nudge of the model does not make it, so it is the errors that ERROR leaves, grown since the start" if formula > 3 * nudge
               else "a nudge of the model makes as much of it as another formula does")
    agreed = max(force[0], apart(hht, tighter, reaction, begin, late, scale)[0])
    return f"""In the last of these spans the two formulas differ by {percent(formula)}, the nudged model by {percent(nudge)}: {verdict}. Worst row, with the root mean square in
brackets, of the reaction over its largest value:

{table(["", f"until {1000 * early:g} ms", f"until {1000 * late:g} ms"],
       [["HHT at 1E-7 from GSTIFF SI2 at 1E-5", show(tight_hht, tight_gstiff, early), ""],
        ["HHT at the paper's 1E-5 from HHT at 1E-7", show(hht, tight_hht, early), ""],
        ["GSTIFF at the paper's 1E-4 from HHT at 1E-7", show(gstiff, tight_hht, early), ""],
        ["GSTIFF at 1E-5 from HHT at 1E-5", show(tighter, hht, early), show(tighter, hht, late)],
        ["GSTIFF at 1E-5 from GSTIFF at 1E-4", show(tighter, gstiff, early), show(tighter, gstiff, late)],
        ["HHT at 1E-5 from GSTIFF at 1E-4", show(hht, gstiff, early), show(hht, gstiff, late)]])}

A segment that comes down on a pulley shakes it for a moment; where the moment has moved a little, the row that falls into it is off by percents. The paper's 3 % in every row to the end
{"holds here" if agreed < 0.03 else f"is not met here: {percent(agreed)} in the worst row"}; {"as a root mean square it is" if force[1] < 0.03 else "nor as a root mean square"} ({percent(force[1])}).
The alternator's speed agrees {0.01 / speed[0]:.0f} times better than the paper asks."""


def contacts(options, count):
    return f"690, in {count['CONTACT']} CONTACTs with several solids each" if options.contacts == "grouped" else str(count["CONTACT"])


def cost_of_far_contacts(options):
    """The same motion with all contacts, with several solids in each, and with those only that are close at the start."""
    rows, fewest = [], None
    for kind in ("near", "grouped", "all"):
        model = generate("examples/track/make_track.py", "--contacts", kind)
        short, long = (Run(options, f"cost_{kind}_{name}", model, end, end, "HHT, I3, ERROR=1E-5", "PART/108.*") for name, end in (("short", 1e-3), ("long", 0.05)))
        contacts_here, done = statements(model)["CONTACT"], iterations(long) - iterations(short)
        each = (long.cpu - short.cpu) / done
        fewest = fewest or (contacts_here, each)
        more = contacts_here - fewest[0]
        rows.append([str(contacts_here), str(done), f"{short.cpu:.2f}", f"{1e3 * each:.2f}", f"{1e6 * (each - fewest[1]) / more:.1f}" if more else ""])
    return table(["CONTACTs", "iterations", "start, s", "an iteration with its share of the step, ms", "a CONTACT more, µs"], rows[::-1])


def track(options):
    end = options.end or 14.0
    model = generate("examples/track/make_track.py", "--contacts", options.contacts)
    channels = "PART/2.*,PART/9.*,PART/41.*,PART/101.*,PART/108.*"
    formulas = [("HHT, ERROR=1E-5", "track_hht", "HHT, I3, ERROR=1E-5, MAXIT=10"),
                ("GSTIFF SI2, ERROR=1E-2, KMAX=1", "track_gstiff", "GSTIFF, SI2, ERROR=1E-2, KMAX=1, MAXIT=10")]
    runs = {name: Run(options, folder, model, end, 0.01, integrator, channels) for name, folder, integrator in formulas}
    hht, gstiff = runs.values()
    count = statements(model)
    size = hht.report["model"]
    shared = min(hht.report["reached"], gstiff.report["reached"])
    rows = []
    for text, channel in [("velocity of shoe 8, x", "PART/108.VX"), ("velocity of shoe 8, z", "PART/108.VZ"),
                          ("acceleration of shoe 8, x", "PART/108.ACCX"), ("acceleration of shoe 8, z", "PART/108.ACCZ"),
                          ("place of the hull, x", "PART/2.X"), ("speed of the hull", "PART/2.VX")]:
        most, mean, many, scale = differences(hht, gstiff, channel)
        rows.append([text, f"{scale:.4g}", percent(most), percent(mean), percent(many)])
    sideways = max(abs(y) for y in hht["PART/101.Y"])
    print(f"""# The track of the HHT paper

Printed by `bench/contact_studies.py {' '.join(options.given)}`. The model is that of `examples/track`; its dimensions are those of the M113 in Project Chrono, with three road
wheels. The paper (Negrut, Ottarsson, Rampalli, Sajdak, DETC2005-85096, experiment 2) has another vehicle, a mining excavator, and prints no dimensions: only counts,
ratios and differences can be compared.{cut_short(end, 14.0, "s", 1)}

## Counts

{table(["", "paper", "here"],
       [["moving parts", "61", str(size["bodies"])], ["revolute joints", "54", str(count.get("JOINT REVOLUTE", 0))],
        ["planar, translational, fixed joints", "1, 1, 4", ", ".join(str(count.get("JOINT " + k, 0)) for k in ("PLANAR", "TRANSLATIONAL", "FIXED"))],
        ["inline primitives, motions", "1, 1", f"{count.get('JPRIM INLINE', 0)}, {count.get('MOTION', 0)}"],
        ["contacts", "690", contacts(options, count)],
        ["degrees of freedom (Gruebler)", "61", str(6 * size["bodies"] - size["constraint_rows"])],
        ["equations", "4,675", str(size["equations"] + size["constraint_rows"])]])}

A loop of revolutes with parallel axes has {size["redundant_rows"]} redundant equations, so that the true number of freedoms is {size["freedoms"]}: the loop as a whole can move and
turn sideways, where only friction holds it. It moves by {1000 * sideways:.2g} mm in this run. Contacts: 92 sprocket-shoe, 368 wheel-shoe (92 of them the idler),
138 shoe-ground, 92 shoe-shoe; shoes, wheels, sprocket and ground touch as exact pairs, none by triangles. The paper's equations have the contact forces as unknowns; here they are eliminated.

## Work

{side_by_side(runs)}

Processor time GSTIFF : HHT = {gstiff.cpu:.0f} s : {hht.cpu:.0f} s = {gstiff.cpu / hht.cpu:.2f}; in the paper 8,988 s : 1,713 s = 5.2. Iterations:
{iterations(gstiff) / iterations(hht):.2f}. A second of HHT's motion took {hht.cpu / hht.report["reached"]:.1f} s; the paper's 14 s would take {14 * hht.cpu / hht.report["reached"]:.0f} s at this rate.

A step of HHT takes {a_step(hht)}, one of GSTIFF {a_step(gstiff)}.
Both formulas need about as many iterations for each second, and an iteration of HHT costs about as much as one of GSTIFF SI2: that decides the ratio. In the first 2.5 s HHT takes 2,828 steps with 13,154 iterations, GSTIFF 3,718 with 11,862. Where
the corrector may leave more (ADAPTIVITY of 1E-9 and 1E-6, a tenth of ERROR instead of a thousandth of the step's error) both get cheaper alike: 9,017 iterations, 24 % less time, and 6,468, 27 % less. Of HHT's instructions 63 % are
Newton iterations (50 % evaluate elements, 34 % forces), 15 % the energy balance, 10 % the watch for touches within a step (callgrind, first 0.6 s); whether a CONTACT acts at all is asked anew by each of these and takes 13 %.

## Differences

Over {shared:g} s, between the two runs, over the largest value of either. Last column: rows that differ by more than a tenth of it (spikes).

{table(["", "largest value, SI", "largest", "root mean square", "rows above 10 %"], rows)}

## What contacts cost that do not touch

The first 0.05 s, with the same steps and iterations: all 690, the same solids in 368 CONTACTs, and only those that are close at the start. Processor time;
*start* is all up to the first millisecond.

{cost_of_far_contacts(options)}""")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", choices=("belt", "track"))
    parser.add_argument("--program", default=str(ROOT / "build/release/trunnion"))
    parser.add_argument("--work", default=str(ROOT / "build/studies"))
    parser.add_argument("--contacts", default="all", help="of the track: all, or grouped, which has the same forces in fewer CONTACTs")
    parser.add_argument("--end", type=float, help="seconds, instead of all")
    options = parser.parse_args()
    options.given = [options.study] + (["--contacts", options.contacts] if options.contacts != "all" else []) + (
        ["--end", f"{options.end:g}"] if options.end else [])
    {"belt": belt, "track": track}[options.study](options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Prints docs/studies/floors.md: what a stage costs at a new state and at a new step size, and beside the program before the levels.

    ninja -C build/release bench_floors
    bench/floors.py build/release > docs/studies/floors.md

With the older program beside it:

    git clone . BEFORE && git -C BEFORE checkout 44ff318 && cp bench/floors.cpp BEFORE/bench/
    (in BEFORE) cmake --preset release && ninja -C build/release bench_floors
    bench/floors.py build/release BEFORE/build/release > docs/studies/floors.md

Instructions as callgrind counts them: other programs on the machine do not change them.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PHASES = [("revolutes", "100 revolute joints"), ("sphericals", "100 spherical joints"), ("four-bars", "40 four-bars")]
METHODS = ["GSTIFF, ERROR=1E-5", "HHT, ERROR=1E-5"]
MOTIONS = [("revolutes", "100 revolute joints", 0.1), ("sphericals", "100 spherical joints", 0.1),
           ("four-bars", "40 four-bars", 0.1), ("andrews", "Andrews' squeezer", 0.03), ("governor", "governor", 0.5),
           ("suspension", "suspension (examples)", 0.5)]
REPEATED = 20  # calls of a phase


def instructions(command, folder, only=None):
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out"]
    if only:
        tool += ["--collect-atstart=no", f"--toggle-collect={only}"]
    done = subprocess.run(tool + command, cwd=folder, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return int(found.group(1)), done.stdout


class Program:
    def __init__(self, build):
        found = [p for p in build.rglob("bench_floors") if p.is_file()]
        if not found:
            sys.exit(f"{build}: bench_floors is not built")
        self.floors = str(found[0].resolve())

    def call(self, folder, model, phase, count=REPEATED):
        """In instructions."""
        return instructions([self.floors, f"{model}.adm", phase, str(count)], folder, "measured")[0] / count

    def motion(self, folder, model, method, end):
        """A step, in instructions; steps, iterations a step."""
        total, said = instructions([self.floors, f"{model}.adm", method, str(end)], folder, "measured")
        state, steps, iterations = said.split()[-3:]
        if state != "done":
            sys.exit(f"{model}, {method}: {said}")
        return total / int(steps), int(steps), int(iterations) / int(steps)


def millions(x):
    return f"{x / 1e6:.3f}"


def exported(parts=4000):
    """As a pre-processor writes it: one argument a line, names in comments."""
    text = "export\nPART/1\n, GROUND\nMARKER/1\n, PART = 1\n"
    for k in range(2, parts + 2):
        text += f"! adams_view_name='part_{k}'\nPART/{k}\n, QG = {0.37 * k:.6f}, {1.1 + 0.01 * k:.6f}, -{0.002 * k:.6f}\n, MASS = 1.25\n, CM = {k}0\n, IP = 0.1, 0.2, 0.25\n"
        for m in range(4):
            text += f"! adams_view_name='marker_{k}{m}'\nMARKER/{k}{m}\n, PART = {k}\n, QP = {0.1 * m:.4f}, -0.25, 0.5\n, REULER = 90D, {10 * m}D, 0D\n"
        text += f"JOINT/{k}\n, SPHERICAL\n, I = {k}1\n, J = 1\nSFORCE/{k}\n, TRANSLATION\n, I = {k}2\n, J = 1\n, FUNCTION = -100*(DM({k}2,1)-0.5)-2*VR({k}2,1)\n"
    return text + "END\n"


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def head(cells):
    row(cells)
    row(["---"] * len(cells))


def per_call(folder, programs):
    head(["model", "residual", "with its matrix", "sum at a new step size", "new factors", "a new state", "a new step size", "ratio"])
    for model, title in PHASES:
        cost = [{p: program.call(folder, model, p) for p in ("residual", "matrix", "new_step", "factor")} for program in programs]
        pair = lambda value: " → ".join(millions(value(c)) for c in reversed(cost))
        state, step = (lambda c: c["matrix"] + c["factor"]), (lambda c: c["new_step"] + c["factor"])
        row([title] + [pair(lambda c, p=p: c[p]) for p in ("residual", "matrix", "new_step", "factor")] +
            [pair(state), pair(step), f"**{(step(cost[1]) if len(cost) > 1 else state(cost[0])) / step(cost[0]):.2f}**"])


def motions(folder, programs):
    head(["model", "INTEGRATOR", "a step", "steps", "iterations a step"])
    for model, title, end in MOTIONS:
        for method in METHODS:
            found = [program.motion(folder, model, method + ", INTERPOLATE=ON", end) for program in reversed(programs)]
            join = lambda form: " → ".join(form(f) for f in found)
            row([title, method, join(lambda f: millions(f[0])), join(lambda f: str(f[1])), join(lambda f: f"{f[2]:.2f}")])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("now", type=pathlib.Path, help="build folder")
    parser.add_argument("before", type=pathlib.Path, nargs="?", help="that of the older program")
    options = parser.parse_args()
    programs = [Program(p) for p in (options.now, options.before) if p]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([programs[0].floors, "models", name], check=True)
        root = pathlib.Path(__file__).resolve().parent.parent
        (folder / "suspension.adm").write_text((root / "examples/suspension/suspension.adm").read_text())
        (folder / "export.adm").write_text(exported())
        print("# What a new step size costs\n")
        print("Printed by `bench/floors.py`. Millions of instructions by callgrind" + ("; before → now, before being commit 44ff318" if len(programs) > 1 else "") +
              ". M, C, K and G are kept apart: a matrix at a new state is evaluated, summed and factored on the pivots there are; at a new step size the levels are summed and "
              "factored. When all was one matrix, a new step size cost what a new state does.\n")
        per_call(folder, programs)
        if len(programs) == 1:
            print("\nratio: a new state over a new step size. The program before the levels, commit 44ff318, is not in this table: its build is named in `bench/floors.py`.")
        print("\n## Whole motions\n")
        print("Instructions of the motion over its accepted steps: step control and everything else that a step does are in it.\n")
        motions(folder, programs)
        size = (folder / "export.adm").stat().st_size / 1e6
        read = " → ".join(millions(program.call(folder, "export", "read", 1)) for program in reversed(programs))
        print(f"\nReading an exported model of {size:.1f} MB: {read}.")


if __name__ == "__main__":
    main()

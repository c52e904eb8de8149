#!/usr/bin/env python3
"""Prints docs/studies/undamped.md: motions without damping over 100 turns by every formula at its defaults.

    bench/undamped.py [--program build/release/trunnion] [--work FOLDER] > docs/studies/undamped.md

Ends with 1 where a motion gains or loses more than a hundredth of its energy and nothing is said.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

UNITS = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH={}, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
ALLOWED = 0.01


def rotor():
    return ("rotor\n" + UNITS.format("MILLIMETER") +
            "PART/2, MASS=2, CM=20, IP=2E4,2E4,2E4, WZ=50\nMARKER/20, PART=2, QP=500,0,0\nMARKER/21, PART=2\n"
            "JOINT/1, REVOLUTE, I=21, J=1\n")


def top():
    return ("top\n" + UNITS.format("METER") +
            "PART/2, MASS=1, CM=20, IP=0.004,0.004,0.004, REULER=0,1,0, WZ=100\nMARKER/20, PART=2, QP=0,0,0.1\n"
            "MARKER/21, PART=2\nJOINT/1, SPHERICAL, I=21, J=1\nACCGRAV/KGRAV=-9.81\n")


def chain(links=3, length=0.5, angle=0.6):
    """Straight, `angle` from hanging: the slowest of its swings takes about 2.1 s."""
    text = "pendulum chain\n" + UNITS.format("METER")
    x, y = math.sin(angle), -math.cos(angle)
    for k in range(links):
        part, middle = k + 2, length * (k + 0.5)
        before = "1" if k == 0 else f"{part - 1}2"
        text += (f"PART/{part}, MASS=1, CM={part}0, IP=0.02,0.02,0.02, QG={middle * x:.15g},{middle * y:.15g},0\n"
                 f"MARKER/{part}0, PART={part}\n"
                 f"MARKER/{part}1, PART={part}, QP={-length / 2 * x:.15g},{-length / 2 * y:.15g},0\n"
                 f"MARKER/{part}2, PART={part}, QP={length / 2 * x:.15g},{length / 2 * y:.15g},0\n"
                 f"JOINT/{part}, REVOLUTE, I={part}1, J={before}\n")
    return text + "ACCGRAV/JGRAV=-9.81\n"


MODELS = [("rotor", "unbalanced rotor, 2 kg at 500 mm, 50 rad/s", rotor(), 12.566),
          ("chain", "three rods of 0.5 m from 0.6 rad", chain(), 210.0),
          ("top", "top of 100 rad/s, 1 rad from upright", top(), 6.283)]


def run(options, name, model, end, integrator):
    """Largest change of the energy balance over the largest kinetic energy, steps, and what was said."""
    folder = pathlib.Path(options.work) / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "m.adm").write_text(f"{model}INTEGRATOR/{integrator}\nEND\n")
    (folder / "m.acf").write_text(f"m.adm\nm\nSIMULATE/DYNAMICS, END={end}, STEPS=500\nSTOP\n")
    for old in folder.glob("m.*"):
        if old.suffix not in (".adm", ".acf"):
            old.unlink()
    try:
        done = subprocess.run([options.program, "run", "m.adm", "m.acf", "--out", ".", "--no-store", "--report", "--channels",
                               "ENERGY.*"], cwd=folder, capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return None, None, f"not done in {options.seconds} s"
    text = done.stdout + done.stderr
    if done.returncode != 0:
        reason = [line for line in text.splitlines() if "stopped" in line or "error" in line]
        return None, None, reason[-1] if reason else f"exit code {done.returncode}"
    with open(folder / "m.csv") as file:
        rows = list(csv.reader(file))
    names = [column.split(" [")[0] for column in rows[0]]
    column = lambda n: [float(row[names.index(n)]) for row in rows[1:]]
    balance, kinetic = column("ENERGY.BALANCE"), column("ENERGY.KINETIC")
    change = max((b - balance[0] for b in balance), key=abs) / max(kinetic)
    report = json.loads((folder / "m.report.json").read_text())["simulations"][-1]
    said = any("the energy rose" in line or "the energy fell" in line for line in text.splitlines())
    return change, report["steps"]["accepted"], "told" if said else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/trunnion")
    parser.add_argument("--work", default="undamped-study")
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    entries = json.loads(subprocess.run([options.program, "formulas", "--json"], capture_output=True, text=True, check=True).stdout)
    print("# Motions without damping over 100 turns\n")
    print("Printed by `bench/undamped.py`: every formula at its defaults, nothing in the INTEGRATOR statement but its name (and SI2), 500 rows. "
          "A cell has the largest change of the energy that no force explains, over the largest kinetic energy, and the number of steps; "
          "*told*: the run warned of it. A hundredth is what is promised, or a word: none grows in silence.\n")
    for key, title, _, end in MODELS:
        print(f"- {key}: {title}, {end:g} s")
    print("\n| formula | " + " | ".join(key for key, *_ in MODELS) + " |")
    print("| --- |" + " --- |" * len(MODELS))
    silent = []
    for entry in entries:
        keyword = entry["keyword"]
        for form in ["", ", SI2"] if {"I3", "SI2"} <= set(entry["formulations"]) else [""]:
            cells = []
            for key, _, model, end in MODELS:
                change, steps, said = run(options, f"{keyword}{form.replace(', ', '-')}-{key}", model, end, keyword + form)
                if change is None:
                    cells.append(said)
                    continue
                if abs(change) > ALLOWED and not said:
                    silent.append(f"{keyword}{form} on {key}")
                cells.append(f"{change:+.1e}, {steps}" + (f", *{said}*" if said else ""))
            print(f"| {keyword}{form} | " + " | ".join(cells) + " |", flush=True)
    print("\n" + ("None beyond a hundredth in silence." if not silent else "**In silence:** " + "; ".join(silent) + "."))
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())

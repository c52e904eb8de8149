#!/usr/bin/env python3
"""Puts defects back, one at a time, and sees that tests/metamorphic fails for each. Not part of ./test: every defect is a build.

    tests/mutants.py [NAME...]     all, or those named; needs a configured build/release and a clean tree

The last line is "N of M defects found". A row whose text is no longer in its file is an error: adapt it to the code as it is.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/tests/test_metamorphic"

# name: file, text, what stood or might stand there, tests that must fail, relations to try
MUTANTS = {
    "turns-by-shortest-arc": (
        "src/elements/measure.cpp", "return kept[0] + kept[1] * (state.t - kept[2]);", "return kept[0];", "*Random*", "turns"),
    "past-by-shortest-arc": (
        "src/integrate/multistep.cpp", "constexpr double kPlain = 2.0,", "constexpr double kPlain = 1e300,", "*Random*", "motion"),
    "psi-at-theta-0": (
        "src/elements/measure.cpp", "if (needs_second_angle(kind) &&", "if (false && needs_second_angle(kind) &&", "*Random*", "angles"),
    "velocities-in-mm": (
        "src/analysis/least_change.cpp", "s = s > 0 ? length / std::sqrt(s) : 1.0;", "s = length > 0 ? 1.0 : s;", "*Random*", "start.units"),
    "sum-of-angles": (
        "src/math/so3.cpp", "std::atan2(-left[1], left[0])", "std::atan2(R(2, 0), R(2, 1))", "*Random*", "start.moved"),
}


def build():
    return subprocess.run(["ninja", "-C", str(ROOT / "build/release"), "test_metamorphic"], stdout=subprocess.DEVNULL).returncode == 0


def found(tests, relations):
    environment = dict(os.environ, TRUNNION_RELATION=relations, TRUNNION_SHRINK="0")
    run = subprocess.run([str(PROGRAM), "--gtest_brief=1", f"--gtest_filter={tests}"], env=environment, stdout=subprocess.DEVNULL)
    return run.returncode != 0


def try_mutant(name):
    file, text, instead, tests, relations = MUTANTS[name]
    path = ROOT / file
    before = path.read_text()
    if before.count(text) != 1:
        sys.exit(f"{name}: {file} has '{text}' {before.count(text)} times, not once")
    try:
        path.write_text(before.replace(text, instead))
        if not build():
            sys.exit(f"{name}: does not build")
        return found(tests, relations)
    finally:
        path.write_text(before)


def main(names):
    good = 0
    for name in names:
        seen = try_mutant(name)
        good += seen
        print(f"{name}: {'found' if seen else 'NOT FOUND'}", flush=True)
    build()
    print(f"{good} of {len(names)} defects found")
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(MUTANTS)))

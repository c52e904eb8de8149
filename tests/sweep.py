#!/usr/bin/env python3
"""Runs the sanitized program on every example and every corpus model: a short motion with two of the integrators, statics and linear
analysis once. What the runs find is the business of other tests; here only a crash or a sanitizer's report fails.
usage: sweep.py PROGRAM WORK_FOLDER EXAMPLES [CORPUS]"""

import os
import pathlib
import re
import subprocess
import sys

INTEGRATORS = ["GSTIFF", "GSTIFF, SI2", "WSTIFF", "CONSTANT_BDF", "HASTIFF", "HHT", "NEWMARK", "ABAM", "RKF45"]
LIMIT = 20  # seconds; a run that takes longer is stopped as Ctrl-C would, and its results are written
REPORT = re.compile(r"Sanitizer|runtime error:|Assertion")
SANITIZER_EXIT = 99


def script(integrator, rest):
    return "\n".join([
        "sweep", "",
        f"INTEGRATOR/{integrator}",
        "SIMULATE/DYNAMIC, DURATION=0.01, STEPS=2",
        *(["LINEAR/EIGENSOL, KINETIC",
           "LINEAR/MKB, FILE=sweep",
           "SIMULATE/STATICS",
           "LINEAR/EIGENSOL"] if rest else []),
        "STOP", ""])


def run(program, files, out):
    command = [program, "run", "--ignore-user", *map(str, files), "--out", str(out), "--prefix", "sweep"]
    environment = {**os.environ, "ASAN_OPTIONS": f"exitcode={SANITIZER_EXIT}",
                   "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={SANITIZER_EXIT}"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                          errors="replace") as process:
        try:
            text, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.terminate()
            text, _ = process.communicate()
    bad = process.returncode < 0 or process.returncode >= SANITIZER_EXIT or REPORT.search(text)
    return text if bad else ""


def jobs(examples, corpus, work):
    for acf in sorted(examples.glob("*/*.acf")):
        yield [acf]
    models = sorted(examples.glob("*/*.adm")) + (sorted(corpus.glob("**/*.adm")) if corpus else [])
    for index, model in enumerate(models):
        # Every model with two of the integrators, every integrator with several models; what comes after the motion does not know which it was.
        for k in (index, index + len(INTEGRATORS) // 2):
            acf = work / f"{model.stem}-{k}.acf"
            acf.write_text(script(INTEGRATORS[k % len(INTEGRATORS)], k == index))
            yield [model, acf]


def main():
    program, work, examples = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    corpus = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 and os.path.isdir(sys.argv[4]) else None
    work.mkdir(parents=True, exist_ok=True)
    failures = 0
    for files in jobs(examples, corpus, work):
        text = run(program, files, work)
        if text:
            failures += 1
            print(f"FAILED: {program} run {' '.join(map(str, files))}\n{text[-4000:]}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

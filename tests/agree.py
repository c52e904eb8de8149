#!/usr/bin/env python3
"""Mutates the examples and, where it is there, the corpus, and lists where `check` and `run` disagree: check finds no error and
run refuses the model or the script, or check finds an error and run carries everything out. A motion or an equilibrium that is
not found is no disagreement: only trying can tell. Files stay in WORK_FOLDER/CASE for a closer look.
usage: agree.py PROGRAM WORK_FOLDER COUNT SEED EXAMPLES [CORPUS]"""

import pathlib
import random
import re
import subprocess
import sys

LIMIT = 20  # seconds for each of the two
OK, FAILED, INTERRUPTED = 0, 3, 5
# What only trying can tell: the solver's own ends.
TRIED = re.compile(
    r"stopped \(|did not converge|no equilibrium|equilibri|not found in|the search|settl|singular|dead point|"
    r"lock|toggle|eigen|interrupted|kinematic analysis|step too small|corrector|is not a number|nan\b", re.I)


def statements(text):
    """The title, and each statement with its continuation lines."""
    lines = text.splitlines(keepends=True)
    out = [lines[:1]]
    for line in lines[1:]:
        if line.startswith((",", "!")) or not line.strip():
            out[-1].append(line)
        else:
            out.append([line])
    return ["".join(s) for s in out]


NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def mutate_number(rng, text):
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    m = rng.choice(found)
    value = m.group()
    new = rng.choice(["0", "-" + value.lstrip("+-"), "1e30", value + "7", "1", str(rng.randrange(1, 40)), "1e-12", "2.5"])
    return text[:m.start()] + new + text[m.end():]


def mutate_argument(rng, text):
    parts = re.split(r"(,)", text)
    if len(parts) < 3:
        return text
    k = rng.randrange(2, len(parts), 2)
    if rng.random() < 0.7:
        return "".join(parts[:k - 1] + parts[k + 1:])
    return "".join(parts[:k + 1] + [","] + parts[k:])


WORDS = ["REVOLUTE", "TRANSLATIONAL", "CYLINDRICAL", "SPHERICAL", "PLANAR", "FIXED", "UNIVERSAL", "CONVEL", "HOOKE", "RACKPIN",
         "SCREW", "TRANSLATION", "ROTATION", "DISPLACEMENT", "VELOCITY", "FORCE", "DYNAMICS", "STATICS", "KINEMATICS",
         "TRANSIENT", "INITIAL_CONDITIONS", "GSTIFF", "HHT", "ABAM", "RKF45", "SI1", "SI2", "EIGENSOL", "STATEMAT"]


def mutate_word(rng, text):
    found = [m for m in re.finditer(r"[A-Za-z_]\w*", text) if m.group().upper() in WORDS]
    if not found:
        return mutate_number(rng, text)
    m = rng.choice(found)
    return text[:m.start()] + rng.choice(WORDS) + text[m.end():]


COMMANDS = ["SIMULATE/KINEMATICS, DURATION=0.01, STEPS=1\n", "SIMULATE/STATICS\n", "SIMULATE/DYNAMICS, DURATION=0.01, STEPS=1\n",
            "SIMULATE/TRANSIENT, END=0.005, STEPS=1\n", "LINEAR/EIGENSOL\n", "CONTROL/FUNCTION=USER(1)\n",
            "DEACTIVATE/JOINT, ID=1\n", "DEACTIVATE/SFORCE, ID=1\n", "RELOAD/STATES, BUFFER=a\n", "INTEGRATOR/ABAM\n",
            "INTEGRATOR/GSTIFF, SI1\n", "PART/2, MASS=0\n", "JOINT/1, LIST\n", "SIMULATE/STATICS, STEPS=3\n", "INFO/DISP, I=1, J=2\n",
            "SHOW/\n", "TIME/\n", "ACCGRAV/KGRAV=1\n", "MARKER/2, QP=1,2,3\n", "DEBUG/DOF\n"]


def mutate(rng, text, script):
    all_ = statements(text)
    for _ in range(rng.choice([1, 1, 1, 2])):
        if script and rng.random() < 0.5:
            # Never after STOP, which ends the script.
            last = next((k for k, s in enumerate(all_) if s.upper().startswith("STOP")), len(all_))
            all_.insert(rng.randrange(min(2, last), last + 1), rng.choice(COMMANDS))
            continue
        if len(all_) < 3:
            continue
        k = rng.randrange(1, len(all_))
        how = rng.random()
        if how < 0.25:
            del all_[k]
        elif how < 0.55:
            all_[k] = mutate_number(rng, all_[k])
        elif how < 0.75:
            all_[k] = mutate_argument(rng, all_[k])
        elif how < 0.9:
            all_[k] = mutate_word(rng, all_[k])
        else:
            all_.insert(k, all_[rng.randrange(1, len(all_))])
    return "".join(all_)


def shorten(script):
    """Motions of a hundredth of their time: what run refuses, it refuses at once."""
    def cut(m):
        return f"{m.group(1)}{float(m.group(2)) / 100:g}"
    script = re.sub(r"((?:END|DUR\w*)\s*=\s*)([\d.]+(?:[eE][-+]?\d+)?)", cut, script, flags=re.I)
    return re.sub(r"(STEPS\s*=\s*)\d+", r"\g<1>2", re.sub(r"DTOUT\s*=\s*[\d.eE+-]+", "STEPS=2", script, flags=re.I), flags=re.I)


def program(*arguments):
    try:
        done = subprocess.run([str(a) for a in arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=LIMIT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return INTERRUPTED, "timeout"


def first_error(text):
    for line in text.splitlines():
        if "error" in line and "no error" not in line:
            return line.strip()
    return text.strip().splitlines()[-1] if text.strip() else ""


def disagreement(checked, said, ran, told):
    if ran == INTERRUPTED or checked == INTERRUPTED:
        return ""
    if checked == OK and ran != OK and not TRIED.search(told):
        return "run refuses: " + first_error(told)
    if checked != OK and ran == OK:
        return "check refuses: " + first_error(said)
    if checked != OK and "no errors" in said:
        return "check fails and counts no error: " + first_error(said)
    return ""


def sources(examples, corpus):
    for acf in sorted(examples.glob("*/*.acf")):
        model = next(acf.parent.glob("*.adm"), None)
        if model is None:  # made by a script of the example
            continue
        yield model, acf.read_text(errors="replace")
    for model in sorted(corpus.glob("**/*.adm")) if corpus else []:
        if model.stat().st_size < 100000:
            yield model, "agree\n\nSIMULATE/TRANSIENT, DURATION=0.01, STEPS=1\nSTOP\n"


def main():
    trunnion, work, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    examples = pathlib.Path(sys.argv[5])
    corpus = pathlib.Path(sys.argv[6]) if len(sys.argv) > 6 and pathlib.Path(sys.argv[6]).is_dir() else None
    rng = random.Random(seed)
    pairs = list(sources(examples, corpus))
    failing = wrong = 0
    for case in range(count):
        model, script = pairs[case % len(pairs)]
        folder = work / f"{case}"
        folder.mkdir(parents=True, exist_ok=True)
        text, script = model.read_text(errors="replace"), shorten(script)
        if case >= len(pairs):  # the first round is as it stands
            if rng.random() < 0.35:
                script = mutate(rng, script, True)
            else:
                text = mutate(rng, text, False)
        adm, acf = folder / model.name, folder / (model.stem + ".acf")
        adm.write_text(text)
        acf.write_text(script)
        checked, said = program(trunnion, "check", adm, acf)
        ran, told = program(trunnion, "run", adm, acf, "--out", folder, "--no-csv")
        failing += ran not in (OK, INTERRUPTED)
        # A script without an analysis leaves the model alone; check looks at it all the same.
        works = re.search(r"^\s*(SIM|LIN)", script, re.I | re.M)
        found = disagreement(checked, said, ran, told) if works or checked == OK else ""
        if found:
            wrong += 1
            print(f"{case} {model.stem}: check {checked}, run {ran}: {found}", flush=True)
    print(f"{count} cases, {failing} refused or failed by run, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

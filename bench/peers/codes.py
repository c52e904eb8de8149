"""The codes under one interface: simulate(kind, number, value, limit) -> Result or a reason for none."""
import csv
import json
import os
import resource
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import models
import timing
from models import ANDREWS, CHAINS, FOUR_BARS, GOVERNOR, LOOPS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "peers"
PROGRAM = ROOT / "build" / "release" / "trunnion"
MEMORY = 8 << 30  # bytes a run may ask for, rather than bring the machine down


@dataclass
class Result:
    cpu: float
    steps: int
    positions: list
    phases: dict = field(default_factory=dict)
    when: float = field(default_factory=time.time)
    load: float = field(default_factory=lambda: os.getloadavg()[0])


class Failed(Exception):
    """A run that gave no positions; the text says why."""


class Stopped(Failed):
    """A run over the limit of CPU time; so would be the finer ones."""


def call(command, limit):
    """Run a program; its standard output and its CPU seconds."""
    def restrain():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    before = timing.of_children()
    done = subprocess.run([str(c) for c in command], cwd=WORK, preexec_fn=restrain, text=True, capture_output=True)
    cpu = timing.of_children() - before
    if done.returncode < 0:
        raise Stopped(f"stopped after {cpu:.0f} s")
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise Failed(f"failed: {said[-1][:80]}" if said else "failed")
    return done.stdout, cpu


def read_positions(path):
    with open(path) as rows:
        return [[float(x) for x in row] for row in csv.reader(rows)]


@dataclass
class Peer:
    """A program  COMMAND N KIND VALUE POSITIONS.csv  that prints its CPU seconds (the least of several) and its steps."""
    code: str
    method: str
    ladder: list
    command: list
    kinds: list
    sources: list  # what a stored run must be younger than

    def simulate(self, kind, number, value, limit):
        path = WORK / f"{self.code.replace(' ', '_')}_{os.getpid()}.csv"
        output, _ = call([*self.command, number, kind, value, path], limit + timing.ENOUGH)
        told = json.loads(output.splitlines()[-1])
        return Result(told["cpu"], told["steps"], read_positions(path))


@dataclass
class Trunnion:
    method: str
    ladder: list
    integrator: str
    code: str = "Trunnion"
    setup: dict = field(default_factory=dict)  # CPU seconds to read and assemble, by model
    kinds: tuple = (*CHAINS, *LOOPS)
    sources: tuple = (PROGRAM, HERE / "models.py")

    def simulate(self, kind, number, value, limit):
        stem = WORK / f"model_{os.getpid()}"
        text, parts = models.model(kind, number)
        stem.with_suffix(".adm").write_text(text)
        setup = self.setup_seconds(stem, kind, number)
        commands = [f"integrator/{self.integrator}, ERROR={value}, INTERPOLATE=ON", f"simulate/dynamics, end={models.end_of(kind)}, steps=1"]
        cpu = timing.least(lambda: self.run(stem, commands, limit + setup)) - setup
        report = json.loads(stem.with_suffix(".report.json").read_text())["simulations"][-1]
        if report["ended"] != "done":
            raise Failed(report["ended"])
        return Result(max(cpu, 1e-3), report["steps"]["accepted"], self.positions(stem, parts), report["seconds"])

    def setup_seconds(self, stem, kind, number):
        if (kind, number) not in self.setup:
            self.setup[kind, number] = timing.least(lambda: self.run(stem, ["simulate/initial_conditions"], 60))
        return self.setup[kind, number]

    @staticmethod
    def run(stem, commands, limit):
        stem.with_suffix(".acf").write_text("\n".join([f"{stem.name}.adm", stem.name, *commands, "stop", ""]))
        return call([PROGRAM, "run", stem.with_suffix(".acf")], limit)[1]

    @staticmethod
    def positions(stem, parts):
        with open(stem.with_suffix(".csv")) as file:
            *_, last = csv.DictReader(file)
        values = {heading.split(" [")[0]: value for heading, value in last.items()}
        return [[float(values[f"PART/{part}.{axis}"]) for axis in "XYZ"] for part in parts]


LOOSE = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"]
ERRORS = [*LOOSE[1:], "1e-9"]
STEPS = [25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800]
PYTHON = WORK / "venv" / "bin" / "python"
SIMBODY = WORK / "simbody_run"


def scripted(code, method, ladder, script, words, kinds):
    return Peer(code, method, ladder, [PYTHON, HERE / script, *words], kinds, [HERE / script, HERE / "models.py", HERE / "timing.py"])


def simbody(method, word, kinds):
    return Peer("Simbody", method, LOOSE, [SIMBODY, word], kinds, [HERE / "simbody_run.cpp", HERE / "models.py"])


def exudyn(code, elements, kinds):
    return [scripted(code, method, STEPS, "exudyn_run.py", [word, elements], kinds)
            for method, word in (("ρ=0.9, kept J", "--kept"), ("ρ=0.6, J a step", "--renewed"))]


MERSON = simbody("RK-Merson", "merson", [*CHAINS, *LOOPS])
CODES = [Trunnion("GSTIFF I3", ERRORS, "GSTIFF, I3"),
         Trunnion("GSTIFF SI2", ERRORS, "GSTIFF, SI2"),
         Trunnion("HHT", ERRORS, "HHT"),
         Trunnion("DOP853", ERRORS, "DOP853", "Trunnion explicit"),
         MERSON,
         simbody("CPodes BDF", "bdf", [ANDREWS, GOVERNOR]),
         *exudyn("Exudyn", "space", [*CHAINS, *LOOPS]),
         *exudyn("Exudyn plane", "plane", [FOUR_BARS, ANDREWS]),
         scripted("Pinocchio", "ABA, DOP853", LOOSE, "pinocchio_run.py", [], CHAINS),
         scripted("MuJoCo", "RK4", STEPS, "mujoco_run.py", [], CHAINS)]
NAMES = list(dict.fromkeys(code.code for code in CODES))
REFERENCE = Trunnion("reference", ["1e-11"], "DOP853")

"""The codes under one interface: simulate(kind, rods, value, limit) -> Result or a reason for none."""
import csv
import json
import os
import resource
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "peers"
LENGTH, MASS, GRAVITY = 0.1, 1.0, 9.81
SHORT = 0.5  # a run under this many seconds is repeated, and the least time counts
REPEATS = 3


@dataclass
class Result:
    cpu: float
    steps: int
    positions: list
    phases: dict = field(default_factory=dict)


class Failed(Exception):
    """A run that gave no positions; the text says why."""


class Stopped(Failed):
    """A run over the limit of CPU time; so would be the finer ones."""


def call(command, limit):
    """Run a program; its standard output and its user seconds."""
    def restrain():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([str(c) for c in command], cwd=WORK, preexec_fn=restrain, text=True, capture_output=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode < 0:
        raise Stopped(f"stopped after {cpu:.0f} s")
    if done.returncode:
        raise Failed("failed")
    return done.stdout, cpu


def read_positions(path):
    with open(path) as rows:
        return [[float(x) for x in row] for row in csv.reader(rows)]


@dataclass
class Peer:
    """A program  COMMAND N KIND VALUE POSITIONS.csv  that prints its CPU seconds and steps."""
    code: str
    method: str
    ladder: list
    command: list

    def simulate(self, kind, rods, value, limit):
        path = WORK / f"{self.code}_{os.getpid()}.csv"
        output, _ = call([*self.command, rods, kind, value, path], limit)
        told = json.loads(output.splitlines()[-1])
        return Result(told["cpu"], told["steps"], read_positions(path))


def rod_statements(k, kind):
    across = MASS * LENGTH**2 / 12
    part, before = k + 2, 1 if k == 0 else 10 * (k + 1) + 2
    axis = "REULER=0D,90D,0D"  # z of the markers is across the chain
    return [f"PART/{part}, MASS={MASS}, CM={10 * part}, IP={across / 10:.17g},{across:.17g},{across:.17g}",
            f", QG={LENGTH * (k + 0.5):.17g},0,0",
            f"MARKER/{10 * part}, PART={part}",
            f"MARKER/{10 * part + 1}, PART={part}, QP={-LENGTH / 2},0,0, {axis}",
            f"MARKER/{10 * part + 2}, PART={part}, QP={LENGTH / 2},0,0, {axis}",
            f"JOINT/{k + 1}, {kind.upper()}, I={10 * part + 1}, J={before}"]


def write_model(path, kind, rods):
    lines = [f"{kind} chain of {rods}", "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND",
             "PART/1, GROUND", "MARKER/1, PART=1, REULER=0D,90D,0D"]
    for k in range(rods):
        lines += rod_statements(k, kind)
    path.write_text("\n".join([*lines, f"ACCGRAV/KGRAV={-GRAVITY}", "END", ""]))


@dataclass
class Trunnion:
    method: str
    ladder: list
    integrator: str
    code: str = "Trunnion"
    setup: dict = field(default_factory=dict)  # user seconds to read and assemble, by chain

    def simulate(self, kind, rods, value, limit):
        stem = WORK / f"chain_{os.getpid()}"
        write_model(stem.with_suffix(".adm"), kind, rods)
        setup = self.setup_seconds(stem, kind, rods)
        cpu = self.run(stem, [f"integrator/{self.integrator}, ERROR={value}, INTERPOLATE=ON",
                              "simulate/dynamics, end=1, steps=1"], limit + setup)
        report = json.loads(stem.with_suffix(".report.json").read_text())["simulations"][-1]
        if report["ended"] != "done":
            raise Failed(report["ended"])
        return Result(max(cpu - setup, 1e-3), report["steps"]["accepted"], self.positions(stem, rods), report["seconds"])

    def setup_seconds(self, stem, kind, rods):
        if (kind, rods) not in self.setup:
            self.setup[kind, rods] = min(self.run(stem, ["simulate/initial_conditions"], 60) for _ in range(REPEATS))
        return self.setup[kind, rods]

    @staticmethod
    def run(stem, commands, limit):
        stem.with_suffix(".acf").write_text("\n".join([f"{stem.name}.adm", stem.name, *commands, "stop", ""]))
        return call([ROOT / "build" / "release" / "trunnion", "run", stem.with_suffix(".acf")], limit)[1]

    @staticmethod
    def positions(stem, rods):
        with open(stem.with_suffix(".csv")) as file:
            *_, last = csv.DictReader(file)
        values = {heading.split(" [")[0]: value for heading, value in last.items()}
        return [[float(values[f"PART/{k + 2}.{axis}"]) for axis in "XYZ"] for k in range(rods)]


ERRORS = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"]
STEPS = [200, 400, 800, 1600, 3200, 6400, 12800]
EXUDYN = [WORK / "venv" / "bin" / "python", HERE / "exudyn_chain.py"]
SIMBODY = Peer("Simbody", "RK-Merson", ["1e-1", "1e-2", *ERRORS], [WORK / "simbody_chain"])
GSTIFF = Trunnion("GSTIFF I3", ERRORS, "GSTIFF, I3")
CODES = [GSTIFF,
         Trunnion("GSTIFF SI2", ERRORS, "GSTIFF, SI2"),
         Trunnion("HHT", ERRORS, "HHT"),
         Trunnion("DOP853", ERRORS, "DOP853"),
         SIMBODY,
         Peer("Exudyn", "ρ=0.9, kept J", STEPS, [*EXUDYN, "--kept"]),
         Peer("Exudyn", "ρ=0.6, J a step", STEPS, [*EXUDYN, "--renewed"]),
         Peer("Pinocchio", "ABA, DOP853", ["1e-1", "1e-2", *ERRORS], [EXUDYN[0], HERE / "pinocchio_chain.py"]),
         Peer("MuJoCo", "RK4", STEPS, [EXUDYN[0], HERE / "mujoco_chain.py"])]
REFERENCE = Trunnion("reference", ["1e-10"], "GSTIFF, I3, HMIN=1e-12")


def measure(code, kind, rods, value, limit):
    """The run with the least CPU time of a few, if they are short."""
    best = code.simulate(kind, rods, value, limit)
    for _ in range(REPEATS - 1 if best.cpu < SHORT else 0):
        again = code.simulate(kind, rods, value, limit)
        best.cpu = min(best.cpu, again.cpu)
    return best

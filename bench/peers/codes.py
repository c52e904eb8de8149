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
LOOPS = "four-bars"
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


def end_of(kind):
    """The four-bars lie flat, where they lose rank, at 0.72 s."""
    return 0.5 if kind == LOOPS else 1


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
    loops: bool = True  # whether it can do closed ones by constraints that hold

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


def window_statements(windows):
    """N + 1 rods standing on pins one apart, N on top: joints in space, three equations of each window are redundant."""
    inertia, lines, joint = 1 / 12, [], 0
    for k in range(windows + 1):
        part = 1000 + k
        lines += [f"MARKER/{90000 + k}, PART=1, QP={k},0,0",
                  f"PART/{part}, MASS=1, CM={part}0, IP={inertia:.17g},1E-3,{inertia:.17g}, QG={k},0.5,0, WZ=-1",
                  f"MARKER/{part}0, PART={part}", f"MARKER/{part}1, PART={part}, QP=0,-0.5,0",
                  f"MARKER/{part}2, PART={part}, QP=0,0.5,0",
                  f"JOINT/{(joint := joint + 1)}, REVOLUTE, I={part}1, J={90000 + k}"]
    for k in range(windows):
        part = 3000 + k
        lines += [f"PART/{part}, MASS=1, CM={part}0, IP=1E-3,{inertia:.17g},{inertia:.17g}, QG={k + 0.5},1,0, VX=1",
                  f"MARKER/{part}0, PART={part}", f"MARKER/{part}1, PART={part}, QP=-0.5,0,0",
                  f"MARKER/{part}2, PART={part}, QP=0.5,0,0"]
        lines += [f"JOINT/{(joint := joint + 1)}, REVOLUTE, I={part}{side + 1}, J={1000 + k + side}2" for side in (0, 1)]
    return lines


def parts_of(kind, rods):
    if kind != LOOPS:
        return range(2, rods + 2)
    return [*range(1000, 1001 + rods), *range(3000, 3000 + rods)]


def write_loops(path, windows):
    lines = [f"{windows} windows", "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND", "PART/1, GROUND",
             *window_statements(windows)]
    path.write_text("\n".join([*lines, f"ACCGRAV/JGRAV={-GRAVITY}", "END", ""]))


def write_model(path, kind, rods):
    if kind == LOOPS:
        return write_loops(path, rods)
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
    loops: bool = True

    def simulate(self, kind, rods, value, limit):
        stem = WORK / f"chain_{os.getpid()}"
        write_model(stem.with_suffix(".adm"), kind, rods)
        setup = self.setup_seconds(stem, kind, rods)
        cpu = self.run(stem, [f"integrator/{self.integrator}, ERROR={value}, INTERPOLATE=ON",
                              f"simulate/dynamics, end={end_of(kind)}, steps=1"], limit + setup)
        report = json.loads(stem.with_suffix(".report.json").read_text())["simulations"][-1]
        if report["ended"] != "done":
            raise Failed(report["ended"])
        return Result(max(cpu - setup, 1e-3), report["steps"]["accepted"], self.positions(stem, parts_of(kind, rods)), report["seconds"])

    def setup_seconds(self, stem, kind, rods):
        if (kind, rods) not in self.setup:
            self.setup[kind, rods] = min(self.run(stem, ["simulate/initial_conditions"], 60) for _ in range(REPEATS))
        return self.setup[kind, rods]

    @staticmethod
    def run(stem, commands, limit):
        stem.with_suffix(".acf").write_text("\n".join([f"{stem.name}.adm", stem.name, *commands, "stop", ""]))
        return call([ROOT / "build" / "release" / "trunnion", "run", stem.with_suffix(".acf")], limit)[1]

    @staticmethod
    def positions(stem, parts):
        with open(stem.with_suffix(".csv")) as file:
            *_, last = csv.DictReader(file)
        values = {heading.split(" [")[0]: value for heading, value in last.items()}
        return [[float(values[f"PART/{part}.{axis}"]) for axis in "XYZ"] for part in parts]


ERRORS = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"]
STEPS = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12800]
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
         Peer("Pinocchio", "ABA, DOP853", ["1e-1", "1e-2", *ERRORS], [EXUDYN[0], HERE / "pinocchio_chain.py"], loops=False),
         Peer("MuJoCo", "RK4", STEPS, [EXUDYN[0], HERE / "mujoco_chain.py"], loops=False)]
REFERENCE = Trunnion("reference", ["1e-10"], "GSTIFF, I3, HMIN=1e-12")


def measure(code, kind, rods, value, limit):
    """The run with the least CPU time of a few, if they are short."""
    best = code.simulate(kind, rods, value, limit)
    for _ in range(REPEATS - 1 if best.cpu < SHORT else 0):
        again = code.simulate(kind, rods, value, limit)
        best.cpu = min(best.cpu, again.cpu)
    return best

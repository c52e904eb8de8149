#!/usr/bin/env python3
"""An all-terrain vehicle with a flexible frame on a four-post shaker.

    make_all_terrain.py [FOLDER]

writes into FOLDER (the current one unless given)

    frame.inp         the frame for CalculiX: aluminium bars 30 mm square, quadratic solid elements
    frame.sh          the command that makes frame.mtx and frame.stress.mtx of it (trunnion flex, needs ccx): 134 modes
    all_terrain.adm   the vehicle: 28 moving parts, 43 joints, 5 motions
    all_terrain.acf   two seconds on the shaker

All dimensions are our own. x forward, y to the left, z up; kg, m, N, s.
"""

import os
import sys

BAR = 0.03
X = [-0.65, -0.25, 0.25, 0.65]    # of the cross members and uprights
Y = [-0.2, 0.2]                   # of the rails
Z = [0.35, 0.75]                  # of the two decks
CELLS = {"x": 5, "y": 8, "z": 4}  # elements between two bars


def lines_along(centres, cells):
    """Grid lines, and for each cell between two whether it lies within a bar."""
    lines, within = [], []
    for k, c in enumerate(centres):
        if k > 0:
            begin, end = centres[k - 1] + BAR / 2, c - BAR / 2
            lines += [begin + (end - begin) * i / cells for i in range(1, cells)]
            within += [False] * cells
        lines += [c - BAR / 2, c + BAR / 2]
        within.append(True)
    return lines, within


xs, x_bar = lines_along(X, CELLS["x"])
ys, y_bar = lines_along(Y, CELLS["y"])
zs, z_bar = lines_along(Z, CELLS["z"])

# Corners of a C3D20 and the corners that its midside nodes stand between, in the order of the element.
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]


def mesh():
    nodes, elements = {}, []  # (2i, 2j, 2k) → number

    def node(place):
        return nodes.setdefault(place, len(nodes) + 1)

    for i, in_x in enumerate(x_bar):
        for j, in_y in enumerate(y_bar):
            for k, in_z in enumerate(z_bar):
                if in_x + in_y + in_z < 2:  # a bar runs where two of the three are within one
                    continue
                at = [(2 * (i + a), 2 * (j + b), 2 * (k + c)) for a, b, c in CORNERS]
                at += [tuple((p + q) // 2 for p, q in zip(at[a], at[b])) for a, b in EDGES]
                elements.append([node(place) for place in at])
    return nodes, elements


def coordinate(lines, twice):
    return lines[twice // 2] if twice % 2 == 0 else (lines[twice // 2] + lines[twice // 2 + 1]) / 2


nodes, elements = mesh()
places = {number: (coordinate(xs, i), coordinate(ys, j), coordinate(zs, k)) for (i, j, k), number in nodes.items()}


def line_at(lines, value):
    return min(lines, key=lambda x: abs(x - value))


# Where the vehicle is joined: the cross-section of a bar, and the node in its middle.
SECTIONS = {}


def section(name, **at):
    """A section of the bar through the given place; the coordinate along the bar is the one that is on no bar's axis."""
    along = {"x": X, "y": Y, "z": Z}
    grid = {"x": xs, "y": ys, "z": zs}
    axis = [a for a in "xyz" if min(abs(at[a] - c) for c in along[a]) > BAR][0]
    value = line_at(grid[axis], at[axis])
    index = "xyz".index(axis)
    middle = [at["x"], at["y"], at["z"]]
    middle[index] = value
    chosen = [n for n, p in places.items() if abs(p[index] - value) < 1e-9 and all(
        abs(p[m] - middle[m]) < BAR * 0.51 for m in range(3) if m != index)]
    assert len(chosen) == 8, (name, len(chosen))
    SECTIONS[name] = (9001 + len(SECTIONS), middle, chosen)


for side, y in (("L", 1), ("R", -1)):
    section("ARM_FRONT_" + side, x=0.55, y=0.2 * y, z=0.35)
    section("ARM_REAR_" + side, x=0.35, y=0.2 * y, z=0.35)
    section("STRUT_" + side, x=0.43, y=0.2 * y, z=0.75)
    section("SWING_IN_" + side, x=-0.25, y=0.046 * y, z=0.35)
    section("SWING_OUT_" + side, x=-0.25, y=0.139 * y, z=0.35)
    section("SHOCK_" + side, x=-0.47, y=0.2 * y, z=0.75)
    section("ENGINE_" + side, x=0.05, y=0.2 * y, z=0.35)
    section("COLUMN_" + side, x=0.25, y=0.0925 * y, z=0.75)
section("ENGINE_M", x=-0.25, y=0.0, z=0.35)
section("COLUMN_M", x=0.65, y=0.0, z=0.75)
section("SEAT", x=-0.25, y=0.0, z=0.75)
section("FEET", x=0.25, y=0.0, z=0.35)
FIXED_MODES = 134 + 6 - 6 * len(SECTIONS)


def deck():
    out = ["** Frame of an all-terrain vehicle; written by make_all_terrain.py", "*NODE, NSET=ALL"]
    out += [f"{n}, {p[0]:.9g}, {p[1]:.9g}, {p[2]:.9g}" for n, p in places.items()]
    out.append("*ELEMENT, TYPE=C3D20, ELSET=FRAME")
    for number, of in enumerate(elements, 1):
        words = [str(n) for n in [number] + of]
        out += [", ".join(words[:16]) + ",", ", ".join(words[16:])]
    for name, (_, _, chosen) in SECTIONS.items():
        out += [f"*NSET, NSET={name}", ", ".join(str(n) for n in chosen)]
    out += ["*MATERIAL, NAME=ALUMINIUM", "*ELASTIC", "70e9, 0.33", "*DENSITY", "2700",
            "*SOLID SECTION, ELSET=FRAME, MATERIAL=ALUMINIUM"]
    return "\n".join(out) + "\n"


def command():
    groups = ",".join(f"{name}@{number}" for name, (number, _, _) in SECTIONS.items())
    return ("#!/bin/sh\n# The frame's matrices: frame.mtx, frame.stress.mtx. TRUNNION names another program.\n"
            f"exec ${{TRUNNION:-trunnion}} flex frame.inp --rbe3 {groups} --modes {FIXED_MODES} --stress --band 100\n")


class Model:
    """Statements, with parts and markers numbered as they come."""

    def __init__(self):
        self.lines, self.part_of, self.count = [], {}, {"PART": 1, "MARKER": 10, "JOINT": 0, "JPRIM": 0, "MOTION": 0}

    def say(self, text):
        self.lines.append(text)

    def next(self, kind):
        self.count[kind] += 1
        return self.count[kind]

    def marker(self, part, place, turn=""):
        number = self.next("MARKER")
        origin = self.part_of[part][1]
        at = [p - o for p, o in zip(place, origin)]
        self.say(f"MARKER/{number}, PART={self.part_of[part][0]}, QP={at[0]:.9g},{at[1]:.9g},{at[2]:.9g}"
                 + (f", REULER={turn}" if turn else ""))
        return number

    def part(self, name, place, mass, inertia):
        number = self.next("PART")
        self.part_of[name] = (number, place)
        cm = self.next("MARKER")
        self.say(f"! {name}")
        self.say(f"PART/{number}, MASS={mass:g}, CM={cm}, IP={','.join(f'{i:g}' for i in inertia)}"
                 f", QG={place[0]:.9g},{place[1]:.9g},{place[2]:.9g}")
        self.say(f"MARKER/{cm}, PART={number}")
        return cm

    def point_mass(self, name, place, mass):
        number, cm = self.next("PART"), self.next("MARKER")
        self.say(f"! {name}")
        self.say(f"POINT_MASS/{number}, MASS={mass:g}, CM={cm}, QG={place[0]:.9g},{place[1]:.9g},{place[2]:.9g}")
        self.say(f"MARKER/{cm}, POINT_MASS={number}")
        return cm

    def on_frame(self, section):
        number = self.next("MARKER")
        self.say(f"MARKER/{number}, FLEX_BODY=1, NODE_ID={SECTIONS[section][0]}")
        return number

    def joint(self, kind, i, j):
        statement = "JPRIM" if kind in ("INLINE", "INPLANE", "PERPENDICULAR") else "JOINT"
        number = self.next(statement)
        self.say(f"{statement}/{number}, {kind}, I={i}, J={j}")
        return number


AXIS = {"x": "90D,90D,0D", "y": "180D,90D,0D", "z": ""}  # z of a marker along


def middle(section):
    return SECTIONS[section][1]


def between(a, b, part):
    return [p + (q - p) * part for p, q in zip(a, b)]


def along(a, b):
    """REULER of a marker whose z points from a to b (3-1-3)."""
    from math import acos, atan2, degrees, sqrt
    d = [q - p for p, q in zip(a, b)]
    length = sqrt(sum(x * x for x in d))
    return f"{degrees(atan2(d[0], -d[1])):.12g}D,{degrees(acos(d[2] / length)):.12g}D,0D"


def hang(m, part, first, second, axis):
    """A part that turns about an axis through two sections of the frame: held at one, guided at the other."""
    m.joint("SPHERICAL", m.on_frame(first), m.marker(part, middle(first)))
    m.joint("INLINE", m.on_frame(second), m.marker(part, middle(second), AXIS[axis]))


def mount(m, part, first, second, third, line, normal):
    """All six freedoms, by forces alone."""
    m.joint("SPHERICAL", m.on_frame(first), m.marker(part, middle(first)))
    m.joint("INLINE", m.on_frame(second), m.marker(part, middle(second), AXIS[line]))
    m.joint("INPLANE", m.on_frame(third), m.marker(part, middle(third), AXIS[normal]))


RADIUS, TUBE = 0.2, 0.08  # of a tyre's ring
WHEEL_Z = RADIUS + TUBE
SUNK = [0.0150, 0.0163]   # what front and rear tyres give under the vehicle's weight; springs are preloaded for it, too
START = "STEP(TIME,0.25,0,0.5,1)"  # what is left of settling dies out before the posts move


def wheel(m, name, carrier, centre):
    cm = m.part(name, centre, 9, (0.2, 0.35, 0.2))
    tyre = m.marker(name, centre, AXIS["y"])
    m.joint("REVOLUTE", tyre, m.marker(carrier, centre, AXIS["y"]))
    return cm, tyre


def damper(m, number, i, j, stiffness, length, damping):
    m.say(f"SPRINGDAMPER/{number}, I={i}, J={j}, TRANSLATION, K={stiffness:g}, LENGTH={length:.9g}, C={damping:g}")


def distance(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5


def vehicle():
    m = Model()
    m.say("All-terrain vehicle on a four-post shaker; written by make_all_terrain.py")
    m.say("UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND")
    m.say("ACCGRAV/KGRAV=-9.80665")
    m.say("PART/1, GROUND")
    m.part_of["ground"] = (1, [0, 0, 0])
    m.say("! frame: 134 modes")
    m.say("MATRIX/1, FILE=frame.mtx\nMATRIX/2, FILE=frame.stress.mtx\nFLEX_BODY/1, MATRICES=1,2, REPRESENTATION=MODAL")
    reports = {}
    m.part("engine", [-0.05, 0, 0.47], 45, (0.9, 0.7, 0.9))
    mount(m, "engine", "ENGINE_L", "ENGINE_R", "ENGINE_M", "y", "z")
    reports["engine"] = m.count["MARKER"]
    for name, mass, place in (("rider on the seat", 90.7, "SEAT"), ("rider's feet", 13.6, "FEET")):
        m.joint("SPHERICAL", m.on_frame(place), m.point_mass(name, middle(place), mass))
    m.part("column bracket", [0.4, 0, 0.78], 1.2, (0.01, 0.01, 0.01))
    mount(m, "column bracket", "COLUMN_L", "COLUMN_R", "COLUMN_M", "y", "z")
    foot = [0.45, 0, 0.5]
    m.part("steering column", [0.4, 0, 0.8], 4, (0.15, 0.1, 0.15))
    steer = m.joint("REVOLUTE", m.marker("steering column", [0.4, 0, 0.8]), m.marker("column bracket", [0.4, 0, 0.8]))
    m.say(f"MOTION/{m.next('MOTION')}, ROTATION, JOINT={steer}, FUNCTION=5D*SIN(2*PI*TIME)*{START}")

    wheels = []
    for side, y in (("L", 1), ("R", -1)):
        hub = [0.45, 0.5 * y, WHEEL_Z]
        ball = [0.45, 0.42 * y, WHEEL_Z - 0.02]
        arm = "front arm " + side
        m.part(arm, [0.45, 0.31 * y, 0.31], 3, (0.03, 0.02, 0.05))
        hang(m, arm, "ARM_FRONT_" + side, "ARM_REAR_" + side, "x")
        knuckle = "knuckle " + side
        top = middle("STRUT_" + side)
        low = [0.45, 0.4 * y, WHEEL_Z + 0.12]
        m.part(knuckle, [0.45, 0.43 * y, WHEEL_Z + 0.03], 5, (0.06, 0.05, 0.03))
        m.joint("SPHERICAL", m.marker(arm, ball), m.marker(knuckle, ball))
        rod = "strut rod " + side
        slide = along(low, top)
        m.part(rod, between(low, top, 0.75), 1.5, (0.012, 0.012, 0.001))
        m.joint("SPHERICAL", m.on_frame("STRUT_" + side), m.marker(rod, top))
        upper, lower = m.marker(rod, between(low, top, 0.7), slide), m.marker(knuckle, low, slide)
        m.joint("TRANSLATIONAL", upper, lower)
        damper(m, 1 if y > 0 else 2, upper, lower, 12000, distance(low, top) * 0.7 + 0.038, 700)
        tie = "tie rod " + side
        inner, outer = [0.53, 0.04 * y, 0.36], [0.56, 0.41 * y, WHEEL_Z + 0.02]
        m.part(tie, between(inner, outer, 0.5), 0.6, (0.007, 0.001, 0.007))
        m.joint("SPHERICAL", m.marker(tie, outer), m.marker(knuckle, outer))
        # A cross: one arm across the rod, the other one across the column.
        m.joint("HOOKE", m.marker(tie, inner, along(inner, outer)), m.marker("steering column", inner, along(inner, outer)))
        wheels.append(wheel(m, "front wheel " + side, knuckle, hub))
    for side, y in (("L", 1), ("R", -1)):
        hub = [-0.62, 0.48 * y, WHEEL_Z]
        arm = "swing arm " + side
        m.part(arm, [-0.45, 0.25 * y, 0.31], 7, (0.06, 0.12, 0.15))
        hang(m, arm, "SWING_IN_" + side, "SWING_OUT_" + side, "y")
        top, low = middle("SHOCK_" + side), [-0.55, 0.24 * y, 0.33]
        slide = along(low, top)
        m.part("shock rod " + side, between(low, top, 0.75), 1.2, (0.01, 0.01, 0.001))
        m.part("shock tube " + side, between(low, top, 0.25), 1.5, (0.012, 0.012, 0.001))
        held = m.joint("SPHERICAL", m.on_frame("SHOCK_" + side), m.marker("shock rod " + side, top))
        reports["SHOCK_" + side] = held
        upper = m.marker("shock rod " + side, between(low, top, 0.7), slide)
        lower = m.marker("shock tube " + side, between(low, top, 0.1), slide)
        m.joint("TRANSLATIONAL", upper, lower)
        m.joint("HOOKE", m.marker("shock tube " + side, low, slide), m.marker(arm, low, slide))
        damper(m, 3 if y > 0 else 4, upper, lower, 26000, distance(low, top) * 0.6 + 0.0225, 1200)
        cm, tyre = wheel(m, "rear wheel " + side, arm, hub)
        wheels.append((cm, tyre))
        # The parking brake: the wheel does not turn on its arm.
        m.joint("PERPENDICULAR", m.marker("rear wheel " + side, hub), m.marker(arm, hub, AXIS["x"]))

    law = ("IMPACT, STIFFNESS=60E3, EXPONENT=1.1, DAMPING=900, DMAX=0.01\n"
           ", COULOMB_FRICTION=ON, MU_STATIC=0.8, MU_DYNAMIC=0.7, STICTION_TRANSITION_VELOCITY=0.05"
           ", FRICTION_TRANSITION_VELOCITY=0.5")
    for k, (name, place, (cm, tyre)) in enumerate(zip(
            ("front left", "front right", "rear left", "rear right"),
            ([0.45, 0.5], [0.45, -0.5], [-0.62, 0.48], [-0.62, -0.48]), wheels), 1):
        post = f"post {name}"
        m.part(post, place + [-0.2], 30, (0.5, 0.5, 0.5))
        guide = m.joint("TRANSLATIONAL", m.marker(post, place + [-0.2]), m.marker("ground", place + [-0.2]))
        # Front and rear axle half a period apart: pitch.
        phase = "" if k <= 2 else "+PI"
        m.say(f"MOTION/{m.next('MOTION')}, TRANSLATION, JOINT={guide}"
              f", FUNCTION=0.03*SIN(4*PI*TIME{phase})*{START}")
        m.say(f"GRAPHICS/{10 * k}, PLANE, RM={m.marker(post, place + [SUNK[(k - 1) // 2]])}, XMIN=-0.3, XMAX=0.3, YMIN=-0.2, YMAX=0.2")
        m.say(f"GRAPHICS/{10 * k + 1}, TORUS, CM={tyre}, MAJOR_RADIUS={RADIUS:g}, MINOR_RADIUS={TUBE:g}")
        m.say(f"CONTACT/{k}, IGEOM={10 * k + 1}, JGEOM={10 * k}, {law}")
    m.say("INTEGRATOR/HHT, ERROR=1E-5, HMAX=5E-4")
    m.say("RESULTS/")
    m.say("END")
    return "\n".join(line for line in m.lines if line) + "\n", m, reports


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    os.makedirs(folder, exist_ok=True)
    text, m, reports = vehicle()
    files = {"frame.inp": deck(), "frame.sh": command(), "all_terrain.adm": text,
             "all_terrain.acf": "all_terrain\nSIMULATE/DYNAMIC, END=2, STEPS=400\nSTOP\n"}
    for name, content in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(content)
    print(f"{len(nodes)} nodes, {len(elements)} elements, {len(SECTIONS)} sections, {FIXED_MODES} fixed-interface modes; "
          f"{m.count['PART'] - 1 + 1} moving parts, {m.count['JOINT'] + m.count['JPRIM']} joints, {m.count['MOTION']} motions; {reports}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes hmmwv.adm: a HMMWV of 49 moving bodies rolls freely at 18 km/h, straight on and then into a gentle bend.

    make_hmmwv.py [--bushing 2e6] [--speed 5] [--steer 60] [--between 3 5] > hmmwv.adm

--bushing  stiffness of the four bushings, N/m; along their axis 1.0476 times as much (the paper has 2e6 and 2e12)
--speed    m/s at the start
--steer    turn of the steering wheel, degrees
--between  when it begins and ends, s

Bodies, masses, inertias, springs and bushings are those of the vehicle in A. A. Shabana, D. Zhang, G. Wang, "TLISMNI/Adams algorithm
for the solution of the differential/algebraic equations of constrained dynamical systems", section 6.2 and table 7, which has no
geometry and no tyres. Hardpoints, dampers, rack and tyres are Project Chrono's (data/vehicle/hmmwv/*.json, BSD-3-Clause, Copyright
projectchrono.org). Places of the drive shafts' inner joints, of the steering column and the ratio of its gear are ours.
x is forward, y to the left, z up; the origin of the vehicle lies between the axles.
"""

import argparse
import math
import sys

from fiala_tyre import HMMWV as TYRE, deflection_for, fiala, load

options = argparse.ArgumentParser()
options.add_argument("--bushing", type=float, default=2e6)
options.add_argument("--speed", type=float, default=5.0)
options.add_argument("--steer", type=float, default=60.0)
options.add_argument("--between", type=float, nargs=2, default=[3.0, 5.0])
options = options.parse_args()
gravity = 9.81

# ---- Vectors

def add(a, b, scale=1.0):
    return tuple(x + scale * y for x, y in zip(a, b))


def sub(a, b):
    return add(a, b, -1.0)


def mid(a, b, share=0.5):
    return add(a, sub(b, a), share)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    size = math.sqrt(dot(a, a))
    return tuple(x / size for x in a)


def solve(rows, right):
    """Gaussian elimination with row pivots."""
    n = len(rows)
    a = [list(row) + [r] for row, r in zip(rows, right)]
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(a[k][i]))
        a[i], a[best] = a[best], a[i]
        for k in range(n):
            if k != i:
                factor = a[k][i] / a[i][i]
                a[k] = [x - factor * y for x, y in zip(a[k], a[i])]
    return [a[i][n] / a[i][i] for i in range(n)]


# ---- The paper's table 7: mass, and moments about x, y, z of the body

STEERING = {"steering_wheel": (2.15, 2.5892e-2, 2.5892e-2, 5.1629e-2), "column": (2.7985, 6.4319e-2, 6.4319e-2, 3.0466e-4),
            "intermediate_shaft": (2.2535, 3.2103e-2, 3.2103e-2, 2.4336e-4),
            "steering_shaft": (2.0182, 2.3725e-2, 2.3725e-2, 2.2182e-4),
            "rack": (3.4424, 0.23089, 0.23089, 2.6961e-4), "pinion": (0.5, 1e-6, 1e-6, 1e-6)}
FRAMES = {"chassis": (2086.5, 1078.5, 2955.7, 3570.2), "front_frame": (50.0, 1e-6, 1e-6, 1e-6),
          "rear_frame": (45.359, 2.9264e-4, 2.9264e-4, 2.9264e-4)}
COMMON = {"upright": (3.6382, 4.08e-2, 4.23e-2, 8.34e-3), "upper_strut": (5.0, 1e-6, 1e-6, 1e-6),
          "lower_strut": (5.0, 1e-6, 1e-6, 1e-6), "tyre": (68.039, 1.1998, 1.7558, 1.1998)}
FRONT = dict(COMMON, upper_arm=(5.4431, 2.33e-2, 3.61e-2, 1.32e-2), lower_arm=(16.329, 0.14688, 0.23163, 0.11852),
             tie_rod=(0.5545, 5.7854e-3, 5.7854e-3, 1.7745e-5), tripot=(1.9851, 1.1019e-3, 1.1019e-3, 8.139e-4),
             drive_shaft=(4.2175, 0.16599, 0.16599, 6.9283e-4), spindle=(1.1028, 4.779e-4, 4.779e-4, 4.9628e-4))
REAR = dict(COMMON, upper_arm=(5.932, 6.84e-2, 9.14e-2, 2.4e-2), lower_arm=(16.287, 0.29036, 0.51811, 0.23229),
            tie_rod=(2.0412, 4.22e-2, 4.22e-2, 1.9e-4), tripot=(2.0307, 1.1383e-3, 1.1383e-3, 8.4254e-4),
            drive_shaft=(6.0495, 0.24565, 0.24565, 1.4463e-3), spindle=(1.5046, 7.7539e-4, 7.7539e-4, 9.2387e-4))
SPRING = {"F": (1.67071e5, 0.33934), "R": (3.02619e5, 0.31572)}  # N/m, free length in m
BUSHING_DAMPING, BUSHING_TURN = 1e3, 5.7296e-2  # N s/m, N m s/rad

# ---- Chrono's hardpoints of the left side, in the frame of the axle, and forces of the dampers at 1/3 m/s

AXLE = 1.688965
POINTS = {
    "F": dict(wheel=(-0.040, 0.910, -0.026), upright=(-0.040, 0.751, -0.026), upper_cm=(-0.106, 0.589, 0.218),
              upper_front=(-0.048, 0.446, 0.245), upper_back=(-0.268, 0.478, 0.196), upper_ball=(-0.053, 0.716, 0.215),
              lower_cm=(0.0, 0.547, -0.059), lower_front=(0.223, 0.307, 0.0), lower_back=(-0.223, 0.307, 0.0),
              lower_ball=(-0.036, 0.787, -0.118), tie_in=(-0.250, 0.448, 0.054), tie_out=(-0.176, 0.821, -0.016),
              strut_top=(0.104, 0.498, 0.323), strut_foot=(0.097, 0.543, -0.047)),
    "R": dict(wheel=(0.036, 0.910, -0.026), upright=(0.036, 0.751, -0.026), upper_cm=(0.124, 0.589, 0.221),
              upper_front=(0.349, 0.462, 0.228), upper_back=(0.077, 0.462, 0.224), upper_ball=(0.036, 0.716, 0.216),
              lower_cm=(0.0, 0.547, -0.059), lower_front=(0.223, 0.307, 0.0), lower_back=(-0.223, 0.307, 0.0),
              lower_ball=(0.036, 0.787, -0.118), tie_in=(0.223, 0.416, 0.059), tie_out=(0.170, 0.821, -0.009),
              strut_top=(-0.104, 0.498, 0.323), strut_foot=(-0.097, 0.544, -0.038))}
DAMPER = {"F": (4173.85, 7486.67), "R": (4845.17, 11675.1)}  # N when shortened and lengthened by 1/3 m/s
DAMPER_ROUND = 0.02  # m/s over which the two slopes pass into each other
CHASSIS_CM = (0.056, 0.0, 0.213)
PINION_RADIUS = 0.1
# Ours:
TRIPOT_Y, CV_Y, SPINDLE_Y = 0.28, 0.70, 0.84
WHEEL, COLUMN_END, SHAFT_TOP, SHAFT_END = (0.95, 0.50, 0.70), (1.15, 0.45, 0.52), (1.33, 0.30, 0.25), (1.36, 0.22, 0.10)
STEERING_GEAR = 10.0  # turns of the steering shaft for one of the pinion
RACK = (AXLE - 0.250, 0.0, 0.054)
PINION = (RACK[0] - PINION_RADIUS, 0.22, RACK[2])


def corner_points(axle, side):
    base = AXLE if axle == "F" else -AXLE
    p = {name: (base + x, side * y, z) for name, (x, y, z) in POINTS[axle].items()}
    x, _, z = p["wheel"]
    p.update(tripot=(x, side * TRIPOT_Y, z + 0.02), cv=(x, side * CV_Y, z), spindle=(x, side * SPINDLE_Y, z))
    return p


def centres(axle, p):
    """Where the mass centres of a corner's bodies are."""
    return {"upright": p["upright"], "upper_arm": p["upper_cm"], "lower_arm": p["lower_cm"],
            "upper_strut": mid(p["strut_top"], p["strut_foot"], 0.25), "lower_strut": mid(p["strut_top"], p["strut_foot"], 0.75),
            "tyre": p["wheel"], "tie_rod": mid(p["tie_in"], p["tie_out"]), "tripot": p["tripot"],
            "drive_shaft": mid(p["tripot"], p["cv"]), "spindle": p["spindle"]}


STEERING_CM = {"steering_wheel": WHEEL, "column": mid(WHEEL, COLUMN_END), "intermediate_shaft": mid(COLUMN_END, SHAFT_TOP),
               "steering_shaft": mid(SHAFT_TOP, SHAFT_END), "rack": RACK, "pinion": PINION}
FRAME_CM = {"chassis": CHASSIS_CM, "front_frame": (AXLE, 0, 0), "rear_frame": (-AXLE, 0, 0)}

# ---- Hand calculation: axle loads, tyre deflections, and where the springs' seats must be so that it rests as drawn

masses = [(STEERING[n][0], STEERING_CM[n]) for n in STEERING] + [(FRAMES[n][0], FRAME_CM[n]) for n in FRAMES]
for axle, table in (("F", FRONT), ("R", REAR)):
    for side in (1, -1):
        where = centres(axle, corner_points(axle, side))
        masses += [(table[n][0], where[n]) for n in table]
total = sum(m for m, _ in masses)
centre = tuple(sum(m * c[k] for m, c in masses) / total for k in range(3))
x_front, x_rear = (corner_points(a, 1)["wheel"][0] for a in "FR")
wheel_load = {"F": total * gravity * (centre[0] - x_rear) / (x_front - x_rear) / 2}
wheel_load["R"] = total * gravity / 2 - wheel_load["F"]
radius = {a: TYRE["radius"] - deflection_for(TYRE, wheel_load[a]) for a in "FR"}
# Drawn level; the axles' tyres differ by 1.4 mm, which statics makes a little pitch.
height = 0.5 * (radius["F"] + radius["R"]) - POINTS["F"]["wheel"][2]


def spring_force(axle):
    """Force of the spring and its travel over the wheel's, by virtual power: the lower arm turns at 1 rad/s."""
    p, table = corner_points(axle, 1), FRONT if axle == "F" else REAR
    lower, upper = unit(sub(p["lower_front"], p["lower_back"])), unit(sub(p["upper_front"], p["upper_back"]))
    ball = cross(lower, sub(p["lower_ball"], p["lower_back"]))  # velocity of the lower ball joint
    arm = cross(upper, sub(p["upper_ball"], p["upper_back"]))
    rod = unit(sub(p["tie_out"], p["tie_in"]))
    rows, right = [], []
    to = sub(p["upper_ball"], p["lower_ball"])  # unknowns: turn of the upright (3), rate of the upper arm
    for k in range(3):
        e = tuple(float(k == i) for i in range(3))
        rows.append(list(cross(to, e)) + [-arm[k]])  # e . (w x to) = w . (to x e)
        right.append(-ball[k])
    rows.append(list(cross(sub(p["tie_out"], p["lower_ball"]), rod)) + [0.0])
    right.append(-dot(rod, ball))
    *turn, rate = solve(rows, right)

    def at(point):
        """Velocity of a point of the upright."""
        return add(ball, cross(turn, sub(point, p["lower_ball"])))

    foot = cross(lower, sub(p["strut_foot"], p["lower_back"]))
    contact = add(p["wheel"], (0, 0, -radius[axle]))
    power = wheel_load[axle] * at(contact)[2]
    for body, velocity in (("upright", at(p["upright"])), ("spindle", at(p["spindle"])), ("tyre", at(p["wheel"])),
                           ("lower_arm", cross(lower, sub(p["lower_cm"], p["lower_back"]))), ("lower_strut", foot),
                           ("upper_arm", tuple(rate * v for v in cross(upper, sub(p["upper_cm"], p["upper_back"])))),
                           ("tie_rod", tuple(v / 2 for v in at(p["tie_out"]))), ("drive_shaft", tuple(v / 2 for v in at(p["cv"])))):
        power -= table[body][0] * gravity * velocity[2]
    along = unit(sub(p["strut_foot"], p["strut_top"]))
    return -power / dot(along, foot), -dot(along, foot) / at(contact)[2]


# ---- Statements

# Start: chassis and wheels only. What is given is kept where it can be, so giving the speeds of shafts too would fight the joints
# once statics has moved them a little.
STRAIGHT = f"\n, VX = {options.speed:g}, VY = 0, VZ = 0, WX = 0, WY = 0, WZ = 0"
lines = []


def name_of(name):
    lines.append(f"! adams_view_name='{name}'")


def number(x):
    return f"{x:.14g}"


def vector(v):
    return ", ".join(number(round(x, 12) + 0.0) for x in v)


part_of, origin, next_marker = {}, {}, {}


def part(name, ident, table, cm, axis=None, cross_axis=None, start=""):
    """A body whose frame is at its mass centre along the global axes; its inertia is about the axes of the CM marker."""
    part_of[name], origin[name], next_marker[name] = ident, cm, 100 * ident
    mass, *inertia = table
    name_of(name)
    lines.append(f"PART/{ident}, MASS = {mass}, CM = {100 * ident}, IP = {', '.join(str(i) for i in inertia)}"
                 f"\n, QG = {vector(add(cm, (0, 0, height)))}{start}")
    return marker(name, cm, axis, cross_axis)


def marker(body, at, z=None, x=None):
    """A marker at a point of the vehicle; z and x are directions."""
    ident = next_marker[body]
    next_marker[body] += 1
    here = sub(at, origin[body])
    text = f"MARKER/{ident}, PART = {part_of[body]}, QP = {vector(here)}"
    if z:
        text += f"\n, ZP = {vector(add(here, unit(z)))}"
        side = unit(cross(x or ((0, 0, 1) if abs(unit(z)[2]) < 0.9 else (1, 0, 0)), z))
        text += f", XP = {vector(add(here, cross(unit(z), side)))}"
    lines.append(text)
    return ident


joints = {}
counts = {}


def joint(kind, i, j, name, point, z=None, x=None, z_j=None, more="", x_j=None, word="JOINT"):
    """Connects body i to body j at a point of the vehicle."""
    ident = len(joints) + 1
    joints[name] = ident
    counts[kind] = counts.get(kind, 0) + 1
    a, b = marker(i, point, z, x), marker(j, point, z_j or z, x_j or x)
    name_of(name)
    lines.append(f"{word}/{ident}, {kind}, I = {a}, J = {b}{more}")
    return a, b


graphics = [0]


def draw(text):
    graphics[0] += 1
    lines.append(f"GRAPHICS/{graphics[0]}, {text}")


def rod(body, a, b, thick):
    """A bar of a body from one point to another."""
    length = math.sqrt(dot(sub(b, a), sub(b, a)))
    draw(f"CYLINDER, CM = {marker(body, a, sub(b, a))}, LENGTH = {number(length)}, RADIUS = {thick}, SEG = 12")


def box(body, low, high):
    draw(f"BOX, CORNER = {marker(body, low)}, " + ", ".join(f"{n} = {number(h - l)}" for n, l, h in zip("XYZ", low, high)))


lines += [f"HMMWV, 49 bodies, {number(total)} kg; written by make_hmmwv.py",
          "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND",
          f"ACCGRAV/KGRAV = {-gravity}",
          "PART/1, GROUND"]
name_of("road")
lines.append("MARKER/1, PART = 1")
draw("PLANE, RM = 1, XMIN = -5, XMAX = 50, YMIN = -8, YMAX = 18")
for k in range(4):
    lines.append(f"MARKER/{2 + k}, PART = 1, FLOATING")

lines.append("! Frames: welded to the chassis, as the paper's seven rigid joints suggest")
cm = {}
for ident, name in ((2, "chassis"), (3, "front_frame"), (4, "rear_frame")):
    cm[name] = part(name, ident, FRAMES[name], FRAME_CM[name], start=STRAIGHT if name == "chassis" else "")
for name in ("front_frame", "rear_frame"):
    joint("FIXED", name, "chassis", f"{name}_weld", FRAME_CM[name])
    x = FRAME_CM[name][0]
    box(name, (x - 0.27, -0.28, -0.06), (x + 0.27, 0.28, 0.06))
for side in (1, -1):
    box("chassis", (-2.35, side * 0.30, 0.10), (2.2, side * 0.38, 0.22))  # rails
    shape = [(2.25, 0.35), (2.25, 0.62), (0.95, 0.75), (0.55, 1.30), (-0.85, 1.30), (-0.95, 0.80), (-2.35, 0.80), (-2.35, 0.35), (2.25, 0.35)]
    draw("OUTLINE = " + ", ".join(str(marker("chassis", (x, side * 1.05, z))) for x, z in shape))
for x, z in ((2.25, 0.35), (2.25, 0.62), (0.95, 0.75), (0.55, 1.30), (-0.85, 1.30), (-0.95, 0.80), (-2.35, 0.80), (-2.35, 0.35)):
    draw(f"OUTLINE = {marker('chassis', (x, 1.05, z))}, {marker('chassis', (x, -1.05, z))}")
box("chassis", (-2.35, -1.0, 0.36), (-0.95, 1.0, 0.42))  # bed
box("chassis", (1.25, -0.25, 0.24), (2.05, 0.25, 0.58))  # engine

lines.append("! Steering: wheel, column, a shaft with two cross joints, a gear, pinion and rack; the MOTION turns the column")
down = sub(COLUMN_END, WHEEL)
between, shaft = sub(SHAFT_TOP, COLUMN_END), sub(SHAFT_END, SHAFT_TOP)
for ident, (name, axis) in enumerate((("steering_wheel", down), ("column", down), ("intermediate_shaft", between),
                                      ("steering_shaft", shaft), ("rack", (0, 1, 0)), ("pinion", (0, 0, 1))), 5):
    cm[name] = part(name, ident, STEERING[name], STEERING_CM[name], axis)
joint("FIXED", "steering_wheel", "column", "steering_wheel_weld", WHEEL)
joint("REVOLUTE", "column", "chassis", "column_bearing", STEERING_CM["column"], down)
bend = cross(down, between)
joint("UNIVERSAL", "column", "intermediate_shaft", "upper_cross", COLUMN_END, bend, z_j=cross(between, bend))
joint("REVOLUTE", "steering_shaft", "chassis", "shaft_bearing", STEERING_CM["steering_shaft"], shaft)
joint("INLINE", "steering_shaft", "intermediate_shaft", "slip_joint", SHAFT_TOP, between, word="JPRIM")
bend = cross(between, shaft)
joint("PERPENDICULAR", "steering_shaft", "intermediate_shaft", "lower_cross", SHAFT_TOP, bend, z_j=cross(between, bend), word="JPRIM")
joint("REVOLUTE", "pinion", "chassis", "pinion_bearing", PINION, (0, 0, 1))
name_of("steering_gear")
lines.append(f"COUPLER/1, JOINTS = {joints['shaft_bearing']}, {joints['pinion_bearing']}, TYPE = R:R, SCALES = 1, {number(STEERING_GEAR)}")
joint("CYLINDRICAL", "rack", "chassis", "rack_guide", RACK, (0, 1, 0))
joint("PERPENDICULAR", "rack", "chassis", "rack_upright", RACK, (0, 0, 1), z_j=(1, 0, 0), word="JPRIM")
pinion, rack = marker("pinion", PINION, (0, 0, 1), (0, 1, 0)), marker("rack", (RACK[0], PINION[1], RACK[2]), (0, 1, 0))
joints["rack_and_pinion"] = len(joints) + 1
counts["RACKPIN"] = 1
name_of("rack_and_pinion")
lines.append(f"JOINT/{joints['rack_and_pinion']}, RACKPIN, I = {pinion}, J = {rack}, PD = {2 * PINION_RADIUS}")
name_of("driver")
lines.append(f"MOTION/1, JOINT = {joints['column_bearing']}, ROTATIONAL, FUNCTION = STEP5(TIME, {number(options.between[0])}, 0"
             f", {number(options.between[1])}, {number(options.steer)}*DTOR)")
draw(f"TORUS, CM = {cm['steering_wheel']}, MAJOR_RADIUS = 0.19, MINOR_RADIUS = 0.015")
rod("column", WHEEL, COLUMN_END, 0.02)
rod("intermediate_shaft", COLUMN_END, SHAFT_TOP, 0.015)
rod("steering_shaft", SHAFT_TOP, SHAFT_END, 0.02)
rod("rack", (RACK[0], -0.448, RACK[2]), (RACK[0], 0.448, RACK[2]), 0.02)
draw(f"CYLINDER, CM = {marker('pinion', add(PINION, (0, 0, -0.02)), (0, 0, 1))}, LENGTH = 0.04, RADIUS = {0.9 * PINION_RADIUS}")

wheels = []
for index, (axle, side, label) in enumerate((("F", 1, "fl"), ("F", -1, "fr"), ("R", 1, "rl"), ("R", -1, "rr"))):
    p, table = corner_points(axle, side), FRONT if axle == "F" else REAR
    where, first = centres(axle, p), 11 + 10 * index
    frame, inner = ("front_frame", "rack") if axle == "F" else ("rear_frame", "rear_frame")

    def n(name):
        return f"{label}_{name}"

    out, strut = (0, side, 0), sub(p["strut_top"], p["strut_foot"])
    pivot_u, pivot_l = sub(p["upper_front"], p["upper_back"]), sub(p["lower_front"], p["lower_back"])
    shaft, tie = sub(p["cv"], p["tripot"]), sub(p["tie_out"], p["tie_in"])
    lines.append(f"! Corner {label}")
    # The table's arms have their normal along y and their length along z; rods, shafts and spindles turn about z.
    for k, (name, axis, cross_axis) in enumerate((
            ("upright", None, None), ("upper_arm", out, (1, 0, 0)), ("lower_arm", out, (1, 0, 0)), ("upper_strut", strut, None),
            ("lower_strut", strut, None), ("tyre", None, None), ("tie_rod", tie, None), ("tripot", out, None),
            ("drive_shaft", shaft, None), ("spindle", out, None))):
        start = f"\n, VX = {number(options.speed)}, VZ = 0, WM = {100 * (first + k)}, WY = {number(options.speed / radius[axle])}" if name == "tyre" else ""
        cm[n(name)] = part(n(name), first + k, table[name], where[name], axis, cross_axis, start)
    joint("REVOLUTE", n("upper_arm"), frame, n("upper_pivot"), mid(p["upper_front"], p["upper_back"]), pivot_u)
    joint("SPHERICAL", n("upper_arm"), n("upright"), n("upper_ball"), p["upper_ball"])
    i, j = joint("CYLINDRICAL", n("lower_arm"), frame, n("lower_pivot"), mid(p["lower_front"], p["lower_back"]), pivot_l)
    name_of(n("bushing"))
    k, c, ct = options.bushing, BUSHING_DAMPING, BUSHING_TURN
    lines.append(f"BUSHING/{index + 1}, I = {i}, J = {j}, K = {k:g}, {k:g}, {k * 1.0476:.6g}, C = {c:g}, {c:g}, {c:g}"
                 f"\n, CT = {ct:g}, {ct:g}, {ct:g}")
    joint("SPHERICAL", n("lower_arm"), n("upright"), n("lower_ball"), p["lower_ball"])
    joint("SPHERICAL", n("tie_rod"), inner, n("tie_inner"), p["tie_in"])
    joint("SPHERICAL", n("tie_rod"), n("upright"), n("tie_outer"), p["tie_out"])
    joint("SPHERICAL", n("upper_strut"), "chassis", n("strut_top"), p["strut_top"])
    joint("CYLINDRICAL", n("upper_strut"), n("lower_strut"), n("strut_slide"), mid(p["strut_top"], p["strut_foot"]), strut)
    joint("SPHERICAL", n("lower_strut"), n("lower_arm"), n("strut_foot"), p["strut_foot"])
    joint("REVOLUTE", n("spindle"), n("upright"), n("hub"), where["spindle"], out)
    joint("FIXED", n("tyre"), n("spindle"), n("wheel_bolts"), p["wheel"])
    joint("REVOLUTE", n("tripot"), frame, n("differential"), p["tripot"], out)
    bend = cross(shaft, out)
    joint("INLINE", n("drive_shaft"), n("tripot"), n("plunge"), p["tripot"], out, word="JPRIM")
    joint("PERPENDICULAR", n("drive_shaft"), n("tripot"), n("tripot_cross"), p["tripot"], bend, z_j=cross(out, bend), word="JPRIM")
    joint("CONVEL", n("drive_shaft"), n("spindle"), n("cv"), p["cv"], tuple(-x for x in shaft), bend, z_j=out, x_j=bend)
    # Spring and damper between seats on the strut's two halves.
    stiffness, free = SPRING[axle]
    force, ratio = spring_force(axle)
    seat = add(p["strut_foot"], unit(strut), 0.04)
    top = add(seat, unit(strut), free - force / stiffness)
    a, b = marker(n("upper_strut"), top), marker(n("lower_strut"), seat)
    name_of(n("spring"))
    lines.append(f"SPRINGDAMPER/{index + 1}, TRANSLATION, I = {a}, J = {b}, K = {stiffness}, LENGTH = {free}")
    shorter, longer = (3 * f for f in DAMPER[axle])
    name_of(n("damper"))
    lines.append(f"SFORCE/{index + 1}, TRANSLATIONAL, I = {a}, J = {b}"
                 f"\n, FUNCTION = -{number((longer + shorter) / 2)}*VR({a}, {b})-{number((longer - shorter) / 2)}"
                 f"\n, *(SQRT(VR({a}, {b})**2+{DAMPER_ROUND}**2)-{DAMPER_ROUND})")
    hub, axis = marker(n("tyre"), p["wheel"]), marker(n("tyre"), add(p["wheel"], (0, 1, 0)))
    lines += fiala(100 * (index + 1), hub, axis, 1, 2 + index, TYRE, n("tyre"))
    wheels.append(100 * (index + 1))
    # Pictures
    w = TYRE["width"]
    draw(f"CYLINDER, CM = {marker(n('tyre'), add(p['wheel'], (0, -w / 2, 0)), (0, 1, 0))}, LENGTH = {w}, RADIUS = {TYRE['radius']}, SEG = 40")
    face = add(p["wheel"], (0, side * (w / 2 + 0.002), 0))
    corners = [marker(n("tyre"), add(face, (0.25 * math.cos(t), 0, 0.25 * math.sin(t)))) for t in (k * math.pi / 3 for k in range(6))]
    draw(f"OUTLINE = {', '.join(str(m) for m in corners + corners[:1])}")
    for a_, b_, ball, body, thick in (("upper_front", "upper_back", "upper_ball", "upper_arm", 0.02),
                                      ("lower_front", "lower_back", "lower_ball", "lower_arm", 0.03)):
        rod(n(body), p[a_], p[ball], thick)
        rod(n(body), p[b_], p[ball], thick)
        rod(n(body), p[a_], p[b_], thick)
    rod(n("upright"), p["lower_ball"], p["upper_ball"], 0.035)
    rod(n("upright"), p["upright"], p["tie_out"], 0.02)
    rod(n("spindle"), p["cv"], p["wheel"], 0.05)
    rod(n("tie_rod"), p["tie_in"], p["tie_out"], 0.015)
    rod(n("drive_shaft"), p["tripot"], p["cv"], 0.02)
    rod(n("tripot"), add(p["tripot"], out, -0.05), add(p["tripot"], out, 0.05), 0.05)
    rod(n("upper_strut"), mid(p["strut_top"], p["strut_foot"], 0.45), p["strut_top"], 0.035)
    rod(n("lower_strut"), p["strut_foot"], mid(p["strut_top"], p["strut_foot"], 0.6), 0.025)
    draw(f"SPDP, I = {a}, J = {b}, COILS = 7, DA = 0.13")
    draw(f"FORCE, ETYPE = GFORCE, EID = {wheels[-1]}, EMARKER = {hub}")

lines.append("! Loads of the tyres, springs' travel, chassis")
lines += [f"REQUEST/1, VARIABLES = {', '.join(str(w + 13) for w in wheels)}, COMMENT = wheel loads",
          f"REQUEST/2, DISPLACEMENT, I = {cm['chassis']}, J = 1, COMMENT = chassis",
          f"REQUEST/3, VELOCITY, I = {cm['chassis']}, J = 1, COMMENT = speed of the chassis",
          "INTEGRATOR/GSTIFF, ERROR = 1E-5",
          # What the last digit of a coordinate is worth where bushings are very stiff.
          *([f"EQUILIBRIUM/IMBALANCE = {options.bushing * 1e-14:g}"] if options.bushing > 1e10 else []), "RESULTS/", "OUTPUT/REQSAVE", "END"]
print("\n".join(lines))
for axle, word in (("F", "front"), ("R", "rear")):
    force, ratio = spring_force(axle)
    print(f"{word}: wheel {wheel_load[axle]:.1f} N, tyre {TYRE['radius'] - radius[axle]:.5f} m, spring {force:.1f} N"
          f" over {force / SPRING[axle][0]:.5f} m, {ratio:.4f} of the wheel's travel", file=sys.stderr)
print(f"{total:.3f} kg, mass centre {centre[0]:.4f} {centre[1]:.4f} {centre[2] + height:.4f}; joints {counts}", file=sys.stderr)

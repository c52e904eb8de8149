#!/usr/bin/env python3
"""Writes track.adm: one side of a tracked vehicle that drives on its own track.

    make_track.py [--shoes N] [--speed V] [--ground flat|bump] [--contacts all|grouped|near] > track.adm

With 46 shoes it has the counts of the track in Negrut, Ottarsson, Rampalli and Sajdak, "On an Implementation of the Hilber-Hughes-Taylor
Method in the Context of Index 3 Differential-Algebraic Equations of Multibody Dynamics" (DETC2005-85096): 61 moving parts, 54 revolute,
1 planar, 1 translational and 4 fixed joints, 1 inline primitive, 1 motion, 690 contacts. The paper has no dimensions. These are of the M113
in Project Chrono (BSD-3 licence, data/vehicle/M113, left side, single pin), with three road wheels of five, so that 46 shoes of 63 close
the loop.

Axes: x ahead, y to the left, z up; metre, kilogram, newton, second. The solids of every pair are chosen so that the program has it exactly:
  wheel - shoe      a ball of the wheel's radius against the box of the pad, twice for the two discs of a wheel
  sprocket - shoe   the shoe's two drive rollers, as balls, against a core (cylinder) and five bars across it (boxes), which make ten teeth
  shoe - ground     three boxes against the plane
  shoe - shoe       a ball at the end of one shoe against the pad of the next: a stop against bending backwards
"""

import argparse
import math

# --- Project Chrono, M113
PITCH, SHOE_MASS, SHOE_INERTIA = 0.154, 18.02, (0.22, 0.04, 0.25)
# Boxes of the shoe: centre, edges. The pin's axis is at z = 0; +z looks into the loop.
TOP = ((0, 0, 0.015), (0.10, 0.18, 0.03))
BOTTOM = ((0, 0, -0.015), (0.11, 0.19, 0.03))
SIDES = [((0, side * 0.16245, 0), (0.1315, 0.0542, 0.02)) for side in (1, -1)]
ROLLER, ROLLER_X = 0.015, (0.0535, -0.061)  # drive rollers of the shoe: radius, places along x
TEETH, GEAR_MASS, GEAR_INERTIA, AXLE_INERTIA, GEAR_Y, TIP = 10, 27.68, (0.646, 0.883, 0.646), 0.4, 0.225 / 2, 0.2605
IDLER_RADIUS, IDLER_MASS, IDLER_INERTIA, IDLER_Z = 0.255, 25.76, (0.618, 1.12, 0.618), -0.12
WHEEL_RADIUS, WHEEL_MASS, WHEEL_INERTIA, WHEEL_Z = 0.305, 35.56, (1.14, 2.16, 1.14), -0.215
DISC_Y = (0.181 + 0.051) / 4  # middle of one of the two discs of a wheel
FIRST_WHEEL, SPACING = -0.655, 0.667
ARM_MASS, ARM_INERTIA, ARM_REACH = 75.26, (0.37, 0.77, 0.77), (0.288, 0.134)  # from the wheel to the pivot
ARM_K, ARM_C = 2.5e4, 5e2  # torsion bar: N m/rad, N m s/rad
CARRIER_MASS, TENSION, TENSIONER_K, TENSIONER_C = 10.0, 2e4, 1e6, 1.4e4
HULL_MASS, HULL_INERTIA, HULL_Z, HULL_LENGTH = 7819.24, (13983.08, 27287.61, 28805.57), 0.406, 3.95
MU_GROUND, MU_WHEEL, MU_GEAR = 0.8, 0.4, 0.4
# --- chosen here
PISTON_MASS, LOAD_MASS = 10.0, 100.0
CORE = 0.228       # radius of the sprocket under the rollers
TOOTH = 0.078      # width of a tooth: 6.5 mm less than the room between a shoe's rollers
STOP = (0.0835 + 0.0025, 0.06, -0.02, 0.012)  # ball at the end of a shoe: x, y, z, radius; it meets the next one at 3 degrees
HINGE_C = 10.0     # N m s/rad, of the rubber about a pin
VS, VD = 0.05, 0.2  # friction: transition velocities
LAW = {"wheel": (1.2e8, 4e3), "gear": (2e8, 4e3), "ground": (1.5e8, 6e3), "shoe": (1e8, 1e3)}  # N/m^1.5, N s/m
DMAX = 1e-3


def arguments():
    parser = argparse.ArgumentParser(description="writes the model of a track")
    parser.add_argument("--shoes", type=int, default=46, help="shoes in the loop; every 9 more than 46 make room for another road wheel")
    parser.add_argument("--speed", type=float, default=1.5, help="m/s; the sprocket stands until 0.5 s and has it at 1.5 s")
    parser.add_argument("--ground", choices=("flat", "bump"), default="flat", help="bump: a sill of 50 mm, 4 m ahead of the sprocket")
    parser.add_argument("--contacts", choices=("all", "grouped", "near"), default="all",
                        help="all: a CONTACT for each contact, 15 a shoe; grouped: 8 a shoe with several solids each, which have the same forces; "
                             "near: only those close at the start, which is enough until 0.5 s, to measure what the others cost")
    return parser.parse_args()


# --- the loop of pins, in the plane of x and z

def circumscribed(apothem):
    """Where pins run, if shoes lie on a circle of this radius."""
    return math.hypot(apothem, PITCH / 2)


class Path:
    """Counterclockwise round circles (x, z, radius): arcs and the straight runs between them, by length."""

    def __init__(self, circles):
        normals = []
        for a, b in zip(circles, circles[1:] + circles[:1]):
            dx, dz = b[0] - a[0], b[1] - a[1]
            normals.append(math.atan2(dz, dx) - math.acos((a[2] - b[2]) / math.hypot(dx, dz)))
        self.pieces = []
        for k, (x, z, r) in enumerate(circles):
            begin, sweep = normals[k - 1], (normals[k] - normals[k - 1]) % (2 * math.pi)
            self.pieces.append((r * sweep, lambda s, x=x, z=z, r=r, b=begin: (x + r * math.cos(b + s / r), z + r * math.sin(b + s / r))))
            x1, z1, r1 = circles[(k + 1) % len(circles)]
            c, s_ = math.cos(normals[k]), math.sin(normals[k])
            p, q = (x + r * c, z + r * s_), (x1 + r1 * c, z1 + r1 * s_)
            length = math.dist(p, q)
            self.pieces.append((length, lambda s, p=p, q=q, n=length: (p[0] + s / n * (q[0] - p[0]), p[1] + s / n * (q[1] - p[1]))))
        self.length = sum(length for length, _ in self.pieces)

    def at(self, s):
        s %= self.length
        for length, place in self.pieces:
            if s <= length:
                return place(s)
            s -= length
        return self.pieces[0][1](0.0)

    def after(self, s):
        """Where a chord of one pitch from s ends."""
        here, low, high = self.at(s), s + 0.9 * PITCH, s + 1.5 * PITCH
        for _ in range(60):
            middle = 0.5 * (low + high)
            if math.dist(here, self.at(middle)) < PITCH:
                low = middle
            else:
                high = middle
        return low


def loop(shoes, wheels):
    """The place of the idler and of the pins, so that the shoes close the loop."""
    wheel_radius = circumscribed(WHEEL_RADIUS + TOP[1][2])

    def pins(idler_x):
        path = Path([(0.0, 0.0, circumscribed(PITCH / 2 / math.tan(math.pi / TEETH))),
                     (idler_x, IDLER_Z, circumscribed(IDLER_RADIUS + TOP[1][2])),
                     (wheels[-1], WHEEL_Z, wheel_radius), (wheels[0], WHEEL_Z, wheel_radius)])
        s = [0.5 * path.pieces[0][0]]  # on the sprocket
        for _ in range(shoes):
            s.append(path.after(s[-1]))
        return [path.at(x) for x in s[:-1]], s[-1] - s[0] - path.length

    near, far = wheels[-1] - 0.2, wheels[-1] - 1.5
    if pins(near)[1] < 0 or pins(far)[1] > 0:
        raise SystemExit(f"make_track.py: {shoes} shoes do not go round {len(wheels)} road wheels")
    for _ in range(60):
        middle = 0.5 * (near + far)
        if pins(middle)[1] > 0:
            near = middle
        else:
            far = middle
    return near, pins(near)[0]


# --- statements

AXLE = "0,-90D,0"     # z of such a marker is along y
ALONG = "90D,90D,0"   # z along x


class Writer:
    def __init__(self):
        self.lines = []
        self.ids = {}

    def next(self, kind):
        self.ids[kind] = self.ids.get(kind, 0) + 1
        return self.ids[kind]

    def add(self, kind, text):
        number = self.next(kind)
        self.lines.append(f"{kind}/{number}, {text}")
        return number

    def part(self, number, name, mass, inertia, at, turn=0.0):
        ip = ",".join(f"{x:.6g}" for x in inertia)
        self.lines += [f"! adams_view_name='{name}'",
                       f"PART/{number}, MASS={mass:.6g}, CM={number}00, IP={ip}, QG={at[0]:.12g},{at[1]:.12g},{at[2]:.12g}"
                       + (f", REULER=90D,{-math.degrees(turn):.12g}D,-90D" if turn else ""),
                       f"MARKER/{number}00, PART={number}"]
        self.ids[f"MARKER{number}"] = 0

    def marker(self, part, at=(0, 0, 0), turn=None):
        number = 100 * part + self.next(f"MARKER{part}")
        self.lines.append(f"MARKER/{number}, PART={part}, QP={at[0]:.12g},{at[1]:.12g},{at[2]:.12g}" + (f", REULER={turn}" if turn else ""))
        return number

    def joint(self, kind, part, at, other, at_other, turn=AXLE):
        i, j = self.marker(part, at, turn), self.marker(other, at_other, turn)
        return self.add("JOINT", f"{kind}, I={i}, J={j}"), i, j

    def ball(self, part, at, radius):
        return self.add("GRAPHICS", f"ELLIPSOID, CM={self.marker(part, at)}, XSCALE={2 * radius:g}, YSCALE={2 * radius:g}, ZSCALE={2 * radius:g}")

    def box(self, part, centre, edges, turn=None):
        half = [0.5 * e for e in edges]
        if turn is None:
            corner = self.marker(part, [c - h for c, h in zip(centre, half)])
        else:  # about y, centre at the origin
            c, s = math.cos(turn), math.sin(turn)
            x, z = -half[0], -half[2]
            corner = self.marker(part, (c * x - s * z, centre[1] - half[1], s * x + c * z), f"90D,{-math.degrees(turn):.12g}D,-90D")
        return self.add("GRAPHICS", f"BOX, CORNER={corner}, X={edges[0]:g}, Y={edges[1]:g}, Z={edges[2]:g}")

    def disc(self, part, y, radius, width):
        return self.add("GRAPHICS", f"CYLINDER, CM={self.marker(part, (0, y - width / 2, 0), AXLE)}, LENGTH={width:g}, RADIUS={radius:g}, SEG=48")

    def contact(self, law, mu, i, j):
        stiffness, damping = LAW[law]
        number = self.add("CONTACT", f"IGEOM={','.join(map(str, i))}, JGEOM={','.join(map(str, j))}")
        self.lines += [f", IMPACT, STIFFNESS={stiffness:g}, EXPONENT=1.5, DAMPING={damping:g}, DMAX={DMAX:g}",
                       f", COULOMB_FRICTION=ON, MU_STATIC={mu:g}, MU_DYNAMIC={0.9 * mu:g}, STICTION_TRANSITION_VELOCITY={VS:g}"
                       f", FRICTION_TRANSITION_VELOCITY={VD:g}"]
        return number


HULL, LOADS, CARRIER, PISTON, IDLER, SPROCKET, ARM, WHEEL, SHOE = 2, 3, 7, 8, 9, 10, 20, 40, 100


def build(options):
    count = 3 + round((options.shoes - 46) * PITCH / (2 * SPACING))
    wheels = [FIRST_WHEEL - SPACING * k for k in range(count)]
    idler_x, pins = loop(options.shoes, wheels)
    height = -WHEEL_Z + circumscribed(WHEEL_RADIUS + TOP[1][2]) + BOTTOM[1][2]  # of the sprocket; the pads touch z = 0
    w = Writer()
    w.lines += [f"A track of {options.shoes} shoes; written by make_track.py", "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND",
                "ACCGRAV/KGRAV=-9.80665",
                "! All pairs are exact ones, so that no solid needs fine triangles.", "PREFERENCES/CONTACT_FACETING_TOLERANCE=30", "PART/1, GROUND"]
    floor = [w.add("GRAPHICS", f"PLANE, RM={w.marker(1)}, XMIN=-5, XMAX=20, YMIN=-1, YMAX=1")]
    if options.ground == "bump":
        floor.append(w.ball(1, (4.0, 0, 0.05 - 0.5), 0.5))

    # Hull, its four loads, tensioner, sprocket.
    share = count / 10.0  # of the vehicle's ten road wheels
    hull_mass = share * HULL_MASS - 4 * LOAD_MASS
    shrink = (1, (idler_x / HULL_LENGTH) ** 2, (idler_x / HULL_LENGTH) ** 2)
    hull_at = (0.5 * (wheels[0] + wheels[-1]) - 0.017, 0.0, height + HULL_Z)
    w.part(HULL, "hull", hull_mass, [share * i * s for i, s in zip(HULL_INERTIA, shrink)], hull_at)

    def on_hull(x, z):
        return (x - hull_at[0], 0.0, z - HULL_Z)

    w.box(HULL, (0, 0, 0), (1.5, 0.4, 0.3))
    w.joint("PLANAR", HULL, (0, 0, 0), 1, hull_at)
    for k, (name, dx, dz) in enumerate([("engine", 0.5, 0.1), ("driver", 0.3, 0.3), ("fuel", -0.3, 0.1), ("freight", -0.5, 0.3)]):
        w.part(LOADS + k, name, LOAD_MASS, (4, 4, 4), (hull_at[0] + dx, 0, hull_at[2] + dz))
        w.joint("FIXED", LOADS + k, (0, 0, 0), HULL, (dx, 0, dz))
    at_idler, to_piston = (idler_x, 0.0, height + IDLER_Z), 0.25
    w.part(CARRIER, "carrier", CARRIER_MASS, (0.04, 0.04, 0.04), at_idler)
    w.joint("TRANSLATIONAL", CARRIER, (0, 0, 0), HULL, on_hull(idler_x, IDLER_Z), ALONG)
    w.part(PISTON, "piston", PISTON_MASS, (0.05, 0.05, 0.05), (idler_x + to_piston, 0, height + IDLER_Z))
    w.add("JPRIM", f"INLINE, I={w.marker(PISTON)}, J={w.marker(HULL, on_hull(idler_x + to_piston, IDLER_Z), ALONG)}")
    w.add("BUSHING", f"I={w.marker(PISTON)}, J={w.marker(CARRIER, (to_piston, 0, 0))}, K=2E7,0,0, C=1E4,0,0, KT=1E3,1E3,1E3, CT=10,10,10")
    w.add("SPRINGDAMPER", f"TRANSLATION, I={w.marker(PISTON)}, J={w.marker(HULL, on_hull(idler_x + 2 * to_piston, IDLER_Z))}"
                          f", K={TENSIONER_K:g}, C={TENSIONER_C:g}, LENGTH={to_piston}, FORCE={TENSION:g}")
    w.part(IDLER, "idler", IDLER_MASS, IDLER_INERTIA, at_idler)
    w.joint("REVOLUTE", IDLER, (0, 0, 0), CARRIER, (0, 0, 0))
    gear_inertia = [GEAR_INERTIA[0], GEAR_INERTIA[1] + AXLE_INERTIA, GEAR_INERTIA[2]]
    w.part(SPROCKET, "sprocket", GEAR_MASS, gear_inertia, (0, 0, height))
    drive, _, _ = w.joint("REVOLUTE", SPROCKET, (0, 0, 0), HULL, on_hull(0, 0))
    rate = options.speed / (PITCH / 2 / math.sin(math.pi / TEETH))
    w.add("MOTION", f"JOINT={drive}, VELOCITY, FUNCTION=STEP(TIME,0.5,0,1.5,{rate:.9g})")

    # Wheels on arms.
    sprung = share * HULL_MASS + GEAR_MASS + IDLER_MASS + CARRIER_MASS + PISTON_MASS + count * ARM_MASS / 2 + 0.4 * options.shoes * SHOE_MASS
    torque = sprung * 9.80665 / count * ARM_REACH[0]
    for k, x in enumerate(wheels):
        pivot = (x + ARM_REACH[0], height + WHEEL_Z + ARM_REACH[1])
        half = [0.5 * r for r in ARM_REACH]
        w.part(ARM + k, f"arm_{k + 1}", ARM_MASS, ARM_INERTIA, (x + half[0], 0, height + WHEEL_Z + half[1]))
        _, i, j = w.joint("REVOLUTE", ARM + k, (half[0], 0, half[1]), HULL, on_hull(pivot[0], pivot[1] - height))
        w.add("SPRINGDAMPER", f"ROTATION, I={i}, J={j}, KT={ARM_K:g}, CT={ARM_C:g}, TORQUE={-torque:.6g}")
        w.part(WHEEL + k, f"wheel_{k + 1}", WHEEL_MASS, WHEEL_INERTIA, (x, 0, height + WHEEL_Z))
        w.joint("REVOLUTE", WHEEL + k, (0, 0, 0), ARM + k, (-half[0], 0, -half[1]))
        w.add("GRAPHICS", f"OUTLINE={i},{100 * (WHEEL + k)}")

    rollers = [(IDLER, IDLER_RADIUS)] + [(WHEEL + k, WHEEL_RADIUS) for k in range(count)]
    discs = {}
    for part, radius in rollers:
        discs[part] = [w.ball(part, (0, side * DISC_Y, 0), radius) for side in (1, -1)]

    # A tooth stands midway between the rollers of the shoe that begins at the first pin.
    middle = 0.5 + 0.5 * sum(ROLLER_X) / PITCH
    first = math.atan2(*[pins[0][axis] + middle * (pins[1][axis] - pins[0][axis]) for axis in (1, 0)])
    bar = 2 * math.sqrt(TIP ** 2 - TOOTH ** 2 / 4)
    gears = []
    for side in (1, -1):
        gear = [w.disc(SPROCKET, side * GEAR_Y, CORE, 0.04)]
        for k in range(TEETH // 2):
            gear.append(w.box(SPROCKET, (0, side * GEAR_Y, 0), (bar, 0.04, TOOTH), first + 2 * math.pi * k / TEETH))
        gears.append(gear)

    # Shoes.
    solids = []
    for k in range(options.shoes):
        (x0, z0), (x1, z1) = pins[k], pins[(k + 1) % options.shoes]
        part = SHOE + k + 1
        w.part(part, f"shoe_{k + 1}", SHOE_MASS, SHOE_INERTIA, (0.5 * (x0 + x1), 0, height + 0.5 * (z0 + z1)), math.atan2(z1 - z0, x1 - x0))
        solids.append({"top": w.box(part, *TOP), "pads": [w.box(part, *solid) for solid in [BOTTOM] + SIDES],
                       "rollers": [[w.ball(part, (x, side * GEAR_Y, 0), ROLLER) for x in ROLLER_X] for side in (1, -1)],
                       "stops": [w.ball(part, (STOP[0], side * STOP[1], STOP[2]), STOP[3]) for side in (1, -1)]})
    for k in range(options.shoes):
        _, i, j = w.joint("REVOLUTE", SHOE + k + 1, (PITCH / 2, 0, 0), SHOE + (k + 1) % options.shoes + 1, (-PITCH / 2, 0, 0))
        w.add("SPRINGDAMPER", f"ROTATION, I={i}, J={j}, CT={HINGE_C:g}")

    # Contacts: (law, friction, one side, other side) by groups that join the same two parts.
    for k, shoe in enumerate(solids):
        following = solids[(k + 1) % options.shoes]
        middle = [0.5 * (a + b) for a, b in zip(pins[k], pins[(k + 1) % options.shoes])]
        groups = [("gear", MU_GEAR, math.hypot(*middle) < 0.4, [(rollers_, gears[side]) for side, rollers_ in enumerate(shoe["rollers"])])]
        for (part, radius), x, z in zip(rollers, [idler_x] + wheels, [IDLER_Z] + count * [WHEEL_Z]):
            near = math.hypot(middle[0] - x, middle[1] - z) < radius + 0.1
            groups.append(("wheel", MU_WHEEL, near, [([shoe["top"]], [disc]) for disc in discs[part]]))
        low = middle[1] < WHEEL_Z - 0.25
        groups.append(("ground", MU_GROUND, low, [([pad], floor) for pad in shoe["pads"]]))
        groups.append(("shoe", 0.3, True, [([stop], [following["pads"][0]]) for stop in shoe["stops"]]))
        for law, mu, near, pairs in groups:
            if options.contacts == "near" and not near:
                continue
            if options.contacts == "grouped" and law != "gear":
                pairs = [tuple(list(dict.fromkeys(one for pair in pairs for one in pair[side])) for side in (0, 1))]
            for i, j in pairs:
                w.contact(law, mu, i, j)

    eighth = SHOE + 8
    w.lines += [f"REQUEST/1, VELOCITY, I={eighth}00, COMMENT=shoe 8: velocity", f"REQUEST/2, ACCELERATION, I={eighth}00, COMMENT=shoe 8: acceleration",
                "INTEGRATOR/HHT, ERROR=1E-5", "RESULTS/", "END"]
    return w.lines


if __name__ == "__main__":
    print("\n".join(build(arguments())))

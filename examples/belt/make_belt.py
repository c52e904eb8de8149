#!/usr/bin/env python3
"""Writes belt.adm: a poly-V belt of an accessory drive: crank, pump, alternator and a tensioner on a sprung arm.

    make_belt.py [SEGMENTS [STRETCH]] > belt.adm

The belt is a ring of planar parts. Each is tied to the next by a spring and damper, and touches each of the four pulleys by a VFORCE:
IMPACT along the line from the pulley's centre, friction along its rim. So 100 segments have 400 VFORCEs.
"""

import math
import sys

segments = int(sys.argv[1]) if len(sys.argv) > 1 else 100
# name, centre x, y, radius, mass, inertia about its axis (kg mm^2)
pulleys = [("crank", 0.0, 0.0, 80.0, 3.0, 12000.0), ("tensioner", 150.0, 150.0, 35.0, 0.3, 200.0),
           ("pump", 20.0, 280.0, 60.0, 1.0, 1800.0), ("alternator", -210.0, 190.0, 30.0, 2.0, 1500.0)]
thickness = 2.0  # from a pulley's rim to the middle of the belt
stretch = float(sys.argv[2]) if len(sys.argv) > 2 else 0.006  # of the belt as it is drawn
stiffness, damping = 6.0e4, 40.0  # of the whole belt per unit of strain: N, N s
touch = "{k}, 1.5, {c}, 0.05".format(k=300, c=0.1)
mu, slip = 0.6, 300.0


def tangent(a, b):
    """Where the common tangent of two circles, both to its left, leaves the first and meets the second."""
    dx, dy = b[1] - a[1], b[2] - a[2]
    distance, turn = math.hypot(dx, dy), math.atan2(dy, dx)
    normal = turn - math.acos((a[3] - b[3]) / distance)
    n = (math.cos(normal), math.sin(normal))
    return normal, [(p[1] + (p[3] + thickness) * n[0], p[2] + (p[3] + thickness) * n[1]) for p in (a, b)]


def path():
    """The belt counterclockwise: arcs about the pulleys and straight runs between them, as (length, place at s)."""
    runs = [tangent(pulleys[k], pulleys[(k + 1) % len(pulleys)]) for k in range(len(pulleys))]
    pieces = []
    for k, pulley in enumerate(pulleys):
        begin, end = runs[k - 1][0], runs[k][0]
        radius = pulley[3] + thickness
        sweep = (end - begin) % (2 * math.pi)
        pieces.append((radius * sweep, lambda s, p=pulley, r=radius, b=begin:
                       (p[1] + r * math.cos(b + s / r), p[2] + r * math.sin(b + s / r))))
        (x0, y0), (x1, y1) = runs[k][1]
        length = math.hypot(x1 - x0, y1 - y0)
        pieces.append((length, lambda s, x0=x0, y0=y0, x1=x1, y1=y1, length=length:
                       (x0 + s / length * (x1 - x0), y0 + s / length * (y1 - y0))))
    return pieces


pieces = path()
total = sum(length for length, _ in pieces)
spacing = total / segments


def place(s):
    for length, at in pieces:
        if s < length:
            return at(s)
        s -= length
    return pieces[0][1](0.0)


k_link, c_link = stiffness / spacing, damping / spacing
lines = [f"A poly-V belt of {segments} segments, {total:.6g} mm long; written by make_belt.py",
         "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND",
         "PART/1, GROUND", "MARKER/1, PART=1"]
for k, (name, x, y, radius, mass, inertia) in enumerate(pulleys):
    part, cm = 2 + k, 10 * (2 + k)
    lines += [f"! adams_view_name='{name}'",
              f"PART/{part}, MASS={mass}, CM={cm}, IP={inertia},{inertia},{inertia}, QG={x},{y},0",
              f"MARKER/{cm}, PART={part}",
              f"MARKER/{cm + 1}, PART={part}, QP=0,0,-10",
              f"GRAPHICS/{part}, CYLINDER, CM={cm + 1}, LENGTH=20, RADIUS={radius}, SEG=48"]
    if name != "tensioner":
        lines += [f"MARKER/{cm + 2}, PART=1, QP={x},{y},0", f"JOINT/{part}, REVOLUTE, I={cm}, J={cm + 2}"]
# The tensioner's arm turns about a point outside of the belt and is pressed into it by a wound-up spring.
_, tx, ty, *_ = pulleys[1]
lines += [f"PART/6, MASS=0.4, CM=60, IP=1500,1500,1500, QG={tx + 35},{ty - 30},0", "MARKER/60, PART=6",
          f"MARKER/61, PART=6, QP=-35,30,0", f"MARKER/62, PART=6, QP=35,-30,0", f"MARKER/63, PART=1, QP={tx + 70},{ty - 60},0",
          "JOINT/3, REVOLUTE, I=30, J=61", "JOINT/6, REVOLUTE, I=62, J=63",
          "SPRINGDAMPER/1, ROTATION, I=62, J=63, KT=60000, CT=1500, TORQUE=-30000",
          "GRAPHICS/6, OUTLINE=61,62",
          "! The crank drives; alternator and pump resist, as their speed.",
          "MARKER/29, PART=1, QP=0,0,0",
          "SFORCE/1, ROTATION, I=20, J=29, ACTIONONLY, FUNCTION=STEP(TIME,0,0,0.02,60000)-40*WZ(20)",
          "SFORCE/2, ROTATION, I=40, J=42, ACTIONONLY, FUNCTION=-30*WZ(40)",
          "SFORCE/3, ROTATION, I=50, J=52, ACTIONONLY, FUNCTION=-15*WZ(50)"]
for s in range(segments):
    part, cm = 100 + s, 1000 + 10 * s
    (x, y), (ahead_x, ahead_y) = place(s * spacing), place((s + 0.5) * spacing)
    turn = math.degrees(math.atan2(ahead_y - y, ahead_x - x))
    after = 1000 + 10 * ((s + 1) % segments)
    lines += [f"PART/{part}, PLANAR, MASS=0.0016, CM={cm}, IP=0.1,0.1,0.1, QG={x:.12g},{y:.12g},0, REULER={turn:.12g}D,0,0",
              f"MARKER/{cm}, PART={part}", f"MARKER/{cm + 1}, PART={part}, QP={-0.4 * spacing:.6g},-1.5,-8",
              f"GRAPHICS/{part}, BOX, CORNER={cm + 1}, X={0.8 * spacing:.6g}, Y=3, Z=16",
              f"SPRINGDAMPER/{part}, TRANSLATION, I={cm}, J={after}, K={k_link:.9g}, C={c_link:.9g}, LENGTH={spacing / (1 + stretch):.12g}"]
    for k, (name, _, _, radius, _, _) in enumerate(pulleys):
        centre, floating = 10 * (2 + k), cm + 2 + k
        d = f"DM({cm},{centre})"
        across = f"(VY({cm},{centre})*DX({cm},{centre})-VX({cm},{centre})*DY({cm},{centre}))/{d}-WZ({centre})*{radius + thickness}"
        push = f"IMPACT({d},VR({cm},{centre}),{radius + thickness},{touch})"
        rub = f"{mu}*{push}*STEP({across},{-slip},-1,{slip},1)"
        lines += [f"MARKER/{floating}, PART={2 + k}, FLOATING",
                  f"VFORCE/{4 * s + k + 1}, I={cm}, JFLOAT={floating}, RM=1",
                  f", FX=({push}*DX({cm},{centre})",
                  f", +{rub}*DY({cm},{centre}))/{d}\\",
                  f", FY=({push}*DY({cm},{centre})",
                  f", -{rub}*DX({cm},{centre}))/{d}\\",
                  ", FZ=0"]
lines += ["REQUEST/1, FORCE, I=50, J=52, COMMENT=alternator bearing",
          "INTEGRATOR/HHT, ERROR=1E-5", "RESULTS/", "END"]
print("\n".join(lines))

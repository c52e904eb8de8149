#!/usr/bin/env python3
"""Writes dominoes.adm: a ball rolls down a ramp into a row of dominoes.

    make_dominoes.py [COUNT] > dominoes.adm
"""

import sys

count = int(sys.argv[1]) if len(sys.argv) > 1 else 6
tilt = 20  # of the ramp, degrees
law = "IMPACT, STIFFNESS=2E3, EXPONENT=1.5, DAMPING=0.5, DMAX=0.05"
rub = ("COULOMB_FRICTION=ON, MU_STATIC={0}, MU_DYNAMIC={0}, STICTION_TRANSITION_VELOCITY=1"
       ", FRICTION_TRANSITION_VELOCITY=10")

lines = [f"A ball and {count} dominoes; written by make_dominoes.py",
         "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND",
         "ACCGRAV/KGRAV=-9806.65",
         "PART/1, GROUND",
         "MARKER/1, PART=1",
         "GRAPHICS/1, PLANE, RM=1, XMIN=-200, XMAX=500, YMIN=-100, YMAX=100",
         "! The ramp is a box that leans on the ground; its upper face is 10 above the corner.",
         f"MARKER/2, PART=1, QP=-190,-20,59, REULER=90D,{tilt}D,-90D",
         "GRAPHICS/2, BOX, CORNER=2, X=180, Y=40, Z=8",
         "PART/2, MASS=0.08, CM=20, IP=3.2,3.2,3.2, QG=-172,0,72.1",
         "MARKER/20, PART=2",
         "GRAPHICS/3, ELLIPSOID, CM=20, XSCALE=20, YSCALE=20, ZSCALE=20",
         "! The arrow is the force on the ball.",
         "GRAPHICS/4, FORCE, ETYPE=CONTACT, EID=1, EMARKER=20",
         f"CONTACT/1, IGEOM=3, JGEOM=1,2, {law}",
         ", " + rub.format(0.4)]
for k in range(count):
    part, cm, corner, shape = 10 + k, 1000 + 10 * k, 1001 + 10 * k, 100 + k
    x = 40 + 22 * k
    lines += [f"PART/{part}, MASS=0.012, CM={cm}, IP=2.6,2.0,0.7, QG={x},0,20",
              f"MARKER/{cm}, PART={part}",
              f"MARKER/{corner}, PART={part}, QP=-3,-10,-20",
              f"GRAPHICS/{shape}, BOX, CORNER={corner}, X=6, Y=20, Z=40",
              f"CONTACT/{100 + k}, IGEOM={shape}, JGEOM=1, {law}",
              ", " + rub.format(0.5)]
    before = 3 if k == 0 else shape - 1
    lines += [f"CONTACT/{200 + k}, IGEOM={shape}, JGEOM={before}, {law}",
              ", " + rub.format(0.2)]
lines += ["INTEGRATOR/HHT, ERROR=1E-4", "RESULTS/", "END"]
print("\n".join(lines))

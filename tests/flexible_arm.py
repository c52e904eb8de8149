#!/usr/bin/env python3
"""flexible_arm.py FOLDER: a deck of a waisted bar of solid elements, arm.inp, and a model of it that swings with a weight, swing.adm."""
import math
import os
import sys

ALONG, ACROSS, UP = 30, 4, 3  # elements
LENGTH, WIDTH, HEIGHT = 0.6, 0.05, 0.02


def deck():
    nodes, number = [], {}
    for i in range(ALONG + 1):
        for j in range(ACROSS + 1):
            for k in range(UP + 1):
                waist = 1 - 0.45 * math.sin(math.pi * i / ALONG)
                number[i, j, k] = len(nodes) + 1
                nodes.append((LENGTH * i / ALONG, WIDTH * (0.5 + (j / ACROSS - 0.5) * waist), HEIGHT * k / UP))
    elements = []
    for i in range(ALONG):
        for j in range(ACROSS):
            for k in range(UP):
                base = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                elements.append([number[a, b, c] for c in (k, k + 1) for a, b in base])
    # CalculiX reads twenty letters of a number.
    text = "*NODE\n" + "".join(f"{n + 1},{x:.8g},{y:.8g},{z:.8g}\n" for n, (x, y, z) in enumerate(nodes))
    text += "*ELEMENT,TYPE=C3D8,ELSET=ALL\n" + "".join(
        f"{e + 1},{','.join(map(str, corners))}\n" for e, corners in enumerate(elements))
    for name, end in (("LEFT", 0), ("RIGHT", ALONG)):
        text += f"*NSET,NSET={name}\n"
        text += "".join(f"{number[end, j, k]}\n" for j in range(ACROSS + 1) for k in range(UP + 1))
    text += "*MATERIAL,NAME=STEEL\n*ELASTIC\n2.1E11,0.3\n*DENSITY\n7850\n*SOLID SECTION,ELSET=ALL,MATERIAL=STEEL\n"
    return text, len(nodes)


def model(nodes):
    return f"""flexible arm that swings
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1, QP=0,0.025,0.01, REULER=0,90D,0
MATRIX/1, FILE=arm.mtx
MATRIX/2, FILE=arm.stress.mtx
FLEX_BODY/2, MATRICES=1, 2
MARKER/21, FLEX_BODY=2, NODE_ID={nodes + 1}, REULER=0,90D,0
MARKER/22, FLEX_BODY=2, NODE_ID={nodes + 2}
PART/3, MASS=2, CM=30, IP=1E-3,1E-3,1E-3, QG=0.6,0.025,0.01
MARKER/30, PART=3
JOINT/1, REVOLUTE, I=21, J=1
JOINT/2, FIXED, I=30, J=22
GRAPHICS/1, ELLIPSOID, CM=30, XSCALE=0.08, YSCALE=0.08, ZSCALE=0.08
SFORCE/1, ROTATION, I=21, J=1, FUNCTION=-3*SIN(40*TIME)
ACCGRAV/KGRAV=-9.80665
INTEGRATOR/HHT, ERROR=1E-6
END
"""


def main():
    folder = sys.argv[1]
    text, nodes = deck()
    path = lambda name: os.path.join(folder, name)
    for name, content in (("arm.inp", text), ("swing.adm", model(nodes)),
                          ("swing.acf", path("swing.adm") + "\nswing\nSIMULATE/DYNAMICS, END=1, STEPS=200\nLINEAR/EIGENSOL\nSTOP\n")):
        with open(path(name), "w", encoding="utf-8") as file:
            file.write(content)


if __name__ == "__main__":
    main()

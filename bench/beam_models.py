"""The flexible mechanisms of Bauchau et al., Multibody Syst. Dyn. 37 (2016) 29-48, as models of any mesh.

Data are those of H. Zhang et al., Multibody Syst. Dyn. 54 (2022), Tables 3 to 5, corrected where the authors' own MBDyn input
(tests/benchmarks of MBDyn) differs from the print: the soft bar of the four-bar is C-D, and the shaft's inertia per length, its
torsional and bending stiffness and the disk's inertia are a thousand times the printed ones.
"""

import math

HEAD = "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\nPART/1, GROUND\n"
ALONG_X = "REULER = 90D, 90D, 0D"  # z of such a marker is x of what carries it


def matrix(number, diagonal):
    k = ", ".join(str(i + 1) for i in range(6))
    return (f"MATRIX/{number}, SPARSE, ROWS = 6, COLUMNS = 6, I = {k}, J = {k}\n"
            f", VALUES = {', '.join(format(x, '.10g') for x in diagonal)}\n")


def section(number, stiffness, mass, inertia):
    """MATRIX/number: EA, GAy, GAz, GJ, EIy, EIz; MATRIX/number+1: mass and moments of inertia per length."""
    return matrix(number, stiffness) + matrix(number + 1, [mass] * 3 + list(inertia))


def beam(number, matrices, elements, start, end, angles, more=""):
    place = lambda label, at: f"{label}, {', '.join(format(x, '.12g') for x in at)}, {angles}"
    return (f"FE_PART/{number}, TYPE = 3DBEAM, NODE_LABELS = 1, 2\n, COORDINATES = {place(1, start)}, {place(2, end)}\n"
            f", SECTION_STIFFNESS = {matrices}, SECTION_INERTIA = {matrices + 1}, SUBDIVIDE = {elements}{more}\n")


def marker(number, part, label, at, more=""):
    return f"MARKER/{number}, FE_PART = {part}, NODE_LABEL = {label}, QP = {', '.join(format(x, '.12g') for x in at)}{more}\n"


def four_bar(elements=10, mass=1.0):
    """Two turns from rest in shape, then 12 s. `mass`: factor of all inertia. It ends at 32.944 s, which is t = 12.0000488 s of the paper:
    two periods are 20.943951 s, and steps of 1, 2, 4 and 8 ms end there."""
    text = "Flexible four-bar: the hinge at C is 5 degrees off, so that the bars must bend and twist for it to turn\n" + HEAD
    text += "MARKER/1, PART = 1\nMARKER/2, PART = 1, QP = 0.24, 0, 0\n"
    text += section(10, [52.992e6, 16.8803e6, 16.8803e6, 733.488, 1130.5, 1130.5], 1.9968 * mass,
                    [mass * j for j in (85.1968e-6, 42.5984e-6, 42.5984e-6)])
    text += section(20, [13.248e6, 4.22008e6, 4.22008e6, 45.843, 70.656, 70.656], 0.4992 * mass,
                    [mass * j for j in (5.3248e-6, 2.6624e-6, 2.6624e-6)])
    speed = 0.6
    a, b, c, d = (0, 0, 0), (0, 0.12, 0), (0.24, 0.12, 0), (0.24, 0, 0)
    turning = f", VX = {0.06 * speed:g}, WZ = {-speed:g}"
    text += beam(2, 10, elements, a, b, "90D, 0D, 0D", turning)
    text += beam(3, 10, elements, b, c, "0D, 0D, 0D", f", VX = {0.12 * speed:g}")
    text += beam(4, 20, elements, c, d, "-90D, 0D, 0D", turning)
    text += marker(21, 2, 1, a) + marker(22, 2, 2, b) + marker(31, 3, 1, b) + marker(42, 4, 2, d)
    text += marker(32, 3, 2, c, ", REULER = 90D, 5D, 0D") + marker(41, 4, 1, c, ", REULER = 90D, 5D, 0D")
    text += ("JOINT/1, REVOLUTE, I = 21, J = 1\nJOINT/2, REVOLUTE, I = 31, J = 22\nJOINT/3, REVOLUTE, I = 32, J = 41\n"
             "JOINT/4, REVOLUTE, I = 42, J = 2\n")
    return text + f"MOTION/1, JOINT = 1, ROTATION, FUNCTION = -{speed:g}*TIME\n"


def buckling(elements=10, link=2, crank=2, offset=1e-4):
    """A thin beam, clamped, is bent upwards by a crank and a link, and buckles sideways. Its middle is node 9."""
    text = "Lateral buckling: a crank lifts the end of a thin beam, which leaves its plane\n" + HEAD
    # z of hinges is -y, so that the crank turns from x to z.
    hinge = ", REULER = 0D, 90D, 0D"
    tip, c, b, g = (1, 0, 0), (1, offset, 0), (1, offset, -0.25), (0.95, offset, -0.25)
    text += f"MARKER/1, PART = 1\nMARKER/2, PART = 1, QP = {g[0]}, {g[1]:g}, {g[2]}{hinge}\n"
    text += section(10, [73e6, 5.025e6, 23.40e6, 877.2, 60830, 608.3], 2.68, [2255.33e-6, 2233e-6, 22.33e-6])
    text += section(20, [33.02e6, 10.81e6, 10.81e6, 914.5, 1189, 1189], 1.212, [87.3e-6, 43.65e-6, 43.65e-6])
    text += section(30, [132.1e6, 43.22e6, 43.22e6, 14630, 19020, 19020], 4.85, [1396.6e-6, 698.3e-6, 698.3e-6])
    text += beam(2, 10, elements, (0, 0, 0), tip, "0D, 0D, 0D") + "FE_NODE/1, FE_PART = 2, LABEL = 9, S = 0.5\n"
    text += beam(3, 20, link, c, b, "90D, 90D, -90D")   # x of the link is -z
    text += beam(4, 30, crank, b, g, "180D, 0D, 0D")
    text += marker(21, 2, 1, (0, 0, 0)) + marker(22, 2, 2, c) + marker(31, 3, 1, c)
    text += marker(32, 3, 2, b, hinge) + marker(41, 4, 1, b, hinge) + marker(42, 4, 2, g, hinge)
    text += ("JOINT/1, FIXED, I = 21, J = 1\nJOINT/2, SPHERICAL, I = 22, J = 31\nJOINT/3, REVOLUTE, I = 32, J = 41\n"
             "JOINT/4, REVOLUTE, I = 42, J = 2\n")
    return text + ("MOTION/1, JOINT = 4, ROTATION, FUNCTION = IF(TIME-0.4: PI/2*(1-COS(PI*TIME/0.4)), PI, PI)\n")


def shaft(elements=16, before=1.0, disk=(2.0325, 1.0310, 1.0310), softer=0.0):
    """A shaft with a disk off its axis runs through its critical speed. Its middle is node 9. It is at rest and straight at first; in the time
    `before` its weight comes slowly, a damper at the disk takes what that excites and is gone in the last quarter. TIME is t + before.
    MBDyn's input has m t²/12 in the disk's moments of inertia, which the paper's table leaves out. `softer`: what EJ and GA lack, relative."""
    text = "Rotating shaft: an unbalanced disk on a slender shaft that runs through its critical speed\n" + HEAD
    text += f"MARKER/1, PART = 1, {ALONG_X}\nMARKER/2, PART = 1, QP = 6, 0, 0, {ALONG_X}\nMARKER/3, PART = 1, QP = 3, 0, 0\n"
    m, j = math.pi * 7800 * (0.05 ** 2 - 0.045 ** 2), math.pi / 4 * 7800 * (0.05 ** 4 - 0.045 ** 4)
    k = 1 - softer
    text += section(10, [313.4e6, k * 60.5e6, k * 60.5e6, 272.7e3, k * 354.5e3, k * 354.5e3], m, [2 * j, j, j])
    text += beam(2, 10, elements, (0, 0, 0), (6, 0, 0), "0D, 0D, 0D") + "FE_NODE/1, FE_PART = 2, LABEL = 9, S = 0.5\n"
    text += marker(21, 2, 1, (0, 0, 0), ", " + ALONG_X) + marker(22, 2, 2, (6, 0, 0), ", " + ALONG_X)
    text += "MARKER/29, FE_PART = 2, NODE_LABEL = 9\n"
    text += (f"PART/3, MASS = 70.573, CM = 30, IP = {disk[0]:g}, {disk[1]:g}, {disk[2]:g}, QG = 3, 0, 0\nMARKER/30, PART = 3, QP = 0, 0, 0.05\n"
             "MARKER/31, PART = 3\nMARKER/39, PART = 1, FLOATING\n")
    text += "JOINT/1, REVOLUTE, I = 21, J = 1\nJOINT/2, CYLINDRICAL, I = 22, J = 2\nJOINT/3, FIXED, I = 31, J = 29\n"
    if before > 0:
        t = f"(TIME-{before:g})"
        half = before / 2
        weight = f"4.905*(1-COS(PI*TIME/{half:g}))"
        g = f"IF(TIME-{half:g}: {weight}, 9.81, 9.81)"
        text += f"FE_LOAD/1, FE_PART = 2, FZ = -{m:.10g}*{g}\n"
        text += f"VFORCE/1, I = 30, JFLOAT = 39, RM = 3, FX = 0\\FY = 0\\FZ = -70.573*{g}\n"
        text += (f"SFORCE/1, TRANSLATIONAL, ACTIONONLY, I = 31, J = 3\n, FUNCTION = IF(TIME-{0.75 * before:g}: -1E4*VZ(31, 3, 3), 0, 0)\n")
    else:
        t = "TIME"
        text += "ACCGRAV/KGRAV = -9.81\n"
    # The integral of Eq. 25.
    run_up = (f"IF({t}: 0, 0, IF({t}-0.5: 24*({t}-0.5/PI*SIN(2*PI*{t})), 12,\n"
              f", IF({t}-1: 12+48*({t}-0.5), 36,\n"
              f", IF({t}-1.25: 36+48*({t}-1)+12*({t}-1-0.25/PI*SIN(4*PI*({t}-1))), 51, 51+72*({t}-1.25)))))")
    return text + f"MOTION/1, JOINT = 1, ROTATION, FUNCTION = {run_up}\n"


def crank_beam(elements=16):
    """The beam of O. A. Bauchau, A. Epple, C. L. Bottasso, J. Comput. Nonlinear Dyn. 4 (2009), §9, lifted by a crank. Not printed there, and taken from the like
    mechanism above: densities, the modulus of steel, a crank that is horizontal at first. Shear factors 5/6 of rectangles, 0.55 of a thick tube. Its middle is node 9."""
    text = "A thin beam, lifted by a crank through a link 5 mm off its plane\n" + HEAD
    hinge = ", REULER = 0D, 90D, 0D"
    off, depth, width = 5e-3, 0.1, 2.5e-3
    tip, c, b, g = (1, 0, 0), (1, off, 0), (1, off, -0.5), (0.97, off, -0.5)
    text += f"MARKER/1, PART = 1\nMARKER/2, PART = 1, QP = {g[0]}, {g[1]:g}, {g[2]}{hinge}\n"
    e, shear, rho, area = 73e9, 73e9 / 2.6, 2680, depth * width
    iy, iz = width * depth ** 3 / 12, depth * width ** 3 / 12
    torsion = depth * width ** 3 / 3 * (1 - 0.63 * width / depth)
    text += section(10, [e * area, shear * area / 1.2, shear * area / 1.2, shear * torsion, e * iy, e * iz], rho * area,
                    [rho * (iy + iz), rho * iy, rho * iz])
    e, shear, rho, area, i = 210e9, 210e9 / 2.6, 7800, math.pi * (15e-3 ** 2 - 7e-3 ** 2), math.pi / 4 * (15e-3 ** 4 - 7e-3 ** 4)
    text += section(20, [e * area, 0.55 * shear * area, 0.55 * shear * area, 2 * shear * i, e * i, e * i], rho * area, [2 * rho * i, rho * i, rho * i])
    text += beam(2, 10, elements, (0, 0, 0), tip, "0D, 0D, 0D") + "FE_NODE/1, FE_PART = 2, LABEL = 9, S = 0.5\n"
    text += beam(5, 10, 2, tip, c, "90D, 0D, 0D") + beam(3, 20, 4, c, b, "90D, 90D, -90D") + beam(4, 20, 2, b, g, "180D, 0D, 0D")
    text += marker(21, 2, 1, (0, 0, 0)) + marker(22, 2, 2, tip) + marker(51, 5, 1, tip) + marker(52, 5, 2, c) + marker(31, 3, 1, c)
    text += marker(32, 3, 2, b, hinge) + marker(41, 4, 1, b, hinge) + marker(42, 4, 2, g, hinge)
    text += ("JOINT/1, FIXED, I = 21, J = 1\nJOINT/5, FIXED, I = 51, J = 22\nJOINT/2, SPHERICAL, I = 52, J = 31\nJOINT/3, REVOLUTE, I = 32, J = 41\n"
             "JOINT/4, REVOLUTE, I = 42, J = 2\n")
    return text + "MOTION/1, JOINT = 4, ROTATION, FUNCTION = 1.6*(1-COS(2*PI*TIME/1.6))\n"

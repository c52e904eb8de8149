"""The models: what they are, their true motion, and their texts for Trunnion. Needs nothing but Python.

Chains of rods (spherical, revolute), rows of four-bars, Andrews' squeezer, the stiff flyball governor.
"""
import math

LENGTH, MASS, GRAVITY = 0.1, 1.0, 9.81
CHAINS = ["spherical", "revolute"]
FOUR_BARS, ANDREWS, GOVERNOR = "four-bars", "Andrews", "governor"
LOOPS = [FOUR_BARS, ANDREWS, GOVERNOR]
ENDS = {FOUR_BARS: 0.5, ANDREWS: 0.03, GOVERNOR: 1}  # the four-bars lie flat, where they lose rank, at 0.72 s
UNITS = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND"


def end_of(kind):
    return ENDS.get(kind, 1)


# Chains

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


def chain(kind, rods):
    lines = ["MARKER/1, PART=1, REULER=0D,90D,0D"]
    for k in range(rods):
        lines += rod_statements(k, kind)
    return [*lines, f"ACCGRAV/KGRAV={-GRAVITY}"], range(2, rods + 2)


# Four-bars

def four_bars(windows):
    """N + 1 rods standing on pins, N on top: joints in space, three equations of each window are redundant."""
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
    return [*lines, f"ACCGRAV/JGRAV={-GRAVITY}"], [*range(1000, 1001 + windows), *range(3000, 3000 + windows)]


def runge_kutta(rates, y, end, steps):
    """The classical formula."""
    h = end / steps
    for _ in range(steps):
        a = rates(y)
        b = rates([u + h / 2 * v for u, v in zip(y, a)])
        c = rates([u + h / 2 * v for u, v in zip(y, b)])
        d = rates([u + h * v for u, v in zip(y, c)])
        y = [u + h / 6 * (p + 2 * (q + r) + s) for u, p, q, r, s in zip(y, a, b, c, d)]
    return y


def true_four_bars(windows):
    """By their one freedom, the angle of the standing rods: a'' = k sin a from a = 0, a' = 1."""
    k = GRAVITY * ((windows + 1) / 2 + windows) / ((windows + 1) / 3 + windows)
    angle, _ = runge_kutta(lambda y: [y[1], k * math.sin(y[0])], [0.0, 1.0], end_of(FOUR_BARS), 20000)
    s, c = math.sin(angle), math.cos(angle)
    return [(i + s / 2, c / 2, 0) for i in range(windows + 1)] + [(i + 0.5 + s, c, 0) for i in range(windows)]


# Andrews' squeezer: seven links in a plane, from rest, a torque on the crank and a spring, no weight

class Andrews:
    """Data of the IVP test set. Links in its order: crank, coupler FE, triangle BED, GE, AG, HE, AH."""
    A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
    MASSES = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
    INERTIAS = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    TORQUE, STIFFNESS, FREE_LENGTH = 0.033, 4530, 0.07785
    START = [-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842551,
             -0.222668390165885884, 1.23054744454982119]
    # At 0.03 s, from a computation with quadruple precision; the nine digits of the test set's solution agree.
    END = [15.8107711951537071, -15.7563710584118395, 0.0408222401196458, -0.5347301163420796, 0.5244099658799541,
           0.5347301163420796, 1.0480807410419379]

    def __init__(self, angles):
        """Places of the points and of the mass centres at the angles β Θ γ Φ δ Ω ε."""
        beta, theta, gamma, phi, delta, omega, epsilon = angles

        def beside(origin, angle, along, left):
            """Along a direction and to the left of it."""
            c, s = math.cos(angle), math.sin(angle)
            return origin[0] + along * c - left * s, origin[1] + along * s + left * c

        right = math.pi / 2
        self.O = (0.0, 0.0)
        self.F = beside(self.O, beta, 0.007, 0)
        self.E = beside(self.F, beta + theta, -0.028, 0)
        self.G = beside(self.A, delta, 0.04, 0)
        self.H = beside(self.A, epsilon - right, 0.04, 0)
        self.D = beside(self.B, gamma - right, 0.018, 0.02)
        self.centres = [beside(self.O, beta, 0.00092, 0), beside(self.F, beta + theta, -0.0115, 0),
                        beside(self.B, gamma - right, 0.01874, 0.01043), beside(self.G, phi + delta - right, 0.00579, 0),
                        beside(self.A, delta, 0.02308, 0.00916), beside(self.H, omega + epsilon, 0.00579, 0),
                        beside(self.A, epsilon - right, 0.01228, -0.00449)]

    def pins(self):
        """(link, the one before it or -1 for the ground, place, whether it closes a loop)."""
        return [(0, -1, self.O, False), (1, 0, self.F, False), (2, -1, self.B, False), (4, -1, self.A, False),
                (3, 4, self.G, False), (6, -1, self.A, False), (5, 6, self.H, False),
                (1, 2, self.E, True), (3, 2, self.E, True), (5, 2, self.E, True)]


def true_andrews():
    return [(*centre, 0) for centre in Andrews(Andrews.END).centres]


def andrews():
    """Ten revolutes in space: nine of their equations are redundant."""
    a, lines = Andrews(Andrews.START), ["MARKER/1, PART=1"]
    for k, (x, y) in enumerate(a.centres):
        inertia = f"{a.INERTIAS[k]:.17g}"
        lines += [f"PART/{k + 2}, MASS={a.MASSES[k]}, CM={k + 2}0, IP={inertia},{inertia},{inertia}, QG={x:.17g},{y:.17g},0",
                  f"MARKER/{k + 2}0, PART={k + 2}"]

    def marker(name, link, place):
        x, y = place if link < 0 else (place[0] - a.centres[link][0], place[1] - a.centres[link][1])
        return f"MARKER/{name}, PART={link + 2}, QP={x:.17g},{y:.17g},0"

    for k, (link, before, place, _) in enumerate(a.pins()):
        lines += [marker(100 + k, link, place), marker(200 + k, before, place), f"JOINT/{k + 1}, REVOLUTE, I={100 + k}, J={200 + k}"]
    return [*lines, marker(300, 2, a.D), marker(301, -1, a.C),
            f"SPRINGDAMPER/1, TRANSLATION, I=300, J=301, K={a.STIFFNESS}, LENGTH={a.FREE_LENGTH}",
            f"SFORCE/1, ROTATIONAL, ACTIONONLY, I=20, J=1, FUNCTION={a.TORQUE}"], range(2, 9)


def andrews_numbers():
    """The squeezer at its start as numbers, for a program that is no Python: a line each for the links (mass, inertia, mass centre),
    the pins (link, before, place, closing), the spring (link, ends, stiffness, free length), the torque."""
    a = Andrews(Andrews.START)
    rows = [(m, i, *c) for m, i, c in zip(a.MASSES, a.INERTIAS, a.centres)]
    rows += [(link, before, *place, int(closing)) for link, before, place, closing in a.pins()]
    rows += [(2, *a.D, *a.C, a.STIFFNESS, a.FREE_LENGTH), (a.TORQUE,)]
    return "\n".join(" ".join(format(x, ".17g") for x in row) for row in rows) + "\n"


# The governor: a shaft, a slider on it, two hinged rods with balls, stiff springs from the slider to the middles of the rods

class Governor:
    """Data of IFToMM A05. Rod and ball are one body, its mass centre ARM from the hinge."""
    ROD, SLIDER, BALL = 0.3, 3.0, 5.0
    HINGE, TOP, MIDDLE, HEIGHT, DOWN = 0.05, 1.0, 0.5, 0.5, math.pi / 6
    STIFFNESS, DAMPING, FREE_LENGTH, SPIN = 8e5, 4e4, 0.5, 2 * math.pi
    ALONG, ACROSS = ROD * 2e-4 / 12, ROD * (1 + 1e-4) / 12  # of a rod of 1 x 0.01 x 0.01 m
    CUBE = SLIDER * 2 * 0.1**2 / 12
    ARM_MASS = ROD + BALL
    ARM = (ROD * 0.5 + BALL * 1) / ARM_MASS
    ARM_ACROSS = ACROSS + ROD * (ARM - 0.5) ** 2 + BALL * (1 - ARM) ** 2
    # Height of the slider, angle of the rods, rate of the shaft: (time, values) as others computed them.
    KNOWN = [(0.1, (0.523836475570, 0.496173869076, 6.103717808831)), (1.0, (0.501420922380, 0.521833301626, 6.271125741877))]

    def inertia(self, angle):
        """About the shaft, and its derivative by the angle of the rods."""
        c, s = math.cos(angle), math.sin(angle)
        out = self.HINGE + self.ARM * c
        value = self.ALONG + self.CUBE + 2 * (self.ARM_MASS * out**2 + self.ARM_ACROSS * c * c + self.ALONG * s * s)
        return value, 2 * (-2 * self.ARM_MASS * out * self.ARM * s - 2 * (self.ARM_ACROSS - self.ALONG) * c * s)

    def rates(self, y):
        """Of the height of the slider, the angle of the rods, both rates, the angle of the shaft, by Lagrange's equations."""
        height, angle, rise, fall, _ = y
        c, s = math.cos(angle), math.sin(angle)
        spin = self.momentum / self.inertia(angle)[0]
        x, z = self.MIDDLE * c, self.TOP - self.MIDDLE * s - height
        length = math.hypot(x, z)
        by_angle = -self.MIDDLE * (x * s + z * c) / length
        pull = self.STIFFNESS * (length - self.FREE_LENGTH) + self.DAMPING * (by_angle * fall - z / length * rise)
        turning = self.inertia(angle)[1] * spin**2 / 2 + 2 * self.ARM_MASS * GRAVITY * self.ARM * c - 2 * pull * by_angle
        about_hinge = self.ARM_ACROSS + self.ARM_MASS * self.ARM**2
        return [rise, fall, 2 * pull * z / length / self.SLIDER - GRAVITY, turning / (2 * about_hinge), spin]

    def state(self, time):
        """The springs' rate is 1e4 1/s: 2e-5 s of step are well within the formula's stability."""
        self.momentum = self.inertia(self.DOWN)[0] * self.SPIN
        return runge_kutta(self.rates, [self.HEIGHT, self.DOWN, 0.0, 0.0, 0.0], time, round(time / 2e-5))

    def worst(self):
        """The largest distance from the known values."""
        off = []
        for time, known in self.KNOWN:
            height, angle, *_ = self.state(time)
            off += [abs(a - b) for a, b in zip((height, angle, self.momentum / self.inertia(angle)[0]), known)]
        return max(off)


def true_governor():
    g = Governor()
    height, angle, _, _, turned = g.state(end_of(GOVERNOR))
    out, z = g.HINGE + g.ARM * math.cos(angle), g.TOP - g.ARM * math.sin(angle)
    x, y = out * math.cos(turned), out * math.sin(turned)
    return [(0, 0, height), (x, y, z), (-x, -y, z)]


def governor():
    g = Governor()
    spin = f"WZ={g.SPIN:.17g}"
    lines = ["MARKER/1, PART=1",
             f"PART/2, MASS={g.ROD}, CM=20, IP={g.ACROSS:.17g},{g.ACROSS:.17g},{g.ALONG:.17g}, QG=0,0,0.5, {spin}",
             f"PART/3, MASS={g.SLIDER}, CM=30, IP={g.CUBE:.17g},{g.CUBE:.17g},{g.CUBE:.17g}, QG=0,0,{g.HEIGHT}, {spin}",
             "MARKER/20, PART=2", "MARKER/21, PART=2, QP=0,0,-0.5", "MARKER/30, PART=3",
             "JOINT/1, REVOLUTE, I=21, J=1", "JOINT/2, TRANSLATIONAL, I=30, J=20"]
    c, s = math.cos(g.DOWN), math.sin(g.DOWN)
    for p, side in ((4, 1), (5, -1)):
        def at(along):
            return f"{side * (g.HINGE + along * c):.17g},0,{g.TOP - along * s:.17g}"

        # A part's frame is the ground's; that of its mass centre has x down the rod, z across the plane; the hinge's axis is y.
        lines += [f"PART/{p}, MASS={g.ARM_MASS}, CM={p}0, IP={g.ALONG:.17g},{g.ARM_ACROSS:.17g},{g.ARM_ACROSS:.17g}, {spin}",
                  f"MARKER/{p}0, PART={p}, QP={at(g.ARM)}, REULER=0D,90D,{math.degrees(math.atan2(-s, side * c)):.17g}D",
                  f"MARKER/{p}1, PART={p}, QP={at(0)}, REULER=0D,90D,0D", f"MARKER/{p}2, PART={p}, QP={at(g.MIDDLE)}",
                  f"MARKER/2{p}, PART=2, QP={side * g.HINGE},0,0.5, REULER=0D,90D,0D", f"MARKER/3{p}, PART=3, QP={side * g.HINGE},0,0",
                  f"JOINT/{p}, REVOLUTE, I={p}1, J=2{p}",
                  f"SPRINGDAMPER/{p}, TRANSLATION, I={p}2, J=3{p}, K={g.STIFFNESS}, C={g.DAMPING}, LENGTH={g.FREE_LENGTH}"]
    return [*lines, f"ACCGRAV/KGRAV={-GRAVITY}"], [3, 4, 5]


def model(kind, number):
    """Its text and the parts whose mass centres are compared."""
    made = {FOUR_BARS: lambda: four_bars(number), ANDREWS: andrews, GOVERNOR: governor}
    lines, parts = made.get(kind, lambda: chain(kind, number))()
    return "\n".join([f"{kind}, {number}", UNITS, "PART/1, GROUND", *lines, "END", ""]), parts


def true_positions(kind, number):
    """Of the mass centres at the end, by other means than any code's."""
    return {FOUR_BARS: lambda: true_four_bars(number), ANDREWS: true_andrews, GOVERNOR: true_governor}[kind]()

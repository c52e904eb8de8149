"""Chains, four-bars, Andrews' squeezer and the governor with Exudyn:
    exudyn_run.py --kept|--renewed space|plane N KIND STEPS POSITIONS.csv

"plane": the elements of the plane, for the loops that have them. Writes the mass centres at the end, prints
{"cpu": CPU seconds of the integration, "steps": steps}.
"""
import json
import sys

sys.exudynFast = True  # the module without range checks, with AVX2
import exudyn as exu
import numpy as np
from exudyn.utilities import (InertiaTensor2Inertia6D, LoadMassProportional, LoadTorqueVector, MarkerBodyMass, MarkerBodyPosition,
                              MarkerBodyRigid, NodeRigidBody2D, NodeRigidBodyRotVecLG, ObjectConnectorSpringDamper,
                              ObjectGround, ObjectJointGeneric, ObjectJointPrismaticX, ObjectJointRevolute2D,
                              ObjectJointRevoluteZ, ObjectJointSpherical, ObjectRigidBody, ObjectRigidBody2D)

import timing
from models import ANDREWS, FOUR_BARS, GOVERNOR, GRAVITY, LENGTH, MASS, Andrews, Governor, end_of

ALONG_Y = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # turns z to y
X_UP = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])  # turns x to z
STANDING = np.eye(3)


class Space:
    """Bodies and pins in space. A pin that closes a loop of a flat mechanism has two equations only: Exudyn leaves it to its user that
    none is redundant."""

    def __init__(self, mbs, gravity):
        self.mbs, self.gravity = mbs, gravity
        self.ground = mbs.AddObject(ObjectGround())

    def body(self, mass, inertia, place, velocity=(0, 0, 0), spin=(0, 0, 0)):
        """Its frame lies in its mass centre and stands parallel to the ground's at the start."""
        node = self.mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[*place, 0, 0, 0], initialVelocities=[*velocity, *spin]))
        body = self.mbs.AddObject(ObjectRigidBody(mass=mass, inertia=InertiaTensor2Inertia6D(np.array(inertia)), nodeNumber=node))
        return node, self.weighed(body)

    def weighed(self, body):
        if any(self.gravity):
            self.mbs.AddLoad(LoadMassProportional(markerNumber=self.mbs.AddMarker(MarkerBodyMass(bodyNumber=body)),
                                                  loadVector=list(self.gravity)))
        return body

    def link(self, mass, inertia, place, velocity=(0, 0), spin=0):
        """One of a flat mechanism."""
        return self.body(mass, np.eye(3) * inertia, [*place, 0], [*velocity, 0], [0, 0, spin])

    def frame(self, body, place, rotation=STANDING):
        return self.mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localHT=exu.HT(rotation=rotation, translation=list(place))))

    def pin(self, one, at_one, other, at_other, closing=False, axis=STANDING):
        markers = [self.frame(one, at_one, axis), self.frame(other, at_other, axis)]
        self.mbs.AddObject(ObjectJointGeneric(markerNumbers=markers, constrainedAxes=[1, 1, 0, 0, 0, 0]) if closing
                           else ObjectJointRevoluteZ(markerNumbers=markers))

    def ball(self, one, at_one, other, at_other):
        self.mbs.AddObject(ObjectJointSpherical(markerNumbers=[self.frame(one, at_one), self.frame(other, at_other)]))

    def point(self, body, place):
        return self.mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=list(place)))

    def spring(self, one, at_one, other, at_other, stiffness, damping, free_length):
        self.mbs.AddObject(ObjectConnectorSpringDamper(markerNumbers=[self.point(one, at_one), self.point(other, at_other)],
                                                       stiffness=stiffness, damping=damping, referenceLength=free_length))

    def torque(self, body, value):
        self.mbs.AddLoad(LoadTorqueVector(markerNumber=self.frame(body, [0, 0, 0]), loadVector=[0, 0, value]))


class Plane(Space):
    """The same with the elements of the plane."""

    def link(self, mass, inertia, place, velocity=(0, 0), spin=0):
        node = self.mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[*place, 0], initialVelocities=[*velocity, spin]))
        body = self.mbs.AddObject(ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        return node, self.weighed(body)

    def pin(self, one, at_one, other, at_other, closing=False, axis=STANDING):
        self.mbs.AddObject(ObjectJointRevolute2D(markerNumbers=[self.point(one, at_one), self.point(other, at_other)]))


def chain(world, rods, kind):
    across = MASS * LENGTH**2 / 12
    nodes, last, end = [], world.ground, [0, 0, 0]
    for k in range(rods):
        node, body = world.body(MASS, np.diag([across / 10, across, across]), [LENGTH * (k + 0.5), 0, 0])
        if kind == "spherical":
            world.ball(last, end, body, [-LENGTH / 2, 0, 0])
        else:
            world.pin(last, end, body, [-LENGTH / 2, 0, 0], axis=ALONG_Y)
        nodes.append(node)
        last, end = body, [LENGTH / 2, 0, 0]
    return nodes


def four_bars(world, windows):
    """N + 1 rods standing on pins one apart, N on top, all of length and mass 1 in one plane; they fall to x with 1 rad/s."""
    standing = [world.link(1, 1 / 12, [k, 0.5], [0.5, 0], -1) for k in range(windows + 1)]
    for k, (_, body) in enumerate(standing):
        world.pin(world.ground, [k, 0, 0], body, [0, -0.5, 0])
    top = [world.link(1, 1 / 12, [k + 0.5, 1], [1, 0]) for k in range(windows)]
    for k, (_, body) in enumerate(top):
        for side in (0, 1):
            world.pin(standing[k + side][1], [0, 0.5, 0], body, [side - 0.5, 0, 0], closing=side == 1)
    return [node for node, _ in standing + top]


def andrews(world):
    a = Andrews(Andrews.START)
    links = [world.link(*data) for data in zip(a.MASSES, a.INERTIAS, a.centres)]

    def at(link, place):
        """The link, or the ground, and the place in its frame."""
        body, origin = (world.ground, (0, 0)) if link < 0 else (links[link][1], a.centres[link])
        return body, [place[0] - origin[0], place[1] - origin[1], 0]

    for link, before, place, closing in a.pins():
        world.pin(*at(before, place), *at(link, place), closing)
    world.spring(*at(2, a.D), *at(-1, a.C), a.STIFFNESS, 0, a.FREE_LENGTH)
    world.torque(links[0][1], a.TORQUE)
    return [node for node, _ in links]


def governor(world):
    g = Governor()
    spin, c, s = [0, 0, g.SPIN], np.cos(g.DOWN), np.sin(g.DOWN)
    _, shaft = world.body(g.ROD, np.diag([g.ACROSS, g.ACROSS, g.ALONG]), [0, 0, 0.5], spin=spin)
    slider_node, slider = world.body(g.SLIDER, np.eye(3) * g.CUBE, [0, 0, g.HEIGHT], spin=spin)
    world.pin(world.ground, [0, 0, 0], shaft, [0, 0, -0.5])
    world.mbs.AddObject(ObjectJointPrismaticX(markerNumbers=[world.frame(shaft, [0, 0, 0], X_UP), world.frame(slider, [0, 0, 0], X_UP)]))
    nodes = [slider_node]
    for side in (1, -1):
        down = np.array([side * c, 0, -s])
        hinge = np.array([side * g.HINGE, 0, g.TOP])
        inertia = g.ARM_ACROSS * np.eye(3) + (g.ALONG - g.ARM_ACROSS) * np.outer(down, down)
        centre = hinge + g.ARM * down
        node, rod = world.body(g.ARM_MASS, inertia, centre, [0, g.SPIN * centre[0], 0], spin)
        world.pin(shaft, hinge - [0, 0, 0.5], rod, -g.ARM * down, axis=ALONG_Y)
        world.spring(rod, (g.MIDDLE - g.ARM) * down, slider, [side * g.HINGE, 0, 0], g.STIFFNESS, g.DAMPING, g.FREE_LENGTH)
        nodes.append(node)
    return nodes


def build(mbs, elements, kind, number):
    gravity = {FOUR_BARS: (0, -GRAVITY, 0), ANDREWS: (0, 0, 0)}.get(kind, (0, 0, -GRAVITY))
    world = (Plane if elements == "plane" else Space)(mbs, gravity)
    if kind == FOUR_BARS:
        return four_bars(world, number)
    if kind == ANDREWS:
        return andrews(world)
    return governor(world) if kind == GOVERNOR else chain(world, number, kind)


def settings(steps, renewed, kind):
    """Generalized-alpha with fixed steps; the Jacobian kept while it converges, or a new one at each step.

    A relative tolerance of 1e-5 is the loosest that does not change the result; spectral radius 0.6 converges with larger
    steps than 0.9, which is more accurate with small ones.
    """
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = end_of(kind)
    s.timeIntegration.adaptiveStep = False
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = renewed
    s.timeIntegration.newton.relativeTolerance = 1e-5
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.6 if renewed else 0.9
    # The fastest of those there are; for Andrews' squeezer it is the sparse one too.
    s.linearSolver.solverType = exu.LinearSolverType.EigenDense if kind == GOVERNOR else exu.LinearSolverType.EigenSparse
    s.linearSolver.reuseAnalyzedPattern = True
    s.solution.file.write = False
    s.parallel.numberOfThreads = 1
    return s


def main(mode, elements, number, kind, steps, path):
    def simulate():
        nonlocal mbs, nodes
        mbs = exu.SystemContainer().AddSystem()
        nodes = build(mbs, elements, kind, int(number))
        mbs.Assemble()
        return timing.timed(lambda: mbs.SolveDynamic(settings(int(steps), mode == "--renewed", kind)))

    mbs = nodes = None
    cpu = timing.least(simulate)
    positions = [mbs.GetNodeOutput(node, exu.OutputVariableType.Position) for node in nodes]
    np.savetxt(path, positions, delimiter=",", fmt="%.17g")
    print(json.dumps({"cpu": cpu, "steps": int(steps)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

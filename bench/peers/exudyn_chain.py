"""A chain of rods falling from horizontal, or N four-bars in a row, with Exudyn:
    exudyn_chain.py --kept|--renewed N spherical|revolute|four-bars STEPS POSITIONS.csv

Writes the mass centres at the end, prints {"cpu": user seconds of the integration, "steps": steps}.
"""
import json
import resource
import sys

sys.exudynFast = True  # the module without range checks, with AVX2
import exudyn as exu
import numpy as np
from exudyn.utilities import (InertiaTensor2Inertia6D, MarkerBodyPosition, MarkerBodyRigid, NodeRigidBody2D,
                              NodeRigidBodyRotVecLG, ObjectGround, ObjectJointRevolute2D, ObjectJointRevoluteZ,
                              ObjectJointSpherical, ObjectRigidBody, ObjectRigidBody2D, LoadMassProportional, MarkerBodyMass)

LENGTH, MASS, GRAVITY = 0.1, 1.0, 9.81
ACROSS = MASS * LENGTH**2 / 12
AXIS = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # z of the joint is y of the rod


def add_rod(mbs, k):
    node = mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[LENGTH * (k + 0.5), 0, 0, 0, 0, 0]))
    inertia = InertiaTensor2Inertia6D(np.diag([ACROSS / 10, ACROSS, ACROSS]))
    body = mbs.AddObject(ObjectRigidBody(mass=MASS, inertia=inertia, nodeNumber=node))
    mbs.AddLoad(LoadMassProportional(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=body)),
                                     loadVector=[0, 0, -GRAVITY]))
    return node, body


def add_joint(mbs, kind, markers):
    if kind == "spherical":
        mbs.AddObject(ObjectJointSpherical(markerNumbers=markers))
    else:
        mbs.AddObject(ObjectJointRevoluteZ(markerNumbers=markers))


def add_chain(mbs, rods, kind):
    def end(body, x):
        return mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localHT=exu.HT(rotation=AXIS, translation=[x, 0, 0])))

    nodes = []
    last = end(mbs.AddObject(ObjectGround()), 0)
    for k in range(rods):
        node, body = add_rod(mbs, k)
        add_joint(mbs, kind, [last, end(body, -LENGTH / 2)])
        last = end(body, LENGTH / 2)
        nodes.append(node)
    return nodes


def add_four_bars(mbs, windows):
    """N + 1 rods standing on pins one apart, N on top, all of length and mass 1 in one plane; they fall to x with 1 rad/s."""
    def end(body, x, y):
        return mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, y, 0]))

    def add(place, velocity):
        node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[*place, 0], initialVelocities=velocity))
        body = mbs.AddObject(ObjectRigidBody2D(mass=1, inertia=1 / 12, nodeNumber=node))
        mbs.AddLoad(LoadMassProportional(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=body)),
                                         loadVector=[0, -GRAVITY, 0]))
        return node, body

    def pin(*markers):
        mbs.AddObject(ObjectJointRevolute2D(markerNumbers=list(markers)))

    ground = mbs.AddObject(ObjectGround())
    standing = [add([k, 0.5], [0.5, 0, -1]) for k in range(windows + 1)]
    for k, (_, body) in enumerate(standing):
        pin(end(ground, k, 0), end(body, 0, -0.5))
    top = [add([k + 0.5, 1], [1, 0, 0]) for k in range(windows)]
    for k, (_, body) in enumerate(top):
        for side in (0, 1):
            pin(end(body, side - 0.5, 0), end(standing[k + side][1], 0, 0.5))
    return [node for node, _ in standing + top]


def settings(steps, renewed, end):
    """Generalized-alpha with fixed steps; the Jacobian kept while it converges, or a new one at each step.

    A relative tolerance of 1e-5 is the loosest that does not change the result; spectral radius 0.6 converges with larger
    steps than 0.9, which is more accurate with small ones.
    """
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = end
    s.timeIntegration.adaptiveStep = False
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = renewed
    s.timeIntegration.newton.relativeTolerance = 1e-5
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.6 if renewed else 0.9
    s.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    s.linearSolver.reuseAnalyzedPattern = True
    s.solution.file.write = False
    s.parallel.numberOfThreads = 1
    return s


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def main(mode, rods, kind, steps, path):
    mbs = exu.SystemContainer().AddSystem()
    nodes = add_four_bars(mbs, int(rods)) if kind == "four-bars" else add_chain(mbs, int(rods), kind)
    mbs.Assemble()
    before = user_seconds()
    mbs.SolveDynamic(settings(int(steps), mode == "--renewed", 0.5 if kind == "four-bars" else 1))
    cpu = user_seconds() - before
    positions = [mbs.GetNodeOutput(node, exu.OutputVariableType.Position) for node in nodes]
    np.savetxt(path, positions, delimiter=",", fmt="%.17g")
    print(json.dumps({"cpu": cpu, "steps": int(steps)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

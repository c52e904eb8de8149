#!/usr/bin/env python3
"""mujoco_run.py N spherical|revolute STEPS POSITIONS.csv: MuJoCo's RK4 with STEPS equal steps."""
import json
import sys

import mujoco

import timing
from models import GRAVITY, LENGTH, MASS


def chain(rods, kind, step):
    """Made by calls: XML does not nest so deep as a long chain."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0, 0, -GRAVITY]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = step
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    across = MASS * LENGTH**2 / 12
    body = spec.worldbody
    for k in range(rods):
        body = body.add_body(pos=[LENGTH if k else 0, 0, 0], ipos=[LENGTH / 2, 0, 0], mass=MASS, inertia=[across / 10, across, across],
                             explicitinertial=True)
        if kind == "spherical":
            body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
        else:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    return spec.compile()


def main(rods, kind, steps, path):
    model = chain(rods, kind, 1.0 / steps)
    data = None

    def simulate():
        nonlocal data
        data = mujoco.MjData(model)
        cpu = timing.timed(lambda: mujoco.mj_step(model, data, steps))
        if any(warning.number for warning in data.warning):  # it begins anew then
            sys.exit("unstable")
        return cpu

    cpu = timing.least(simulate)
    mujoco.mj_kinematics(model, data)
    with open(path, "w") as out:
        for x in data.xipos[1:]:
            out.write(",".join(f"{c:.17g}" for c in x) + "\n")
    print(json.dumps({"cpu": cpu, "steps": steps}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])

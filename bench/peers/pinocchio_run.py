#!/usr/bin/env python3
"""pinocchio_run.py N spherical|revolute TOLERANCE POSITIONS.csv: Pinocchio's ABA with scipy's DOP853, rtol = atol = TOLERANCE."""
import json
import sys

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

import timing
from models import GRAVITY, LENGTH, MASS


def chain(rods, kind):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    across = MASS * LENGTH**2 / 12
    inertia = pin.Inertia(MASS, np.array([LENGTH / 2, 0, 0]), np.diag([across / 10, across, across]))
    parent = 0
    for k in range(rods):
        joint = pin.JointModelSpherical() if kind == "spherical" else pin.JointModelRY()
        at = pin.SE3(np.eye(3), np.array([LENGTH if k else 0.0, 0, 0]))
        parent = model.addJoint(parent, joint, at, f"joint {k}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model


def main(rods, kind, tolerance, path):
    model = chain(rods, kind)
    data = model.createData()
    nq, nv = model.nq, model.nv
    force = np.zeros(nv)

    def rates(_, y):
        q, v = y[:nq], y[nq:]
        if nq == nv:
            return np.concatenate([v, pin.aba(model, data, q, v, force)])
        q = pin.normalize(model, q)
        u, w = q.reshape(-1, 4), v.reshape(-1, 3)
        turn = np.empty_like(u)
        turn[:, :3] = 0.5 * (u[:, 3:] * w + np.cross(u[:, :3], w))
        turn[:, 3] = -0.5 * np.sum(u[:, :3] * w, axis=1)
        return np.concatenate([turn.ravel(), pin.aba(model, data, q, v, force)])

    y = np.concatenate([pin.neutral(model), np.zeros(nv)])
    done = None

    def integrate():
        nonlocal done
        done = solve_ivp(rates, (0, 1), y, method="DOP853", rtol=tolerance, atol=tolerance, t_eval=[1])

    cpu = timing.least(lambda: timing.timed(integrate))
    pin.forwardKinematics(model, data, pin.normalize(model, done.y[:nq, -1]))
    with open(path, "w") as out:
        for k in range(rods):
            x = data.oMi[k + 1].act(np.array([LENGTH / 2, 0, 0]))
            out.write(",".join(f"{c:.17g}" for c in x) + "\n")
    print(json.dumps({"cpu": cpu, "steps": done.nfev // 12}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4])

#!/usr/bin/env python3
"""mujoco_run.py N spherical|revolute STEPS POSITIONS.csv: MuJoCo's RK4 with STEPS equal steps."""
import json
import sys

import mujoco

import timing
from models import GRAVITY, LENGTH, MASS


def chain(rods, kind, step):
    across = MASS * LENGTH**2 / 12
    joint = '<joint type="ball"/>' if kind == "spherical" else '<joint type="hinge" axis="0 1 0"/>'
    bodies = "".join(
        f'<body pos="{LENGTH if k else 0} 0 0">{joint}<inertial pos="{LENGTH / 2} 0 0" mass="{MASS}" '
        f'diaginertia="{across / 10} {across} {across}"/>' for k in range(rods)) + "</body>" * rods
    return (f'<mujoco><option gravity="0 0 {-GRAVITY}" integrator="RK4" timestep="{step}"><flag contact="disable" '
            f'constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>')


def main(rods, kind, steps, path):
    model = mujoco.MjModel.from_xml_string(chain(rods, kind, 1.0 / steps))
    data = None

    def simulate():
        nonlocal data
        data = mujoco.MjData(model)
        return timing.timed(lambda: mujoco.mj_step(model, data, steps))

    cpu = timing.least(simulate)
    mujoco.mj_kinematics(model, data)
    with open(path, "w") as out:
        for x in data.xipos[1:]:
            out.write(",".join(f"{c:.17g}" for c in x) + "\n")
    print(json.dumps({"cpu": cpu, "steps": steps}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])

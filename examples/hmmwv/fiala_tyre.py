#!/usr/bin/env python3
"""Fiala's tyre on a flat road as VARIABLE, DIFF and GFORCE statements, for any model.

    fiala_tyre.py WHEEL CENTRE AXLE ROAD FLOAT > tyre.txt

WHEEL   first id of the VARIABLEs (23 of them), DIFFs (2) and the id of the GFORCE
CENTRE  marker of the wheel at its centre
AXLE    marker of the wheel, 1 length unit from CENTRE along the axis of rotation, to the left of the direction of travel
ROAD    marker of the ground: the road is its xy plane, z up
FLOAT   floating marker of the ground (MARKER/FLOAT, FLOATING) that takes the reaction

The statements, e being the unit vector from CENTRE to AXLE, k the normal of the road:
    t_x = e × k / cos γ, t_y = k × t_x           rolling and lateral direction; cos γ = |e × k|
    ρ = z_C / cos γ, r = −ρ (k − (k·e) e)/cos γ  loaded radius; from the centre to the contact point
    v_s = v_C + ω × r                            velocity of the tread there, all of it slip
    σ_x κ̇ = −v_s·t_x − V κ, σ_y ȧ = −v_s·t_y − V a, V = √(v_x² + v₀²)    slip with relaxation lengths
    q = (C_κ (κ + τ κ̇), C_α (a + τ ȧ))           what the tread would carry without sliding; τ damps at a standstill
    s = |q| / (3 μ F_z); F = q (1 − s + s²/3) for s < 1, μ F_z q/|q| beyond     Fiala's cubic, both directions together
    M_z = −q_y w/3 (1 − s)³ v_x/V                self-aligning torque
    M_y = −f F_z ρ Ω/√(Ω² + Ω₀²)                 rolling resistance
    F_z = k₁ δ + k₂ δ² + k₃ δ³ + c δ̇ ≥ 0, δ = R − ρ
All of it is smooth where the wheel touches the road, at rest and backwards too. The force acts at the contact point, so its power
F·v_s is what sliding takes; rolling loses M_y Ω. Camber thrust and the moment of overturning are not modelled.
"""

import sys

# Project Chrono, data/vehicle/hmmwv/tire/HMMWV_FialaTire.json (BSD-3-Clause): radius, width, relaxation lengths, stiffnesses,
# friction, rolling resistance, vertical damping. The three k are a least-squares cubic through its table of load over deflection.
HMMWV = dict(radius=0.47, width=0.318, k1=1.10778e5, k2=3.69942e6, k3=-2.13581e7, damping=7500.0, rolling=0.015,
             c_slip=193929.0, c_alpha=50000.0, mu_max=0.9835, mu_min=0.5568, sigma_x=2.0, sigma_y=2.0,
             tau=0.005, v_small=0.1)


def load(p, deflection):
    """The vertical force at rest."""
    return deflection * (p["k1"] + deflection * (p["k2"] + deflection * p["k3"]))


def deflection_for(p, force):
    d = force / p["k1"]
    for _ in range(60):
        d -= (load(p, d) - force) / (p["k1"] + d * (2 * p["k2"] + d * 3 * p["k3"]))
    return d


def fiala(wheel, centre, axle, road, float_marker, p=HMMWV, name="tyre"):
    """The statements of one tyre, as a list of lines."""
    lines, place = [], {}

    def variable(what, text, comment=None, guess=None):
        place[what] = f"VARVAL({wheel + len(place)})"
        for known in sorted(place, key=len, reverse=True):
            text = text.replace("{" + known + "}", place[known])
        lines.extend([f"! adams_view_name='{name}_{what}'"] + ([f"! {comment}"] if comment else []))
        lines.append(f"VARIABLE/{wheel + len(place) - 1}{f', IC = {guess}' if guess else ''}, FUNCTION = {text}")

    def use(text):
        for known in sorted(place, key=len, reverse=True):
            text = text.replace("{" + known + "}", place[known])
        return text

    c, r = f"{centre}, {road}, {road}", p
    variable("ex", f"DX({axle}, {centre}, {road})", "direction of the axle")
    variable("ey", f"DY({axle}, {centre}, {road})", guess=1)
    variable("ez", f"DZ({axle}, {centre}, {road})")
    variable("cos_camber", "SQRT({ex}**2+{ey}**2)", guess=1)
    variable("radius", f"DZ({c})/{{cos_camber}}", "loaded radius, and the contact point seen from the centre", 0.95 * r["radius"])
    variable("rx", "{radius}*{ez}*{ex}/{cos_camber}")
    variable("ry", "{radius}*{ez}*{ey}/{cos_camber}")
    variable("rz", "-{radius}*{cos_camber}", guess=-0.95 * r["radius"])
    variable("px", f"VX({c})+WY({c})*{{rz}}-WZ({c})*{{ry}}", "velocity of the tread at the contact point")
    variable("py", f"VY({c})+WZ({c})*{{rx}}-WX({c})*{{rz}}")
    variable("roll", f"({{ey}}*VX({c})-{{ex}}*VY({c}))/{{cos_camber}}", "speed of the centre, and as it counts")
    variable("speed", f"SQRT({{roll}}**2+{r['v_small']}**2)", guess=1)
    variable("deflection", f"{r['radius']}-{{radius}}", guess=0.05 * r["radius"])
    variable("load", f"MAX(0, MAX(0, {{deflection}})*({r['k1']}+{r['k2']}*{{deflection}}{r['k3']:+}*{{deflection}}**2)"
             f"\n, -{r['damping']}*VZ({c})*STEP({{deflection}}, 0, 0, 0.01, 1))",
             guess=round(load(r, 0.05 * r["radius"])))
    k, a = wheel, wheel + 1
    variable("slip_rate", f"(-({{ey}}*{{px}}-{{ex}}*{{py}})/{{cos_camber}}-{{speed}}*DIF({k}))/{r['sigma_x']}",
             "slip, longitudinal and lateral")
    lines.append(use(f"DIFF/{k}, IC = 0, FUNCTION = {{slip_rate}}"))
    variable("side_rate", f"(-({{ex}}*{{px}}+{{ey}}*{{py}})/{{cos_camber}}-{{speed}}*DIF({a}))/{r['sigma_y']}")
    lines.append(use(f"DIFF/{a}, IC = 0, FUNCTION = {{side_rate}}"))
    variable("qx", f"{r['c_slip']}*(DIF({k})+{r['tau']}*{{slip_rate}})", "force without sliding")
    variable("qy", f"{r['c_alpha']}*(DIF({a})+{r['tau']}*{{side_rate}})")
    variable("s", f"SQRT({{qx}}**2+{{qy}}**2+1)/(3*({{load}}+0.01)\n, *({r['mu_max']}-{r['mu_max'] - r['mu_min']:.6g}*MIN(1, SQRT(DIF({k})**2+DIF({a})**2+1E-8))))",
             "share of the contact patch that slides", guess=0.01)
    variable("g", "(1-MIN(1, {s})+MIN(1, {s})**2/3)*MIN(1, {s})/{s}/{cos_camber}", guess=1)
    variable("fx", "{g}*({qx}*{ey}+{qy}*{ex})", "force of the road, in its axes")
    variable("fy", "{g}*({qy}*{ey}-{qx}*{ex})")
    spin = use(f"({{ex}}*WX({c})+{{ey}}*WY({c})+{{ez}}*WZ({c}))")
    variable("my", f"-{r['rolling']}*{{load}}*{{radius}}*{spin}\n, /SQRT({spin}**2+{(r['v_small'] / r['radius']) ** 2:.6g})",
             "rolling resistance")
    lines += [f"! adams_view_name='{name}'",
              f"GFORCE/{wheel}, I = {centre}, JFLOAT = {float_marker}, RM = {road}",
              use(", FX = {fx}\\"), use(", FY = {fy}\\"), use(", FZ = {load}\\"),
              use(", TX = {ry}*{load}-{rz}*{fy}+{my}*{ex}\\"),
              use(", TY = {rz}*{fx}-{rx}*{load}+{my}*{ey}\\"),
              use(f", TZ = {{rx}}*{{fy}}-{{ry}}*{{fx}}+{{my}}*{{ez}}-{r['width'] / 3:.6g}*{{qy}}*(1-MIN(1, {{s}}))**3*{{roll}}/{{speed}}")]
    assert len(place) <= 23
    return lines


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    print("\n".join(fiala(*(int(word) for word in sys.argv[1:]))))

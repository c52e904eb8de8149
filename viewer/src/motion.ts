// Poses of bodies over time, from the channels X Y Z PSI THETA PHI.
import { Quaternion, Vector3 } from "three";
import type { Body, Run } from "./data";

export interface Track {
  p?: (Float64Array | Float32Array)[];
  q?: Float32Array; // x y z w a row
}

function quaternions(psi: ArrayLike<number>, theta: ArrayLike<number>, phi: ArrayLike<number>): Float32Array {
  const out = new Float32Array(4 * psi.length);
  for (let k = 0; k < psi.length; ++k) {
    // R = Rz(ψ) Rx(θ) Rz(φ)
    const c = Math.cos(theta[k] / 2), s = Math.sin(theta[k] / 2);
    const sum = (psi[k] + phi[k]) / 2, difference = (psi[k] - phi[k]) / 2;
    const q = [s * Math.cos(difference), s * Math.sin(difference), c * Math.sin(sum), c * Math.cos(sum)];
    // The nearer of q and −q, so that the way between two rows is the short one.
    let dot = 0;
    if (k > 0) for (let i = 0; i < 4; ++i) dot += q[i] * out[4 * k - 4 + i];
    for (let i = 0; i < 4; ++i) out[4 * k + i] = dot < 0 ? -q[i] : q[i];
  }
  return out;
}

export function track(run: Run, body: Body): Track {
  const columns = ["X", "Y", "Z", "PSI", "THETA", "PHI"].map((name) => run.columns[run.place.get(`${body.channel}.${name}`) ?? -1]);
  const out: Track = {};
  if (columns.slice(0, 3).every(Boolean)) out.p = columns.slice(0, 3);
  if (columns.slice(3).every(Boolean)) out.q = quaternions(columns[3], columns[4], columns[5]);
  return out;
}

// At a place in time found by locate(), which serves all bodies.
export function pose(run: Run, body: Body, t: Track, at: { row: number; part: number }, p: Vector3, q: Quaternion): void {
  const { row, part } = at, next = Math.min(row + 1, run.rows - 1);
  if (run.rows > 0 && t.p) {
    const [x, y, z] = t.p;
    p.set(x[row] + part * (x[next] - x[row]), y[row] + part * (y[next] - y[row]), z[row] + part * (z[next] - z[row]));
  } else {
    p.fromArray(body.p);
  }
  if (run.rows > 0 && t.q) {
    const a = t.q, i = 4 * row, j = 4 * next, rest = 1 - part;
    q.set(rest * a[i] + part * a[j], rest * a[i + 1] + part * a[j + 1], rest * a[i + 2] + part * a[j + 2], rest * a[i + 3] + part * a[j + 3]).normalize();
  } else {
    q.fromArray(body.q);
  }
}

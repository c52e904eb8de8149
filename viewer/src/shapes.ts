// GRAPHICS as three.js geometry, in the frame of its marker.
import * as THREE from "three";
import { bytes, type Shape } from "./data";

const kRound = 40;

function alongZ(geometry: THREE.BufferGeometry, length: number): THREE.BufferGeometry {
  geometry.rotateX(Math.PI / 2); // three's cylinders stand on y
  geometry.translate(0, 0, length / 2);
  return geometry;
}

export function solid(shape: Shape): THREE.BufferGeometry | undefined {
  switch (shape.type) {
    case "box": {
      const [x, y, z] = shape.size;
      const box = new THREE.BoxGeometry(Math.abs(x), Math.abs(y), Math.abs(z));
      box.translate(x / 2, y / 2, z / 2);
      return box;
    }
    case "frustum":
      // A negative length goes the other way, with its ends exchanged.
      return alongZ(
        new THREE.CylinderGeometry(
          shape.length < 0 ? shape.bottom : shape.top, shape.length < 0 ? shape.top : shape.bottom, Math.abs(shape.length), kRound),
        shape.length);
    case "ellipsoid": {
      const ball = new THREE.SphereGeometry(0.5, kRound, kRound / 2);
      ball.scale(...shape.size);
      return ball;
    }
    case "torus":
      return new THREE.TorusGeometry(shape.major, shape.minor, kRound / 2, kRound);
    case "plane": {
      const [x0, x1, y0, y1] = shape.range;
      const plane = new THREE.PlaneGeometry(x1 - x0, y1 - y0);
      plane.translate((x0 + x1) / 2, (y0 + y1) / 2, 0);
      return plane;
    }
  }
  if (shape.type === "shell") return shell(shape);
  return undefined;
}

function shell(shape: Shape): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes(shape.points as string)), 3));
  indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(shape.faces)), 1));
  const geometry = indexed.toNonIndexed(); // edges stay sharp
  geometry.computeVertexNormals();
  return geometry;
}

export const polyline = (shape: Shape): THREE.BufferGeometry =>
  new THREE.BufferGeometry().setFromPoints((shape.points as [number, number, number][]).map((p) => new THREE.Vector3(...p)));

export function arc(radius: number, angle = 2 * Math.PI): THREE.BufferGeometry {
  const points: THREE.Vector3[] = [];
  const count = Math.max(8, Math.ceil((Math.abs(angle) / (2 * Math.PI)) * 64));
  for (let k = 0; k <= count; ++k) points.push(new THREE.Vector3(radius * Math.cos((angle * k) / count), radius * Math.sin((angle * k) / count), 0));
  return new THREE.BufferGeometry().setFromPoints(points);
}

export const kCoilTurns = 7;

// Along z. What moves is scaled along z: `length` should be near the one it is seen at, or the wire becomes a band.
export function coil(turns: number, radius: number, wire: number, length: number): THREE.BufferGeometry {
  class Helix extends THREE.Curve<THREE.Vector3> {
    constructor() { super(); } // the library's own is protected
    getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
      const inside = Math.min(Math.max((s - 0.08) / 0.84, 0), 1);
      const taper = Math.min(1, inside * turns * 2, (1 - inside) * turns * 2);
      const angle = 2 * Math.PI * turns * inside;
      return target.set(radius * taper * Math.cos(angle), radius * taper * Math.sin(angle), s * length);
    }
  }
  return new THREE.TubeGeometry(new Helix(), Math.ceil((turns + 2) * 20), wire, 6);
}

// A flat spiral around z.
export function spiral(turns: number, radius: number, wire: number): THREE.BufferGeometry {
  class Spiral extends THREE.Curve<THREE.Vector3> {
    constructor() { super(); }
    getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
      const r = radius * (0.15 + 0.85 * s), angle = 2 * Math.PI * turns * s;
      return target.set(r * Math.cos(angle), r * Math.sin(angle), 0);
    }
  }
  return new THREE.TubeGeometry(new Spiral(), turns * 32, wire, 6);
}

// Around z, half of it on either side.
export function tube(outer: number, inner: number, length: number): THREE.BufferGeometry {
  const half = length / 2, corners = [[inner, -half], [outer, -half], [outer, half], [inner, half], [inner, -half]];
  // Each edge on its own: edges stay sharp.
  const points = corners.slice(1).flatMap((corner, k) => [corners[k], corner]).map(([r, z]) => new THREE.Vector2(r, z));
  const ring = new THREE.LatheGeometry(points, 28);
  return ring.rotateX(Math.PI / 2);
}

export function jointIcon(type: string | undefined, size: number): THREE.BufferGeometry {
  switch (type) {
    case "revolute":
    case "cylindrical":
    case "screw":
      return alongZ(new THREE.CylinderGeometry(size * 0.55, size * 0.55, size * 1.6, 24), 0);
    case "spherical":
      return new THREE.SphereGeometry(size * 0.7, 16, 10);
    case "translational":
      return new THREE.BoxGeometry(size * 0.9, size * 0.9, size * 2.2);
    case "fixed":
      return new THREE.BoxGeometry(size, size, size);
  }
  return new THREE.OctahedronGeometry(size * 0.8);
}

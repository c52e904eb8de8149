// Forces between two markers that the model has no GRAPHICS for: springs as coils, beams as rods, bushings as short tubes.
// All are sized by the mechanism, a beam's section by its statement; what there are many of is drawn at once.
import * as THREE from "three";
import type { Scene, Symbol } from "./data";
import { coil, kCoilTurns, spiral, tube } from "./shapes";

// Where markers are now.
export interface Places {
  where(marker: number, out: THREE.Vector3): THREE.Vector3;
  turned(marker: number, out: THREE.Quaternion): THREE.Quaternion;
}

interface Piece {
  symbol: Symbol;
  thickness: [number, number]; // across, along x and y of the piece
  along: "span" | "axis" | "middle"; // from I to J, on the axis of J at I, half way
  length: number; // unless it spans
  part: [number, number]; // of the span
  turnedBy: "own" | "j"; // of pieces that span: any direction around it, or y and z of J
}

const kColours = { spring: "#8b93a1", damper: "#5c6573", beam: "#7590b3", bushing: "#4a4f58", field: "#8e79b5", line: "#c2635b", torsion: "#8b93a1" };

// A wire is hard to hit: a coil is found anywhere inside it.
function pickByHull(coils: THREE.InstancedMesh, length: number): void {
  const shape = new THREE.CylinderGeometry(0.5, 0.5, length, 10).rotateX(Math.PI / 2).translate(0, 0, length / 2);
  const hull = new THREE.InstancedMesh(shape, coils.material, coils.count);
  hull.instanceMatrix = coils.instanceMatrix;
  coils.raycast = (ray, hits) => {
    const inside: THREE.Intersection[] = [];
    hull.boundingSphere = null;
    hull.raycast(ray, inside);
    hits.push(...inside.map((hit) => ({ ...hit, object: coils })));
  };
}

export class Symbols {
  readonly group = new THREE.Group();
  private readonly batches = new Map<string, { geometry: THREE.BufferGeometry; colour: string; aspect: number; pieces: Piece[]; coil: boolean }>();
  private readonly meshes: { mesh: THREE.InstancedMesh; aspect: number; pieces: Piece[] }[] = [];
  private readonly onMarker = new Map<number, number>(); // half the thickness of the beams that end at a marker

  // `size`: of the mechanism. `places` must know where everything is at the start.
  constructor(model: Scene, private readonly places: Places, private readonly size: number) {
    for (const symbol of model.symbols ?? []) this.add(symbol);
    for (const { geometry, colour, aspect, pieces, coil: wire } of this.batches.values()) {
      const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.25, side: THREE.DoubleSide }), pieces.length);
      mesh.frustumCulled = false;
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      if (wire) pickByHull(mesh, aspect);
      this.meshes.push({ mesh, aspect, pieces });
      this.group.add(mesh);
    }
  }

  // What the ends of beams should at least be covered by; 0 where none ends.
  beamEnd(marker: number): number {
    return this.onMarker.get(marker) ?? 0;
  }

  private batch(key: string, colour: string, aspect: number, make: () => THREE.BufferGeometry, piece: Piece): void {
    if (!this.batches.has(key)) this.batches.set(key, { geometry: make(), colour, aspect, pieces: [], coil: key.startsWith("coil") });
    this.batches.get(key)!.pieces.push(piece);
  }

  private rod(symbol: Symbol, colour: string, thickness: [number, number], round: boolean, part: [number, number] = [0, 1], turnedBy: Piece["turnedBy"] = "own"): void {
    this.batch(`${round ? "rod" : "bar"} ${colour}`, colour, 1,
      () => round ? new THREE.CylinderGeometry(0.5, 0.5, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5) : new THREE.BoxGeometry(1, 1, 1).translate(0, 0, 0.5),
      { symbol, thickness, along: "span", length: 0, part, turnedBy });
  }

  private add(symbol: Symbol): void {
    const from = this.places.where(symbol.i, new THREE.Vector3()), length = from.distanceTo(this.places.where(symbol.j, new THREE.Vector3()));
    // Never wider than a third of what it spans; a force at one point has the mechanism alone to go by.
    const fitting = (part: number) => part * this.size * (length > 0 ? Math.min(1, length / (3 * part * this.size)) : 1);
    const apart = length > 0.002 * this.size;
    switch (symbol.type) {
      case "spring": return apart ? this.addSpring(symbol, fitting(0.045), length) : undefined;
      case "beam": return this.addBeam(symbol, length);
      case "line": return apart ? this.rod(symbol, kColours.line, [fitting(0.006), fitting(0.006)], true) : undefined;
      case "bushing":
        return this.batch("bushing", kColours.bushing, 1, () => tube(0.5, 0.24, 1), { symbol, thickness: [0.05 * this.size, 0.05 * this.size], along: "axis", length: 0.045 * this.size, part: [0, 1], turnedBy: "own" });
      case "torsion":
        return this.batch("torsion", kColours.torsion, 1, () => spiral(3, 0.5, 0.03), { symbol, thickness: [0.07 * this.size, 0.07 * this.size], along: "axis", length: 0.07 * this.size, part: [0, 1], turnedBy: "own" });
      case "field": {
        if (apart) this.rod(symbol, kColours.field, [fitting(0.012), fitting(0.012)], true);
        const wide = apart ? fitting(0.035) : 0.035 * this.size;
        return this.batch("field", kColours.field, 1, () => new THREE.BoxGeometry(1, 1, 1), { symbol, thickness: [wide, wide], along: "middle", length: wide, part: [0, 1], turnedBy: "own" });
      }
    }
  }

  private addSpring(symbol: Symbol, wide: number, length: number): void {
    if (symbol.spring || !symbol.damper) {
      // Few lengths serve all springs: a geometry for each quarter more, stretched by less than that.
      const kStep = 1.25, aspect = kStep ** Math.round(Math.log(length / wide) / Math.log(kStep));
      this.batch(`coil ${aspect.toFixed(3)}`, kColours.spring, aspect, () => coil(kCoilTurns, 0.5, 0.05, aspect), { symbol, thickness: [wide, wide], along: "span", length: 0, part: [0, 1], turnedBy: "own" });
    }
    if (!symbol.damper) return;
    const inside = symbol.spring ? 0.55 : 1;
    this.rod(symbol, kColours.damper, [0.2 * wide * inside, 0.2 * wide * inside], true);
    this.rod(symbol, kColours.damper, [0.7 * wide * inside, 0.7 * wide * inside], true, [0.42, 0.86]);
  }

  private addBeam(symbol: Symbol, length: number): void {
    const { round, y, z } = symbol.section ?? { round: true, y: 0.012 * this.size, z: 0.012 * this.size };
    const within = (width: number) => Math.min(Math.max(width, 0.006 * this.size), Math.max(0.6 * length, 0.006 * this.size));
    const thickness: [number, number] = [within(y), within(z)];
    for (const end of [symbol.i, symbol.j]) this.onMarker.set(end, Math.max(this.beamEnd(end), Math.min(...thickness) / 2));
    this.rod(symbol, kColours.beam, thickness, round, [0, 1], "j");
  }

  private readonly from = new THREE.Vector3();
  private readonly to = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scale = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();
  private readonly axes = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()] as const;

  move(): void {
    if (!this.group.visible) return;
    for (const { mesh, aspect, pieces } of this.meshes) {
      pieces.forEach((piece, k) => mesh.setMatrixAt(k, this.place(piece, aspect)));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // or rays would miss what has moved
    }
  }

  private place(piece: Piece, aspect: number): THREE.Matrix4 {
    const { symbol, thickness, part } = piece, [x, y, z] = this.axes;
    this.places.where(symbol.i, this.from);
    this.places.where(symbol.j, this.to);
    if (piece.along !== "span") {
      if (piece.along === "middle") this.from.lerp(this.to, 0.5);
      return this.matrix.compose(this.from, this.places.turned(symbol.j, this.turn), this.scale.set(...thickness, piece.length));
    }
    z.copy(this.to).sub(this.from);
    const length = z.length() || 1e-9 * this.size;
    z.divideScalar(length);
    if (piece.turnedBy === "j") y.set(0, 0, 1).applyQuaternion(this.places.turned(symbol.j, this.turn));
    else y.set(0, 0, 0);
    // y of the piece is the part across the span of z of J, or of whatever axis lies most across.
    y.addScaledVector(z, -y.dot(z));
    if (y.lengthSq() < 1e-6) {
      y.set(0, 0, 0).setComponent(Math.abs(z.x) < 0.6 ? 0 : 1, 1);
      y.addScaledVector(z, -y.dot(z));
    }
    y.normalize();
    x.crossVectors(y, z);
    this.from.addScaledVector(z, part[0] * length);
    const along = ((part[1] - part[0]) * length) / aspect;
    x.multiplyScalar(thickness[0]);
    y.multiplyScalar(thickness[1]);
    z.multiplyScalar(along);
    return this.matrix.makeBasis(x, y, z).setPosition(this.from);
  }

  // Grows `box` by what is drawn now.
  measure(box: THREE.Box3): void {
    const one = new THREE.Box3(), matrix = new THREE.Matrix4();
    for (const { mesh, pieces } of this.meshes) {
      mesh.geometry.computeBoundingBox();
      for (let k = 0; k < pieces.length; ++k) {
        mesh.getMatrixAt(k, matrix);
        box.union(one.copy(mesh.geometry.boundingBox!).applyMatrix4(matrix));
      }
    }
  }

  // What a ray has met, by name; nothing where it is none of these.
  at(hit: THREE.Intersection): string | undefined {
    const found = this.meshes.find(({ mesh }) => mesh === hit.object);
    return found && hit.instanceId !== undefined ? found.pieces[hit.instanceId].symbol.name : undefined;
  }
}

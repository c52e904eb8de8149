// FE_PARTs: sections swept along the axis of a beam as it is bent now, coloured by a section quantity. Between two nodes the axis is the
// cubic whose ends have the directions that the nodes' axes say (of a circle's arc it is right to 1e-3 up to a right angle), the section
// turns evenly from one node to the next.
import * as THREE from "three";
import { colourAt, rangeOf, shortNumber, type Range } from "./colours";
import type { Beam, Run, Scene } from "./data";

export const kSectionQuantities = ["FX", "FY", "FZ", "TX", "TY", "TZ", "EX", "EY", "EZ", "KX", "KY", "KZ"] as const;
const kWords: Record<string, string> = {
  FX: "tension", FY: "shear y", FZ: "shear z", TX: "torque", TY: "bending moment y", TZ: "bending moment z",
  EX: "stretch", EY: "shear strain y", EZ: "shear strain z", KX: "twist per length", KY: "curvature y", KZ: "curvature z",
};
export const quantityWords = (name: string) => `${kWords[name]} ${name}`;

const kRound = 20;

interface Swept {
  beam: Beam;
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  pieces: number; // rings from node to node
  outline: [number, number][]; // of the section, y and z, widths 1; corners twice
  normals: [number, number][];
  widths: [number, number][]; // of each node
  columns: (Float64Array | Float32Array | undefined)[]; // of each element, of the chosen quantity
}

function outlineOf(round: boolean): { outline: [number, number][]; normals: [number, number][] } {
  const outline: [number, number][] = [], normals: [number, number][] = [];
  if (round) {
    for (let k = 0; k < kRound; ++k) {
      const at: [number, number] = [Math.cos((2 * Math.PI * k) / kRound), Math.sin((2 * Math.PI * k) / kRound)];
      normals.push(at);
      outline.push([at[0] / 2, at[1] / 2]);
    }
    return { outline, normals };
  }
  const corners: [number, number][] = [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]], sides: [number, number][] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  for (let side = 0; side < 4; ++side) {
    outline.push(corners[side], corners[(side + 1) % 4]);
    normals.push(sides[side], sides[side]);
  }
  return { outline, normals };
}

// Rings one after the other, then a ring for each end that is turned outwards.
function skin(rings: number, around: number, round: boolean): number[] {
  const index: number[] = [];
  for (let r = 0; r + 1 < rings; ++r) {
    for (let k = 0; k < around; k += round ? 1 : 2) {
      const a = r * around + k, b = r * around + ((k + 1) % around);
      index.push(a, b, a + around, b, b + around, a + around);
    }
  }
  for (const end of [0, 1]) {
    const first = (rings + end) * around;
    for (let k = 1; k + 1 < around; ++k) end ? index.push(first, first + k, first + k + 1) : index.push(first, first + k + 1, first + k);
  }
  return index;
}

export class Beams {
  readonly group = new THREE.Group();
  quantity = "";
  range: Range = { low: 0, high: 0, twoSided: false };
  private readonly all: Swept[] = [];

  // `bodies`: where the nodes are; `size`: of the mechanism.
  constructor(model: Scene, private readonly run: Run, private readonly bodies: THREE.Object3D[], size: number, colour: (beam: number) => string) {
    (model.beams ?? []).forEach((beam, b) => this.add(beam, size, colour(b)));
  }

  get any(): boolean {
    return this.all.length > 0;
  }

  // Of which the run has the channels of every element.
  get quantities(): string[] {
    return kSectionQuantities.filter((name) => this.all.every(({ beam }) => beam.names.slice(1).every((_, k) => this.column(beam, k, name) !== undefined)));
  }

  private channel(beam: Beam, element: number, name: string): string {
    return `${beam.channel}.${beam.names[element]}-${beam.names[element + 1]}.${name}`;
  }
  private column(beam: Beam, element: number, name: string): Float64Array | Float32Array | undefined {
    return this.run.columns[this.run.place.get(this.channel(beam, element, name)) ?? -1];
  }
  unit(name: string): string {
    const beam = this.all[0]?.beam;
    return beam ? this.run.channels[this.run.place.get(this.channel(beam, 0, name)) ?? 0].unit : "";
  }

  // Over all beams and the whole run.
  extremes(name: string): [number, number] {
    let low = Infinity, high = -Infinity;
    for (const { beam } of this.all) {
      for (let k = 0; k + 1 < beam.names.length; ++k) {
        for (const value of this.column(beam, k, name) ?? []) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
    }
    return [low, high];
  }

  choose(name: string): void {
    this.quantity = name;
    if (name) {
      // What is nothing beside its like is rounding: no colours.
      const size = (one: string) => Math.max(...this.extremes(one).map(Math.abs)), kRounding = 1e-9;
      const like = this.quantities.filter((other) => other[0] === name[0]).map(size);
      this.range = size(name) > kRounding * Math.max(...like) ? rangeOf(...this.extremes(name)) : rangeOf(0, 0);
    }
    for (const swept of this.all) {
      swept.columns = swept.beam.names.slice(1).map((_, k) => (name ? this.column(swept.beam, k, name) : undefined));
      swept.mesh.material.vertexColors = name !== "";
      swept.mesh.material.color.set(name ? "#ffffff" : (swept.mesh.userData.plain as string));
      swept.mesh.material.needsUpdate = true;
    }
  }

  private add(beam: Beam, size: number, colour: string): void {
    const elements = beam.names.length - 1;
    if (elements < 1) return;
    const section = (node: number) => beam.sections[Math.min(node, beam.sections.length - 1)] ?? [1, 0, 0];
    let length = 0;
    for (let k = 0; k < elements; ++k) length += this.bodies[beam.nodes[k]].position.distanceTo(this.bodies[beam.nodes[k + 1]].position);
    // To be seen at all, and not to be taken for a block.
    const within = (width: number) => Math.min(Math.max(width, 0.005 * size), 0.25 * length || width);
    const round = section(0)[0] === 1, pieces = Math.min(Math.max(Math.ceil(64 / elements), 3), 24);
    const { outline, normals } = outlineOf(round), rings = elements * pieces + 1, count = (rings + 2) * outline.length;
    const geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"])
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * count).fill(name === "color" ? 1 : 0), 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setIndex(skin(rings, outline.length, round));
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.1, side: THREE.DoubleSide }));
    mesh.frustumCulled = false;
    mesh.userData.plain = colour;
    this.group.add(mesh);
    this.all.push({ beam, mesh, pieces, outline, normals, widths: beam.nodes.map((_, n) => [within(section(n)[1]), within(section(n)[2])]), columns: [] });
  }

  // To where the nodes are now. `row`, `part`: of the quantity's colours; none while modes are shown.
  move(row: number, part: number, coloured: boolean): void {
    for (const swept of this.all) {
      this.sweep(swept);
      if (this.quantity && coloured) this.paint(swept, row, part);
      const { geometry, material } = swept.mesh;
      if (material.vertexColors !== (this.quantity !== "" && coloured)) {
        material.vertexColors = this.quantity !== "" && coloured;
        material.color.set(material.vertexColors ? "#ffffff" : (swept.mesh.userData.plain as string));
        material.needsUpdate = true;
      }
      geometry.attributes.position.needsUpdate = geometry.attributes.normal.needsUpdate = true;
      geometry.boundingSphere = geometry.boundingBox = null;
    }
  }

  private readonly at = new THREE.Vector3();
  private readonly along = new THREE.Vector3();
  private readonly tangents = [new THREE.Vector3(), new THREE.Vector3()];
  private readonly turn = new THREE.Quaternion();
  private readonly tilt = new THREE.Quaternion();
  private readonly y = new THREE.Vector3();
  private readonly z = new THREE.Vector3();
  private readonly v = new THREE.Vector3();

  private sweep(swept: Swept): void {
    const { beam, pieces, mesh } = swept, elements = beam.names.length - 1;
    const positions = mesh.geometry.attributes.position.array as Float32Array, normals = mesh.geometry.attributes.normal.array as Float32Array;
    let ring = 0;
    for (let e = 0; e < elements; ++e) {
      const a = this.bodies[beam.nodes[e]], b = this.bodies[beam.nodes[e + 1]], t = beam.directions[e] ?? [1, 0, 0];
      const [start, end] = this.tangents;
      start.fromArray(t).applyQuaternion(a.quaternion);
      end.fromArray(t).applyQuaternion(b.quaternion);
      const chord = a.position.distanceTo(b.position), angle = start.angleTo(end);
      // Of an arc with this chord and angle the cubic has speed c/cos²(θ/4) at its ends.
      const speed = chord / Math.cos(Math.min(angle, 3) / 4) ** 2;
      for (let k = 0; k <= pieces; ++k) {
        if (k === pieces && e + 1 < elements) continue; // the next element begins there
        const s = k / pieces, s2 = s * s, s3 = s2 * s;
        const h = [2 * s3 - 3 * s2 + 1, (s3 - 2 * s2 + s) * speed, 3 * s2 - 2 * s3, (s3 - s2) * speed];
        this.at.copy(a.position).multiplyScalar(h[0]).addScaledVector(start, h[1]).addScaledVector(b.position, h[2]).addScaledVector(end, h[3]);
        this.along.copy(b.position).sub(a.position).multiplyScalar(6 * s - 6 * s2).addScaledVector(start, (3 * s2 - 4 * s + 1) * speed).addScaledVector(end, (3 * s2 - 2 * s) * speed).normalize();
        this.turn.slerpQuaternions(a.quaternion, b.quaternion, s);
        this.v.fromArray(t).applyQuaternion(this.turn);
        if (this.along.lengthSq() > 0.5) this.turn.premultiply(this.tilt.setFromUnitVectors(this.v, this.along));
        const wide = (c: 0 | 1) => swept.widths[e][c] + s * (swept.widths[e + 1][c] - swept.widths[e][c]);
        this.ring(swept, ring++, wide(0), wide(1), positions, normals);
        if (e === 0 && k === 0) this.cap(swept, ring - 1, -1, positions, normals, 0);
        if (e + 1 === elements && k === pieces) this.cap(swept, ring - 1, 1, positions, normals, 1);
      }
    }
  }

  private ring(swept: Swept, number: number, wide: number, high: number, positions: Float32Array, normals: Float32Array): void {
    this.y.set(0, 1, 0).applyQuaternion(this.turn);
    this.z.set(0, 0, 1).applyQuaternion(this.turn);
    let offset = 3 * number * swept.outline.length;
    for (let k = 0; k < swept.outline.length; ++k, offset += 3) {
      const [oy, oz] = swept.outline[k], [ny, nz] = swept.normals[k];
      this.v.copy(this.at).addScaledVector(this.y, oy * wide).addScaledVector(this.z, oz * high).toArray(positions, offset);
      this.v.set(0, 0, 0).addScaledVector(this.y, ny).addScaledVector(this.z, nz).toArray(normals, offset);
    }
  }

  // The ring `from` once more, with normals along the axis.
  private cap(swept: Swept, from: number, sign: number, positions: Float32Array, normals: Float32Array, end: number): void {
    const around = swept.outline.length, rings = (swept.beam.names.length - 1) * swept.pieces + 1;
    const to = 3 * (rings + end) * around;
    positions.copyWithin(to, 3 * from * around, 3 * (from + 1) * around);
    for (let k = 0; k < around; ++k) this.v.copy(this.along).multiplyScalar(sign).toArray(normals, to + 3 * k);
  }

  // The channels are of the middle of each element: straight from middle to middle, even beyond the outermost.
  private paint(swept: Swept, row: number, part: number): void {
    const { pieces, columns, outline } = swept, elements = columns.length, next = Math.min(row + 1, this.run.rows - 1), colour = new THREE.Color();
    const colours = swept.mesh.geometry.attributes.color, array = colours.array as Float32Array;
    const value = (e: number) => {
      const column = columns[Math.min(Math.max(e, 0), elements - 1)];
      return column ? column[row] + part * (column[next] - column[row]) : 0;
    };
    const rings = elements * pieces + 1, around = outline.length;
    for (let r = 0; r < rings + 2; ++r) {
      const ring = r < rings ? r : r === rings ? 0 : rings - 1;
      const middle = ring / pieces - 0.5, e = Math.floor(middle), s = middle - e;
      colourAt(this.range, (1 - s) * value(e) + s * value(e + 1), colour);
      for (let k = 0; k < around; ++k) colour.toArray(array, 3 * (r * around + k));
    }
    colours.needsUpdate = true;
  }

  measure(box: THREE.Box3): void {
    const one = new THREE.Box3();
    for (const { mesh } of this.all) box.union(one.setFromBufferAttribute(mesh.geometry.attributes.position as THREE.BufferAttribute));
  }

  // What a ray has met, by name, with the value there; nothing where it is none of these.
  named(hit: THREE.Intersection, row: number): string | undefined {
    const swept = this.all.find(({ mesh }) => mesh === hit.object);
    if (!swept || !hit.face) return undefined;
    const elements = swept.beam.names.length - 1, ring = Math.floor(hit.face.a / swept.outline.length), rings = elements * swept.pieces + 1;
    const e = ring >= rings ? (ring === rings ? 0 : elements - 1) : Math.min(Math.floor(ring / swept.pieces), elements - 1);
    const value = swept.columns[e]?.[row], told = value === undefined ? "" : `: ${this.quantity} = ${shortNumber(value)} ${this.unit(this.quantity)}`;
    return `${swept.beam.name} between nodes ${swept.beam.names[e]} and ${swept.beam.names[e + 1]}${told}`;
  }
}

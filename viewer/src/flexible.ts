// FLEX_BODYs: the mesh, or nodes and what joins them, deformed by modal coordinates; coloured by von Mises stress where stress modes are
// known. Lies in the body's frame, which is a group of the stage.
import * as THREE from "three";
import { colourAt, rangeOf, shortNumber, type Range } from "./colours";
import { bytes, type FlexibleBody, type Marker, type Run, type Scene } from "./data";

interface Drawn {
  body: FlexibleBody;
  places: Float32Array;
  shapes: Float32Array; // modes × nodes × 3
  stressed: Int32Array; // nodes
  stresses: Float32Array; // modes × stressed × 6
  lines: Int32Array;
  columns: (Float64Array | Float32Array | undefined)[]; // of each modal coordinate
  q: Float64Array;
  strained: Float64Array; // that stresses come from: q, but of modes
  positions: THREE.BufferAttribute;
  colours: THREE.BufferAttribute;
  mesh?: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  rods?: THREE.InstancedMesh;
  balls?: THREE.InstancedMesh;
  sum: Float64Array; // stresses now
  material: THREE.MeshStandardMaterial;
  plain: string;
}

// A marker on a node.
interface Carried {
  drawn: Drawn;
  group: THREE.Object3D;
  frame: THREE.Object3D; // of the body
  stand: THREE.Vector3;
  shapes: Float32Array; // modes × 6
}

export interface HotSpot {
  name: string; // of the body
  node: number;
  value: number;
}

export const vonMises = (s: ArrayLike<number>, k = 0): number => {
  const xy = s[k] - s[k + 1], yz = s[k + 1] - s[k + 2], zx = s[k + 2] - s[k];
  return Math.sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[k + 3] * s[k + 3] + s[k + 4] * s[k + 4] + s[k + 5] * s[k + 5]));
};

export class Flexible {
  scale = 1; // of the deformation that is drawn
  stress = false;
  range: Range = { low: 0, high: 0, twoSided: false };
  hottest?: HotSpot; // now
  relative = false; // to the largest of a mode
  private readonly all: Drawn[] = [];
  private readonly carried: Carried[] = [];
  private readonly mark: THREE.Mesh;

  constructor(private readonly model: Scene, private readonly run: Run, private readonly size: number, groups: THREE.Object3D[], colour: (body: number) => string) {
    (model.flexible ?? []).forEach((body) => this.all.push(this.make(body, groups[body.body], colour(body.body))));
    this.stress = this.hasStress;
    this.scaleTo(1);
    this.mark = new THREE.Mesh(new THREE.SphereGeometry(0.009 * size, 16, 10), new THREE.MeshBasicMaterial({ color: "#c218c2", depthTest: false, transparent: true, opacity: 0.85 }));
    this.mark.renderOrder = 3;
    this.mark.visible = false;
  }

  get any(): boolean {
    return this.all.length > 0;
  }
  get hasStress(): boolean {
    return this.all.some(({ stressed }) => stressed.length > 0);
  }
  get unit(): string {
    return this.all[0]?.body.unit ?? "";
  }
  // The hottest of the whole run, as the program found it.
  get ofRun(): (HotSpot & { t: number }) | undefined {
    let out: (HotSpot & { t: number }) | undefined;
    for (const { body } of this.all)
      if (body.hottest && body.hottest.value > (out?.value ?? 0)) out = { ...body.hottest, name: this.model.bodies[body.body].name };
    return out;
  }
  // Colours up to a part of the run's, or a mode's, largest stress: one spot that is far hotter than the rest would leave that blue.
  top = 1;
  scaleTo(part: number): void {
    this.top = part;
    this.range = rangeOf(0, part * (this.ofRun?.value ?? 0));
  }
  has(body: number): boolean {
    return this.all.some((drawn) => drawn.body.body === body && drawn.body.nodes.length > 0);
  }

  private make(body: FlexibleBody, group: THREE.Object3D, plain: string): Drawn {
    const places = new Float32Array(bytes(body.places)), count = body.nodes.length;
    const material = new THREE.MeshStandardMaterial({ color: plain, roughness: 0.6, metalness: 0.05, side: THREE.DoubleSide, flatShading: true });
    const dynamic = (array: Float32Array) => new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage);
    const triangles = new Uint32Array(bytes(body.triangles)), lines = new Int32Array(bytes(body.lines)), stressed = new Int32Array(bytes(body.stressed));
    const drawn: Drawn = {
      body, places, material, plain, lines, stressed,
      shapes: new Float32Array(bytes(body.shapes)),
      stresses: new Float32Array(bytes(body.stresses)),
      columns: body.modes.map((number) => this.run.columns[this.run.place.get(`${body.channel}.Q${number}`) ?? -1]),
      q: new Float64Array(body.modes.length),
      strained: new Float64Array(body.modes.length),
      positions: dynamic(places.slice()),
      colours: dynamic(new Float32Array(3 * count).fill(0.62)),
      sum: new Float64Array(6 * stressed.length),
    };
    if (triangles.length > 0) {
      const geometry = new THREE.BufferGeometry().setAttribute("position", drawn.positions).setAttribute("color", drawn.colours);
      geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
      drawn.mesh = new THREE.Mesh(geometry, material);
      drawn.mesh.frustumCulled = false;
      group.add(drawn.mesh);
    }
    const instances = (geometry: THREE.BufferGeometry, number: number) => {
      const mesh = new THREE.InstancedMesh(geometry, material, number);
      mesh.frustumCulled = false;
      for (let k = 0; k < number; ++k) mesh.setColorAt(k, new THREE.Color(1, 1, 1));
      group.add(mesh);
      return mesh;
    };
    if (lines.length > 0) drawn.rods = instances(new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), lines.length / 2);
    if (triangles.length === 0 && count > 0) drawn.balls = instances(new THREE.SphereGeometry(1, 10, 6), count);
    group.traverse((object) => (object.userData.body = body.body));
    return drawn;
  }

  // A marker that stands on a node: `group` is put where the node is, turned as it is.
  carry(marker: Marker, group: THREE.Object3D, frame: THREE.Object3D): void {
    this.carried.push({ drawn: this.all[marker.flexible!], group, frame, stand: new THREE.Vector3(...marker.stand!), shapes: new Float32Array(bytes(marker.shapes!)) });
  }

  addMark(scene: THREE.Scene): void {
    scene.add(this.mark);
  }

  // The modal coordinates that the run has at a time.
  at(row: number, part: number): void {
    const next = Math.min(row + 1, this.run.rows - 1);
    for (const { columns, q, strained } of this.all) columns.forEach((column, k) => (strained[k] = q[k] = column && this.run.rows > 0 ? column[row] + part * (column[next] - column[row]) || 0 : 0));
  }

  // Others instead, by the name of the body: of a mode. `strained`: those that stresses come from.
  set(channel: string, q: ArrayLike<number>, strained: ArrayLike<number>): void {
    const drawn = this.all.find(({ body }) => body.channel === channel);
    for (let k = 0; drawn && k < drawn.q.length; ++k) {
      drawn.q[k] = q[k] ?? 0;
      drawn.strained[k] = strained[k] ?? 0;
    }
  }

  // The farthest that modal coordinates take a node.
  reach(channel: string, q: ArrayLike<number>): number {
    const drawn = this.all.find(({ body }) => body.channel === channel);
    if (!drawn) return 0;
    let most = 0;
    const n = drawn.body.nodes.length, d = [0, 0, 0];
    for (let node = 0; node < n; ++node) {
      d.fill(0);
      for (let m = 0; m < drawn.q.length; ++m) for (let c = 0; c < 3; ++c) d[c] += q[m] * drawn.shapes[3 * (m * n + node) + c];
      most = Math.max(most, Math.hypot(d[0], d[1], d[2]));
    }
    return most;
  }

  // Where markers on nodes are; before anything that hangs on them is moved. The frames of bodies are where they should be.
  moveCarried(): void {
    const d = new THREE.Vector3(), psi = new THREE.Vector3(), turn = new THREE.Quaternion();
    for (const { drawn, group, frame, stand, shapes } of this.carried) {
      d.set(0, 0, 0);
      psi.set(0, 0, 0);
      drawn.q.forEach((q, m) => {
        const a = this.scale * q, k = 6 * m;
        d.x += a * shapes[k]; d.y += a * shapes[k + 1]; d.z += a * shapes[k + 2];
        psi.x += a * shapes[k + 3]; psi.y += a * shapes[k + 4]; psi.z += a * shapes[k + 5];
      });
      // 1 + c (ψ̂ + ½ ψ̂²) with c = 1/(1 + ¼|ψ|²) is the quaternion (½ψ, 1), made as long as 1.
      turn.set(psi.x / 2, psi.y / 2, psi.z / 2, 1).normalize();
      group.position.copy(stand).add(d).applyQuaternion(frame.quaternion).add(frame.position);
      group.quaternion.multiplyQuaternions(frame.quaternion, turn);
    }
  }

  // `ofMode`: stresses are told as part of this, the largest of the mode.
  move(ofMode = 0): void {
    this.relative = ofMode > 0;
    this.hottest = undefined;
    this.mark.visible = false;
    for (const drawn of this.all) {
      this.deform(drawn);
      const coloured = this.stress && drawn.stressed.length > 0;
      if (drawn.material.vertexColors !== (coloured && !!drawn.mesh)) {
        drawn.material.vertexColors = coloured && !!drawn.mesh;
        drawn.material.needsUpdate = true;
      }
      drawn.material.color.set(coloured ? "#ffffff" : drawn.plain);
      if (coloured) this.paint(drawn, ofMode > 0 ? rangeOf(0, this.top * ofMode) : this.range);
      if (drawn.rods || drawn.balls) this.putPieces(drawn, coloured);
    }
    if (this.hottest && !this.relative) this.showMark();
  }

  private deform({ places, shapes, q, positions, mesh, body }: Drawn): void {
    const out = positions.array as Float32Array, size = 3 * body.nodes.length;
    out.set(places);
    q.forEach((value, m) => {
      const a = this.scale * value, from = m * size;
      if (a !== 0) for (let k = 0; k < size; ++k) out[k] += a * shapes[from + k];
    });
    positions.needsUpdate = true;
    if (mesh) mesh.geometry.boundingSphere = mesh.geometry.boundingBox = null;
  }

  private sumUp({ stresses, sum, strained }: Drawn): void {
    sum.fill(0);
    strained.forEach((value, m) => {
      const from = m * sum.length;
      if (value !== 0) for (let k = 0; k < sum.length; ++k) sum[k] += value * stresses[from + k];
    });
  }

  // The largest von Mises stress at these coordinates.
  largest(channel: string, q: ArrayLike<number>): number {
    const drawn = this.all.find(({ body }) => body.channel === channel);
    if (!drawn) return 0;
    this.set(channel, q, q);
    this.sumUp(drawn);
    let most = 0;
    for (let k = 0; k < drawn.stressed.length; ++k) most = Math.max(most, vonMises(drawn.sum, 6 * k));
    return most;
  }

  private markAt?: { drawn: Drawn; node: number };
  private paint(drawn: Drawn, range: Range): void {
    const { stressed, sum, colours, body } = drawn, colour = new THREE.Color(), array = colours.array as Float32Array;
    this.sumUp(drawn);
    for (let k = 0; k < stressed.length; ++k) {
      const value = vonMises(sum, 6 * k);
      colourAt(range, value, colour).toArray(array, 3 * stressed[k]);
      if (value > (this.hottest?.value ?? 0)) {
        this.hottest = { name: this.model.bodies[body.body].name, node: body.nodes[stressed[k]], value };
        this.markAt = { drawn, node: stressed[k] };
      }
    }
    colours.needsUpdate = true;
  }

  private showMark(): void {
    const { drawn, node } = this.markAt!, holder = drawn.mesh ?? drawn.balls ?? drawn.rods;
    this.mark.position.fromBufferAttribute(drawn.positions, node);
    const frame = holder?.parent;
    if (frame) this.mark.position.applyQuaternion(frame.quaternion).add(frame.position);
    this.mark.visible = true;
  }

  private putPieces({ lines, positions, colours, rods, balls, mesh }: Drawn, coloured: boolean): void {
    const a = new THREE.Vector3(), b = new THREE.Vector3(), turn = new THREE.Quaternion(), z = new THREE.Vector3(0, 0, 1), matrix = new THREE.Matrix4(), colour = new THREE.Color();
    const thin = (mesh ? 0.003 : 0.0035) * this.size, size = new THREE.Vector3(), white = new THREE.Color(1, 1, 1), of = (k: number) => colour.fromArray(colours.array, 3 * k);
    for (let k = 0; rods && k < rods.count; ++k) {
      a.fromBufferAttribute(positions, lines[2 * k]);
      b.fromBufferAttribute(positions, lines[2 * k + 1]).sub(a);
      const length = b.length() || 1e-9 * this.size;
      a.addScaledVector(b, 0.5);
      rods.setMatrixAt(k, matrix.compose(a, turn.setFromUnitVectors(z, b.divideScalar(length)), size.set(thin, thin, length)));
      rods.setColorAt(k, coloured ? of(lines[2 * k]).lerp(new THREE.Color().fromArray(colours.array, 3 * lines[2 * k + 1]), 0.5) : white);
    }
    for (let k = 0; balls && k < balls.count; ++k) {
      balls.setMatrixAt(k, matrix.compose(a.fromBufferAttribute(positions, k), turn.identity(), size.setScalar(2 * thin)));
      balls.setColorAt(k, coloured ? of(k) : white);
    }
    for (const pieces of [rods, balls]) {
      if (!pieces) continue;
      pieces.instanceMatrix.needsUpdate = pieces.instanceColor!.needsUpdate = true;
      pieces.boundingSphere = pieces.boundingBox = null;
    }
  }

  // What a ray has met: node and stress there; nothing where there is nothing more to say than the body's name.
  named(hit: THREE.Intersection): string | undefined {
    const drawn = this.all.find(({ mesh }) => mesh === hit.object);
    if (!drawn || !hit.face) return undefined;
    const node = hit.face.a, row = drawn.stressed.indexOf(node), name = `${this.model.bodies[drawn.body.body].name}, node ${drawn.body.nodes[node]}`;
    if (row < 0 || !this.stress || this.relative) return name;
    return `${name}: ${shortNumber(vonMises(drawn.sum, 6 * row))} ${drawn.body.unit}`;
  }
}

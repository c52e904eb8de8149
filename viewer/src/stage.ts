// The 3-D view: bodies with their shapes, moved to a time.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Frame, Run, Scene, Shape } from "./data";
import { locate } from "./data";
import { Beams } from "./beams";
import { CornerAxes } from "./axes";
import { Contacts } from "./contacts";
import { Flexible } from "./flexible";
import { pose, track, type Track } from "./motion";
import { arc, coil, jointIcon, kCoilTurns, polyline, solid } from "./shapes";
import { Solids } from "./solids";
import { Symbols } from "./symbols";

export const kColours = ["#4c82e6", "#e8923a", "#35a67c", "#cf5590", "#8a68d4", "#b39128", "#1fa2bf", "#7d8694"];
export const bodyColour = (body: number) => (body === 0 ? "#9aa1ab" : kColours[(body - 1) % kColours.length]);

type Mover = (row: number) => void;

const kHere = { p: [0, 0, 0], q: [0, 0, 0, 1] } as Frame;

export class Stage {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly groups: THREE.Group[] = [];
  private readonly tracks: Track[];
  private readonly movers: Mover[] = [];
  // After the bodies: a frame for each marker on a node of a flexible body, which moves as the node does.
  private readonly bodyOfFrame: number[] = [];
  private readonly frames: { group: number; p: Frame["p"]; q: Frame["q"] }[]; // of markers, in that group
  private readonly solids = new Solids(new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.15, side: THREE.DoubleSide }), (frame) => this.bodyOfFrame[frame]);
  private readonly joints = new Solids(new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.4 }), (frame) => this.bodyOfFrame[frame]);
  private readonly beamOf = new Map<number, number>(); // body → beam that it is a node of
  readonly beams: Beams;
  readonly flexible: Flexible;
  readonly contacts: Contacts;
  private readonly axes = new CornerAxes();
  private modeStress = 0; // the largest of the mode that is shown
  private inMode = false;
  private readonly reactions = new THREE.Group();
  private triads?: THREE.LineSegments;
  private readonly trails: THREE.Line[] = [];
  private readonly up: THREE.Vector3;
  private readonly box = new THREE.Box3();
  private readonly markersOf: number[][]; // of each body
  private readonly symbols: Symbols;
  private size = 1; // of the space the mechanism passes through
  private own = 1; // of the mechanism, where it starts
  private time = 0;
  private selected = -1;
  private trailsOn = false;
  private dirty = true;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly model: Scene, private readonly run: Run) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.tracks = model.bodies.map((body) => track(run, body));
    this.markersOf = model.bodies.map(() => []);
    model.markers.forEach((marker, k) => this.markersOf[marker.body].push(k));
    this.up = this.upward();
    this.camera.up.copy(this.up);
    for (const body of model.bodies) {
      const group = new THREE.Group();
      group.position.set(...body.p);
      group.quaternion.set(...body.q);
      group.matrixAutoUpdate = false; // follow() does it
      group.updateMatrix();
      this.bodyOfFrame.push(this.groups.length);
      this.groups.push(group);
      this.scene.add(group);
    }
    (model.beams ?? []).forEach((beam, b) => beam.nodes.forEach((node) => this.beamOf.set(node, b)));
    this.frames = model.markers.map(({ body, p, q }) => ({ group: body, p, q }));
    this.measure();
    this.flexible = new Flexible(model, run, this.own, this.groups, bodyColour);
    model.markers.forEach((marker, m) => {
      if (marker.flexible === undefined) return;
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.flexible.carry(marker, group, this.groups[marker.body]);
      this.frames[m] = { group: this.groups.length, p: marker.p.map((c, k) => c - marker.stand![k]) as Frame["p"], q: marker.q };
      this.bodyOfFrame.push(marker.body);
      this.groups.push(group);
      this.scene.add(group);
    });
    this.flexible.addMark(this.scene);
    this.light();
    this.toStart();
    this.contacts = new Contacts(model, run, this, this.own);
    this.scene.add(this.contacts.group);
    this.beams = new Beams(model, run, this.groups, this.own, (b) => kColours[b % kColours.length]);
    this.scene.add(this.beams.group);
    model.graphics.forEach((shape) => this.add(shape));
    this.symbols = new Symbols(model, this, this.own);
    this.scene.add(this.symbols.group);
    this.fillIn();
    this.addJoints();
    for (const solids of [this.solids, this.joints]) {
      const mesh = solids.build();
      if (mesh) this.scene.add(mesh);
    }
    this.addReactions();
    this.addTrails();
    this.measureShapes();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.addEventListener("start", () => (this.fitted = false));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.move(run.columns[0]?.[0] ?? 0);
    this.resize();
    this.fit();
  }

  // Against gravity, if that is along an axis at all; else y, as the language's own pre-processor has it.
  private upward(): THREE.Vector3 {
    const g = new THREE.Vector3(...(this.model.gravity ?? [0, 0, 0]));
    return g.length() > 0 ? g.normalize().negate() : new THREE.Vector3(0, 1, 0);
  }

  // The space that the markers of all bodies pass through.
  private measure(): void {
    const p = new THREE.Vector3(), q = new THREE.Quaternion(), at = new THREE.Vector3();
    const frames = Math.min(60, Math.max(this.run.rows, 1));
    // Ground has markers far off in many models: only those that something is attached to.
    const used = new Set<number | undefined>([...this.model.graphics.flatMap((shape) => [shape.marker, shape.i, shape.j]),
      ...this.model.joints.flatMap((j) => [j.i, j.j]), ...(this.model.symbols ?? []).flatMap((symbol) => [symbol.i, symbol.j])]);
    const start = new THREE.Box3();
    this.model.bodies.forEach((body, b) => {
      const markers = b === 0 && this.model.bodies.length > 1 ? this.markersOf[b].filter((m) => used.has(m)) : this.markersOf[b];
      for (let f = 0; f < (b === 0 ? 1 : frames); ++f) {
        pose(this.run, body, this.tracks[b], { row: Math.floor((Math.max(this.run.rows - 1, 0) * f) / Math.max(frames - 1, 1)), part: 0 }, p, q);
        for (const box of f === 0 ? [this.box, start] : [this.box]) {
          if (b > 0) box.expandByPoint(p);
          for (const m of markers) box.expandByPoint(at.set(...this.model.markers[m].p).applyQuaternion(q).add(p));
        }
      }
    });
    if (this.box.isEmpty()) this.box.expandByPoint(new THREE.Vector3());
    this.size = this.box.getSize(new THREE.Vector3()).length() || 1;
    this.own = (start.isEmpty() ? 0 : start.getSize(new THREE.Vector3()).length()) || this.size;
  }

  private toStart(): void {
    for (let b = 1; b < this.model.bodies.length; ++b)
      pose(this.run, this.model.bodies[b], this.tracks[b], { row: 0, part: 0 }, this.groups[b].position, this.groups[b].quaternion);
    this.flexible.at(0, 0);
    this.flexible.moveCarried();
  }

  // The shapes reach further than the markers they stand on.
  private measureShapes(): void {
    const time = this.run.columns[0];
    for (let f = 0; f <= 8; ++f) {
      this.move(time[Math.floor(((this.run.rows - 1) * f) / 8)] ?? 0);
      this.scene.updateMatrixWorld(true);
      for (const group of this.groups) this.box.expandByObject(group);
      for (const solids of [this.solids, this.joints]) solids.measure(this.groups, this.box);
      this.symbols.measure(this.box);
      this.beams.measure(this.box);
    }
    this.size = this.box.getSize(new THREE.Vector3()).length() || 1;
    this.addFloor();
  }

  private light(): void {
    const sky = new THREE.HemisphereLight(0xffffff, 0x9aa3b5, 2.0);
    sky.position.copy(this.up); // three takes it as the direction of the sky
    // The sun goes with the camera, over the viewer's left shoulder: no side is ever black.
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(-0.5, 0.8, 1);
    this.camera.add(sun, sun.target);
    this.scene.add(sky, this.camera);
  }

  private addFloor(): void {
    const side = this.size * 1.6;
    const grid = new THREE.GridHelper(side, 16, 0x8892a0, 0x8892a0);
    (grid.material as THREE.Material).transparent = true;
    (grid.material as THREE.Material).opacity = 0.22;
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
    const centre = this.box.getCenter(new THREE.Vector3());
    const corners = [this.box.min, this.box.max].map((v) => v.dot(this.up));
    const low = Math.min(...corners) - 0.04 * this.size;
    grid.position.copy(centre).addScaledVector(this.up, low - centre.dot(this.up));
    this.scene.add(grid);
  }

  private material(body: number): THREE.MeshStandardMaterial {
    return new THREE.MeshStandardMaterial({ color: bodyColour(body), roughness: 0.55, metalness: 0.15, side: THREE.DoubleSide });
  }

  // Puts an object into the frame of a marker.
  private attach(object: THREE.Object3D, marker: number): void {
    const m = this.frames[marker];
    object.position.set(...m.p);
    object.quaternion.set(...m.q);
    object.userData.body = this.model.markers[marker].body;
    this.groups[m.group].add(object);
  }

  private add(shape: Shape): void {
    if (shape.type === "outline") return this.addOutline(shape);
    if (shape.type === "spdp") return this.addSpring(shape);
    if (shape.type === "force") return this.contacts.draws(shape.channel) ? undefined : this.addArrow(shape.channel, shape.marker, true);
    const body = this.model.markers[shape.marker].body, frame = this.frames[shape.marker];
    if (shape.type === "arc") return this.attach(new THREE.Line(arc(shape.radius, shape.angle), new THREE.LineBasicMaterial({ color: bodyColour(body) })), shape.marker);
    if (shape.type === "polyline") return this.attach(new THREE.Line(polyline(shape), new THREE.LineBasicMaterial({ color: bodyColour(body) })), shape.marker);
    if (shape.type === "point") return this.solids.add(new THREE.SphereGeometry(this.own * 0.006), frame.group, frame, bodyColour(body));
    const geometry = solid(shape);
    if (!geometry) return;
    this.contacts.box(shape, geometry);
    if (shape.type !== "plane" && body !== 0) return this.solids.add(geometry, frame.group, frame, bodyColour(body));
    const mesh = new THREE.Mesh(geometry, this.material(body));
    mesh.material.transparent = true;
    mesh.material.opacity = shape.type === "plane" ? 0.35 : 0.8;
    this.attach(mesh, shape.marker);
  }

  where(marker: number, out: THREE.Vector3): THREE.Vector3 {
    const m = this.frames[marker], group = this.groups[m.group];
    return out.fromArray(m.p).applyQuaternion(group.quaternion).add(group.position);
  }

  turned(marker: number, out: THREE.Quaternion): THREE.Quaternion {
    const m = this.frames[marker];
    return out.fromArray(m.q).premultiply(this.groups[m.group].quaternion);
  }

  private addOutline(shape: Shape): void {
    const bodies = new Set(shape.markers.map((m) => this.model.markers[m].body));
    const points = new THREE.BufferAttribute(new Float32Array(3 * shape.markers.length), 3).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry().setAttribute("position", points);
    const at = new THREE.Vector3();
    const body = bodies.size === 1 ? [...bodies][0] : 0;
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: bodyColour(body) }));
    line.frustumCulled = false;
    line.userData.body = body;
    this.scene.add(line);
    this.movers.push(() => {
      for (let k = 0; k < shape.markers.length; ++k) this.where(shape.markers[k], at).toArray(points.array, 3 * k);
      points.needsUpdate = true;
    });
  }

  private addSpring(shape: Shape): void {
    const holder = new THREE.Group();
    const from = new THREE.Vector3(), to = new THREE.Vector3(), z = new THREE.Vector3(0, 0, 1);
    const start = this.where(shape.i, from).distanceTo(this.where(shape.j, to)) || 0.1 * this.own;
    const radius = shape.diameter / 2 || Math.min(0.025 * this.own, start / 6);
    const turns = shape.coils || kCoilTurns;
    const wire = Math.min(0.12 * radius, (0.3 * start) / turns);
    if (shape.coils > 0 || !shape.damper)
      holder.add(new THREE.Mesh(coil(turns, radius, wire, start).scale(1, 1, 1 / start), new THREE.MeshStandardMaterial({ color: "#8b93a1", metalness: 0.5, roughness: 0.4 })));
    if (shape.damper) {
      const rod = new THREE.CylinderGeometry(shape.damper / 5, shape.damper / 5, 1, 16), tube = new THREE.CylinderGeometry(shape.damper / 2, shape.damper / 2, 0.45, 24);
      rod.rotateX(Math.PI / 2).translate(0, 0, 0.5);
      tube.rotateX(Math.PI / 2).translate(0, 0, 0.7);
      holder.add(new THREE.Mesh(rod, this.material(0)), new THREE.Mesh(tube, this.material(0)));
    }
    this.scene.add(holder);
    this.movers.push(() => {
      this.where(shape.i, from);
      to.copy(this.where(shape.j, to)).sub(from);
      const length = to.length() || 1e-9;
      holder.position.copy(from);
      holder.quaternion.setFromUnitVectors(z, to.divideScalar(length));
      holder.scale.set(1, 1, length);
    });
  }

  // A force as an arrow; the longest of the run is a fifth of the scene.
  private addArrow(channel: string, marker: number, always: boolean): void {
    const columns = ["FX", "FY", "FZ"].map((name) => this.run.columns[this.run.place.get(`${channel}.${name}`) ?? -1]);
    if (!columns.every(Boolean)) return;
    let largest = 0;
    for (let k = 0; k < this.run.rows; ++k) largest = Math.max(largest, Math.hypot(columns[0][k], columns[1][k], columns[2][k]) || 0); // NaN: not there then
    if (!(largest > 0)) return;
    const group = new THREE.Group(), thin = this.own * 0.0035;
    const material = new THREE.MeshStandardMaterial({ color: "#d8453c", roughness: 0.5 });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(thin, thin, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(thin * 3, thin * 8, 16).rotateX(Math.PI / 2), material);
    group.add(shaft, head);
    (always ? this.scene : this.reactions).add(group);
    const force = new THREE.Vector3(), z = new THREE.Vector3(0, 0, 1);
    this.movers.push((row) => {
      if (!always && !this.reactions.parent) return;
      force.set(columns[0][row], columns[1][row], columns[2][row]);
      const length = (force.length() / largest) * 0.2 * this.own;
      shaft.visible = head.visible = length > thin;
      if (!(length > thin)) return;
      this.where(marker, group.position);
      group.quaternion.setFromUnitVectors(z, force.normalize());
      shaft.scale.set(1, 1, length);
      head.position.set(0, 0, length);
    });
  }

  // Bodies nobody drew: a rod from the mass centre to each marker, as thick as they are far.
  private fillIn(): void {
    this.model.bodies.forEach((_, b) => {
      if (b === 0 || this.solids.has(b) || this.groups[b].children.length > 0 || this.beamOf.has(b)) return;
      const points = this.markersOf[b].map((m) => new THREE.Vector3(...this.model.markers[m].p));
      const reach = points.reduce((most, v) => Math.max(most, v.length()), 0);
      // A piece of a beam is hardly thicker than the beam.
      const beam = this.markersOf[b].reduce((most, m) => Math.max(most, this.symbols.beamEnd(m)), 0);
      const radius = beam > 0 ? 0.75 * beam : reach > 1e-6 * this.own ? Math.min(0.07 * reach, 0.02 * this.own) : 0.02 * this.own;
      this.solids.add(new THREE.SphereGeometry(radius * 1.7, 16, 10), b, kHere, bodyColour(b));
      for (const point of points) {
        const length = point.length();
        if (length < radius) continue;
        const rod = new THREE.CapsuleGeometry(radius, length, 3, 10).rotateX(Math.PI / 2).translate(0, 0, length / 2);
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), point.clone().divideScalar(length));
        this.solids.add(rod, b, { p: [0, 0, 0], q: turn.toArray() as Frame["q"] }, bodyColour(b));
      }
    });
  }

  private addJoints(): void {
    // In a long chain the links, not the whole, say how large a joint looks right.
    const reach = this.markersOf.map((all) => all.reduce((most, m) => Math.max(most, Math.hypot(...this.model.markers[m].p)), 0)).slice(1).sort((a, b) => a - b);
    const typical = this.beams.any ? this.own : reach[reach.length >> 1] || this.own; // a node's markers are all on it
    const size = Math.min(this.own * 0.016, typical * 0.2);
    const icons = new Map<string | undefined, THREE.BufferGeometry>();
    this.model.joints.forEach((joint, k) => {
      if (joint.i === undefined || joint.i < 0) return;
      if (!icons.has(joint.type)) icons.set(joint.type, jointIcon(joint.type, size));
      const frame = this.frames[joint.i];
      this.joints.add(icons.get(joint.type)!, frame.group, frame, "#59616e", k);
    });
  }

  // The axes of all markers, made when first asked for: x red, y green, z blue.
  private addTriads(): THREE.LineSegments {
    const count = this.model.markers.length, reach = this.own * 0.035;
    const points = new THREE.BufferAttribute(new Float32Array(18 * count), 3).setUsage(THREE.DynamicDrawUsage);
    const colours = new Float32Array(18 * count);
    for (let k = 0; k < 6 * count; ++k) colours[3 * k + (Math.floor(k / 2) % 3)] = 1;
    const geometry = new THREE.BufferGeometry().setAttribute("position", points).setAttribute("color", new THREE.BufferAttribute(colours, 3));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    lines.frustumCulled = false;
    this.scene.add(lines);
    const from = new THREE.Vector3(), to = new THREE.Vector3(), turn = new THREE.Quaternion();
    this.movers.push(() => {
      if (!lines.visible) return;
      for (let m = 0; m < count; ++m) {
        this.turned(m, turn);
        this.where(m, from);
        for (let axis = 0; axis < 3; ++axis) {
          from.toArray(points.array, 18 * m + 6 * axis);
          to.set(0, 0, 0).setComponent(axis, reach).applyQuaternion(turn).add(from).toArray(points.array, 18 * m + 6 * axis + 3);
        }
      }
      points.needsUpdate = true;
    });
    return lines;
  }

  private addReactions(): void {
    const drawn = new Set((this.model.contacts ?? []).map(({ channel }) => channel)); // by themselves
    for (const { channel, i } of [...this.model.joints, ...this.model.forces]) if (i !== undefined && i >= 0 && !drawn.has(channel)) this.addArrow(channel, i, false);
  }

  private addTrails(): void {
    this.tracks.forEach((t, b) => {
      if (b === 0 || !t.p || this.betweenEnds(b)) return;
      const points = new Float32Array(3 * this.run.rows);
      for (let k = 0; k < this.run.rows; ++k) t.p.forEach((c, i) => (points[3 * k + i] = c[k]));
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: bodyColour(b), transparent: true, opacity: 0.85 }));
      line.frustumCulled = false;
      line.visible = line.matrixAutoUpdate = false;
      line.userData.trailOf = b;
      this.scene.add(line);
      this.trails.push(line);
    });
  }

  // A node of a beam that is not one of its ends.
  private betweenEnds(body: number): boolean {
    const beam = this.beamOf.get(body);
    if (beam === undefined) return false;
    const { nodes } = this.model.beams![beam];
    return body !== nodes[0] && body !== nodes[nodes.length - 1];
  }

  show(what: "symbols" | "joints" | "markers" | "forces" | "contacts" | "trails", on: boolean): void {
    if (what === "contacts") this.contacts.group.visible = on;
    if (what === "symbols") this.symbols.group.visible = on;
    if (what === "joints" && this.joints.mesh) this.joints.mesh.visible = on;
    if (what === "markers") (this.triads ??= this.addTriads()).visible = on;
    if (what === "forces") on ? this.scene.add(this.reactions) : this.reactions.removeFromParent();
    if (what === "trails") this.trailsOn = on;
    this.updateTrails();
    this.move(this.time);
  }

  select(body: number): void {
    this.selected = this.selected === body ? -1 : body;
    this.solids.brighten(this.selected);
    this.updateTrails();
    this.dirty = true;
  }
  get selection(): number {
    return this.selected;
  }

  private updateTrails(): void {
    const { row } = locate(this.run.columns[0], this.time);
    for (const line of this.trails) {
      line.visible = this.trailsOn || line.userData.trailOf === this.selected;
      line.geometry.setDrawRange(0, row + 1);
    }
  }

  move(time: number): void {
    this.time = time;
    this.inMode = false;
    const at = locate(this.run.columns[0], time);
    this.flexible.at(at.row, at.part);
    for (let b = 1; b < this.model.bodies.length; ++b)
      pose(this.run, this.model.bodies[b], this.tracks[b], at, this.groups[b].position, this.groups[b].quaternion);
    this.follow(time);
    for (const line of this.trails) if (line.visible) line.geometry.setDrawRange(0, at.row + 1);
  }

  // Puts a body somewhere else than the run does; follow() then brings what hangs on bodies there.
  place(body: number, p: THREE.Vector3, q: THREE.Quaternion): void {
    this.groups[body].position.copy(p);
    this.groups[body].quaternion.copy(q);
  }
  // Draws once more what is there, with other settings.
  again(): void {
    if (!this.inMode) this.move(this.time);
  }
  get showsMode(): boolean {
    return this.inMode;
  }
  // To be called before follow() where bodies were placed by a mode; `stress`: the largest von Mises stress of it.
  beginMode(stress: number): void {
    this.inMode = true;
    this.modeStress = stress;
  }
  follow(time: number): void {
    const { row, part } = locate(this.run.columns[0], time);
    this.flexible.moveCarried();
    this.beams.move(row, part, !this.inMode);
    this.flexible.move(this.inMode ? this.modeStress : 0);
    for (const group of this.groups) group.updateMatrix();
    this.solids.move(this.groups);
    this.joints.move(this.groups);
    this.symbols.move();
    this.contacts.move(row, !this.inMode);
    for (const mover of this.movers) mover(row);
    this.dirty = true;
  }
  get extent(): number {
    return this.size;
  }

  private fitted = false; // nobody has turned the camera since
  fit(): void {
    const centre = this.box.getCenter(new THREE.Vector3()), extent = this.box.getSize(new THREE.Vector3());
    // Along the thinnest horizontal direction, a little from above and from the side: a planar mechanism shows its plane.
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)]
      .filter((axis) => Math.abs(axis.dot(this.up)) < 0.5)
      .sort((a, b) => Math.abs(extent.dot(a)) - Math.abs(extent.dot(b)));
    const front = axes[0] ?? new THREE.Vector3(0, 0, 1);
    if (front.y !== 0) front.negate();
    const side = new THREE.Vector3().crossVectors(this.up, front);
    const direction = front.clone().addScaledVector(side, 0.45).addScaledVector(this.up, 0.32).normalize();
    // As near as the corners of the box allow.
    const right = new THREE.Vector3().crossVectors(this.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0.1 * this.size;
    for (let corner = 0; corner < 8; ++corner) {
      const from = new THREE.Vector3(
        (corner & 1 ? this.box.max : this.box.min).x, (corner & 2 ? this.box.max : this.box.min).y, (corner & 4 ? this.box.max : this.box.min).z).sub(centre);
      const needed = Math.max(Math.abs(from.dot(above)) / tangent, Math.abs(from.dot(right)) / (tangent * this.camera.aspect));
      distance = Math.max(distance, from.dot(direction) + 1.12 * needed);
    }
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.fitted = true;
    this.dirty = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit();
    this.dirty = true;
    this.draw();
  }

  // What is under the pointer; place in the canvas, from 0 to 1.
  pick(x: number, y: number): { body?: number; joint?: number; symbol?: string } {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const solid: THREE.Object3D[] = [...this.groups];
    if (this.symbols.group.visible) solid.push(this.symbols.group);
    solid.push(this.beams.group);
    for (const { mesh } of [this.solids, this.joints]) if (mesh?.visible) solid.push(mesh);
    for (const hit of ray.intersectObjects(solid, true)) {
      if (!(hit.object as THREE.Mesh).isMesh || !hit.object.visible) continue;
      const { row } = locate(this.run.columns[0], this.time);
      const symbol = this.symbols.at(hit) ?? this.beams.named(hit, row);
      if (symbol) return { symbol };
      const node = this.flexible.named(hit);
      if (node) return { body: hit.object.userData.body, symbol: node };
      const owner = [this.joints, this.solids].find(({ mesh }) => mesh === hit.object);
      if (!owner) return { body: hit.object.userData.body };
      const { body, joint } = owner.at(hit.batchId!);
      return joint !== undefined ? { joint } : { body };
    }
    return {};
  }

  draw(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    this.axes.draw(this.renderer, this.camera);
  }

  picture(): string {
    this.dirty = true;
    this.draw();
    return this.canvas.toDataURL("image/png");
  }
}

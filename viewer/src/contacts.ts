// Forces of CONTACTs as arrows: on the part of IGEOM, from where the line of action leaves its solid. All on one scale, so that they can
// be compared: a hit that is far harder than the rest does not make the others vanish, its own arrow ends at kLongest.
import * as THREE from "three";
import type { Contact, Run, Scene, Shape } from "./data";
import type { Places } from "./symbols";

const kLongest = 1.5; // of the arrow of the usual largest force

interface Arrow {
  contact: Contact;
  force: (Float64Array | Float32Array)[];
  torque: (Float64Array | Float32Array)[];
}

export class Contacts {
  readonly group = new THREE.Group();
  usual = 0; // the force whose arrow is `full` long
  private readonly arrows: Arrow[] = [];
  private readonly shafts?: THREE.InstancedMesh;
  private readonly heads?: THREE.InstancedMesh;

  constructor(private readonly model: Scene, private readonly run: Run, private readonly places: Places, private readonly size: number) {
    const columns = (channel: string, names: string[]) => names.map((name) => run.columns[run.place.get(`${channel}.${name}`) ?? -1]);
    for (const contact of model.contacts ?? []) {
      const force = columns(contact.channel, ["FX", "FY", "FZ"]), torque = columns(contact.channel, ["TX", "TY", "TZ"]);
      if (contact.i >= 0 && force.every(Boolean)) this.arrows.push({ contact, force, torque: torque.every(Boolean) ? torque : [] });
    }
    this.usual = this.usualForce();
    if (!(this.usual > 0)) return;
    const material = new THREE.MeshStandardMaterial({ color: "#d0208f", roughness: 0.6, depthTest: false, transparent: true, opacity: 0.9 });
    const make = (geometry: THREE.BufferGeometry) => {
      const mesh = new THREE.InstancedMesh(geometry.rotateX(Math.PI / 2), material, this.arrows.length);
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      this.group.add(mesh);
      return mesh;
    };
    this.shafts = make(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
    this.heads = make(new THREE.ConeGeometry(3, 8, 14));
  }

  get any(): boolean {
    return this.usual > 0;
  }
  // Whether its arrow is one of these; GRAPHICS of FORCE need not draw it again.
  draws(channel: string): boolean {
    return this.any && this.arrows.some(({ contact }) => contact.channel === channel);
  }
  get unit(): string {
    return this.run.channels[this.run.place.get(`${this.arrows[0]?.contact.channel}.FX`) ?? 0].unit;
  }

  // That 95 % of the touching rows stay below.
  private usualForce(): number {
    const kMost = 400000, all: number[] = [], skip = Math.max(1, Math.ceil((this.arrows.length * this.run.rows) / kMost));
    let largest = 0;
    for (const { force } of this.arrows) {
      for (let k = 0; k < this.run.rows; ++k) {
        const size = Math.hypot(force[0][k], force[1][k], force[2][k]);
        largest = Math.max(largest, size || 0);
        if (size > 0 && k % skip === 0) all.push(size);
      }
    }
    all.sort((a, b) => a - b);
    return all[Math.floor(0.95 * all.length)] ?? largest;
  }

  private readonly force = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly torque = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly matrix = new THREE.Matrix4();
  private readonly scale = new THREE.Vector3();
  private readonly z = new THREE.Vector3(0, 0, 1);

  // `shown`: in the picture of a mode bodies are not where the run's forces acted.
  move(row: number, shown = true): void {
    if (!this.group.visible || !this.shafts || !this.heads) return;
    const thin = 0.0035 * this.size, nothing = this.matrix.makeScale(0, 0, 0).clone();
    this.arrows.forEach(({ contact, force, torque }, k) => {
      this.force.set(force[0][row], force[1][row], force[2][row]);
      const size = this.force.length(), length = 0.16 * this.size * Math.min(size / this.usual, kLongest);
      if (!shown || !(length > thin)) {
        this.shafts!.setMatrixAt(k, nothing);
        this.heads!.setMatrixAt(k, nothing);
        return;
      }
      this.places.where(contact.i, this.at);
      this.force.divideScalar(size);
      if (torque.length > 0) {
        // To the line of action: F × T / F² from the marker.
        this.torque.set(torque[0][row], torque[1][row], torque[2][row]);
        this.at.addScaledVector(this.torque.crossVectors(this.force, this.torque), 1 / size);
      }
      this.at.addScaledVector(this.force, -this.depth(contact));
      this.turn.setFromUnitVectors(this.z, this.force);
      const shaft = Math.max(length - 8 * thin, 0.3 * length);
      this.shafts!.setMatrixAt(k, this.matrix.compose(this.at, this.turn, this.scale.set(thin, thin, shaft)));
      const head = Math.min(thin, (length - shaft) / 8);
      this.at.addScaledVector(this.force, shaft + 4 * head);
      this.heads!.setMatrixAt(k, this.matrix.compose(this.at, this.turn, this.scale.setScalar(head)));
    });
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }

  private readonly boxes = new Map<Shape, THREE.Box3 | undefined>();
  box(shape: Shape, geometry?: THREE.BufferGeometry): void {
    geometry?.computeBoundingBox();
    this.boxes.set(shape, geometry?.boundingBox?.clone());
  }

  // How far it is against the force from a point of the line of action to where the line leaves a solid of IGEOM. 0 where it meets none.
  private depth(contact: Contact): number {
    let out = 0, nearest = Infinity;
    const from = new THREE.Vector3(), along = new THREE.Vector3(), origin = new THREE.Vector3(), back = new THREE.Quaternion();
    for (const number of contact.solids) {
      const shape = this.model.graphics[number];
      if (!shape || shape.marker === undefined || shape.marker < 0) continue;
      this.places.where(shape.marker, origin);
      this.places.turned(shape.marker, back).invert();
      from.copy(this.at).sub(origin).applyQuaternion(back);
      along.copy(this.force).negate().applyQuaternion(back);
      const exit = this.leaves(shape, from, along);
      if (exit === undefined) continue;
      const away = from.length();
      if (away < nearest) [nearest, out] = [away, exit];
    }
    return out;
  }

  private leaves(shape: Shape, from: THREE.Vector3, along: THREE.Vector3): number | undefined {
    if (shape.type === "point") return 0;
    if (shape.type === "plane") return Math.abs(along.z) > 1e-6 ? -from.z / along.z : undefined;
    if (shape.type === "ellipsoid") {
      const half = shape.size.map((s) => Math.abs(s) / 2 || 1), a = [along.x / half[0], along.y / half[1], along.z / half[2]], p = [from.x / half[0], from.y / half[1], from.z / half[2]];
      const aa = a[0] ** 2 + a[1] ** 2 + a[2] ** 2, ap = a[0] * p[0] + a[1] * p[1] + a[2] * p[2], pp = p[0] ** 2 + p[1] ** 2 + p[2] ** 2 - 1, root = ap * ap - aa * pp;
      return root >= 0 ? (-ap + Math.sqrt(root)) / aa : undefined;
    }
    const box = this.boxes.get(shape);
    if (!box) return undefined;
    let near = -Infinity, far = Infinity;
    for (let c = 0; c < 3; ++c) {
      const d = along.getComponent(c), p = from.getComponent(c), low = box.min.getComponent(c) - p, high = box.max.getComponent(c) - p;
      if (Math.abs(d) < 1e-12) {
        if (low > 0 || high < 0) return undefined;
        continue;
      }
      near = Math.max(near, Math.min(low / d, high / d));
      far = Math.min(far, Math.max(low / d, high / d));
    }
    return near <= far && Number.isFinite(far) ? far : undefined;
  }
}

// When contacts touch, on the bar of time. False where there is nothing to mark.
export function markTouches(canvas: HTMLCanvasElement, run: Run, begin: number, end: number): boolean {
  type Log = { who: string; touches: number; touched: number[]; released: number[] };
  const logs = (run.report.simulations ?? []).flatMap((simulation) => (simulation.contacts as Log[] | undefined) ?? []);
  const count = logs.reduce((sum, log) => sum + log.touches, 0);
  if (count === 0 || !(end > begin)) return false;
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas, ratio = Math.min(devicePixelRatio, 2), kThumb = 8; // half of it: the bar's ends
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const tick = (t: number, colour: string, tall: number) => {
      context.fillStyle = colour;
      context.fillRect(kThumb + ((t - begin) / (end - begin)) * (width - 2 * kThumb) - 0.5, height - tall, 1, tall);
    };
    for (const { released } of logs) for (const t of released) tick(t, "#8d96a3", 4);
    for (const { touched } of logs) for (const t of touched) tick(t, "#d0208f", 8);
  };
  new ResizeObserver(draw).observe(canvas);
  canvas.title = `${count} touch${count === 1 ? "" : "es"} of ${logs.length} CONTACT${logs.length === 1 ? "" : "s"} (short ticks: releases); times are in the run report`;
  return true;
}

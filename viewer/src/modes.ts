// Modes of vibration: a list with frequency and damping, and the mechanism moved along one of them.
import { Quaternion, Vector3 } from "three";
import type { Scene } from "./data";
import type { Stage } from "./stage";

export interface Mode {
  number: number;
  eigenvalue: [number, number]; // per unit of time of the model
  frequency: number; // Hz, undamped
  damping: number; // share of critical
  modal?: number[]; // Re and Im of each modal coordinate of flexible bodies, one body after the other
  shape: number[][]; // of each part: Re and Im of x, Re and Im of y, … of the displacement and the rotation vector
}
export interface ModeSet {
  time: number;
  parts: string[]; // as the channels of bodies
  pose: number[][]; // of each part: x y z, then the quaternion x y z w
  flexible?: string[]; // as the channels of bodies
  coordinates?: number[]; // how many each has
  deformation?: number[]; // all of them, where it was linearised
  modes: Mode[];
}

export const readModes = (): ModeSet[] => JSON.parse(document.getElementById("modes-data")?.textContent || "[]");

export class Modes {
  private set?: ModeSet;
  private mode?: Mode;
  private phase = 0;
  private scale = 0; // that makes the largest movement a twelfth of the scene
  private amplitude = 1;
  private readonly rows: { row: HTMLElement; set: ModeSet; mode: Mode }[] = [];
  private readonly bodies: Map<string, number>;
  private readonly reaches: number[] = [];

  // `leave` is called when the motion over time is wanted again.
  constructor(holder: HTMLElement, private readonly sets: ModeSet[], private readonly model: Scene,
    private readonly stage: Stage, private readonly unit: string, private readonly leave: () => void) {
    this.bodies = new Map(model.bodies.map((body, b) => [body.channel, b]));
    this.fill(holder);
  }

  get active(): boolean {
    return this.mode !== undefined;
  }

  private fill(holder: HTMLElement): void {
    const controls = document.createElement("div");
    controls.innerHTML = `<label>amplitude <input id="mode-amplitude" type="range" min="0" max="4" step="any" value="1"></label> <button id="mode-stop">Stop</button>`;
    holder.append(controls);
    controls.querySelector("input")!.oninput = (e) => (this.amplitude = Number((e.target as HTMLInputElement).value));
    controls.querySelector("button")!.onclick = () => this.stop();
    for (const set of this.sets) {
      const head = document.createElement("h3");
      head.textContent = `At ${Number(set.time.toPrecision(6))} ${this.unit}`;
      holder.append(head);
      for (const mode of set.modes) {
        const row = document.createElement("div");
        row.className = "row";
        row.dataset.mode = String(mode.number);
        row.title = `eigenvalue ${mode.eigenvalue[0].toPrecision(6)} ± ${Math.abs(mode.eigenvalue[1]).toPrecision(6)} i per ${this.unit}`;
        const oscillates = Math.abs(mode.eigenvalue[1]) > 0;
        row.append(`${mode.number}   ${oscillates ? `${Number(mode.frequency.toPrecision(5))} Hz` : "does not oscillate"}`);
        const damping = document.createElement("span");
        damping.className = "unit";
        damping.textContent = oscillates ? `${Number((100 * mode.damping).toPrecision(3))} % damped` : `${Number(mode.eigenvalue[0].toPrecision(4))} / ${this.unit}`;
        row.append(damping);
        row.onclick = () => this.start(set, mode);
        this.rows.push({ row, set, mode });
        holder.append(row);
      }
    }
  }

  // How far a body's markers are from its mass centre: what its rotation moves.
  private reach(b: number): number {
    if (this.reaches.length === 0) {
      this.reaches.push(...this.model.bodies.map(() => 0));
      for (const m of this.model.markers) this.reaches[m.body] = Math.max(this.reaches[m.body], Math.hypot(...m.p));
    }
    return this.reaches[b];
  }

  private start(set: ModeSet, mode: Mode): void {
    this.set = set;
    this.mode = mode;
    this.phase = 0;
    let largest = 0;
    set.parts.forEach((part, k) => {
      const s = mode.shape[k], reach = this.reach(this.bodies.get(part) ?? 0);
      largest = Math.max(largest, Math.hypot(...s.slice(0, 6)), reach * Math.hypot(...s.slice(6)));
    });
    // Of a flexible body: the farthest of its nodes, at the two phases that make the shape.
    this.stress = 0;
    for (const phase of [0, 1] as const) {
      this.eachFlexible((channel, first, count) => {
        const q = Array.from({ length: count }, (_, k) => mode.modal![2 * (first + k) + phase]);
        largest = Math.max(largest, this.stage.flexible.reach(channel, q));
        this.stress = Math.max(this.stress, this.stage.flexible.largest(channel, q));
      });
    }
    this.scale = largest > 0 ? this.stage.extent / 12 / largest : 0;
    this.mark();
  }

  private stress = 0; // the largest of the mode, of coordinates as they are stored
  private eachFlexible(act: (channel: string, first: number, count: number) => void): void {
    let first = 0;
    this.set?.flexible?.forEach((channel, k) => {
      const count = this.set!.coordinates![k];
      if (this.mode?.modal) act(channel, first, count);
      first += count;
    });
  }

  stop(): void {
    if (!this.mode) return;
    this.mode = this.set = undefined;
    this.mark();
    this.leave();
  }

  private mark(): void {
    for (const { row, set, mode } of this.rows) row.classList.toggle("on", set === this.set && mode === this.mode);
  }

  // A period takes two seconds, whatever the frequency; damping is told, not shown, or it would soon stand still.
  advance(seconds: number): void {
    if (!this.set || !this.mode) return;
    const kPeriod = 2;
    this.phase = (this.phase + (2 * Math.PI * seconds) / kPeriod) % (2 * Math.PI);
    const c = Math.cos(this.phase), s = Math.sin(this.phase), a = this.amplitude * this.scale;
    const p = new Vector3(), turn = new Vector3(), q = new Quaternion(), by = new Quaternion();
    this.set.parts.forEach((part, k) => {
      const b = this.bodies.get(part);
      if (b === undefined) return;
      const shape = this.mode!.shape[k], pose = this.set!.pose[k];
      const now = (i: number) => a * (shape[2 * i] * c - shape[2 * i + 1] * s);
      p.set(pose[0] + now(0), pose[1] + now(1), pose[2] + now(2));
      turn.set(now(3), now(4), now(5));
      const angle = turn.length();
      q.set(pose[3], pose[4], pose[5], pose[6]);
      if (angle > 0) q.premultiply(by.setFromAxisAngle(turn.divideScalar(angle), angle));
      this.stage.place(b, p, q);
    });
    // The deformation at rest stays, but its stress is left out: told are the mode's own.
    this.eachFlexible((channel, first, count) => {
      const { modal } = this.mode!, { deformation } = this.set!;
      const q = Array.from({ length: count }, (_, k) => modal![2 * (first + k)] * c - modal![2 * (first + k) + 1] * s);
      const shown = Math.min(this.amplitude, 1);
      this.stage.flexible.set(channel, q.map((v, k) => a * v + deformation![first + k]), q.map((v) => shown * v));
    });
    this.stage.beginMode(this.stress);
    this.stage.follow(this.set.time);
  }
}

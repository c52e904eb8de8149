// The data that `trunnion view` put into the page, and CSV files opened later.

export interface Steps {
  t: number[];
  h: number[];
  order: number[];
  iterations: number[];
}

export interface Run {
  name: string;
  rows: number;
  all: number; // rows of the run; the page has `rows` of them
  finished: boolean;
  channels: { name: string; unit: string }[]; // [0] is the time
  columns: (Float64Array | Float32Array)[];
  place: Map<string, number>;
  steps: Steps;
  settings: Record<string, unknown>;
  report: { simulations?: Record<string, unknown>[]; warnings?: string[]; errors?: string[] };
  notes: string[]; // what of the run is not in the page
  segments: number[]; // times at which the model changed, the first at the beginning
}

export interface Frame {
  p: [number, number, number];
  q: [number, number, number, number];
}
export interface Body extends Frame {
  name: string;
  channel: string;
}
export interface Marker extends Frame {
  id: number;
  name: string;
  body: number;
  flexible?: number; // stands on a node of this one of the flexible bodies …
  stand?: [number, number, number]; // … there, undeformed, in the body's frame
  shapes?: string; // modes × 6 numbers: how the node moves and turns
}
export interface Shape {
  type: string;
  marker: number;
  size: [number, number, number];
  length: number;
  bottom: number;
  top: number;
  radius: number;
  angle?: number;
  major: number;
  minor: number;
  range: [number, number, number, number];
  markers: number[];
  points: string | [number, number, number][]; // of a shell: 32-bit numbers in base 64; of a polyline: as they are
  faces: string;
  i: number;
  j: number;
  coils: number;
  diameter: number;
  damper: number;
  channel: string;
}
// A force that the model has no GRAPHICS for.
export interface Symbol {
  type: "spring" | "torsion" | "beam" | "bushing" | "field" | "line";
  name: string;
  i: number;
  j: number;
  spring?: boolean;
  damper?: boolean;
  section?: { round: boolean; y: number; z: number };
}
export interface Joint {
  name: string;
  channel: string;
  type?: string;
  i?: number;
  j?: number;
}
// An FE_PART.
export interface Beam {
  name: string;
  channel: string;
  nodes: number[]; // bodies
  names: string[]; // of the nodes
  sections: ([number, number, number] | null)[]; // round or not, widths along y and z of the node; one for all or one a node
  directions: [number, number, number][]; // of the axis of each element in axes of its nodes; empty: x
}
// A FLEX_BODY; numbers in base 64.
export interface FlexibleBody {
  body: number;
  channel: string;
  modes: number[];
  nodes: number[];
  places: string;
  shapes: string;
  triangles: string;
  lines: string;
  stressed: string;
  stresses: string;
  unit: string;
  hottest?: { node: number; t: number; value: number };
}
export interface Contact {
  name: string;
  channel: string;
  i: number;
  solids: number[]; // of IGEOM, places in graphics
}
export interface Scene {
  title: string;
  gravity?: [number, number, number];
  bodies: Body[];
  markers: Marker[];
  graphics: Shape[];
  joints: Joint[];
  forces: { name: string; channel: string; i: number }[];
  symbols: Symbol[];
  beams?: Beam[];
  flexible?: FlexibleBody[];
  contacts?: Contact[];
  requests: { name: string; channel: string; comment: string }[];
}

const text = (id: string) => document.getElementById(id)?.textContent ?? "";

export const readScene = (): Scene => JSON.parse(text("scene"));

export function bytes(base64: string): ArrayBuffer {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(base64).buffer;
  const raw = atob(base64);
  const out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) out[k] = raw.charCodeAt(k);
  return out.buffer;
}

function indexed(channels: Run["channels"]): Map<string, number> {
  return new Map(channels.map((c, k) => [c.name, k]));
}

export function readRun(number: number): Run | undefined {
  const head = text(`run${number}`);
  if (!head) return undefined;
  const j = JSON.parse(head);
  const buffer = bytes(text(`run${number}-data`));
  document.getElementById(`run${number}-data`)?.remove(); // the text is as large as the numbers
  const rows: number = j.rows;
  const columns: Run["columns"] = [new Float64Array(buffer, 0, rows)];
  for (let k = 1; k < j.channels.length; ++k) columns.push(new Float32Array(buffer, rows * 8 + (k - 1) * rows * 4, rows));
  const channels = j.channels.map(([name, unit]: string[]) => ({ name, unit }));
  const [t, h, order, iterations] = j.steps;
  return {
    ...j,
    channels,
    columns,
    place: indexed(channels),
    steps: { t, h, order, iterations },
    settings: j.settings ?? {},
    report: j.report ?? {},
    notes: j.notes ?? [],
    segments: j.segments ?? [],
  };
}

export function readCsv(name: string, content: string): Run {
  const lines = content.split(/\r?\n/).filter((line) => line.trim());
  // "PART/2.X [meter]"; earlier versions had the units in a line of their own.
  const headings = lines[0].split(",").map((word) => word.trim().match(/^(.*?)(?: \[(.*)\])?$/)!);
  const names = headings.map((heading) => heading[1]);
  const hasUnits = lines[1]?.startsWith("#");
  const units = hasUnits ? lines[1].slice(1).split(",") : headings.map((heading) => heading[2] ?? "");
  const body = lines.slice(hasUnits ? 2 : 1);
  const columns = names.map(() => new Float64Array(body.length));
  body.forEach((line, row) => line.split(",").forEach((word, k) => { if (k < columns.length) columns[k][row] = word.trim() ? Number(word) : NaN; }));
  const channels = names.map((channel, k) => ({ name: channel, unit: units[k]?.trim() ?? "" }));
  return {
    name, rows: body.length, all: body.length, finished: true, channels, columns, place: indexed(channels),
    steps: { t: [], h: [], order: [], iterations: [] }, settings: {}, report: {}, notes: [], segments: [],
  };
}

// The row at or before a time, and how far on to the next.
export function locate(time: Float64Array | Float32Array, t: number): { row: number; part: number } {
  let low = 0, high = time.length - 1;
  if (high <= 0 || t <= time[0]) return { row: 0, part: 0 };
  if (t >= time[high]) return { row: high, part: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  const span = time[high] - time[low];
  return { row: low, part: span > 0 ? (t - time[low]) / span : 0 };
}

// The model tree, the list of channels and the run report.
import uPlot from "uplot";
import type { Run, Scene } from "./data";
import { axis, kStrokes, type Plots } from "./plots";
import { bodyColour, type Stage } from "./stage";

function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  e.className = className;
  e.textContent = text;
  return e;
}

export function fillTree(holder: HTMLElement, model: Scene, stage: Stage, search: (text: string) => void): () => void {
  const folder = (name: string, count: number, open: boolean) => {
    const details = element("details");
    details.open = open;
    details.append(element("summary", "", `${name} (${count})`));
    if (count > 0) holder.append(details);
    return details;
  };
  const rows: HTMLElement[] = [];
  const nodes = new Set((model.beams ?? []).flatMap((beam) => beam.nodes)); // told as beams
  const bodies = folder("Bodies", model.bodies.length - 1 - nodes.size, true);
  model.bodies.forEach((body, b) => {
    if (b === 0 || nodes.has(b)) return;
    const row = element("div", "row");
    const dot = element("span", "dot");
    dot.style.background = bodyColour(b);
    row.append(dot, body.name);
    row.title = "Click: highlight and trail; double-click: its channels";
    row.dataset.body = String(b);
    row.onclick = () => { stage.select(b); update(); };
    row.ondblclick = () => search(body.channel + ".");
    rows.push(row);
    bodies.append(row);
  });
  const plain = (name: string, list: { name: string; channel: string; comment?: string }[]) => {
    const details = folder(name, list.length, list.length <= 12);
    for (const item of list) {
      const row = element("div", "row", item.name);
      if (item.comment) row.append(element("span", "unit", item.comment));
      row.title = "Show its channels";
      row.onclick = () => search(item.channel + ".");
      details.append(row);
    }
  };
  plain("Beams", (model.beams ?? []).map((beam) => ({ ...beam, comment: `${beam.nodes.length} nodes` })));
  plain("Joints and motions", model.joints);
  plain("Forces", model.forces);
  plain("Requests", model.requests);
  const update = () => rows.forEach((row) => row.classList.toggle("on", Number(row.dataset.body) === stage.selection));
  return update;
}

// What the model calls the statement of a channel: "PART/4" → "forearm", "REQUEST/2" → "where the box is".
export function objectNames(model: Scene): Map<string, string> {
  const out = new Map<string, string>();
  for (const item of [...model.bodies, ...model.joints, ...model.forces, ...model.requests]) {
    const name = item.name.match(/'(.*)'/)?.[1] ?? "", comment = "comment" in item ? (item.comment as string) : "";
    if (name || comment) out.set(item.channel, name || comment);
  }
  return out;
}

// Every word of the search must occur in the name, or in what the model calls its statement.
export function fillChannels(list: HTMLElement, run: Run, plots: Plots, wanted: string, names: Map<string, string>): void {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const kMost = 400;
  list.replaceChildren();
  let found = 0;
  for (const channel of run.channels.slice(1)) {
    const dot = channel.name.lastIndexOf("."), object = names.get(dot < 0 ? channel.name : channel.name.slice(0, dot)) ?? "";
    const name = `${channel.name} ${object}`.toLowerCase();
    if (!words.every((word) => name.includes(word))) continue;
    if (++found > kMost) continue;
    const row = element("div", "row", channel.name);
    row.append(element("span", "object", object), element("span", "unit", channel.unit));
    row.classList.toggle("on", plots.chosen.includes(channel.name));
    row.dataset.channel = channel.name;
    row.onclick = () => plots.toggle(channel.name);
    list.append(row);
  }
  if (found === 0) list.append(element("p", "note", "No channel has that in its name."));
  if (found > kMost) list.append(element("p", "note", `… and ${found - kMost} more: search to see them.`));
}

function flat(value: unknown): string {
  if (typeof value === "number") return String(Number(value.toPrecision(5)));
  if (Array.isArray(value)) return value.map(flat).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([k, v]) => `${k.replaceAll("_", " ")}: ${flat(v)}`).join(", ");
  return String(value);
}

// The history of the integrator: step size, order, iterations.
function drawSteps(holder: HTMLElement, run: Run): void {
  holder.append(element("h3", "", "Steps"));
  const chart = (label: string, values: number[], log: boolean, colour: string) => {
    const box = element("div");
    holder.append(box);
    new uPlot({
      width: 254, height: 130, title: "", legend: { show: false },
      scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      series: [{}, { label, stroke: colour, width: 1, points: { show: false } }],
      axes: [axis({ size: 26 }), axis({ label, labelSize: 16, size: 46 })],
      cursor: { show: false },
    }, [run.steps.t, values], box);
  };
  chart("step size", run.steps.h, true, kStrokes[0]);
  chart("order", run.steps.order, false, kStrokes[2]);
  chart("iterations", run.steps.iterations, false, kStrokes[1]);
}

// "gone.adm:12: …" and what is set in below it, as it was said.
function lines(kind: string, texts: string[]): HTMLElement[] {
  return texts.map((text) => element("p", `notice ${kind}`, text));
}
// A run that did not end has no report; what of the model it does not simulate is known from its start.
function warningsOf(run: Run): string[] {
  const leftOut = (run.settings.left_out as { text?: string } | undefined)?.text;
  return run.report.warnings ?? (leftOut ? [leftOut] : []);
}
function fillNotices(holder: HTMLElement, run: Run): void {
  const all = [...lines("error", run.report.errors ?? []), ...lines("warning", warningsOf(run)), ...lines("page", run.notes)];
  if (all.length === 0) return;
  holder.append(element("h3", "", "Warnings"), ...all);
}

// A line over the picture that says how much there is to know before the run is trusted, and the first of it.
export function fillBanner(holder: HTMLElement, run: Run, more: () => void): void {
  const errors = run.report.errors ?? [], warnings = warningsOf(run);
  const count = (list: string[], word: string) => (list.length === 0 ? [] : [`${list.length} ${word}${list.length === 1 ? "" : "s"}`]);
  const head = [...(run.finished ? [] : ["the run did not end"]), ...count(errors, "error"), ...count(warnings, "warning"), ...count(run.notes, "note")].join(", ");
  holder.hidden = head === "";
  if (!head) return;
  const kShown = 1; // the picture is what the page is for
  const all = [...lines("error", errors), ...lines("warning", warnings), ...lines("page", run.notes)];
  const list = element("div", "list");
  list.append(...all.slice(0, kShown));
  const bar = element("div", "bar");
  const button = (id: string, label: string, act: () => void) => {
    const b = element("button", "", label);
    b.id = id;
    b.onclick = act;
    bar.append(b);
  };
  bar.append(element("b", errors.length > 0 ? "error" : warnings.length > 0 ? "warning" : "", head));
  button("banner-more", all.length > kShown ? `all ${all.length}…` : "Report", more);
  button("banner-close", "×", () => (holder.hidden = true));
  holder.replaceChildren(bar, list);
}

export function fillReport(holder: HTMLElement, run: Run): void {
  const table = (entries: [string, unknown][]) => {
    const t = element("table");
    for (const [key, value] of entries) {
      const text = flat(value);
      if (!text) continue;
      const row = t.insertRow();
      row.insertCell().textContent = key.replaceAll("_", " ");
      row.insertCell().textContent = text;
    }
    holder.append(t);
  };
  holder.replaceChildren(element("h3", "", "Run"));
  table([["result", run.name], ...Object.entries(run.settings), ["rows", run.all]]);
  if (!run.finished) holder.append(element("p", "note", "The run had not ended when this page was made, or was stopped from outside."));
  if (run.segments.length > 1) holder.append(element("p", "note", `The model changed at ${run.segments.slice(1).map((t) => Number(t.toPrecision(6))).join(", ")}: channels that are not there before or after have gaps.`));
  fillNotices(holder, run);
  if (run.steps.t.length > 1) drawSteps(holder, run);
  else holder.append(element("p", "note", "No dynamic simulation, and so no history of steps."));
  (run.report.simulations ?? []).forEach((simulation, k) => {
    holder.append(element("h3", "", `Simulation ${k + 1}`));
    table(Object.entries(simulation));
  });
}

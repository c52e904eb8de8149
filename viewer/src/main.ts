// The page: time, and what follows it.
import { readCsv, readRun, readScene } from "./data";
import { markTouches } from "./contacts";
import { Legend } from "./legend";
import { Modes, readModes } from "./modes";
import { Plots, save } from "./plots";
import { fillBanner, fillChannels, fillReport, fillTree, objectNames } from "./sidebar";
import { Stage } from "./stage";

const by = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

const model = readScene();
const run = readRun(0)!;
const second = readRun(1);
const time = run.columns[0];
const begin = time[0] ?? 0, end = time[time.length - 1] ?? 0;

by("title").textContent = document.title = model.title || run.name;
const beamNodes = new Set((model.beams ?? []).flatMap((beam) => beam.nodes)).size, beamCount = model.beams?.length ?? 0;
const bodyCount = model.bodies.length - 1 - beamNodes, several = (count: number, word: string, words: string) => `${count} ${count === 1 ? word : words}`;
by("subtitle").textContent = `${[...(bodyCount || !beamCount ? [several(bodyCount, "body", "bodies")] : []), ...(beamCount ? [several(beamCount, "beam", "beams")] : [])].join(", ")} · ${run.all} rows · ${run.name.split("/").pop()}`;

const stage = new Stage(by<HTMLCanvasElement>("canvas"), model, run);
const scrub = by<HTMLInputElement>("scrub"), play = by<HTMLButtonElement>("play"), speed = by<HTMLSelectElement>("speed");
let now = begin, playing = false, last = 0;

function setTime(t: number): void {
  modes.stop();
  now = Math.min(Math.max(t, begin), end);
  scrub.value = String(now);
  by("clock").textContent = `${now.toFixed(end - begin < 1 ? 4 : 3)} ${run.channels[0].unit}`;
  stage.move(now);
  plots.setTime(now);
}
function setPlaying(on: boolean): void {
  playing = on;
  if (on) modes.stop();
  play.textContent = on ? "❚❚" : "▶";
  if (on && now >= end) setTime(begin);
}

const list = by("channel-list"), search = by<HTMLInputElement>("search");
const names = objectNames(model);
const refresh = () => fillChannels(list, run, plots, search.value, names);
const plots: Plots = new Plots(run, by("plot"), by("chips"), by("cursor"), (t) => { setPlaying(false); setTime(t); }, () => refresh());
if (second) plots.overlay(second);

function openTab(name: string): void {
  for (const id of ["model", "channels", "modes", "report"]) by(id).hidden = id !== name;
  if (name !== "modes") modes.stop();
  document.querySelectorAll<HTMLElement>(".tabs button").forEach((b) => b.classList.toggle("on", b.dataset.tab === name));
  if (name === "report") fillReport(by("report"), run); // its charts need the width that a hidden tab does not have
}
document.querySelectorAll<HTMLElement>(".tabs button").forEach((b) => (b.onclick = () => openTab(b.dataset.tab!)));
const updateTree = fillTree(by("model"), model, stage, (text) => {
  search.value = text.replace(/\.$/, "");
  refresh();
  openTab("channels");
});
const modeSets = readModes();
const modes = new Modes(by("modes"), modeSets, model, stage, run.channels[0].unit, () => setTime(now));
by("modes-tab").hidden = modeSets.length === 0;
search.oninput = refresh;
refresh();
fillBanner(by("banner"), run, () => openTab("report"));

// Something to see at once: what the first request or body that moves does; of two that are the same one.
const same = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.prototype.every.call(a, (v: number, k: number) => v === b[k]);
const placesOf = new Map<string, number[]>();
run.channels.forEach(({ name }, k) => {
  const of = name.slice(0, Math.max(name.lastIndexOf("."), 0)), places = placesOf.get(of);
  if (places) places.push(k);
  else placesOf.set(of, [k]);
});
function moving(channel: string): string[] {
  const own = (placesOf.get(channel) ?? []).map((k) => {
    let low = Infinity, high = -Infinity;
    for (const v of run.columns[k]) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    return { ...run.channels[k], column: run.columns[k], range: high - low, noise: 1e-6 * Math.max(Math.abs(low), Math.abs(high)) };
  });
  // What hardly moves beside its like is noise.
  const ofUnit = (unit: string) => Math.max(...own.filter((c) => c.unit === unit).map((c) => c.range));
  return own
    .filter((c) => c.range > c.noise && c.range > 1e-4 * ofUnit(c.unit))
    .filter((c, k, all) => !all.slice(k + 1).some((other) => same(c.column, other.column)))
    .map((c) => c.name);
}
for (const { channel } of [...model.requests, ...model.bodies]) {
  const shown = channel ? moving(channel) : [];
  shown.slice(0, 3).forEach((name) => plots.toggle(name));
  if (shown.length > 0) break;
}

// Speeds around the one that plays the whole in about six seconds, which is 1 for most mechanisms.
scrub.min = String(begin);
scrub.max = String(end);
for (const factor of [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000]) speed.add(new Option(`${factor}×`, String(factor)));
const natural = (end - begin) / 6;
speed.value = String([...speed.options].map((o) => Number(o.value)).reduce((a, b) => (natural >= 0.3 && natural <= 5 ? 1 : Math.abs(Math.log(b / natural)) < Math.abs(Math.log(a / natural)) ? b : a)));

scrub.oninput = () => { setPlaying(false); setTime(Number(scrub.value)); };
play.onclick = () => setPlaying(!playing);
// Space plays wherever the focus is, but for fields that take letters; Enter then presses what has the focus.
const takesLetters = (e: EventTarget | null) => (e instanceof HTMLInputElement && e.type === "search") || e instanceof HTMLSelectElement;
addEventListener("keydown", (e) => {
  if (takesLetters(e.target)) return;
  if (e.key === "Enter" && e.target instanceof HTMLInputElement && e.target.type === "checkbox") e.target.click();
  const step = (end - begin) / Math.max(run.rows - 1, 1);
  if (e.key === " ") { e.preventDefault(); setPlaying(!playing); }
  if (e.key === "ArrowRight") { e.preventDefault(); setTime(now + step); }
  if (e.key === "ArrowLeft") { e.preventDefault(); setTime(now - step); }
});
addEventListener("keyup", (e) => { if (e.key === " " && !takesLetters(e.target)) e.preventDefault(); }); // or a button is pressed as well
for (const what of ["symbols", "joints", "markers", "forces", "contacts", "trails"] as const) {
  const box = by<HTMLInputElement>(`show-${what}`);
  box.onchange = () => stage.show(what, box.checked);
}
by("contacts-switch").hidden = !stage.contacts.any;
const legend = new Legend(by("legend"), stage, (t) => { setPlaying(false); setTime(t); }, run.channels[0].unit);
by("touches").hidden = !markTouches(by<HTMLCanvasElement>("touches"), run, begin, end);
by("fit").onclick = () => stage.fit();
by("save-picture").onclick = () => save("mechanism.png", stage.picture());
by<HTMLInputElement>("add-run").onchange = async (e) => {
  const file = (e.target as HTMLInputElement).files?.[0];
  if (file) plots.overlay(readCsv(file.name, await file.text()));
};

const canvas = by<HTMLCanvasElement>("canvas"), hover = by("hover");
let pointer: { x: number; y: number } | undefined;
let pressed = { x: 0, y: 0 };
canvas.addEventListener("pointermove", (e) => (pointer = { x: e.offsetX, y: e.offsetY }));
canvas.addEventListener("pointerleave", () => { pointer = undefined; hover.hidden = true; });
canvas.addEventListener("pointerdown", (e) => (pressed = { x: e.clientX, y: e.clientY }));
canvas.addEventListener("pointerup", (e) => {
  if (Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) > 4) return; // the camera was turned
  const { body } = stage.pick(e.offsetX / canvas.clientWidth, e.offsetY / canvas.clientHeight);
  if (body) { stage.select(body); updateTree(); }
});
function showName(): void {
  if (!pointer) return;
  const { body, joint, symbol } = stage.pick(pointer.x / canvas.clientWidth, pointer.y / canvas.clientHeight);
  hover.textContent = symbol ?? (joint !== undefined ? model.joints[joint].name : body !== undefined ? model.bodies[body].name : "");
  hover.hidden = hover.textContent === "";
  hover.style.left = `${pointer.x + 14}px`;
  hover.style.top = `${pointer.y + 10}px`;
  pointer = undefined;
}

function frame(stamp: number): void {
  const passed = Math.min((stamp - last) / 1000, 0.1);
  last = stamp;
  modes.advance(passed);
  if (playing && !modes.active) {
    // Starts again from the beginning at the end.
    const next = now + passed * Number(speed.value);
    setTime(next >= end ? begin : next);
  }
  showName();
  legend.update();
  stage.draw();
  requestAnimationFrame(frame);
}
setTime(begin);
requestAnimationFrame(frame);

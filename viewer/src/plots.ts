// Curves over time, linked to the animation's time: chosen channels of the run, and of a second one dashed.
import uPlot from "uplot";
import { locate, type Run } from "./data";

export const kStrokes = ["#2f6fde", "#e07b00", "#1c9a6c", "#c8377f", "#7a52cc", "#9a7b13", "#0092b3", "#6b7280"];

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const save = (name: string, url: string): void => {
  const link = document.createElement("a");
  link.download = name;
  link.href = url;
  link.click();
};

// Axis colours and fonts that follow the page's.
export const axis = (more: uPlot.Axis = {}): uPlot.Axis => ({
  stroke: css("--soft"),
  grid: { stroke: css("--line"), width: 1 },
  ticks: { stroke: css("--line"), width: 1 },
  font: "11px system-ui, sans-serif",
  labelFont: "11px system-ui, sans-serif",
  // uPlot's own have three decimals at most: small numbers would all be 0.
  values: (_, splits) => splits.map((v) => (v === null ? "" : String(Number(v.toPrecision(6))))),
  ...more,
});

// A channel that was not there for a while has no curve then: uPlot takes null for that.
const withGaps = (column: Float64Array | Float32Array): ArrayLike<number | null> =>
  column.some(Number.isNaN) ? Array.from(column, (v) => (Number.isNaN(v) ? null : v)) : column;

export class Plots {
  chosen: string[] = [];
  second?: Run;
  private plot?: uPlot;

  constructor(
    private readonly run: Run,
    private readonly holder: HTMLElement,
    private readonly chips: HTMLElement,
    private readonly cursor: HTMLElement,
    private readonly seek: (time: number) => void,
    private readonly changed: () => void,
  ) {
    new ResizeObserver(() => this.resize()).observe(holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
    this.rebuild();
  }

  toggle(name: string): void {
    this.chosen = this.chosen.includes(name) ? this.chosen.filter((c) => c !== name) : [...this.chosen, name];
    this.rebuild();
    this.changed();
  }

  overlay(run: Run): void {
    this.second = run;
    this.rebuild();
  }

  private unit(name: string): string {
    return this.run.channels[this.run.place.get(name) ?? 0].unit;
  }

  private table(run: Run): uPlot.AlignedData {
    return [run.columns[0], ...this.chosen.map((name) => withGaps(run.columns[run.place.get(name) ?? -1] ?? new Float64Array(run.rows).fill(NaN)))] as uPlot.AlignedData;
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(this.holder.clientWidth, 120), height: Math.max(this.holder.clientHeight, 80) };
  }

  private rebuild(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.drawChips();
    this.tell();
    this.holder.title = "Drag to zoom, double-click to see all, click to set the time";
    this.holder.replaceChildren();
    if (this.chosen.length === 0) {
      this.cursor.hidden = true;
      const note = document.createElement("p");
      note.className = "note";
      note.style.padding = "0 14px";
      note.textContent = "Choose channels on the left to plot them here. Drag to zoom, double-click to see all, click to set the time.";
      this.holder.append(note);
      return;
    }
    const units = [...new Set(this.chosen.map((name) => this.unit(name)))];
    const series: uPlot.Series[] = [{ label: "time" }];
    const add = (run: Run, dash?: number[]) => this.chosen.forEach((name, k) => series.push({
      label: dash ? `${name} (${run.name})` : name,
      scale: this.unit(name) || "1",
      stroke: kStrokes[k % kStrokes.length],
      width: 1.5,
      pxAlign: 0, // whole pixels would turn a slow curve into stairs
      dash,
      spanGaps: false, // rows that only the other run has are undefined in the joined table, and are no gaps
      points: { show: false },
    }));
    add(this.run);
    if (this.second) add(this.second, [6, 5]);
    const data = this.second ? uPlot.join([this.table(this.run), this.table(this.second)]) : this.table(this.run);
    this.plot = new uPlot({
      ...this.size(),
      legend: { show: false },
      scales: { x: { time: false } },
      series,
      axes: [
        axis({ label: `time [${this.run.channels[0].unit}]`, labelSize: 18, size: 32 }),
        ...units.slice(0, 3).map((unit, k) => axis({ scale: unit || "1", side: k === 0 ? 3 : 1, label: unit, labelSize: 18, size: 58, grid: { show: k === 0, stroke: css("--line"), width: 1 } })),
      ],
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      hooks: {
        draw: [() => this.measure()],
        ready: [(u) => {
          let from = 0;
          u.over.addEventListener("mousedown", (e) => (from = e.clientX));
          u.over.addEventListener("click", (e) => {
            if (Math.abs(e.clientX - from) < 4) this.seek(u.posToVal(e.offsetX, "x"));
          });
        }],
      },
    }, data, this.holder);
    this.measure();
  }

  private drawChips(): void {
    this.chips.replaceChildren();
    this.values.length = 0;
    this.chosen.forEach((name, k) => {
      const chip = document.createElement("span");
      chip.className = "chip";
      chip.title = "Take it out of the plot";
      const dot = document.createElement("span");
      dot.className = "dot";
      dot.style.background = kStrokes[k % kStrokes.length];
      const value = document.createElement("span");
      value.className = "value";
      chip.append(dot, name, value, "×");
      chip.onclick = () => this.toggle(name);
      this.chips.append(chip);
      this.values.push({ column: this.run.columns[this.run.place.get(name) ?? 0], span: value });
    });
    if (this.second) {
      const note = document.createElement("span");
      note.className = "note";
      note.textContent = `dashed: ${this.second.name}`;
      this.chips.append(note);
    }
    if (this.chosen.length === 0) return;
    const right = document.createElement("span");
    right.className = "right";
    const button = (id: string, label: string, act: () => void) => {
      const b = document.createElement("button");
      b.id = id;
      b.textContent = label;
      b.onclick = act;
      right.append(b);
    };
    button("save-plot", "PNG", () => save("plot.png", this.picture()));
    button("save-csv", "CSV", () => save("plot.csv", URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }))));
    this.chips.append(right);
  }

  csv(): string {
    const places = [0, ...this.chosen.map((name) => this.run.place.get(name) ?? 0)];
    const heading = ({ name, unit }: { name: string; unit: string }) => (unit ? `${name} [${unit}]` : name);
    const lines = [places.map((p) => heading(this.run.channels[p])).join(",")];
    const cell = (value: number) => (Number.isNaN(value) ? "" : String(value));
    for (let row = 0; row < this.run.rows; ++row) lines.push(places.map((p) => cell(this.run.columns[p][row])).join(","));
    return lines.join("\n") + "\n";
  }

  picture(): string {
    const from = this.plot!.ctx.canvas, out = document.createElement("canvas");
    out.width = from.width;
    out.height = from.height;
    const context = out.getContext("2d")!;
    context.fillStyle = css("--panel");
    context.fillRect(0, 0, out.width, out.height);
    context.drawImage(from, 0, 0);
    return out.toDataURL("image/png");
  }

  private readonly values: { column: ArrayLike<number>; span: HTMLElement }[] = []; // shown at the present time
  private now = 0;
  private width = 0; // of the curves, in pixels
  setTime(time: number): void {
    this.now = time;
    this.place();
    this.tell();
  }

  private tell(): void {
    const { row, part } = locate(this.run.columns[0], this.now), next = Math.min(row + 1, this.run.rows - 1);
    for (const { column, span } of this.values) {
      const value = part > 0 ? column[row] + part * (column[next] - column[row]) : column[row];
      const text = Number.isNaN(value) ? "–" : value.toPrecision(4);
      if (span.textContent !== text) span.textContent = text;
    }
  }

  // The line at the present time; moved as an element, which costs less than drawing the curves again.
  private place(): void {
    const u = this.plot;
    if (!u) return;
    const x = u.valToPos(this.now, "x");
    this.cursor.hidden = !(x >= 0 && x <= this.width);
    this.cursor.style.transform = `translateX(${x}px)`;
  }

  // Where the curves are on the page, which only changes when they are drawn: asking the browser would lay the page out.
  private measure(): void {
    if (!this.plot) return;
    const box = this.plot.over.getBoundingClientRect(), outer = this.cursor.parentElement!.getBoundingClientRect();
    this.width = box.width;
    this.cursor.style.cssText = `left:${box.left - outer.left}px;top:${box.top - outer.top}px;height:${box.height}px`;
    this.place();
  }

  private resize(): void {
    this.plot?.setSize(this.size());
    this.measure();
  }
}

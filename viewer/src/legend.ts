// What the colours and arrows mean, and which quantity they show.
import { gradient, rangeOf, shortNumber, type Range } from "./colours";
import { quantityWords } from "./beams";
import type { Stage } from "./stage";

function element<K extends keyof HTMLElementTagNameMap>(tag: K, id = "", text = ""): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (id) e.id = id;
  e.textContent = text;
  return e;
}

// A bar of colour with its ends and middle.
function scaleOf(id: string): { box: HTMLElement; show: (range: Range | undefined, unit: string) => void } {
  const box = element("div", id), bar = element("div"), numbers = element("div");
  box.className = "scale";
  bar.className = "bar";
  numbers.className = "numbers";
  box.append(bar, numbers);
  return {
    box,
    show: (range, unit) => {
      box.hidden = !range;
      if (!range) return;
      bar.style.background = gradient(range);
      const ends = [range.low, (range.low + range.high) / 2, range.high].map((v) => element("span", "", shortNumber(v)));
      ends[2].textContent += unit && unit !== "1" ? ` ${unit}` : "";
      numbers.replaceChildren(...ends);
    },
  };
}

export class Legend {
  private readonly updates: (() => void)[] = [];

  constructor(private readonly holder: HTMLElement, private readonly stage: Stage, seek: (time: number) => void, timeUnit: string) {
    if (stage.beams.any) this.addBeams();
    if (stage.flexible.any) this.addFlexible(seek, timeUnit);
    if (stage.contacts.any) this.addContacts();
    holder.hidden = holder.childElementCount === 0;
  }

  update(): void {
    for (const act of this.updates) act();
  }

  private addBeams(): void {
    const { beams } = this.stage, select = element("select", "beam-colour"), scale = scaleOf("beam-scale"), note = element("div", "", "modes have no section forces");
    select.title = "Colour beams by a section quantity; the scale is that of the whole run";
    note.className = "note";
    note.hidden = true;
    select.add(new Option("beams: plain", ""));
    for (const name of beams.quantities) select.add(new Option(`beams: ${quantityWords(name)}`, name));
    const show = () => scale.show(beams.quantity ? beams.range : undefined, beams.quantity ? beams.unit(beams.quantity) : "");
    select.onchange = () => {
      beams.choose(select.value);
      show();
      this.stage.again();
    };
    // The moment that changes most, to begin with.
    const size = (name: string) => Math.max(...beams.extremes(name).map(Math.abs));
    const first = beams.quantities.filter((name) => name.startsWith("T")).reduce((a, b) => (a && size(a) >= size(b) ? a : b), "");
    if (first && size(first) > 0) select.value = first;
    beams.choose(select.value);
    show();
    this.updates.push(() => {
      note.hidden = !(this.stage.showsMode && beams.quantity);
      scale.box.hidden = !beams.quantity || this.stage.showsMode;
    });
    this.holder.append(select, scale.box, note);
  }

  private addFlexible(seek: (time: number) => void, timeUnit: string): void {
    const { flexible } = this.stage, scale = scaleOf("stress-scale");
    if (flexible.hasStress) {
      const select = element("select", "flex-colour"), now = element("div", "hottest"), most = element("button", "hottest-of-run");
      select.add(new Option("flexible bodies: von Mises stress", "stress"));
      select.add(new Option("flexible bodies: plain", ""));
      select.onchange = () => {
        flexible.stress = select.value !== "";
        this.stage.again();
      };
      const label = element("label", "", "scale to "), top = element("input", "stress-top"), share = element("output", "stress-top-value", "100 %");
      Object.assign(top, { type: "range", min: "-2", max: "0", step: "any", value: "0" });
      label.title = "The upper end of the colours, as part of the largest stress of the run";
      top.oninput = () => {
        const part = Number((10 ** Number(top.value)).toPrecision(2));
        flexible.scaleTo(part);
        share.textContent = `${Number((100 * part).toPrecision(2))} %`;
        this.stage.again();
      };
      label.append(top, share);
      now.title = "The dot in the picture";
      const peak = flexible.ofRun;
      if (peak) {
        most.textContent = `hottest drawn node of the run: ${peak.node}, ${shortNumber(peak.value)}, at ${Number(peak.t.toPrecision(5))} ${timeUnit}`;
        most.title = `${peak.name}; click to go there`;
        most.onclick = () => seek(peak.t);
      }
      most.hidden = !peak;
      this.updates.push(() => {
        scale.show(!flexible.stress ? undefined : flexible.relative ? rangeOf(0, flexible.top) : flexible.range, flexible.relative ? "of the mode's largest" : flexible.unit);
        label.hidden = !flexible.stress;
        const { hottest } = flexible;
        now.hidden = !hottest || flexible.relative;
        if (hottest) now.textContent = `now: node ${hottest.node}, ${shortNumber(hottest.value)}`;
      });
      this.holder.append(select, scale.box, label, now, most);
    }
    const label = element("label", "", "deformation "), slider = element("input", "deformation"), times = element("output", "deformation-value", "×1");
    Object.assign(slider, { type: "range", min: "0", max: "3", step: "any", value: "0" });
    label.title = "Draws flexible bodies deformed by more than they are. Double-click: as they are. What is joined to them does not follow";
    const set = () => {
      const factor = Number((10 ** Number(slider.value)).toPrecision(2));
      flexible.scale = factor;
      times.textContent = `×${factor}`;
      this.stage.again();
    };
    slider.oninput = set;
    label.ondblclick = () => { slider.value = "0"; set(); };
    label.append(slider, times);
    this.holder.append(label);
  }

  private addContacts(): void {
    const { contacts } = this.stage, line = element("div", "contact-scale");
    line.append(Object.assign(element("span", "", "⟶"), { className: "arrow" }), ` contact: ${shortNumber(contacts.usual)} ${contacts.unit}`);
    line.title = "An arrow of this length; 95 % of the forces of the run are smaller, and none is drawn longer than one and a half";
    this.updates.push(() => (line.hidden = !contacts.group.visible));
    this.holder.append(line);
  }
}

// Ramps of colour for quantities, and numbers for their scales.
import { Color } from "three";

const kOneSided = ["#2c3f9e", "#2f86c9", "#3fb59a", "#b7cf4a", "#f2b233", "#e06a2b", "#b3202a"];
const kTwoSided = ["#2748a8", "#6f9ed8", "#c3c8cf", "#e8a06f", "#b3202a"]; // zero in the middle

const asColours = (ramp: string[]) => ramp.map((c) => new Color(c));
const ramps = { oneSided: asColours(kOneSided), twoSided: asColours(kTwoSided) };

export interface Range {
  low: number;
  high: number;
  twoSided: boolean;
}

// A quantity that has both signs, as more than an exception, gets two ramps that meet at zero.
export function rangeOf(low: number, high: number): Range {
  if (!(high >= low)) return { low: 0, high: 0, twoSided: false };
  const most = Math.max(Math.abs(low), Math.abs(high)), kRounding = 1e-6;
  if (Math.abs(low) < kRounding * most) low = 0;
  if (Math.abs(high) < kRounding * most) high = 0;
  return { low, high, twoSided: low < -0.05 * most && high > 0.05 * most };
}

export function colourAt(range: Range, value: number, out: Color): Color {
  const ramp = range.twoSided ? ramps.twoSided : ramps.oneSided, most = Math.max(-range.low, range.high);
  const low = range.twoSided ? -most : range.low, span = (range.twoSided ? most : range.high) - low;
  if (Number.isNaN(value)) return out.set("#9aa1ab"); // not there then
  const part = span > 0 ? Math.min(Math.max((value - low) / span, 0), 1) * (ramp.length - 1) : 0;
  const k = Math.min(Math.floor(part), ramp.length - 2);
  return out.lerpColors(ramp[k], ramp[k + 1], part - k);
}

export function gradient(range: Range): string {
  const kStops = 24, colour = new Color();
  const stops = Array.from({ length: kStops + 1 }, (_, k) => `#${colourAt(range, range.low + ((range.high - range.low) * k) / kStops, colour).getHexString()}`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

// Four digits, without 12345.678901 or 1.000e+0.
export function shortNumber(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2).replace("e+", "e") : String(Number(value.toPrecision(4)));
}

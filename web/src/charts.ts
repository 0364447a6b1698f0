import uPlot from "uplot";
import { LAYERS, layers, type Run } from "./data";
import { short } from "./format";
import { epochStarts } from "./keys";
import type { Ink } from "./plot";

const FONT = "11px system-ui, sans-serif";
const columns = uPlot.paths.bars!({ size: [1, Number.POSITIVE_INFINITY], gap: 0 });
const steps = uPlot.paths.stepped!({ align: 1 });

/** Call numbers, running totals over the layers (the topmost first, so that lower ones are drawn over it), usable. */
export function windowData(run: Run): uPlot.AlignedData {
  const sizes = run.calls.map(layers);
  const totals = LAYERS.map((_, upTo) => sizes.map((size) => size.slice(0, upTo + 1).reduce((sum, tokens) => sum + tokens, 0)));
  return [numbers(run), ...totals.reverse(), run.calls.map((call) => call.usable)];
}

export function windowOptions(run: Run): (ink: Ink) => Partial<uPlot.Options> {
  return (ink) => ({
    ...frame(run, ink),
    series: [
      {},
      ...LAYERS.map((name) => area(ink(`part-${name}`))).reverse(),
      { stroke: ink("limit"), width: 1.5, dash: [6, 4], paths: steps, points: { show: false } },
    ],
    hooks: { draw: [(u) => drawEpochs(u, run, ink), (u) => drawLimit(u, run, ink)] },
  });
}

/** Call numbers, all input (drawn as uncached where no cached covers it), cached input. */
export function inputData(run: Run): uPlot.AlignedData {
  return [numbers(run), run.calls.map((call) => call.cached + call.fresh), run.calls.map((call) => call.cached)];
}

export function inputOptions(run: Run): (ink: Ink) => Partial<uPlot.Options> {
  return (ink) => ({
    ...frame(run, ink),
    series: [{}, area(ink("fresh")), area(ink("cached"))],
    hooks: { draw: [(u) => drawEpochs(u, run, ink)] },
  });
}

/** One line per policy: the size of the request of each call. */
export function sizesData(runs: Run[]): uPlot.AlignedData {
  const longest = runs.reduce((a, b) => (b.calls.length > a.calls.length ? b : a));
  return [numbers(longest), ...runs.map((run) => longest.calls.map((_, i) => run.calls[i]?.tokens ?? null))];
}

export function sizesOptions(runs: Run[], current: number): (ink: Ink) => Partial<uPlot.Options> {
  return (ink) => ({
    ...frame(runs[0]!, ink),
    padding: [10, 14, 0, 0],
    series: [
      {},
      ...runs.map((_, i) => ({ stroke: ink(`policy-${i % 6}`), width: i === current ? 2.5 : 1.5, points: { show: false } })),
    ],
  });
}

function numbers(run: Run): number[] {
  return run.calls.map((_, i) => i + 1);
}

function area(fill: string): uPlot.Series {
  return { fill, width: 0, paths: columns, points: { show: false } };
}

function frame(run: Run, ink: Ink): Partial<uPlot.Options> {
  const axis = { stroke: ink("muted"), font: FONT, ticks: { show: false }, grid: { stroke: ink("grid"), width: 1 } };
  return {
    padding: [22, 14, 0, 0],
    scales: {
      x: { time: false, range: () => [0.5, run.calls.length + 0.5] },
      y: { range: (_u, _low, high) => [0, (high || 1) * 1.06] },
    },
    axes: [
      { ...axis, size: 26, grid: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
      { ...axis, size: 46, values: (_u, ticks) => ticks.map(short) },
    ],
  };
}

/** A line where an epoch begins, its cause where it fits; epochs too many for lines get a tick above the plot and a count. */
function drawEpochs(u: uPlot, run: Run, ink: Ink) {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const starts = epochStarts(run);
  const isSparse = bbox.width / (starts.length + 1) > 14 * ratio;
  ctx.save();
  write(ctx, 400);
  ctx.fillStyle = ctx.strokeStyle = ink("epoch");
  ctx.lineWidth = ratio;
  const places = starts.map((start) => Math.round(u.valToPos(start - 0.5, "x", true)));
  for (const x of places) line(ctx, x, bbox.top - 7 * ratio, x, isSparse ? bbox.top + bbox.height : bbox.top);
  if (isSparse) drawCauses(u, places, starts.map((start) => run.calls[start - 1]!.cause));
  else ctx.fillText(`${starts.length} epochs`, places[0]! + 3 * ratio, bbox.top - 7 * ratio);
  ctx.restore();
}

function drawCauses({ ctx, bbox }: uPlot, places: number[], causes: string[]) {
  const ratio = devicePixelRatio;
  let free = bbox.left;
  causes.forEach((cause, i) => {
    const x = places[i]!;
    const width = ctx.measureText(cause).width + 8 * ratio;
    if (x < free || x + width > bbox.left + bbox.width + 14 * ratio) return;
    ctx.fillText(cause, x + 3 * ratio, bbox.top - 4 * ratio);
    free = x + width;
  });
}

function drawLimit(u: uPlot, run: Run, ink: Ink) {
  const usable = run.calls.at(-1)?.usable;
  if (usable === undefined) return;
  const { ctx, bbox } = u;
  const words = `usable ${short(usable)}`;
  ctx.save();
  write(ctx, 600);
  const y = u.valToPos(usable, "y", true) - 3 * devicePixelRatio;
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.strokeStyle = ink("card");
  ctx.strokeText(words, bbox.left + 6 * devicePixelRatio, y);
  ctx.fillStyle = ink("limit");
  ctx.fillText(words, bbox.left + 6 * devicePixelRatio, y);
  ctx.restore();
}

/** Words at the left of their point and above it, whatever was drawn before. */
function write(ctx: CanvasRenderingContext2D, weight: number) {
  ctx.font = `${weight} ${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.setLineDash([]);
}

function line(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}

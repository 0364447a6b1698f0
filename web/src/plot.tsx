import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface PlotProps {
  label: string;
  height: number;
  data: uPlot.AlignedData;
  /** Called anew when the colour scheme changes, since a canvas takes no style sheet. */
  options: (ink: Ink) => Partial<uPlot.Options>;
  /** Index of the selected call. */
  selected: number;
  onPick: (index: number) => void;
  onHover: (index: number | null) => void;
}

export type Ink = (name: string) => string;

/** A chart that fits its column, follows the colour scheme and reports the call under the pointer. */
export function Plot({ label, height, data, options, selected, onPick, onHover }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const at = useRef(selected);
  const dark = useDark();
  at.current = selected;

  useEffect(() => {
    const element = box.current!;
    const given = options(ink);
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false }, sync: { key: "calls" } },
        ...given,
        hooks: {
          ...given.hooks,
          draw: [...(given.hooks?.draw ?? []), (u) => drawSelected(u, at.current, ink("accent"))],
          setCursor: [(u) => onHover(u.cursor.idx ?? null)],
        },
      } as uPlot.Options,
      data,
      element,
    );
    plot.over.addEventListener("click", () => plot.cursor.idx != null && onPick(plot.cursor.idx));
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    fit.observe(element);
    chart.current = plot;
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  }, [data, dark]);

  useEffect(() => chart.current?.redraw(false, false), [selected]);
  return <div class="plot" ref={box} role="img" aria-label={label} />;
}

function drawSelected(u: uPlot, index: number, color: string) {
  const x = u.data[0]?.[index];
  if (x === undefined) return;
  const [left, right] = [u.valToPos(x - 0.5, "x", true), u.valToPos(x + 0.5, "x", true)];
  const width = Math.max(2 * devicePixelRatio, right - left);
  u.ctx.save();
  u.ctx.setLineDash([]);
  u.ctx.strokeStyle = color;
  u.ctx.lineWidth = 1.5 * devicePixelRatio;
  u.ctx.strokeRect((left + right - width) / 2, u.bbox.top, width, u.bbox.height);
  u.ctx.restore();
}

function ink(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function useDark(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const follow = () => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return dark;
}

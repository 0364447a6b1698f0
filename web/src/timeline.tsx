import { useMemo, useState } from "preact/hooks";
import { inputData, inputOptions, windowData, windowOptions } from "./charts";
import { type Call, LAYERS, layers, type Run } from "./data";
import { tokens } from "./format";
import { Plot } from "./plot";

interface Props {
  run: Run;
  /** Index of the selected call. */
  index: number;
  onPick: (index: number) => void;
}

/** The window of every call by partition, and what of it was billed as cached and as uncached input. */
export function Timeline({ run, index, onPick }: Props) {
  const [hovered, setHovered] = useState<number | null>(null);
  const call = run.calls[hovered ?? index];
  const shared = { selected: index, onPick, onHover: setHovered };
  const parts = call ? layers(call) : [];
  const window = useMemo(() => windowData(run), [run]);
  const input = useMemo(() => inputData(run), [run]);
  if (!call) return null;
  return (
    <>
      <h2>Window</h2>
      <Legend call={call} items={LAYERS.map((name, i): Item => [name, `part-${name}`, parts[i] ?? 0]).filter(([name, , size]) => name !== "other" || size > 0)} total={call.tokens} />
      <Plot {...shared} label={`Window of ${run.calls.length} calls, stacked by partition, with the usable line`} height={300} data={window} options={windowOptions(run)} />
      <h2>Input billed</h2>
      <Legend call={call} items={[["cached", "cached", call.cached], ["uncached", "fresh", call.fresh]]} total={call.cached + call.fresh} />
      <Plot {...shared} label="Cached and uncached input of every call" height={170} data={input} options={inputOptions(run)} />
    </>
  );
}

type Item = [name: string, color: string, tokens: number];

interface LegendProps {
  call: Call;
  items: Item[];
  total: number;
}

function Legend({ call, items, total }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(([name, color, value]) => (
        <li key={name}>
          <i style={`background: var(--${color})`} />
          {name} <b>{tokens(value)}</b>
        </li>
      ))}
      <li class="at">
        call {call.call} · epoch {call.epoch} · {tokens(total)}
      </li>
    </ul>
  );
}

import { useMemo, useState } from "preact/hooks";
import { sizesData, sizesOptions } from "./charts";
import type { Run, Session } from "./data";
import { dollars, tokens } from "./format";
import type { Go, Place } from "./link";
import { Plot } from "./plot";

interface Props {
  session: Session;
  place: Place;
  go: Go;
}

/** What each policy costs, and how large its requests grow. */
export function Compare({ session, place, go }: Props) {
  const names = Object.keys(session.policies);
  const runs = useMemo(() => Object.values(session.policies), [session]);
  const current = names.indexOf(place.p);
  const [hovered, setHovered] = useState<number | null>(null);
  const index = hovered ?? place.c - 1;
  return (
    <div class="compare">
      <div>
        <h2>Cost of the session's input</h2>
        <CostBars names={names} runs={runs} current={current} onPick={(p) => go({ p })} />
      </div>
      <div>
        <h2>Size of each request</h2>
        <ul class="legend">
          {names.map((name, i) => (
            <li key={name}>
              <i class="line" style={`background: var(--policy-${i % 6})`} />
              {name} <b>{tokens(runs[i]?.calls[index]?.tokens)}</b>
            </li>
          ))}
          <li class="at">call {index + 1}</li>
        </ul>
        <Sizes runs={runs} current={current} selected={place.c - 1} onHover={setHovered} onPick={(at) => go({ c: at + 1 })} />
      </div>
    </div>
  );
}

interface SizesProps {
  runs: Run[];
  current: number;
  selected: number;
  onHover: (index: number | null) => void;
  onPick: (index: number) => void;
}

function Sizes({ runs, current, selected, onHover, onPick }: SizesProps) {
  const data = useMemo(() => sizesData(runs), [runs, current]);
  return (
    <Plot
      label="Tokens of the request of each call, one line per policy"
      height={190}
      data={data}
      options={sizesOptions(runs, current)}
      selected={selected}
      onHover={onHover}
      onPick={onPick}
    />
  );
}

interface BarsProps {
  names: string[];
  runs: Run[];
  current: number;
  onPick: (name: string) => void;
}

function CostBars({ names, runs, current, onPick }: BarsProps) {
  const cost = (run: Run, field: string) => (typeof run.summary[field] === "number" ? (run.summary[field] as number) : null);
  const all = runs.flatMap((run) => [cost(run, "cost_usd"), cost(run, "honest_cost_usd"), cost(run, "full_cost_usd")]);
  const most = Math.max(...all.map((value) => value ?? 0)) || 1;
  const full = runs.map((run) => cost(run, "full_cost_usd")).find((value) => value !== null) ?? null;
  return (
    <div class="bars">
      {names.map((name, i) => {
        const [plain, honest] = [cost(runs[i]!, "cost_usd"), cost(runs[i]!, "honest_cost_usd")];
        return (
          <button key={name} type="button" class="bar" aria-pressed={i === current} onClick={() => onPick(name)}>
            <span class="name">{name}</span>
            <span class="track">
              <i class="plain" style={`width: ${percent(plain, most)}; background: var(--policy-${i % 6})`} />
              <i class="honest" style={`width: ${percent(Math.max(0, (honest ?? 0) - (plain ?? 0)), most)}; color: var(--policy-${i % 6})`} />
              {full !== null && <i class="full" style={`left: ${percent(full, most)}`} />}
            </span>
            <span class="value">
              {dollars(plain)}
              {full && plain !== null ? <small> {(plain / full).toFixed(2)}×</small> : null}
            </span>
          </button>
        );
      })}
      <p class="note">
        At cache prices; hatched: read-backs for lines that were needed and not in view. The line marks the full history.
      </p>
    </div>
  );
}

function percent(value: number | null, most: number): string {
  return `${(100 * (value ?? 0)) / most}%`;
}

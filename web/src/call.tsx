import { useMemo } from "preact/hooks";
import { type Call, type Economics, LAYERS, type Level, layers, type Run, type Step } from "./data";
import { Detail } from "./detail";
import { tokens } from "./format";
import type { Go, Place } from "./link";
import type { Manifests } from "./manifest";
import { ManifestTable } from "./table";

interface Props {
  run: Run;
  manifests: Manifests;
  place: Place;
  go: Go;
}

/** The selected call: its figures, its window as one bar, its manifest. */
export function CallView({ run, manifests, place, go }: Props) {
  const index = place.c - 1;
  const call = run.calls[index];
  const rows = useMemo(() => manifests.rows(index), [manifests, index]);
  if (!call) return null;
  const chosen = rows.find((row) => row.id === place.b);
  return (
    <section class="card call" aria-label="Call">
      <h2>
        <button type="button" aria-label="Call before" disabled={index === 0} onClick={() => go(({ c }) => ({ c: c - 1 }))}>
          ←
        </button>
        <span aria-live="polite">Call {call.call}</span>
        <button type="button" aria-label="Call after" disabled={place.c >= run.calls.length} onClick={() => go(({ c }) => ({ c: c + 1 }))}>
          →
        </button>
        <small>of {run.calls.length}</small>
      </h2>
      <Bar call={call} />
      <Facts call={call} step={call.manifest} />
      {call.manifest ? (
        <div class={chosen ? "manifest open" : "manifest"}>
          <ManifestTable rows={rows} chosen={place.b} onChoose={(b) => go({ b })} />
          {chosen && <Detail row={chosen} onClose={() => go({ b: "" })} onChoose={(b) => go({ b })} known={rows} />}
        </div>
      ) : (
        <p class="note">No manifest was recorded for this call.</p>
      )}
    </section>
  );
}

function Bar({ call }: { call: Call }) {
  const full = Math.max(call.usable, call.tokens) || 1;
  const sizes = layers(call);
  return (
    <div class="windowbar" role="img" aria-label={`${call.tokens} of ${call.usable} usable tokens`}>
      {LAYERS.map((name, i) => (
        <i key={name} title={`${name} ${tokens(sizes[i])}`} style={`width: ${(100 * sizes[i]!) / full}%; background: var(--part-${name})`} />
      ))}
      <b style={`left: ${(100 * call.usable) / full}%`} />
    </div>
  );
}

function Facts({ call, step }: { call: Call; step: Step | null }) {
  const facts: [string, string][] = [
    ["request", tokens(call.tokens)],
    ["usable", step ? `${tokens(call.usable)} = ${tokens(step.usable.window)} − ${tokens(step.usable.reserve_output)} output − ${tokens(step.usable.safety)} safety (${step.usable.source})` : tokens(call.usable)],
    ["cached", tokens(call.cached)],
    ["uncached", tokens(call.fresh)],
    ["epoch", `${call.epoch}, ${call.cause}`],
  ];
  if (step) facts.push(["factor", step.factor.toFixed(3)], ["lane", step.lane]);
  if (step?.redactions) facts.push(["redactions", tokens(step.redactions)]);
  if (step?.economics) facts.push(["economics", economics(step.economics)]);
  for (const level of step?.economics?.levels ?? []) facts.push([level.level, freed(level)]);
  const notices = step ? [...(step.usable.warnings ?? []), ...step.warnings, ...step.repairs] : [];
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notices.map((notice, i) => (
        <p key={i} class="notice">
          {notice || "a notice, left out of this report"}
        </p>
      ))}
    </>
  );
}

function economics({ before, after, break_even_calls: calls }: Economics): string {
  const pays = typeof calls === "number" ? `, pays after ${calls.toFixed(1)} calls` : "";
  return `${tokens(before)} → ${tokens(after)}${pays}`;
}

function freed({ freed, lost, names, cost_usd: cost }: Level): string {
  const paid = cost ? `, $${cost.toFixed(4)} of questions` : "";
  const named = names.slice(0, 3).join(", ");
  const gone = lost ? `, ${lost} names stand nowhere now${named && `: ${named}${lost > 3 ? " …" : ""}`}` : "";
  return `freed ${tokens(freed)}${paid}${gone}`;
}

import { useState } from "preact/hooks";
import type { Report, Session, Summary } from "./data";
import { dollars, milliseconds, share, tokens } from "./format";

type Show = (value: unknown) => string;
type Line = [field: string, words: string, show: Show, isShare?: boolean];

const GROUPS: [title: string, lines: Line[]][] = [
  [
    "Fits",
    [
      ["overflows", "calls over the usable window", tokens],
      ["violations", "provider rules broken", tokens],
      ["epochs", "epochs", tokens],
      ["input_tokens", "input tokens", tokens],
      ["full_tokens", "input tokens of the full history", tokens],
    ],
  ],
  [
    "Costs",
    [
      ["cost_usd", "input at cache prices", dollars],
      ["honest_cost_usd", "with read-backs", dollars],
      ["full_cost_usd", "full history", dollars],
      ["cache_hit_share", "share read from cache", share, true],
      ["output_cost_usd", "recorded output", dollars],
    ],
  ],
  [
    "Remembers",
    [
      ["constraint_survival", "constraints word for word", share, true],
      ["grounding_recall", "entities used, in view", share, true],
      ["far_recall", "the same, far back", share, true],
      ["line_recall", "newest line, far back", share, true],
      ["near_line_recall", "newest line, near", share, true],
      ["reachable_recall", "far back or one read away", share, true],
      ["entity_retention", "all entities so far", share, true],
      ["far_recall_after_compaction", "far back, after the client's compaction", share, true],
      ["line_recall_after_compaction", "newest line, after the client's compaction", share, true],
      ["last_read_exact", "last file read exact", share, true],
      ["last3_reads_exact", "last three reads exact", share, true],
      ["rereads", "reads repeated unseen", tokens],
      ["altered_values", "values altered", tokens],
    ],
  ],
  [
    "Takes",
    [
      ["latency_ms.p50", "ms a call, median", milliseconds],
      ["latency_ms.p99", "ms a call, 99th percentile", milliseconds],
    ],
  ],
];

const SCOPES = ["this session", "all sessions", "median", "worst"] as const;
type Scope = (typeof SCOPES)[number];

interface Props {
  report: Report;
  session: Session;
  current: string;
  onPick: (policy: string) => void;
}

/** Every figure of every policy: of this session, pooled, of the median and of the worst session. */
export function SummaryTable({ report, session, current, onPick }: Props) {
  const [scope, setScope] = useState<Scope>("this session");
  const names = Object.keys(session.policies);
  const scopes = SCOPES.filter((name) => name === "this session" || report.sessions.length > 1);
  return (
    <div class="summary">
      {scopes.length > 1 && (
        <nav class="tabs small" aria-label="Figures of">
          {scopes.map((name) => (
            <button key={name} type="button" aria-pressed={name === scope} onClick={() => setScope(name)}>
              {name}
            </button>
          ))}
        </nav>
      )}
      <div class="groups">
        {GROUPS.map(([title, lines]) => (
          <table key={title} class="figures">
            <thead>
              <tr>
                <th scope="col">{title}</th>
                {names.map((name) => (
                  <th key={name} scope="col" class={name === current ? "current" : ""}>
                    <button type="button" onClick={() => onPick(name)}>
                      {name}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines
                .filter(([field]) => names.some((name) => figure(report, session, name, field, scope).value != null))
                .map((line) => (
                  <FigureRow key={line[0]} line={line} cells={names.map((name) => figure(report, session, name, line[0], scope))} current={names.indexOf(current)} />
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </div>
  );
}

interface Figure {
  value: unknown;
  file?: string;
}

function FigureRow({ line: [field, words, show, isShare], cells, current }: { line: Line; cells: Figure[]; current: number }) {
  return (
    <tr>
      <th scope="row" title={field}>
        {words}
      </th>
      {cells.map(({ value, file }, i) => (
        <td key={i} title={file} class={i === current ? "current" : ""}>
          {isShare && typeof value === "number" ? <i class="gauge" style={`width: ${100 * Math.max(0, Math.min(1, value))}%`} /> : null}
          {show(value)}
        </td>
      ))}
    </tr>
  );
}

function figure(report: Report, session: Session, policy: string, field: string, scope: Scope): Figure {
  const pooled = report.total.policies?.[policy];
  if (scope === "worst") {
    const worst = pooled?.worst?.[field];
    return { value: worst?.value, file: worst?.file };
  }
  const summaries = { "this session": session.policies[policy]?.summary, "all sessions": pooled, median: pooled?.median };
  return { value: dig(summaries[scope], field) };
}

function dig(summary: Summary | undefined, field: string): unknown {
  return field.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], summary);
}

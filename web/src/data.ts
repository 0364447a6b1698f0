/** The page's data contract, written by `src/pumice/faces/report.py`; change both together. */

export const PARTITIONS = ["system", "goal", "memory", "state", "tools", "history"] as const;
export type Partition = (typeof PARTITIONS)[number];

/** What the window map stacks: the partitions, and tokens of the request that none of them accounts for. */
export const LAYERS = [...PARTITIONS, "other"] as const;

/** A policy's figures on one session, as `pumice replay --json` prints them; null is unknown. */
export interface Summary {
  latency_ms?: { p50: number | null; p99: number | null } | null;
  [field: string]: unknown;
}

/** A policy's figures over all sessions: pooled, with the median and the worst session of each field. */
export interface Pooled extends Summary {
  median?: Summary;
  worst?: Record<string, { file: string; value: number | null } | null>;
}

/** What one level of a cut freed, lost and cost. */
export interface Level {
  level: string;
  freed: number;
  cost_usd: number;
  lost: number;
  names: string[];
}

export interface Economics {
  before: number;
  after: number;
  growth: number;
  calls: number;
  fresh_price: number;
  read_price: number;
  break_even_calls: number | null;
  levels: Level[];
}

/** A manifest without its rows, and what its rows change against the manifest before. */
export interface Step {
  lane: string;
  policy: string;
  usable: { window: number; reserve_output: number; safety: number; source: string; warnings?: string[] };
  factor: number;
  repairs: string[];
  warnings: string[];
  redactions: number;
  economics: Economics | null;
  /** Columns that are the same in all rows. */
  shared: Record<string, string>;
  /** Pairs: distance from the row before, kind now. */
  kinds: number[];
  /** Pairs: distance from the row before, tokens more than before. */
  tokens: number[];
  /** Rows that are no more. */
  gone: number[];
}

export interface Call {
  call: number;
  tokens: number;
  usable: number;
  by_partition: Partial<Record<Partition, number>>;
  cached: number;
  fresh: number;
  epoch: number;
  cause: string;
  manifest: Step | null;
}

/** What the steps refer to by number: row ids, kinds (a word number per column), words. */
export interface RowTable {
  columns: string[];
  ids: string[];
  kinds: number[][];
  words: (string | string[])[];
}

export interface Run {
  summary: Summary;
  calls: Call[];
  rows: RowTable;
}

export interface Session {
  file: string;
  policies: Record<string, Run>;
}

export interface Report {
  generated_by: string;
  redacted: boolean;
  sessions: Session[];
  total: { calls?: number; policies?: Record<string, Pooled> };
}

/** Tokens of each layer of a call; a view that pumice did not compile is all `other`. */
export function layers(call: Call): number[] {
  const known = PARTITIONS.map((name) => call.by_partition[name] ?? 0);
  return [...known, Math.max(0, call.tokens - known.reduce((sum, tokens) => sum + tokens, 0))];
}

/** Read the report the page carries: base64 of gzipped JSON. */
export async function load(): Promise<Report> {
  const blob = document.getElementById("pumice-data")?.textContent?.trim() ?? "";
  if (!blob) throw new Error("This page carries no report. Make one with: pumice replay FILE --html report.html");
  const bytes = Uint8Array.from(atob(blob), (char) => char.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(plain).json()) as Report;
}

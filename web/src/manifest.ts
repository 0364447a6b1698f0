import type { Run } from "./data";

/** One row of a manifest as the table shows it. */
export interface Row {
  id: string;
  tokens: number;
  /** Whether the row is new at this call, or anything but its size is another. */
  changed: boolean;
  fields: Record<string, string | string[]>;
}

/** Rebuilds the rows of any call of a run from the steps before it. */
export class Manifests {
  private at = -1;
  private readonly kinds = new Map<number, number>();
  private readonly sizes = new Map<number, number>();
  private readonly fields: Row["fields"][];

  constructor(private readonly run: Run) {
    const { columns, kinds, words } = run.rows;
    this.fields = kinds.map((kind) => Object.fromEntries(columns.map((column, i) => [column, words[kind[i]!] ?? ""])));
  }

  /** The rows of the call at this index: by zone, then in the order they were first seen. */
  rows(index: number): Row[] {
    if (index < this.at) this.reset();
    while (this.at < index) this.advance();
    const step = this.run.calls[index]?.manifest;
    const changed = new Set(pairs(step?.kinds ?? []).map(([row]) => row));
    const rows = [...this.kinds.keys()]
      .sort((a, b) => a - b)
      .map((row) => ({
        id: this.run.rows.ids[row] ?? "",
        tokens: this.sizes.get(row) ?? 0,
        changed: changed.has(row),
        fields: { ...this.fields[this.kinds.get(row)!], ...step?.shared },
      }));
    return rows.sort((a, b) => zone(a) - zone(b));
  }

  private reset() {
    this.at = -1;
    this.kinds.clear();
    this.sizes.clear();
  }

  private advance() {
    this.at += 1;
    const step = this.run.calls[this.at]?.manifest;
    if (!step) return;
    for (const row of step.gone) {
      this.kinds.delete(row);
      this.sizes.delete(row);
    }
    for (const [row, kind] of pairs(step.kinds)) this.kinds.set(row, kind);
    for (const [row, more] of pairs(step.tokens)) this.sizes.set(row, (this.sizes.get(row) ?? 0) + more);
  }
}

const ZONES = ["stable", "semi-stable", "preface", "dynamic"];

function zone(row: Row): number {
  return ZONES.indexOf(text(row.fields.zone));
}

function pairs(spread: number[]): [row: number, value: number][] {
  const found: [number, number][] = [];
  let row = 0;
  for (let i = 0; i < spread.length; i += 2) {
    row += spread[i]!;
    found.push([row, spread[i + 1]!]);
  }
  return found;
}

/** A field as one line of text. */
export function text(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(" ") : (value ?? "");
}

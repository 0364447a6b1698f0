import type { Run } from "./data";

/** One row of a manifest as the table shows it. */
export interface Row {
  id: string;
  tokens: number;
  /** Whether the row is new, or another, at this call. */
  changed: boolean;
  fields: Record<string, string | string[]>;
}

/** Rebuilds the rows of any call of a run from the steps before it. */
export class Manifests {
  private at = -1;
  private held = new Map<number, [kind: number, tokens: number]>();
  private readonly kinds: Record<string, string | string[]>[];

  constructor(private readonly run: Run) {
    const { columns, kinds, words } = run.rows;
    this.kinds = kinds.map((kind) => Object.fromEntries(columns.map((column, i) => [column, words[kind[i]!] ?? ""])));
  }

  /** The rows of the call at this index, in the order the blocks were first seen. */
  rows(index: number): Row[] {
    if (index < this.at) this.reset();
    while (this.at < index) this.advance();
    const changed = this.changedAt(index);
    return [...this.held.keys()]
      .sort((a, b) => a - b)
      .map((row) => {
        const [kind, tokens] = this.held.get(row)!;
        return { id: this.run.rows.ids[row] ?? "", tokens, changed: changed.has(row), fields: this.kinds[kind] ?? {} };
      });
  }

  private reset() {
    this.at = -1;
    this.held.clear();
  }

  private advance() {
    this.at += 1;
    const step = this.run.calls[this.at]?.manifest;
    if (!step) return;
    for (const row of step.gone) this.held.delete(row);
    for (let i = 0; i < step.changed.length; i += 3) {
      this.held.set(step.changed[i]!, [step.changed[i + 1]!, step.changed[i + 2]!]);
    }
  }

  private changedAt(index: number): Set<number> {
    const step = this.run.calls[index]?.manifest;
    return new Set(step?.changed.filter((_, i) => i % 3 === 0));
  }
}

/** A field as one line of text. */
export function text(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(" ") : (value ?? "");
}

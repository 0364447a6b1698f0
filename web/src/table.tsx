import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { tokens } from "./format";
import { isField } from "./keys";
import { type Row, text } from "./manifest";

const HEIGHT = 28;
const VIEW = 480;

type Column = [key: string, title: string];
const COLUMNS: Column[] = [
  ["id", "block"],
  ["partition", "partition"],
  ["source", "source"],
  ["outcome", "outcome"],
  ["level", "level"],
  ["tokens", "tokens"],
  ["transform", "shown as"],
  ["reason", "reason"],
];

interface Sort {
  key: string;
  down: boolean;
}

interface Props {
  rows: Row[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** The manifest of a call: one row per candidate, sent or not; only rows in sight are in the document. */
export function ManifestTable({ rows, chosen, onChoose }: Props) {
  const [query, setQuery] = useState("");
  const [outcome, setOutcome] = useState("");
  const [sort, setSort] = useState<Sort | null>(null);
  const shown = useMemo(() => arrange(rows, query, outcome, sort), [rows, query, outcome, sort]);
  return (
    <div class="listing">
      <Filters rows={rows} shown={shown} query={query} outcome={outcome} onQuery={setQuery} onOutcome={setOutcome} />
      <Listing shown={shown} chosen={chosen} onChoose={onChoose} sort={sort} onSort={(key) => setSort(turned(sort, key))} />
    </div>
  );
}

interface FilterProps {
  rows: Row[];
  shown: Row[];
  query: string;
  outcome: string;
  onQuery: (query: string) => void;
  onOutcome: (outcome: string) => void;
}

function Filters({ rows, shown, query, outcome, onQuery, onOutcome }: FilterProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || isField(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(outcomeOf(row), (counts.get(outcomeOf(row)) ?? 0) + 1);
  const changed = rows.filter((row) => row.changed).length;
  return (
    <div class="filters">
      <input ref={field} type="search" placeholder="filter  /" aria-label="Filter the manifest" value={query} onInput={(event) => onQuery(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      {[...counts].map(([name, count]) => (
        <button key={name} type="button" class={`chip ${name}`} aria-pressed={outcome === name} onClick={() => onOutcome(outcome === name ? "" : name)}>
          {name} <b>{count}</b>
        </button>
      ))}
      <button type="button" class="chip" aria-pressed={outcome === "changed"} onClick={() => onOutcome(outcome === "changed" ? "" : "changed")}>
        new or changed here <b>{changed}</b>
      </button>
      <span class="count" aria-live="polite">
        {tokens(shown.length)} rows · {tokens(shown.reduce((sum, row) => sum + row.tokens, 0))} tokens
      </span>
    </div>
  );
}

interface ListingProps {
  shown: Row[];
  chosen: string;
  onChoose: (id: string) => void;
  sort: Sort | null;
  onSort: (key: string) => void;
}

function Listing({ shown, chosen, onChoose, sort, onSort }: ListingProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const index = shown.findIndex((row) => row.id === chosen);
  useEffect(() => reveal(box.current, index), [chosen, shown]);
  // An address that names a block opens the page at its row.
  useEffect(() => {
    const show = () => box.current?.scrollIntoView({ block: "center" });
    // The charts above take their height in the frame after this one.
    if (index >= 0) requestAnimationFrame(() => requestAnimationFrame(show));
  }, []);
  const first = Math.max(0, Math.min(Math.floor(top / HEIGHT) - 6, shown.length - 1));
  const last = Math.min(shown.length, first + Math.ceil(VIEW / HEIGHT) + 12);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && shown[Math.max(0, Math.min(shown.length - 1, index + step))];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
  };
  return (
    <div class="scroll" ref={box} tabIndex={0} role="region" aria-label="Rows of the manifest" style={`max-height: ${VIEW}px`} onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
      <table class="rows" aria-rowcount={shown.length}>
        <thead>
          <tr>
            {COLUMNS.map(([key, title]) => (
              <th key={key} class={key} scope="col" aria-sort={sort?.key === key ? (sort.down ? "descending" : "ascending") : "none"}>
                <button type="button" onClick={() => onSort(key)}>
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden="true" style={`height: ${first * HEIGHT}px`} />
          {shown.slice(first, last).map((row, i) => (
            <RowView key={row.id} row={row} position={first + i + 1} isChosen={row.id === chosen} onChoose={onChoose} />
          ))}
          <tr aria-hidden="true" style={`height: ${(shown.length - last) * HEIGHT}px`} />
        </tbody>
      </table>
    </div>
  );
}

function RowView({ row, position, isChosen, onChoose }: { row: Row; position: number; isChosen: boolean; onChoose: (id: string) => void }) {
  return (
    <tr class={`row ${outcomeOf(row)} ${row.changed ? "changed" : ""}`} aria-rowindex={position} aria-selected={isChosen} onClick={() => onChoose(isChosen ? "" : row.id)}>
      {COLUMNS.map(([key]) => (
        <td key={key} class={key} title={key === "reason" || key === "source" || key === "id" ? cell(row, key) : undefined}>
          {key === "partition" && <i class="swatch" style={`background: var(--part-${text(row.fields.partition)}, var(--muted))`} />}
          {cell(row, key)}
        </td>
      ))}
    </tr>
  );
}

function cell(row: Row, key: string): string {
  if (key === "id") return row.id;
  if (key === "tokens") return tokens(row.tokens);
  const value = text(row.fields[key]);
  return key === "transform" && value === "none" ? "" : value;
}

function outcomeOf(row: Row): string {
  return text(row.fields.outcome);
}

function arrange(rows: Row[], query: string, outcome: string, sort: Sort | null): Row[] {
  const wanted = query.trim().toLowerCase();
  const found = rows.filter(
    (row) =>
      (!outcome || (outcome === "changed" ? row.changed : outcomeOf(row) === outcome)) &&
      (!wanted || `${row.id} ${Object.values(row.fields).map(text).join(" ")}`.toLowerCase().includes(wanted)),
  );
  if (!sort) return found;
  const sign = sort.down ? -1 : 1;
  return found.sort((a, b) => sign * compared(a, b, sort.key));
}

function compared(a: Row, b: Row, key: string): number {
  if (key === "tokens") return a.tokens - b.tokens;
  const [left, right] = key === "id" ? [a.id, b.id] : [text(a.fields[key]), text(b.fields[key])];
  return left.localeCompare(right, "en", { numeric: true });
}

/** Unsorted → one way → the other → unsorted; numbers begin with the largest. */
function turned(sort: Sort | null, key: string): Sort | null {
  const begins = key === "tokens";
  if (sort?.key !== key) return { key, down: begins };
  return sort.down === begins ? { key, down: !begins } : null;
}

function reveal(box: HTMLDivElement | null, index: number) {
  if (!box || index < 0) return;
  const y = index * HEIGHT;
  if (y < box.scrollTop) box.scrollTop = y;
  else if (y + 2 * HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = y + 2 * HEIGHT - box.clientHeight;
}

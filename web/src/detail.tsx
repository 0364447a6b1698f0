import { tokens } from "./format";
import { type Row, text } from "./manifest";

interface Props {
  row: Row;
  /** Rows of the same call, to tell which sources can be followed. */
  known: Row[];
  onClose: () => void;
  onChoose: (id: string) => void;
}

/** Every field of one row of the manifest. */
export function Detail({ row, known, onClose, onChoose }: Props) {
  const ids = new Set(known.map((other) => other.id));
  const sources = ([] as string[]).concat(row.fields.sources ?? []).filter(Boolean);
  const fields = Object.entries(row.fields).filter(([name, value]) => name !== "sources" && text(value));
  return (
    <aside class="detail" aria-label={`Block ${row.id}`}>
      <h3>
        {row.id}
        <button type="button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </h3>
      <dl>
        <dt>tokens</dt>
        <dd>{tokens(row.tokens)}</dd>
        {fields.map(([name, value]) => [<dt key={name}>{name.replaceAll("_", " ")}</dt>, <dd key={`${name}=`}>{text(value)}</dd>])}
        {sources.length > 0 && <dt>sources</dt>}
        {sources.length > 0 && (
          <dd class="sources">
            {sources.map((id) =>
              ids.has(id) ? (
                <button key={id} type="button" onClick={() => onChoose(id)}>
                  {id}
                </button>
              ) : (
                <span key={id}>{id}</span>
              ),
            )}
          </dd>
        )}
      </dl>
    </aside>
  );
}

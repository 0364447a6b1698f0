import { useMemo } from "preact/hooks";
import { CallView } from "./call";
import { Compare } from "./compare";
import type { Report, Run, Session } from "./data";
import { KEYS, useKeys } from "./keys";
import { type Go, type Place, usePlace } from "./link";
import { Manifests } from "./manifest";
import { SummaryTable } from "./summary";
import { Timeline } from "./timeline";

export function App({ report }: { report: Report }) {
  const [place, go] = usePlace(report);
  const session = report.sessions[place.s];
  if (!session?.policies[place.p]) return <p class="failed">This report holds no session.</p>;
  return (
    <>
      <Header report={report} place={place} go={go} />
      <Body report={report} session={session} place={place} go={go} />
      <footer>
        <dl class="keys">
          {KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </footer>
    </>
  );
}

interface Here {
  report: Report;
  place: Place;
  go: Go;
}

function Header({ report, place, go }: Here) {
  return (
    <header class="top">
      <h1>
        pumice <span>replay report</span>
      </h1>
      {report.redacted && <span class="badge">sizes and kinds only</span>}
      {report.sessions.length > 1 ? (
        <label class="pick">
          session
          <select value={place.s} onChange={(event) => go({ s: Number(event.currentTarget.value), c: Number.NaN, b: "" })}>
            {report.sessions.map((session, i) => (
              <option key={i} value={i}>
                {session.file}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <span class="file">{report.sessions[0]?.file}</span>
      )}
      <small>{report.generated_by}</small>
    </header>
  );
}

function Body({ report, session, place, go }: Here & { session: Session }) {
  const run = session.policies[place.p]!;
  const manifests = useMemo(() => new Manifests(run), [run]);
  useKeys(report, go);
  return (
    <main>
      <section class="card" aria-label="Policies compared">
        <Compare session={session} place={place} go={go} />
        <SummaryTable report={report} session={session} current={place.p} onPick={(p) => go({ p })} />
      </section>
      <section class="card" aria-label="Call by call">
        <nav class="tabs" aria-label="Policy">
          {Object.keys(session.policies).map((name) => (
            <button key={name} type="button" aria-pressed={name === place.p} onClick={() => go({ p: name })}>
              {name}
            </button>
          ))}
        </nav>
        {isIdle(place.p, run) && <p class="verdict">Nothing to save in this session: no cut pays, so {place.p} made none.</p>}
        <Timeline run={run} index={place.c - 1} onPick={(index) => go({ c: index + 1 })} />
      </section>
      <CallView run={run} manifests={manifests} place={place} go={go} />
    </main>
  );
}

/** A policy that makes room made none, and none was needed. */
function isIdle(policy: string, { calls, summary }: Run): boolean {
  return !["none", "recorded"].includes(policy) && calls.length > 0 && summary.epochs === 0 && summary.overflows === 0;
}

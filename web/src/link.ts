import { useEffect, useState } from "preact/hooks";
import type { Report, Session } from "./data";

/** What the page looks at: session, policy, call (from 1) and block; the address holds all four. */
export interface Place {
  s: number;
  p: string;
  c: number;
  b: string;
}

/** Moves to another place: to what is named, or to what follows from the place as it is when the step is taken. */
export type Go = (step: Partial<Place> | ((now: Place) => Partial<Place>)) => void;

export function usePlace(report: Report): [Place, Go] {
  const [place, setPlace] = useState(() => read(report, location.hash));
  useEffect(() => {
    const follow = () => setPlace(read(report, location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [report]);
  const go: Go = (step) =>
    setPlace((now) => {
      const next = settle(report, { ...now, ...(typeof step === "function" ? step(now) : step) });
      history.replaceState(null, "", address(next));
      return next;
    });
  return [place, go];
}

/** `#s=0&p=balanced&c=57&b=b173` */
export function address({ s, p, c, b }: Place): string {
  const parts = new URLSearchParams({ s: String(s), p, c: String(c) });
  if (b) parts.set("b", b);
  return `#${parts}`;
}

function read(report: Report, hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  return settle(report, {
    s: Number(parts.get("s") ?? 0),
    p: parts.get("p") ?? "",
    c: Number(parts.get("c") ?? Number.NaN),
    b: parts.get("b") ?? "",
  });
}

/** The nearest place that exists. */
function settle(report: Report, place: Place): Place {
  const s = within(place.s, 0, report.sessions.length - 1);
  const session = report.sessions[s];
  const p = session && place.p in session.policies ? place.p : favourite(session);
  const count = session?.policies[p]?.calls.length ?? 0;
  return { s, p, c: Number.isFinite(place.c) ? within(place.c, 1, count) : count, b: place.b };
}

function favourite(session: Session | undefined): string {
  const names = Object.keys(session?.policies ?? {});
  return names.includes("balanced") ? "balanced" : (names.at(-1) ?? "");
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, Math.trunc(Number.isFinite(value) ? value : low)));
}

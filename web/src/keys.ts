import { useEffect } from "preact/hooks";
import type { Report, Run, Session } from "./data";
import type { Go, Place } from "./link";

export const KEYS: [keys: string, does: string][] = [
  ["← →", "call before, call after (Shift: ten)"],
  ["Home End", "first call, last call"],
  ["e E", "next epoch, epoch before"],
  ["[ ]", "policy before, policy after"],
  ["/", "filter the manifest"],
  ["↑ ↓", "row of the manifest"],
  ["Esc", "close the row"],
];

/** Moves through calls, epochs and policies with the keyboard, wherever the focus is but in a field. */
export function useKeys(report: Report, go: Go) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      const move = MOVES[event.key];
      if (!move) return;
      event.preventDefault();
      // Each step starts where the one before ended, also when the page has not been drawn in between.
      go((now) => move(now, report.sessions[now.s]!, event.shiftKey ? 10 : 1));
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [report]);
}

type Move = (now: Place, session: Session, step: number) => Partial<Place>;

const MOVES: Record<string, Move> = {
  ArrowLeft: ({ c }, _, step) => ({ c: c - step }),
  ArrowRight: ({ c }, _, step) => ({ c: c + step }),
  Home: () => ({ c: 1 }),
  End: ({ p }, session) => ({ c: session.policies[p]!.calls.length }),
  e: ({ p, c }, session) => ({ c: epochStarts(session.policies[p]!).find((at) => at > c) ?? c }),
  E: ({ p, c }, session) => ({ c: epochStarts(session.policies[p]!).findLast((at) => at < c) ?? c }),
  "[": ({ p }, session) => ({ p: neighbour(Object.keys(session.policies), p, -1) }),
  "]": ({ p }, session) => ({ p: neighbour(Object.keys(session.policies), p, 1) }),
  Escape: () => ({ b: "" }),
};

/** The name before or behind another, around the ends. */
function neighbour(names: string[], name: string, step: number): string {
  return names[(names.indexOf(name) + step + names.length) % names.length] ?? name;
}

/** Calls (from 1) at which an epoch begins; the first call opens the lane and is none. */
export function epochStarts(run: Run): number[] {
  return run.calls.flatMap((call, i) => (i > 0 && call.epoch !== run.calls[i - 1]!.epoch ? [i + 1] : []));
}

export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
}

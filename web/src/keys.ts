import { useEffect } from "preact/hooks";
import type { Run, Session } from "./data";
import type { Place } from "./link";

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
export function useKeys(session: Session, run: Run, place: Place, go: (change: Partial<Place>) => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      const change = move(event, session, run, place);
      if (!change) return;
      event.preventDefault();
      go(change);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [session, run, place]);
}

function move(event: KeyboardEvent, session: Session, run: Run, { c, p, b }: Place): Partial<Place> | null {
  const step = event.shiftKey ? 10 : 1;
  const policies = Object.keys(session.policies);
  switch (event.key) {
    case "ArrowLeft":
      return { c: c - step };
    case "ArrowRight":
      return { c: c + step };
    case "Home":
      return { c: 1 };
    case "End":
      return { c: run.calls.length };
    case "e":
      return { c: epochStarts(run).find((at) => at > c) ?? c };
    case "E":
      return { c: epochStarts(run).findLast((at) => at < c) ?? c };
    case "[":
    case "]": {
      const next = policies.indexOf(p) + (event.key === "[" ? -1 : 1);
      return { p: policies[(next + policies.length) % policies.length] ?? p };
    }
    case "Escape":
      return b ? { b: "" } : null;
    default:
      return null;
  }
}

/** Calls (from 1) at which an epoch begins; the first call opens the lane and is none. */
export function epochStarts(run: Run): number[] {
  return run.calls.flatMap((call, i) => (i > 0 && call.epoch !== run.calls[i - 1]!.epoch ? [i + 1] : []));
}

export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
}

"""Every preset beside `balanced` on recorded sessions: `python -m bench pairs [--window N …] [--json]`; exit 1 on a loss."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bench import pairs_shown, runs, sessions
from bench.runs import Done, Task
from pumice.faces import settings

OURS = "balanced"
WHOLE = "none"
"""Sends the full history: says which sessions are longer than a window, and stands in no comparison."""
NEAR_COST = 1.25
"""A preset is compared on recall alone up to this multiple of our cost."""
WINDOWS = (60_000, 200_000)
POOLED = "claude-code"
"""Folder of the recordings that are pooled; other single sessions are compared one by one."""
SMALL = {"tau-bench": (8_000, 16_000), "pi-sessions": (60_000, 200_000), "long-session": (30_000, 60_000)}
"""Windows of the recordings that need not be longer than one."""


class Side(msgspec.Struct, frozen=True):
    """One policy on one session, or on several pooled."""

    cost: float
    """Of the full history's."""
    honest: float
    far: float | None
    line: float | None
    rules: float | None
    """Constraint survival, the least of all sessions."""


class Pair(msgspec.Struct, frozen=True):
    """`balanced` beside one preset."""

    window: int
    file: str
    """Empty: all Claude Code sessions longer than the window, pooled."""
    preset: str
    ours: Side
    theirs: Side

    @property
    def is_dominated(self) -> bool:
        """The preset finds more and costs less."""
        return self.theirs.cost < self.ours.cost and _more(self.theirs.far, self.ours.far)

    @property
    def is_outdone(self) -> bool:
        """The preset costs about as much or less, and finds more names or more lines."""
        if self.theirs.cost > NEAR_COST * self.ours.cost:
            return False
        return _more(self.theirs.far, self.ours.far) or _more(self.theirs.line, self.ours.line)

    def as_json(self) -> dict[str, object]:
        sides = {name: msgspec.to_builtins(side) for name, side in (("balanced", self.ours), ("preset_figures", self.theirs))}
        head = {"window": self.window, "file": self.file, "preset": self.preset}
        return {**head, **sides, "dominated": self.is_dominated, "outdone": self.is_outdone}


def _more(theirs: float | None, ours: float | None) -> bool:
    return theirs is not None and ours is not None and theirs > ours


def main(arguments: Sequence[str]) -> int:
    asked = _arguments(arguments)
    presets = asked.preset or [name for name in settings.preset_names() if name not in (WHOLE, OURS)]
    done = runs.run(_tasks([WHOLE, OURS, *presets], asked.window or WINDOWS, asked.folder), jobs=asked.jobs)
    found = list(pairs(done))
    broken = [one for one in done if _is_broken(one)]
    if asked.json:
        print(json.dumps({"pairs": [pair.as_json() for pair in found], "broken": msgspec.to_builtins(broken)}, indent=1))
    else:
        pairs_shown.show(found, broken, done)
    return int(bool(broken) or any(pair.is_dominated or pair.is_outdone for pair in found if not pair.file))


def _is_broken(one: Done) -> bool:
    """Whether a run breaks the window or a rule or, of ours, loses a person's words."""
    if one.policy == WHOLE:
        return one.figures is None
    survived = one.figures.constraint_survival if one.figures else None
    return not one.is_clean or (one.policy == OURS and survived not in (1.0, None))


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench pairs", description=__doc__)
    parser.add_argument("--window", type=int, action="append", help="tokens, once or more often; 60000 and 200000 without it")
    parser.add_argument(
        "--preset", action="append", help="a preset or a YAML file, once or more often; every preset without it"
    )
    parser.add_argument("--folder", action="append", help="of the recordings, such as tau-bench; all without it")
    parser.add_argument("--jobs", type=int, default=runs.JOBS, help="processes; 2 without it")
    parser.add_argument("--json", action="store_true", help="pairs and broken runs as JSON")
    asked = parser.parse_args(given)
    known = sorted({file.parent.name for file in _recordings()})
    unknown = [name for name in asked.folder or () if name not in known]
    if unknown:
        parser.error(f"--folder {unknown[0]!r} given, expected one of {', '.join(known)}")
    return asked


def _tasks(policies: Sequence[str], windows: Sequence[int], folders: Sequence[str] | None) -> list[Task]:
    return [
        Task(file, policy, window)
        for file in _recordings()
        if folders is None or file.parent.name in folders
        for window in SMALL.get(file.parent.name, windows)
        for policy in policies
    ]


def _recordings() -> list[Path]:
    """The example always, the public recordings where they are at hand."""
    data = sessions.data()
    logs = sorted((data / "claude-code").glob("*.jsonl"))
    others = [data / "pi-sessions" / "large-session.jsonl", data / "tau-bench" / "gpt-4o-airline.json", sessions.EXAMPLE]
    return [*logs, *(path for path in others if path.exists())]


def pairs(done: Sequence[Done]) -> Iterator[Pair]:
    """Every preset beside ours on each session longer than the window, then on all of one client's pooled."""
    by_window: dict[int, dict[str, dict[str, Done]]] = {}
    for one in done:
        if one.figures is not None and one.figures.cost_usd is not None and one.sessions == 1:
            by_window.setdefault(one.window, {}).setdefault(one.file, {})[one.policy] = one
    for window, files in by_window.items():
        longer = {file: found for file, found in files.items() if _is_longer(found) and OURS in found}
        yield from _window(window, longer)


def _is_longer(found: Mapping[str, Done]) -> bool:
    whole = found.get(WHOLE)
    return whole is not None and whole.figures is not None and whole.figures.overflows > 0


def _window(window: int, files: Mapping[str, Mapping[str, Done]]) -> Iterator[Pair]:
    presets = dict.fromkeys(name for found in files.values() for name in found if name not in (WHOLE, OURS))
    for preset in presets:
        both = {file: (found[OURS], found[preset]) for file, found in files.items() if preset in found}
        for file, (ours, theirs) in both.items():
            yield Pair(window, file, preset, side([ours]), side([theirs]))
        pooled = [pair for pair in both.values() if pair[0].folder == POOLED]
        if pooled:
            yield Pair(window, "", preset, *(side(runs) for runs in zip(*pooled, strict=True)))


def side(done: Sequence[Done]) -> Side:
    """Costs add up; a recall weighs what it has cases."""
    figures = [one.figures for one in done if one.figures is not None]
    full = sum(one.full_cost_usd or 0.0 for one in figures) or 1.0
    cases = sum(one.far_cases for one in figures)

    def recall(values: Sequence[float | None]) -> float | None:
        hits = sum((value or 0.0) * one.far_cases for value, one in zip(values, figures, strict=True))
        return hits / cases if cases else None

    return Side(
        cost=sum(one.cost_usd or 0.0 for one in figures) / full,
        honest=sum(one.honest_cost_usd or 0.0 for one in figures) / full,
        far=recall([one.far_recall for one in figures]),
        line=recall([one.line_recall for one in figures]),
        rules=min((one.constraint_survival for one in figures if one.constraint_survival is not None), default=None),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

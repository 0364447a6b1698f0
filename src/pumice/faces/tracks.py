"""The manifests of a run packed for the page: what a call shares with the one before it is written once."""

from typing import Any

import msgspec

from pumice.domain.manifest import Manifest, Row

COLUMNS = tuple(name for name in Row.__struct_fields__ if name not in ("id", "tokens"))
"""Fields of a row that rarely change from call to call; a distinct combination of them is a *kind*."""

TEXTUAL = frozenset({"source", "scope", "version", "reason", "content_hash", "sources", "pointer"})
"""Columns that may repeat words of the session or identify them: left empty in a redacted report."""


class Figures(msgspec.Struct, frozen=True):
    """One compiled call of a run, sizes in calibrated tokens."""

    call: int
    """From 1."""
    tokens: int
    """The complete request."""
    usable: int
    by_partition: dict[str, int]
    cached: int
    fresh: int
    epoch: int
    cause: str
    """Why the epoch this call belongs to began."""
    manifest: Manifest | None = None


class Step(msgspec.Struct, frozen=True):
    """What a manifest changes against the one before it."""

    about: dict[str, Any]
    """Every field of the manifest but its rows."""
    changed: list[int]
    """Triples: row, kind, tokens."""
    gone: list[int]
    """Rows the manifest before had and this one has not."""


class Track:
    """The calls of one policy on one session, packed as they come, so that a long run stays small in memory."""

    def __init__(self) -> None:
        self._calls: list[Figures] = []
        self._steps: list[Step | None] = []
        self._rows: dict[str, int] = {}
        self._kinds: dict[tuple[Any, ...], int] = {}
        self._last: dict[int, tuple[int, int]] = {}

    def add(self, call: Figures) -> None:
        """Append a call; its manifest may be let go afterwards."""
        self._steps.append(self._step(call.manifest) if call.manifest is not None else None)
        self._calls.append(msgspec.structs.replace(call, manifest=None))

    def _step(self, manifest: Manifest) -> Step:
        now = self._read(manifest.rows)
        changed = [n for row, form in now.items() if self._last.get(row) != form for n in (row, *form)]
        gone = [row for row in self._last if row not in now]
        self._last = now
        return Step(_about(manifest), changed, gone)

    def _read(self, rows: tuple[Row, ...]) -> dict[int, tuple[int, int]]:
        """(kind, tokens) by row number; an id that stands twice in one manifest gets a row for each."""
        now: dict[int, tuple[int, int]] = {}
        seen: dict[str, int] = {}
        for row in rows:
            seen[row.id] = seen.get(row.id, 0) + 1
            name = row.id if seen[row.id] == 1 else f"{row.id} ({seen[row.id]})"
            kind = tuple(getattr(row, column) for column in COLUMNS)
            number = self._rows.setdefault(name, len(self._rows))
            now[number] = (self._kinds.setdefault(kind, len(self._kinds)), row.tokens)
        return now

    def packed(self, *, redact: bool = False) -> dict[str, Any]:
        """`calls` as the page reads them, and `rows`: the ids, kinds and words their manifests refer to."""
        words = _Words()
        hidden = TEXTUAL if redact else frozenset()
        kinds = [
            [words.number(_shown(column, value, hidden)) for column, value in zip(COLUMNS, kind, strict=True)]
            for kind in self._kinds
        ]
        calls = [self._call(call, step, redact) for call, step in zip(self._calls, self._steps, strict=True)]
        return {"calls": calls, "rows": {"columns": COLUMNS, "ids": list(self._rows), "kinds": kinds, "words": words.listed()}}

    def _call(self, call: Figures, step: Step | None, redact: bool) -> dict[str, Any]:
        out: dict[str, Any] = {name: getattr(call, name) for name in Figures.__struct_fields__ if name != "manifest"}
        if step is None:
            return out | {"manifest": None}
        about = _without_words(step.about) if redact else step.about
        return out | {"manifest": about | {"changed": step.changed, "gone": step.gone}}


class _Words:
    """Each distinct word once, known by its number."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, word: Any) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def listed(self) -> list[Any]:
        return list(self._numbers)


def _shown(column: str, value: Any, hidden: frozenset[str]) -> Any:
    return type(value)() if column in hidden else value


def _about(manifest: Manifest) -> dict[str, Any]:
    fields = msgspec.to_builtins(manifest)
    return {name: value for name, value in fields.items() if name not in ("rows", "call", "epoch", "cause")}


def _without_words(about: dict[str, Any]) -> dict[str, Any]:
    """Warnings and repairs keep their number, not their text."""
    return about | {name: ["" for _ in about[name]] for name in ("warnings", "repairs")}

"""The manifests of a run packed for the page: what a call shares with the one before it is written once."""

from collections.abc import Iterable
from typing import Any

import msgspec

from pumice.domain.manifest import Manifest, Row

SHARED = ("scope", "version", "counted")
"""Fields mostly the same in all rows of a manifest; where they are, the manifest says them once."""

COLUMNS = tuple(name for name in Row.__struct_fields__ if name not in ("id", "tokens"))
"""Fields that rarely change from call to call; a distinct combination of them is a *kind*."""

TEXTUAL = frozenset({"source", "scope", "version", "reason", "content_hash", "sources", "pointer"})
"""Columns that may repeat words of the session or identify them: left empty in a redacted report."""


TOOL = "head:tool:"
"""Begins the id of a tool's row; the rest is the tool's name."""


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
    """What a manifest changes against the one before it; rows are given as the distance from the row before."""

    about: dict[str, Any]
    """Every field of the manifest but its rows, and what all rows share."""
    kinds: list[int]
    """Pairs: row, its kind now."""
    tokens: list[int]
    """Pairs: row, tokens more than before (0 for a new row); sizes move a little whenever the token factor does."""
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
        shared = _shared(manifest.rows)
        before, now = self._last, self._read(manifest.rows, shared)
        self._last = now
        kinds = [(row, kind) for row, (kind, _) in now.items() if row not in before or before[row][0] != kind]
        growth = [(row, tokens - before.get(row, (0, 0))[1]) for row, (_, tokens) in now.items()]
        return Step(
            about=_about(manifest) | {"shared": shared},
            kinds=_spread(kinds),
            tokens=_spread([(row, more) for row, more in growth if more]),
            gone=[row for row in before if row not in now],
        )

    def _read(self, rows: tuple[Row, ...], shared: dict[str, Any]) -> dict[int, tuple[int, int]]:
        """(kind, tokens) by row number; an id that stands twice in one manifest gets a row for each."""
        now: dict[int, tuple[int, int]] = {}
        seen: dict[str, int] = {}
        for row in rows:
            seen[row.id] = seen.get(row.id, 0) + 1
            name = row.id if seen[row.id] == 1 else f"{row.id} ({seen[row.id]})"
            kind = tuple("" if column in shared else getattr(row, column) for column in COLUMNS)
            number = self._rows.setdefault(name, len(self._rows))
            now[number] = (self._kinds.setdefault(kind, len(self._kinds)), row.tokens)
        return dict(sorted(now.items()))

    def packed(self, *, redact: bool = False) -> dict[str, Any]:
        """`calls` as the page reads them, and `rows`: the ids, kinds and words their manifests refer to."""
        words = _Words()
        hidden = TEXTUAL if redact else frozenset()
        kinds = [
            [words.number(_shown(column, value, hidden)) for column, value in zip(COLUMNS, kind, strict=True)]
            for kind in self._kinds
        ]
        calls = [self._call(call, step, redact) for call, step in zip(self._calls, self._steps, strict=True)]
        ids = [_nameless(name, row) if redact else name for name, row in self._rows.items()]
        return {"calls": calls, "rows": {"columns": COLUMNS, "ids": ids, "kinds": kinds, "words": words.listed()}}

    def _call(self, call: Figures, step: Step | None, redact: bool) -> dict[str, Any]:
        out: dict[str, Any] = {name: getattr(call, name) for name in Figures.__struct_fields__ if name != "manifest"}
        if step is None:
            return out | {"manifest": None}
        about = _without_words(step.about) if redact else step.about
        return out | {"manifest": about | {"kinds": step.kinds, "tokens": step.tokens, "gone": step.gone}}


def _nameless(name: str, row: int) -> str:
    """The row's id; a tool of the client's is known by the row's number, not by its name."""
    return f"{TOOL}{row}" if name.startswith(TOOL) else name


class _Words:
    """Each distinct word once, known by its number."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, word: Any) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def listed(self) -> list[Any]:
        return list(self._numbers)


def _shared(rows: tuple[Row, ...]) -> dict[str, Any]:
    return {name: getattr(rows[0], name) for name in SHARED if rows and len({getattr(row, name) for row in rows}) == 1}


def _spread(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """The pairs in one list, each row as its distance from the one before: small numbers that compress well."""
    spread, last = [], 0
    for row, value in pairs:
        spread += [row - last, value]
        last = row
    return spread


def _shown(column: str, value: Any, hidden: frozenset[str]) -> Any:
    return type(value)() if column in hidden else value


def _about(manifest: Manifest) -> dict[str, Any]:
    fields = msgspec.to_builtins(manifest)
    return {name: value for name, value in fields.items() if name not in ("rows", "shares", "call", "epoch", "cause")}


def _without_words(about: dict[str, Any]) -> dict[str, Any]:
    """Warnings and repairs keep their number, not their text; names that were lost only their count."""
    hidden = {name: "" if name in TEXTUAL else value for name, value in about["shared"].items()}
    usable = about["usable"] | {"warnings": ["" for _ in about["usable"]["warnings"]]}
    figures = about["economics"] and about["economics"] | {
        "levels": [row | {"names": []} for row in about["economics"]["levels"]]
    }
    said = {name: ["" for _ in about[name]] for name in ("warnings", "repairs")}
    return about | said | {"shared": hidden, "usable": usable, "economics": figures}

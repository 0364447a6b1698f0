"""A second, small judge of views that shares no code with the product: it reads a raw Claude Code log and a dump folder.

    python tests/support/judge.py session.jsonl DUMP/session/balanced

It exists to keep the ruler honest: what it says must agree with `pumice replay --json` to the third digit. With a reader
of `arguments="json"` it takes tool-call arguments as serialised JSON, which is how the figures of reference/frontier.md
§2.3 were taken, and reproduces them.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge_log import Block, Call, Reader, Session, read_log

ENTITY = re.compile(
    "|".join(
        (
            r"""https?://[^\s"'<>)\]]+""",
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
            r"\b[0-9a-f]{7,40}\b",
            r"(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]+",
            r"\b[a-z]+[A-Z]\w{2,}\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b",
            r"\b[A-Za-z]\w*_\w+\b",
            r"\b[a-z][a-z0-9]*(?:-[a-z0-9]+){1,}\b",
            r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b",
            r"\b\d{3,}\b",
        )
    )
)
FRESH, READ, OUTPUT = 1.25, 0.1, 5.0
READS = ("Read", "NotebookRead")
LABEL = re.compile(r"^⋯ (b\d+) \S.*?(?:, call (b\d+))?$|^<pumice:[\w-]+[^\n]* of=\"(b\d+)\"", re.M)
"""Pointers to one block: a label that says something, or an excerpt in the block's own place."""


@dataclass(frozen=True)
class View:
    blocks: list[Block]
    names: tuple[str, ...] = ()
    """What the manifest calls the blocks of the history, in order."""
    factor: float = 1.25
    """Calibrated tokens per o200k token."""

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks)


def entities(text: str) -> list[tuple[str, int]]:
    found = ((match[0], match.start()) for match in ENTITY.finditer(text))
    bare = ((name.strip(".,:;"), start + len(name) - len(name.lstrip(".,:;"))) for name, start in found)
    return [(name, start) for name, start in bare if len(name) >= 4 or name.isdigit()]


def read_dump(folder: Path, reader: Reader) -> dict[str, View]:
    """The views of a dump by the response they were compiled for; the factor is told from the size."""
    views = {}
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        messages = record["body"]["messages"]
        blocks = [block for message in messages for block in reader.blocks(message["content"], message["role"], 0)]
        rows = record["manifest"]["rows"] if record["manifest"] else []
        names = tuple(row["id"] for row in rows if re.fullmatch(r"b\d+", row["id"]))
        factor = (record["tokens"] - 8 * len(blocks)) / max(1, sum(block.counted for block in blocks))
        views[record["response_id"]] = View(blocks, names, factor)
    return views


def judge(session: Session, views: Mapping[str, View]) -> dict[str, float]:
    """Every figure the two judges have in common."""
    marks: Counter[str] = Counter()
    newest: dict[str, tuple[int, str]] = {}
    known = 0
    before, grown = View([]), View([])
    for call in session.calls:
        for at in range(known, call.upto):
            text = session.blocks[at].text
            newest |= {name: (at, line_of(text, name, start)) for name, start in entities(text)}
        known = call.upto
        view = views[call.response]
        full = View(session.blocks[: call.upto], factor=view.factor)
        cost, tokens = _charge(view, before)
        marks["cost"] += cost
        marks["honest"] += cost + _ground(marks, session, call, newest, view, tokens)
        marks["full"] += _charge(full, grown)[0]
        marks["tokens"] += tokens
        marks["peak"] = max(marks["peak"], tokens)
        marks["cuts"] += [block.key for block in before.blocks] != [block.key for block in view.blocks[: len(before.blocks)]]
        _reads(marks, full.blocks, view.blocks)
        before, grown = view, full
    return _shares(marks)


def line_of(text: str, name: str, start: int) -> str:
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    last = len(text) if last < 0 else last
    if last - first > 600:
        return text[max(first, start - 200) : min(last, start + len(name) + 200)].strip()
    line = text[first:last].strip()
    return re.sub(r"^\d+→", "", line).strip() or line


def _ground(
    marks: Counter[str], session: Session, call: Call, newest: Mapping[str, tuple[int, str]], view: View, tokens: float
) -> float:
    """Score what the response needed; returns the price of the read-backs that missing lines cause."""
    text = view.text
    pointed = {name for label in LABEL.finditer(text) for name in label.groups() if name}
    lost = {}
    for name in {name for name, _ in entities(call.said)} & newest.keys():
        at, line = newest[name]
        has_pointer = at < len(view.names) and view.names[at] in pointed
        where = "far" if session.blocks[at].group < call.group - 10 else "near"
        for of in (where, f"{where} after") if call.since is not None else (where,):
            marks[f"{of} cases"] += 1
            marks[of] += name in text
            marks[f"{of} line"] += line in text
            marks[f"{of} reach"] += name in text or has_pointer
        if line not in text:
            lost[at] = READ * tokens + (FRESH * 150 + OUTPUT * 60 if has_pointer else FRESH * 1500 + OUTPUT * 100)
    return sum(lost.values())


def _reads(marks: Counter[str], full: Sequence[Block], view: Sequence[Block]) -> None:
    readers = {block.call_id for block in full if block.tool in READS}
    reads = [block for block in full if block.kind == "tool_result" and block.call_id in readers and not block.is_error][-3:]
    standing = {block.key for block in view if block.kind == "tool_result"}
    for of, wanted in (("read", reads[-1:]), ("reads", reads)):
        marks[of + " cases"] += len(wanted)
        marks[of] += sum(block.key in standing for block in wanted)


def _charge(view: View, before: View) -> tuple[float, float]:
    shared = 0
    for block, other in zip(view.blocks, before.blocks, strict=False):
        if block.key != other.key:
            break
        shared += 1
    tokens = sum(block.tokens(view.factor) for block in view.blocks)
    cached = sum(block.tokens(view.factor) for block in view.blocks[:shared])
    return FRESH * (tokens - cached) + READ * cached, tokens


def _shares(marks: Counter[str]) -> dict[str, float]:
    def share(of: str, cases: str) -> float:
        return marks[of] / marks[cases] if marks[cases] else float("nan")

    cases = {of: share(of, f"{of} cases") for of in ("far", "near", "read", "reads", "far after")}
    lines = {f"{of} line": share(f"{of} line", f"{of} cases") for of in ("far", "near", "far after")}
    lines["far reach"] = share("far reach", "far cases")
    sizes = {"cost": share("cost", "full"), "honest": share("honest", "full"), "cuts": marks["cuts"], "peak": marks["peak"]}
    return {**cases, **lines, **sizes, "far cases": marks["far cases"], "tokens": marks["tokens"], **_sums(marks)}


def _sums(marks: Counter[str]) -> dict[str, float]:
    """What pooling several sessions needs."""
    return {f"sum {key}": value for key, value in marks.items()}


def full_views(session: Session) -> dict[str, View]:
    """The full history at every call."""
    return {call.response: View(session.blocks[: call.upto]) for call in session.calls}


def recorded_views(session: Session) -> dict[str, View]:
    """What the recorded client sent: after a compaction its summary and what came since."""
    return {call.response: View([*call.summary, *session.blocks[call.since or 0 : call.upto]]) for call in session.calls}


def newest_views(session: Session, usable: int) -> dict[str, View]:
    """The newest whole groups that fit, cut anew at every call."""
    return {call.response: View(_tail(session.blocks[: call.upto], usable, View.factor)) for call in session.calls}


def _tail(blocks: Sequence[Block], usable: int, factor: float) -> list[Block]:
    sizes: Counter[int] = Counter()
    for block in blocks:
        sizes[block.group] += round(block.counted * factor) + 8
    first, spent = (blocks[-1].group if blocks else 0), 0
    for group in sorted(sizes, reverse=True):
        spent += sizes[group]
        if spent > usable and group != max(sizes):
            break
        first = group
    return [block for block in blocks if block.group >= first]


def pooled(results: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The figures of several sessions, pooled over cases."""
    marks: Counter[str] = Counter()
    for result in results:
        sums = {key.removeprefix("sum "): value for key, value in result.items() if key.startswith("sum ")}
        peak = max(marks["peak"], sums.pop("peak"))
        marks.update(sums)
        marks["peak"] = peak
    return _shares(marks)


if __name__ == "__main__":
    log, dump = map(Path, sys.argv[1:3])
    judged = judge(read_log(log, Reader()), read_dump(dump, Reader()))
    sys.stdout.write(json.dumps({key: value for key, value in judged.items() if not key.startswith("sum ")}, indent=1) + "\n")

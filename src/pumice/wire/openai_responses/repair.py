"""Responses items made to keep R1 and R2; the client's own order stays (R19)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pumice.wire import jsonbytes, repair
from pumice.wire.forms import ABORTED
from pumice.wire.openai_responses import items
from pumice.wire.values import mapping

FIELD = "input"


def messages(raws: Sequence[bytes]) -> repair.Repaired:
    """See `Dialect.repair`."""
    values = [mapping(jsonbytes.decode(raw)) for raw in raws]
    sentences: list[str] = []
    gone = _orphans(values, sentences)
    late = _unanswered(values, gone, sentences)
    if not sentences:
        return repair.Repaired(tuple(raws))
    written: list[bytes] = []
    for index, raw in enumerate(raws):
        written += [] if index in gone else [raw]
        written += [aborted(values[call]) for call in late.get(index, ())]
    if not written:
        sentences.append(repair.filled("first"))
        written.append(jsonbytes.encode({"role": "user", "content": repair.FILLER}))
    return repair.Repaired(tuple(written), tuple(sentences))


def aborted(call: dict[str, Any]) -> bytes:
    """The output of a call that never got one."""
    kind = {of: output for output, of in items.OUTPUTS.items()}.get(items.kind(call), "function_call_output")
    said: Any = ABORTED
    if kind == "shell_call_output":
        said = [{"stdout": "", "stderr": ABORTED, "outcome": {"type": "timeout"}}]
    more = {"status": "failed"} if kind == "apply_patch_call_output" else {}
    return jsonbytes.encode({"type": kind, "call_id": items.call_id(call), "output": said, **more})


def _orphans(values: Sequence[dict[str, Any]], sentences: list[str]) -> set[int]:
    """Outputs no call before them asks for. One without a call id is the client's own; a stored one may be referred to."""
    asked: Counter[str] = Counter()
    found: set[int] = set()
    is_whole = True
    for index, value in enumerate(values):
        kind, ident = items.kind(value), items.call_id(value)
        is_whole &= kind != items.REFERENCE
        if kind in items.CALLS:
            asked[ident] += 1
        elif kind in items.OUTPUTS and ident and is_whole:
            if asked[ident]:
                asked[ident] -= 1
            else:
                found.add(index)
                sentences.append(repair.orphaned(index, ident, FIELD))
    return found


def _unanswered(values: Sequence[dict[str, Any]], gone: set[int], sentences: list[str]) -> dict[int, list[int]]:
    """Calls that no output follows, by the item their outputs are to stand behind: the newest of their own batch."""
    waiting: list[int] = []
    for index, value in enumerate(values):
        kind, ident = items.kind(value), items.call_id(value)
        if kind in items.CALLS and ident and value.get("async") is not True:
            waiting.append(index)
        elif kind in items.OUTPUTS and index not in gone:
            answered = next((call for call in waiting if items.call_id(values[call]) == ident), None)
            waiting = [call for call in waiting if call != answered]
    found: dict[int, list[int]] = {}
    for call in waiting:
        sentences.append(repair.aborted(call, items.call_id(values[call]), items.tool(values[call]), FIELD))
        found.setdefault(_end_of_batch(values, call), []).append(call)
    return found


def _end_of_batch(values: Sequence[dict[str, Any]], call: int) -> int:
    """The last call or output of the run of calls and outputs that holds a call."""
    at = call
    while at + 1 < len(values) and items.kind(values[at + 1]) in (items.CALLS.keys() | items.OUTPUTS.keys()):
        at += 1
    return at

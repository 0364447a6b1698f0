"""Does one request extend the one before, as a provider's prompt cache sees it, and what does it cost if not (F-A4, F-A8)?"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pumice.domain.message import Request
from pumice.measure import prices, tokens
from pumice.measure.cache import common
from pumice.measure.calibration import Calibration
from pumice.wire import get, jsonbytes, volatile
from pumice.wire.dialect import Unit
from pumice.wire.size import estimate
from pumice.wire.volatile import Volatile

_MESSAGE_FIELDS = {
    "anthropic": ("tool_choice", "thinking", "output_config"),
    "openai-chat": ("tool_choice", "parallel_tool_calls", "response_format"),
    "openai-responses": ("tool_choice", "parallel_tool_calls", "text", "reasoning"),
    "gemini": ("toolConfig",),
}
"""Top-level keys that are rendered behind the head: a change keeps it and loses the messages (K §1.4, §3.4)."""


class Divergence(msgspec.Struct, frozen=True):
    """The first place that is not the same."""

    message: int | None
    """None in the head."""
    block: int | None
    """Index in the message, or among the tools or system blocks; None for a top-level key."""
    token: int
    """Tokens before it."""
    path: str


class PrefixReport(msgspec.Struct, frozen=True):
    """What `pumice prefix` says, as its JSON."""

    stable: bool
    diverges_at: Divergence | None
    invalidated_tokens: int
    """Tokens of the earlier request that a cache held and that are of no use to the later one."""
    cost_usd: float | None
    """What sending those tokens anew costs more than reading them; None when the model's prices are not known."""
    volatile: tuple[Volatile, ...]


def compare(before: bytes, after: bytes, dialect: str, *, model: str = "") -> PrefixReport:
    """Compare two consecutive requests; `model` is the one their address names. Raises BadRequest for a body that is none."""
    found = get(dialect)
    old, new = (found.open(body).for_model(model) for body in (before, after))
    old_units, new_units = found.units(before), found.units(after)
    changed = tuple(dict.fromkeys(_volatile(old, new, old_units, new_units)))
    place, path = _divergence(old, new, old_units, new_units)
    if path is None:
        return PrefixReport(True, None, 0, None if prices.of(old.model) is None else 0.0, changed)
    sizes = estimate(old_units, old.model)
    start = sum(sizes[:place])
    lost = sum(sizes) - start
    at = _place(place, path, start, old_units, new_units, old.model)
    return PrefixReport(False, at, lost, _cost(new.model, lost, sum(sizes)), changed)


def _divergence(old: Request, new: Request, old_units: Sequence[Unit], new_units: Sequence[Unit]) -> tuple[int, str | None]:
    """The first unit that differs and the path of what differs there; no path when the later request extends the earlier."""
    if old.model != new.model:
        return 0, "model"
    place = common([unit.exact for unit in old_units], [unit.exact for unit in new_units])
    head = sum(1 for unit in old_units if unit.message < 0)
    field = next((key for key in _MESSAGE_FIELDS[old.dialect] if _differs(old, new, key)), None)
    if field and place >= head and len(old_units) > head:
        return head, field
    if place == len(old_units):
        return place, None
    return place, (new_units[place] if place < len(new_units) else old_units[place]).path


def _differs(old: Request, new: Request, key: str) -> bool:
    values = [jsonbytes.decode(request.fields.get(key, b"null")) for request in (old, new)]
    return bool(values[0] != values[1])


def _place(place: int, path: str, start: int, old: Sequence[Unit], new: Sequence[Unit], model: str) -> Divergence:
    """Where it is, to the token: text that is still the same inside the differing unit counts as before it."""
    if place >= len(old) or (path not in (old[place].path, new[place].path if place < len(new) else "")):
        return Divergence(None, None, start, path)
    unit = old[place]
    same = unit.text[: volatile.shared_start(unit.text, new[place].text)] if place < len(new) else ""
    inside = Calibration.start(model).tokens(tokens.count(same)) if same else 0
    return Divergence(unit.message if unit.message >= 0 else None, unit.block, start + inside, path)


def _cost(model: str, lost: int, total: int) -> float | None:
    known = prices.of(model)
    if known is None:
        return None
    paid = known.at(total)
    return lost * (paid.write - paid.read)


def _volatile(old: Request, new: Request, old_units: Sequence[Unit], new_units: Sequence[Unit]) -> Iterator[Volatile]:
    """Everything in the head that changed, and known kinds of change in messages both requests have."""
    if old.model != new.model:
        yield Volatile("model", "text")
    tools = [[jsonbytes.decode(raw) for raw in request.head.tools] for request in (old, new)]
    yield from volatile.in_tools([_unmarked(tool) for tool in tools[0]], [_unmarked(tool) for tool in tools[1]])
    before = {_spot(unit): unit for unit in old_units}
    for unit in new_units:
        earlier = before.get(_spot(unit))
        if earlier is None or unit.path.startswith("tools") or earlier.exact == unit.exact:
            continue
        if earlier.key == unit.key:
            yield Volatile(unit.path, "key_order")
        elif unit.message < 0 or _is_system(new, unit.message):
            yield from volatile.in_text(_field(unit), earlier.text, unit.text)
        else:
            found = volatile.in_text(_field(unit), earlier.text, unit.text)
            yield from (item for item in found if item.kind not in ("text", "status"))
    yield from (Volatile(key, "text") for key in _MESSAGE_FIELDS[old.dialect] if _differs(old, new, key))


def _spot(unit: Unit) -> tuple[int, int, bool]:
    return unit.message, unit.block, unit.path.startswith("tools")


def _field(unit: Unit) -> str:
    """The text's own path: `system[0].text`, but `system` where it is a bare string."""
    return f"{unit.path}.text" if unit.path.endswith("]") else unit.path


def _is_system(request: Request, message: int) -> bool:
    """Chat's system text stands at the head of the messages."""
    return message < 2 and jsonbytes.decode(request.messages[message]).get("role") in ("system", "developer")


def _unmarked(tool: Any) -> Any:
    return {key: value for key, value in tool.items() if key != "cache_control"} if isinstance(tool, dict) else tool

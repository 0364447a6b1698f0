"""The edits of `context_management`, each with the provider's own defaults (provider-contracts §1.5.1, §1.5.2)."""

from collections.abc import Mapping
from typing import Any

from pumice.domain.edits import ClearThinking, ClearTools, Edit, Measure, Trigger
from pumice.wire.emulated.asked import Compact, Unacceptable
from pumice.wire.values import mapping, string

TOOLS, THINKING, COMPACT = "clear_tool_uses_20250919", "clear_thinking_20251015", "compact_20260112"
COMPACT_AT, LEAST_COMPACT_AT = 150_000, 50_000


def read(at: int, edit: Mapping[str, Any]) -> Edit | Compact | None:
    """One edit of the list; None for a kind that is not known here, which goes undone rather than cost the call.

    Raises Unacceptable for what the provider would refuse.
    """
    path, kind = f"context_management.edits.{at}", edit.get("type")
    if kind == TOOLS:
        return _tools(path, edit)
    if kind == COMPACT:
        return _compact(path, edit)
    if kind != THINKING:
        return None
    if at:
        raise Unacceptable(f"{path}: {THINKING} must be the first edit")
    return _thinking(path, edit)


def _tools(path: str, edit: Mapping[str, Any]) -> ClearTools:
    usual, inputs = ClearTools(), edit.get("clear_tool_inputs")
    if not isinstance(inputs, bool | list | None):
        raise Unacceptable(f"{path}.clear_tool_inputs: {inputs!r} given, expected true, false or a list of tools")
    return ClearTools(
        trigger=_trigger(path, edit.get("trigger")) or usual.trigger,
        keep=usual.keep if edit.get("keep") is None else _value(f"{path}.keep", edit["keep"], (Measure.USES,)),
        at_least=_value(f"{path}.clear_at_least", edit["clear_at_least"], (Measure.TOKENS,))
        if edit.get("clear_at_least")
        else 0,
        exclude=_names(f"{path}.exclude_tools", edit.get("exclude_tools")),
        inputs=_names(f"{path}.clear_tool_inputs", inputs) if isinstance(inputs, list) else bool(inputs),
    )


def _thinking(path: str, edit: Mapping[str, Any]) -> ClearThinking:
    """Without `keep` the model does what it always does, which takes nothing from us."""
    keep = edit.get("keep")
    if keep is None or keep == "all" or mapping(keep).get("type") == "all":
        return ClearThinking()
    turns = _value(f"{path}.keep", keep, ("thinking_turns",))
    if turns < 1:
        raise Unacceptable(f"{path}.keep.value: {turns} given, expected 1 or more")
    return ClearThinking(turns)


def _compact(path: str, edit: Mapping[str, Any]) -> Compact:
    found = _trigger(path, edit.get("trigger")) or Trigger(COMPACT_AT)
    if found.of is not Measure.TOKENS or found.value < LEAST_COMPACT_AT:
        raise Unacceptable(f"{path}.trigger: expected input_tokens, {LEAST_COMPACT_AT} or more")
    return Compact(found.value, string(edit.get("instructions")), edit.get("pause_after_compaction") is True)


def _trigger(path: str, value: Any) -> Trigger | None:
    if value is None:
        return None
    number = _value(f"{path}.trigger", value, tuple(Measure))
    return Trigger(number, Measure(value["type"]))


def _value(path: str, value: Any, kinds: tuple[str, ...]) -> int:
    found = mapping(value)
    if found.get("type") not in kinds:
        raise Unacceptable(f"{path}.type: {found.get('type')!r} given, expected {' or '.join(kinds)}")
    number = found.get("value")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise Unacceptable(f"{path}.value: {number!r} given, expected a whole number from 0 on")
    return number


def _names(path: str, value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(name, str) for name in listed):
        raise Unacceptable(f"{path}: expected names of tools")
    return tuple(listed)

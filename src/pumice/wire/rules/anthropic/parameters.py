"""A26, A27, A28, A37: parameters that exclude each other or the model."""

from collections.abc import Iterator
from typing import Any

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.rules.anthropic import models
from pumice.wire.rules.rule import Ending, Seen, Step

START = None
_FORCED = ("any", "tool")
_BETA_OF = {
    "context_management": ("context-management-2025-06-27", "compact-2026-01-12"),
    "compaction": ("compact-2026-09-04",),
    "thread": ("message-threads-2026-08-12",),
    "diagnostics": ("cache-diagnosis-2026-04-07",),
}
"""Body field → beta values of which one must be in the header (K §1.4, §1.5)."""
_BINDING_BETA = "thinking-binding-controls-2026-08-01"


def step(state: None, _message: Seen, _model: ModelName, /) -> Step:
    return Step(state)


def end(_state: None, ending: Ending, /) -> Iterator[Violation]:
    thinking, choice = _object(ending, "thinking"), _object(ending, "tool_choice").get("type")
    yield from _prewarm(ending, thinking, choice)
    if choice in _FORCED and thinking.get("type") == "enabled":
        yield Violation("A27", "tool_choice", f"a forced tool choice ({choice}) does not go with enabled thinking")
    if choice in _FORCED and models.refuses_forced_tools(ending.model):
        yield Violation("A27", "tool_choice", f"{ending.model.base!r} takes no forced tool choice ({choice})")
    yield from _binding(ending, thinking)
    for field, betas in _BETA_OF.items():
        if ending.betas is not None and field in ending.fields and not ending.betas.intersection(betas):
            yield Violation("A28", field, f"this field needs the beta {' or '.join(betas)}")


def _prewarm(ending: Ending, thinking: dict[str, Any], choice: Any) -> Iterator[Violation]:
    if ending.fields.get("max_tokens") != 0:
        return
    wrong = {
        "stream": ending.fields.get("stream") is True,
        "thinking": thinking.get("type") == "enabled",
        "output_config.format": bool(_object(ending, "output_config").get("format")),
        "tool_choice": choice in _FORCED,
    }
    for path, is_wrong in wrong.items():
        if is_wrong:
            yield Violation("A26", path, "not together with `max_tokens: 0`")


def _binding(ending: Ending, thinking: dict[str, Any]) -> Iterator[Violation]:
    if "block_binding" not in thinking:
        return
    path = "thinking.block_binding"
    binding = thinking["block_binding"]
    behaviour = binding.get("prefix_mismatch_behavior") if isinstance(binding, dict) else None
    if thinking.get("type") != "adaptive":
        yield Violation("A37", path, "only adaptive thinking takes it")
    elif behaviour not in ("error", "drop_block"):
        yield Violation("A37", path, f"prefix_mismatch_behavior is {behaviour!r}; error or drop_block are known")
    elif ending.betas is not None and _BINDING_BETA not in ending.betas:
        yield Violation("A37", path, f"this field needs the beta {_BINDING_BETA}")


def _object(ending: Ending, key: str) -> dict[str, Any]:
    value = ending.fields.get(key)
    return value if isinstance(value, dict) else {}

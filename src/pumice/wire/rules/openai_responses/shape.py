"""R6, R8, R11, R13 to R15, R18 on each item: ids, what must be whole, kinds of parts."""

from collections.abc import Iterable, Iterator
from typing import Any

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.openai_chat.canonical import MARKER
from pumice.wire.openai_responses import items
from pumice.wire.rules.openai_chat import models
from pumice.wire.rules.rule import Ending, Part, Seen, Step
from pumice.wire.values import mapping, objects, string

START = None

_PREFIXES = {"function_call": "fc", "reasoning": "rs", "custom_tool_call": "ctc", items.COMPACTION: "cmp", "message": "msg"}
_ROLES = ("user", "assistant", "system", "developer")
_PHASES = ("commentary", "final_answer")
_INPUT, _OUTPUT = frozenset({"input_text", "input_image", "input_file", "input_audio"}), frozenset({"output_text", "refusal"})
_MARKABLE = frozenset({"input_text", "input_image", "input_file"})


def step(state: None, message: Seen, model: ModelName, /) -> Step:
    value, kind = message.value, items.kind(message.value)
    if kind == items.MESSAGE and value.get("role") not in _ROLES:
        words = f"the role is {value.get('role')!r}; the API knows {', '.join(_ROLES)}"
        return Step(state, (Violation("R15", f"{message.path}.role", words),))
    found = (*_id(message, kind), *_whole(message, kind), *_paired(message, kind))
    said = (*_said(message), *_phase(message)) if kind == items.MESSAGE else ()
    return Step(state, (*found, *said, *_marked(message, model)))


def end(_state: None, _ending: Ending, /) -> Iterable[Violation]:
    return ()


def _id(message: Seen, kind: str) -> Iterator[Violation]:
    ident = message.value.get("id")
    prefix = _PREFIXES.get(kind)
    is_input = kind == items.MESSAGE and message.role != "assistant"
    if ident is None or prefix is None or is_input:
        return
    if not string(ident).startswith(prefix):
        yield Violation(
            "R6", f"{message.path}.id", f"Invalid '{message.path}.id': '{ident}'. Expected an ID that begins with '{prefix}'."
        )


def _whole(message: Seen, kind: str) -> Iterator[Violation]:
    """What the API cannot do without, and what only the provider can read."""
    value = message.value
    sealed = value.get("encrypted_content")
    if kind == items.COMPACTION and not string(sealed):
        yield Violation("R13", f"{message.path}.encrypted_content", "a compaction item is its encrypted content")
    elif sealed is not None and (not isinstance(sealed, str) or not sealed):
        yield Violation("R8", f"{message.path}.encrypted_content", "encrypted content could not be verified")
    if kind == items.REASONING and not isinstance(value.get("summary"), list):
        yield Violation("R15", f"{message.path}.summary", "reasoning needs its list of summaries, be it empty")
    if kind == items.TOOLS and message.role != "developer":
        yield Violation("R14", f"{message.path}.role", f"additional tools come from the developer, not {message.role!r}")
    if kind == items.REFERENCE and not string(value.get("id")):
        yield Violation("R15", f"{message.path}.id", "a reference needs the id of a stored item")
    if kind == "program" and not string(value.get("fingerprint")):
        yield Violation("R15", f"{message.path}.fingerprint", "a program keeps its fingerprint")
    if kind.startswith("mcp_") and kind != "mcp_approval_response" and not string(value.get("id")):
        yield Violation("R15", f"{message.path}.id", f"{kind} is known by its id")


def _paired(message: Seen, kind: str) -> Iterator[Violation]:
    value = message.value
    member = items.CALLS.get(kind)
    if member and kind in ("function_call", "custom_tool_call"):
        if not isinstance(value.get(member), str):
            yield Violation("R15", f"{message.path}.{member}", f"{member} must be a string")
        if not string(value.get("name")):
            yield Violation("R15", f"{message.path}.name", "a call needs the name of its tool")
    elif member and not isinstance(value.get(member), dict):
        yield Violation("R15", f"{message.path}.{member}", f"{member} must be an object")
    if member and not string(value.get("call_id")):
        yield Violation("R15", f"{message.path}.call_id", "a call needs its call_id")
    if kind in items.OUTPUTS and not isinstance(value.get("output"), str | list):
        yield Violation("R15", f"{message.path}.output", "an output must be a string or a list of parts")


def _said(message: Seen) -> Iterator[Violation]:
    content = message.value.get("content")
    if not isinstance(content, str | list):
        yield Violation("R15", f"{message.path}.content", "content must be a string or a list of parts")
    allowed = _OUTPUT if message.role == "assistant" else _INPUT
    for part in message.parts if isinstance(content, list) else ():
        if part.kind not in allowed:
            yield Violation(
                "R15", part.path, f"Invalid value: '{part.kind}'. Supported values are: {', '.join(sorted(allowed))}."
            )
        elif part.kind in items.TEXTS and not isinstance(part.value.get("text"), str):
            yield Violation("R15", f"{part.path}.text", "a text part needs its text")


def _phase(message: Seen) -> Iterator[Violation]:
    phase = message.value.get("phase")
    if phase is not None and phase not in _PHASES:
        yield Violation("R11", f"{message.path}.phase", f"the phase is {phase!r}; it is one of {', '.join(_PHASES)}")


def _marked(message: Seen, model: ModelName) -> Iterator[Violation]:
    """R18: where a cache breakpoint may stand."""
    listed = objects(message.value.get("output"))
    outputs = [Part(string(one.get("type")), one, f"{message.path}.output[{at}]") for at, one in enumerate(listed)]
    for part in (*message.parts, *outputs):
        if MARKER not in part.value:
            continue
        if part.kind not in _MARKABLE:
            yield Violation("R18", part.path, f"a part of type {part.kind!r} takes no cache breakpoint")
        elif not models.takes_breakpoints(model):
            yield Violation("R18", part.path, f"{model.base!r} takes no cache breakpoints")


def acknowledged(call: dict[str, Any], output: dict[str, Any]) -> bool:
    """Whether an output acknowledges every safety check its computer call has pending."""
    asked = {string(check.get("id")) for check in objects(call.get("pending_safety_checks"))}
    given = {string(check.get("id")) for check in objects(mapping(output).get("acknowledged_safety_checks"))}
    return asked <= given

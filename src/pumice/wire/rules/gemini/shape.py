"""G1, G2, G6 and G8 on each content: roles, what a part holds, what a signature is."""

from collections.abc import Iterable, Iterator

from pumice.domain.message import Violation
from pumice.measure.naming import ModelName
from pumice.wire.gemini import keys, signatures
from pumice.wire.rules.gemini import parts
from pumice.wire.rules.rule import Ending, Part, Seen, Step

START = None

_ROLES = ("", "user", "model", "function")
_LONGEST = 128
"""Characters of a function's name (K §4.1)."""


def step(state: None, message: Seen, _model: ModelName, /) -> Step:
    return Step(state, tuple(_content(message)))


def end(_state: None, _ending: Ending, /) -> Iterable[Violation]:
    return ()


def _content(message: Seen) -> Iterator[Violation]:
    role = message.value.get("role")
    if role is not None and role not in _ROLES:
        yield Violation("G2", f"{message.path}.role", f"the role is {role!r}; the API knows user and model")
        return
    if not message.parts:
        yield Violation("G1", f"{message.path}.parts", "a content needs at least one part")
    for part in message.parts:
        yield from _held(part, is_model=role == "model")
        yield from _function(part)
        yield from _signature(part, is_model=role == "model")


def _held(part: Part, *, is_model: bool) -> Iterator[Violation]:
    named = {keys.camel(key) for key, value in part.value.items() if value is not None} - keys.METADATA
    if len(named) != 1:
        yield Violation("G1", part.path, f"a part holds exactly one of {', '.join(keys.DATA)}; this has {len(named)}")
    elif part.kind not in keys.DATA and not is_model:
        yield Violation("G1", part.path, f"a user's part cannot hold {part.kind!r}")
    elif part.kind == "text" and not isinstance(part.value["text"], str):
        yield Violation("G1", f"{part.path}.text", "a text must be a string")
    elif part.kind == "text" and not part.value["text"] and not signatures.of(part.value):
        yield Violation("G1", part.path, "an empty text may stand only where it carries a signature")


def _function(part: Part) -> Iterator[Violation]:
    if part.kind not in ("functionCall", "functionResponse"):
        return
    path = f"{part.path}.{keys.spelled(part.value, part.kind)}"
    held = parts.data(part)
    if not 0 < len(parts.name(part)) <= _LONGEST:
        yield Violation(
            "G6", f"{path}.name", f"a function is named by 1 to {_LONGEST} characters, not {held.get('name')!r:.150}"
        )
    if part.kind == "functionResponse" and not isinstance(held.get("response"), dict):
        yield Violation("G6", f"{path}.response", "a function's response must be a JSON object")
    if part.kind == "functionCall" and not isinstance(held.get("args", {}), dict | None):
        yield Violation("G6", f"{path}.args", "a call's arguments must be a JSON object")


def _signature(part: Part, *, is_model: bool) -> Iterator[Violation]:
    given = keys.get(part.value, keys.SIGNATURE)
    if given is None:
        return
    path = f"{part.path}.{keys.spelled(part.value, keys.SIGNATURE)}"
    if not is_model:
        yield Violation("G8", path, "a signature belongs to the part of the model's that it came in")
    elif not isinstance(given, str) or not signatures.is_sendable(given):
        yield Violation("G8", path, "Thought signature is not valid: it is no base64")

"""G8, G10: what an edit of the conversation may do to signatures.

`before` is what the upstream has seen, `after` what is to be sent: a signature stands in the part it came in and that part
says what it said, or both are gone; one of another model is replaced by the documented stand-in.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pumice.domain.message import Request, Violation
from pumice.measure import naming
from pumice.wire import jsonbytes
from pumice.wire.gemini import canonical, signatures
from pumice.wire.rules.gemini import models, parts
from pumice.wire.rules.rule import Part, Seen


def check(before: Request, after: Request) -> tuple[Violation, ...]:
    """Violations of an edit."""
    return (*_moved(_parts(before.messages), _parts(after.messages)), *_foreign(before, after))


def _moved(old: Sequence[Part], new: Sequence[Part]) -> Iterator[Violation]:
    known: dict[bytes, list[str]] = {}
    for part in old:
        known.setdefault(_signature(part), []).append(_digest(part.value))
    for part in new:
        signature = _signature(part)
        if not signature or signatures.is_dummy(signatures.of(part.value)):
            continue
        if signature in known and _digest(part.value) not in known[signature]:
            yield Violation("G8", part.path, "Thought signature is not valid: the part it came in said something else")


def _foreign(before: Request, after: Request) -> Iterator[Violation]:
    old, new = naming.parse(before.model), naming.parse(after.model)
    if not before.model or old.base == new.base or not models.checks_signatures(new):
        return
    known = {_signature(part) for part in _parts(before.messages)} - {b""}
    for part in _running(after):
        if part.kind == "functionCall" and _signature(part) in known and not signatures.is_dummy(signatures.of(part.value)):
            yield Violation("G10", part.path, f"the signature is that of {old.base}; {new.base} cannot read it")


def _running(request: Request) -> list[Part]:
    """Parts of the turn that goes on."""
    found: list[Part] = []
    for index, raw in enumerate(request.messages):
        value = jsonbytes.decode(raw)
        listed = parts.of(value, f"contents[{index}]")
        seen = Seen(index, str(value.get("role", "")), value, listed, len(raw), "contents")
        found = [] if _begins(seen) else [*found, *listed]
    return found


def _begins(message: Seen) -> bool:
    return message.role != "model" and any(part.kind == "text" for part in message.parts)


def _parts(raws: Sequence[bytes]) -> list[Part]:
    return [part for index, raw in enumerate(raws) for part in parts.of(jsonbytes.decode(raw), f"contents[{index}]")]


def _signature(part: Part) -> bytes:
    return signatures.decoded(signatures.of(part.value)) or b""


def _digest(value: Any) -> str:
    return jsonbytes.digest(canonical.of_part(value))

"""Thought signatures: opaque bytes in base64 that stay with the part they came in (K-G7, K-G8, K-G10)."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from pumice.wire.gemini import keys
from pumice.wire.values import mapping, string

SKIP = base64.b64encode(b"skip_thought_signature_validator").decode()
"""Documented for calls the model did not make as they stand; spelled as in recorded requests that were answered (K-G10)."""
_STANDARD = bytes.maketrans(b"-_", b"+/")
_DUMMIES = (b"skip_thought_signature_validator", b"context_engineering_is_the_way_to_go")


def of(part: Mapping[str, Any]) -> str:
    """The signature of a part; empty for none."""
    return string(keys.get(part, keys.SIGNATURE))


def decoded(text: str) -> bytes | None:
    """The bytes of a signature, whichever base64 alphabet it came in (K-G13); None for what is no base64."""
    written = text.encode("ascii", "replace").translate(_STANDARD).rstrip(b"=")
    try:
        return base64.b64decode(written + b"=" * (-len(written) % 4), validate=True)
    except binascii.Error:
        return None


def is_dummy(text: str) -> bool:
    """Whether it is one of the documented stand-ins, as they are or in base64."""
    return text.encode("utf-8", "replace") in _DUMMIES or decoded(text) in _DUMMIES


def is_sendable(text: str) -> bool:
    """Whether the API can read it at all."""
    return is_dummy(text) or decoded(text) is not None


def same(one: str, other: str) -> bool:
    """Whether two spellings are the same bytes."""
    return one == other or (decoded(one) is not None and decoded(one) == decoded(other))


def called(part: Mapping[str, Any]) -> dict[str, Any]:
    """The function call of a part; an empty object for any other part."""
    return mapping(keys.get(part, "functionCall"))

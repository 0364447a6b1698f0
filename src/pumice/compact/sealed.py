"""A sealed item: what an epoch shows of folded history, readable by the engine alone and bound to a kind of model (F-C13).

The item is text, `<pumice:sealed>` around a token. It travels with the client's messages as other products' encrypted
compaction items do; who opens it gets the preface back, or a reason why not.
"""

import hashlib
import json
import re

import msgspec

from pumice.domain import marks
from pumice.domain.event import pack as pack_struct

VERSION = 1
_ITEM = re.compile(
    rf"\s*{re.escape(marks.OPEN)}{marks.SEALED}>\s*([A-Za-z0-9_=-]+)\s*{re.escape(marks.CLOSE)}{marks.SEALED}>\s*"
)


class Content(msgspec.Struct, frozen=True):
    """What is inside."""

    tenant: str
    session: str
    compatibility: str
    """`compatibility` of the model it was made for."""
    epoch: int
    preface: str
    version: int = VERSION
    user: str = ""
    """Whose it is within the tenant: on a proxy, whose credential made it."""


class Refused(msgspec.Struct, frozen=True):
    """Why an item cannot be used: its words are to be made again from the ledger."""

    reason: str


def compatibility(family: str, *, binds_reasoning: bool) -> str:
    """Hash of what has to be the same for an item to serve another call: the model's family and how it reads history."""
    told = f"pumice sealed {VERSION} {family} {'binding' if binds_reasoning else 'free'}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def pack(content: Content) -> bytes:
    """The bytes to be encrypted; lone surrogates survive."""
    return pack_struct(content)


def unpack(data: bytes, *, tenant: str, expected: str, user: str = "") -> Content | Refused:
    """What decrypted bytes say, if they may be used here; `expected` is the compatibility of the model at work."""
    content = read(data)
    if content is None:
        return Refused("what is inside is no sealed item of this version")
    if content.version != VERSION:
        return Refused(f"sealed by version {content.version}, this is {VERSION}")
    if content.tenant != tenant:
        return Refused("sealed for another tenant")
    if content.user != user:
        return Refused("sealed for another user")
    if content.compatibility != expected:
        return Refused("sealed for another kind of model")
    return content


def read(data: bytes) -> Content | None:
    """What decrypted bytes say, whoever may use it; None for anything else."""
    try:
        return msgspec.convert(json.loads(data), Content)
    except (ValueError, msgspec.ValidationError):
        return None


def item(token: str) -> str:
    """The text that carries a token."""
    return marks.wrap(marks.SEALED, token)


def token(text: str) -> str | None:
    """The token of a text that is a sealed item and nothing else."""
    found = _ITEM.fullmatch(text)
    return found[1] if found else None

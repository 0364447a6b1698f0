"""A sealed item: what an epoch shows of folded history, readable by the engine alone and bound to a kind of model (F-C13).

The item is text, `<pumice:sealed>` around a token. It travels with the client's messages as other products' encrypted
compaction items do; who opens it gets the preface back, or a reason why not.
"""

import hashlib
import json
import re
from collections.abc import Callable

import msgspec

from pumice.domain import marks
from pumice.domain.event import pack as pack_struct

VERSION = 1
_BEGIN, _END = rf'{marks.SEALED_BEGIN}(?: of="(?P<lane>\d{{1,9}})")?>', marks.SEALED_END
_ITEM = re.compile(rf"\s*{_BEGIN}\s*(?P<token>[A-Za-z0-9_=-]+)\s*{_END}\s*")
_LANE = re.compile(rf"\s*{_BEGIN}")
_FOUND = re.compile(
    rf"(?:{_BEGIN}\s*)?(?P<token>gAAAA[\w=-]{{27,}}(?:\s+[\w=-]{{20,}})*(?:\s+[\w=-]+(?=\s*{_END}))?)(?:\s*{_END})?", re.ASCII
)
"""An item among other words, or wrapped at some width: all tokens begin alike (Fernet's version, the zeros of its time)."""


class Content(msgspec.Struct, frozen=True):
    """What is inside."""

    tenant: str
    session: str
    compatibility: str
    """`compatibility` of the model it was made for."""
    epoch: int
    preface: str
    version: int = VERSION
    lane: int = 0
    """Number of the session's lane it was made of, from 1; 0 is not known."""
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


def unpack(data: bytes, *, tenant: str, user: str = "") -> Content | Refused:
    """What decrypted bytes say, if they may be read here; whether they fit the model at work is another question."""
    content = read(data)
    if content is None:
        return Refused("what is inside is no sealed item of this version")
    if content.version != VERSION:
        return Refused(f"sealed by version {content.version}, this is {VERSION}")
    if content.tenant != tenant:
        return Refused("sealed for another tenant")
    if content.user != user:
        return Refused("sealed for another user")
    return content


def read(data: bytes) -> Content | None:
    """What decrypted bytes say, whoever may use it; None for anything else."""
    try:
        return msgspec.convert(json.loads(data), Content)
    except (ValueError, msgspec.ValidationError):
        return None


def item(token: str, lane: int = 0) -> str:
    """The text that carries a token; of which lane it was made is told beside it, for when the token is damaged."""
    return marks.wrap(marks.SEALED, token, **({"of": lane} if lane else {}))


def token(text: str) -> str | None:
    """The token of a text that is a sealed item and nothing else."""
    found = _ITEM.fullmatch(text)
    return found["token"] if found else None


def lane(text: str) -> int:
    """The number of the lane an item says it was made of; 0 where it does not."""
    found = _LANE.match(text)
    return int(found["lane"] or 0) if found else 0


def unknown(reason: str = "") -> str:
    """What stands in place of an item that cannot be used, where nothing else is known of what it held."""
    why = f" ({reason})" if reason else ""
    return marks.wrap(marks.SEALED, marks.gap(f"a sealed item that cannot be used here{why}; what it held is not known"))


def is_there(text: str) -> bool:
    """Whether a text is or holds a sealed item, whole or damaged."""
    return marks.is_sealed(text) or (_mentions(text) and _FOUND.search(text) is not None)


def opened(text: str, words: Callable[[str | None, int], str]) -> str:
    """A text with `words` of the token and the lane in place of each item in it; a token that cannot be told is None."""

    def of(one: re.Match[str]) -> str:
        return words("".join(one["token"].split()), int(one["lane"] or 0))

    if not marks.is_sealed(text):
        return _FOUND.sub(of, text)
    left = max(map(len, _FOUND.sub("", text).split()), default=0)
    whole = [] if left >= marks.LEAST_TOKEN else [*_FOUND.finditer(text)]
    return "\n".join(map(of, whole)) if whole else words(None, lane(text))


def _mentions(text: str) -> bool:
    return marks.SEALED_BEGIN in text or marks.SEALED_END in text

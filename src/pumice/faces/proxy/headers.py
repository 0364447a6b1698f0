"""Which headers go on, which end here (provider-contracts §9.2). Names and values stay as they were written."""

from collections.abc import Iterable, Iterator, Mapping

from multidict import CIMultiDict
from starlette.types import Scope

from pumice.faces.proxy import codings

Raw = tuple[bytes, bytes]
_READABLE = codings.KNOWN | {"", "*"}
_HOP = frozenset({b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"http2-settings"})
_OURS_TO_SAY = frozenset({b"host", b"content-length", b"expect"})
"""Of a request: the client's connection and ours differ in them."""


def read(raw: Iterable[Raw]) -> dict[str, str]:
    """Names in lower case; what comes several times is joined as RFC 9110 §5.3 says."""
    found: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), _text(value)
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def forwarded(raw: list[Raw], *, without: Iterable[str] = (), to_set: Mapping[str, str] | None = None) -> CIMultiDict[str]:
    """A request's headers for the upstream; ours (`x-pumice…`) end here, and what is set to nothing."""
    left_out = {*_OURS_TO_SAY, *(name.encode() for name in without), *(name.lower().encode() for name in to_set or {})}
    kept = ((name, value) for name, value in _end_to_end(raw) if name.lower() not in left_out)
    headers = CIMultiDict((name.decode("latin-1"), _text(value)) for name, value in kept if not _is_ours(name))
    headers.extend({name: value for name, value in (to_set or {}).items() if value})
    return headers


def relayed(raw: Iterable[Raw], status: int) -> list[Raw]:
    """A response's headers for the client; what says `x-pumice…` is ours to say."""
    kept = [(name, value) for name, value in _end_to_end(list(raw)) if not _is_ours(name)]
    # These have no body whatever the header says, and the server would wait for one.
    return [(name, value) for name, value in kept if status not in (204, 304) or name.lower() != b"content-length"]


def told(values: Mapping[str, str]) -> list[Raw]:
    """Headers of ours; what a header cannot hold is replaced."""
    return [(name.lower().encode("ascii", "replace"), _plain(value)) for name, value in values.items()]


def readable(accepted: str) -> str:
    """The encodings a client accepts, less those the copy for the accounts could not be read in."""
    offers = accepted.split(",")
    kept = [offer for offer in offers if offer.partition(";")[0].strip().lower() in _READABLE]
    return accepted if len(kept) == len(offers) else ",".join(kept).strip() or "identity"


def target(scope: Scope) -> str:
    """The path as it was written, with its query."""
    path, query = scope.get("raw_path") or scope["path"].encode(), scope["query_string"]
    return _text(path + b"?" + query if query else path)


def _end_to_end(raw: list[Raw]) -> Iterator[Raw]:
    named = {word.strip().lower() for name, value in raw if name.lower() == b"connection" for word in value.split(b",")}
    for name, value in raw:
        lower = name.lower()
        if lower not in _HOP and lower not in named and not lower.startswith(b"proxy-"):
            yield name, value


def _is_ours(name: bytes) -> bool:
    return name.lower() == b"x-pumice" or name.lower().startswith(b"x-pumice-")


def _text(value: bytes) -> str:
    """As the upstream's connection will write it back: UTF-8 where it is that."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _plain(value: str) -> bytes:
    return "".join(char if char.isprintable() else " " for char in value).encode("latin-1", "replace")

"""Content encodings undone piece by piece, never beyond a limit: gzip, deflate, zstd, and br where its package is there."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

import zstandard

from pumice.errors import InvalidInput

_SLICE = 1024
"""Bytes undone between two looks at the limit: of a bomb, no more than what this little can hold is ever made."""
_BROTLI_AT_ONCE = 16 * 1024 * 1024
_ZSTD_WINDOW = 8 * 1024 * 1024
"""What a sender of this encoding may ask of its receiver's memory (RFC 9659 §3)."""
_IDENTITY = ("", "identity")


class Unsupported(InvalidInput):
    """An encoding pumice cannot undo."""


class Damaged(InvalidInput):
    """Bytes that are not of the encoding they claim, or that end too early."""


class TooLarge(InvalidInput):
    """More bytes than the limit allows."""


class _Undo(Protocol):
    """What `zlib` and `zstandard` hand out alike."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


class _Brotli:
    unused_data = b""

    def __init__(self) -> None:
        self._one = import_module("brotli").Decompressor()

    @property
    def eof(self) -> bool:
        return bool(self._one.is_finished())

    def decompress(self, data: bytes, /) -> bytes:
        made: bytes = self._one.process(data, output_buffer_limit=_BROTLI_AT_ONCE)
        if not self._one.can_accept_more_data():
            raise TooLarge(f"{len(data)} bytes of br hold more than {_BROTLI_AT_ONCE:,}.", hint="Send a smaller body.")
        return made


class _Deflate:
    """Some senders leave the zlib header out, against RFC 9110 §8.4.1.2: its two bytes tell."""

    def __init__(self) -> None:
        self._first = b""
        self._one: _Undo | None = None

    @property
    def eof(self) -> bool:
        return self._one is not None and self._one.eof

    @property
    def unused_data(self) -> bytes:
        return self._one.unused_data if self._one is not None else b""

    def decompress(self, data: bytes, /) -> bytes:
        if self._one is None:
            self._first += data
            if len(self._first) < 2:
                return b""
            has_header = self._first[0] & 0x0F == 8 and int.from_bytes(self._first[:2]) % 31 == 0
            data, self._one = self._first, zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
        return self._one.decompress(data)


_MAKERS: Mapping[str, Callable[[], _Undo]] = {
    "gzip": lambda: zlib.decompressobj(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: zlib.decompressobj(zlib.MAX_WBITS | 16),
    "deflate": _Deflate,
    "zstd": lambda: zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj(),
    **({"br": _Brotli} if find_spec("brotli") else {}),
}
KNOWN = frozenset(_MAKERS) | {"identity"}


class Decoder:
    """Undoes one encoding; several frames one after the other are one body."""

    def __init__(self, encoding: str, limit: int) -> None:
        self._encoding, self._make, self._limit = encoding, _MAKERS[encoding], limit
        self._one: _Undo | None = None
        self._made = 0

    def feed(self, chunk: bytes) -> bytes:
        """What this chunk holds. Raises Damaged and TooLarge."""
        return b"".join(self._undone(chunk))

    def finish(self) -> None:
        """Raises Damaged where the last frame is not whole."""
        if self._one is not None and not self._one.eof:
            raise Damaged(f"a {self._encoding} body that ends too early.", hint="Send all of it.")

    def _undone(self, chunk: bytes) -> Iterator[bytes]:
        for start in range(0, len(chunk), _SLICE):
            piece = chunk[start : start + _SLICE]
            while piece:
                if self._one is None or self._one.eof:
                    self._one = self._make()
                yield self._step(self._one, piece)
                piece = self._one.unused_data if self._one.eof else b""

    def _step(self, one: _Undo, piece: bytes) -> bytes:
        try:
            made = one.decompress(piece)
        except TooLarge:
            raise
        except Exception as error:  # each library has its own family, brotli's is known only once it is there
            raise Damaged(f"a body that is not {self._encoding}.", hint="Name the encoding it has.") from error
        self._made += len(made)
        if self._made > self._limit:
            raise TooLarge(f"a {self._encoding} body of more than {self._limit:,} bytes.", hint="Send a smaller body.")
        return made


def named(header: str) -> list[str]:
    """The encodings a `content-encoding` header names, in the order they were applied. Raises Unsupported."""
    names = [name.strip().lower() for name in header.split(",")]
    for name in names:
        if name not in KNOWN and name not in _IDENTITY:
            known = ", ".join(sorted(KNOWN))
            raise Unsupported(f"content-encoding {name!r} cannot be undone here.", hint=f"Expected one of {known}.")
    return [name for name in names if name not in _IDENTITY]


def decoders(header: str, limit: int) -> list[Decoder]:
    """One decoder for each encoding, the last applied first. Raises Unsupported."""
    return [Decoder(name, limit) for name in reversed(named(header))]


def decode(raw: bytes, header: str, limit: int) -> bytes:
    """A whole body without its encodings. Raises Unsupported, Damaged and TooLarge."""
    for decoder in decoders(header, limit):
        raw = decoder.feed(raw)
        decoder.finish()
    return raw


def encode(body: bytes, name: str) -> bytes:
    """A body in one encoding, as a provider answers who accepts it."""
    if name == "zstd":
        return zstandard.ZstdCompressor(level=3).compress(body)
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | (16 if name == "gzip" else 0))
    return packer.compress(body) + packer.flush()

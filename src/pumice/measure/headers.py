"""What the first bytes of an image or PDF say: format, pixels, pages."""

import re
import zlib
from collections.abc import Iterator
from itertools import islice

import msgspec

_PNG = b"\x89PNG\r\n\x1a\n"
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_COUNT = re.compile(rb"/Count\s+(\d{1,6})\b")
_STREAM = re.compile(rb"/ObjStm.{0,400}?>>\s*stream\r?\n", re.DOTALL)
_MAX_STREAMS = 200
_MAX_STREAM = 1_000_000
"""Bytes of one object stream that are looked at, packed and unpacked; a page tree is far smaller, a bomb larger."""
_NO_FRAME = (0xC4, 0xC8, 0xCC)
"""JPEG markers between the start-of-frame ones that start no frame."""


class Header(msgspec.Struct, frozen=True):
    """Format and size as the header tells; 0 where it does not."""

    mime: str
    width: int = 0
    height: int = 0
    pages: int = 0


def read(data: bytes) -> Header | None:
    """The header of PNG, JPEG, GIF, WebP or PDF bytes, cut short or not; None for anything else."""
    if data.startswith(_PNG):
        return Header("image/png", _big(data, 16, 4), _big(data, 20, 4))
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return Header("image/gif", _little(data, 6, 2), _little(data, 8, 2))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if b"%PDF-" in data[:1024]:
        return Header("application/pdf", pages=_pages(data))
    return None


def _big(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big") if len(data) >= at + size else 0


def _little(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little") if len(data) >= at + size else 0


def _jpeg(data: bytes) -> Header:
    """Walk the segments to the start of frame, which stands after thumbnails and colour profiles of any length."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            return Header("image/jpeg", _big(data, at + 7, 2), _big(data, at + 5, 2))
        at += 1 if marker == 0xFF else 2 + max(2, _big(data, at + 2, 2))
    return Header("image/jpeg")


def _webp(data: bytes) -> Header:
    form = data[12:16]
    if form == b"VP8X":
        width, height = _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
        return Header("image/webp", width, height) if len(data) >= 30 else Header("image/webp")
    if form == b"VP8L":
        bits = _little(data, 21, 4)
        return Header("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1) if len(data) >= 25 else Header("image/webp")
    return Header("image/webp", _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF)


def _pages(data: bytes) -> int:
    """Page objects in the open and in compressed object streams, else the largest count a page tree names."""
    parts = [data, *_object_streams(data)]
    found = sum(len(_PAGE.findall(part)) for part in parts)
    return found or max((int(count) for part in parts for count in _COUNT.findall(part)), default=0)


def _object_streams(data: bytes) -> Iterator[bytes]:
    view = memoryview(data)
    for match in islice(_STREAM.finditer(data), _MAX_STREAMS):
        try:
            yield zlib.decompressobj().decompress(view[match.end() : match.end() + _MAX_STREAM], _MAX_STREAM)
        except zlib.error:
            continue  # another filter, or cut short: the pages in the open still count

"""How big images and documents are: from their header, priced by the provider's formula, never as base64 text."""

import base64
import binascii
import math
import re

import msgspec

from pumice.domain.block import Media
from pumice.measure import headers
from pumice.measure.naming import ModelName, parse

_FIRST = 4096
"""Base64 characters that hold the size of every image format but some JPEGs."""
_DATA_URL = re.compile(r"data:([^;,\s]*)((?:;[^;,\s]*)*),")
_MIME = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]{0,60}")
_UNKNOWN = (1568, 1568)
"""Pixels an image counts as when its header does not say: the long edge older Claude models scale to."""
_BYTES_PER_PAGE = 50_000
_TEXT_PER_PAGE = 3_000
"""Upper end of what a PDF page's text costs beside its image (provider-contracts §1.6)."""
_PAGE_SIZE = (1212, 1568)
"""Pixels of a US letter page at the long edge above."""
_BYTES_PER_AUDIO_TOKEN = 500
"""32 tokens a second (provider-contracts §4.4) at 128 kbit/s; uncompressed audio is over-counted."""


class _Patches(msgspec.Struct, frozen=True):
    """OpenAI models that count patches of 32 pixels: tokens per patch and the most patches of one image."""

    factor: float
    budget: int


class _Tiles(msgspec.Struct, frozen=True):
    """OpenAI models that count tiles of 512 pixels: tokens per image and per tile."""

    base: int
    tile: int


_OPENAI: tuple[tuple[str, _Patches | _Tiles], ...] = (
    (r"gpt-4\.1-mini|gpt-5-mini|gpt-5\.4-mini", _Patches(1.62, 1536)),
    (r"gpt-[\d.]+-nano", _Patches(2.46, 1536)),
    (r"o4-mini", _Patches(1.72, 1536)),
    (r"gpt-4o-mini", _Tiles(2833, 5667)),
    (r"gpt-4|chatgpt-4", _Tiles(85, 170)),
    (r"o\d", _Tiles(75, 150)),
    (r"computer-use", _Tiles(65, 129)),
    (r"gpt-5(?:\.[1-3])?(?![\d.])", _Tiles(70, 140)),
    (r"gpt-5\.[45](?!\d)", _Patches(1.0, 2500)),
    (r"", _Patches(1.0, 1_000_000)),
)
"""provider-contracts §3.7, `detail: high`; the last line are models from 5.6 on, which do not resize."""


def read(data: bytes, mime: str) -> Media:
    """What the bytes are; the header's own word on the format wins over `mime`."""
    header = headers.read(data) or headers.Header(_named(mime))
    return Media(header.mime, header.width, header.height, header.pages, len(data))


def from_base64(text: str, mime: str) -> Media:
    """What base64 text holds, decoding only as much of it as the header takes."""
    size = len(text) * 3 // 4 - text[-2:].count("=")
    head = read(_decoded(text[:_FIRST]), mime)
    if head.mime == "application/pdf" or (head.mime == "image/jpeg" and not head.width):
        head = read(_decoded(text), mime)
    return msgspec.structs.replace(head, size=size)


def from_data_url(url: str) -> Media:
    """What a `data:` URL holds; any other address says nothing about what is behind it."""
    found = _DATA_URL.match(url)
    if found is None:
        return Media("")
    if ";base64" in found[2]:
        return from_base64(url[found.end() :], found[1])
    return Media(_named(found[1]), size=len(url) - found.end())


def _named(mime: str) -> str:
    """A format as its sender names it, empty where it is no name: whoever made the image wrote that, and labels show it."""
    return mime if _MIME.fullmatch(mime) else ""


def tokens(media: Media, model: str) -> int:
    """Tokens a medium costs the model: pixels by the family's formula (provider-contracts §1.6, §3.7, §4.4), pages, audio.

    A size the header does not tell counts as 1568 × 1568 pixels, or one page per 50,000 bytes.
    """
    name = parse(model)
    if media.mime.startswith("audio/"):
        return 1 + media.size // _BYTES_PER_AUDIO_TOKEN
    if media.mime == "application/pdf":
        pages = media.pages or 1 + media.size // _BYTES_PER_PAGE
        return pages * (_TEXT_PER_PAGE + _image(*_PAGE_SIZE, name))
    width, height = (media.width, media.height) if media.width and media.height else _UNKNOWN
    return _image(width, height, name)


def _image(width: int, height: int, name: ModelName) -> int:
    if name.family == "gemini":
        return _gemini(width, height, name)
    if name.family == "openai":
        rule = next(rule for pattern, rule in _OPENAI if re.match(pattern, name.base))
        return _patches(width, height, rule) if isinstance(rule, _Patches) else _tiles(width, height, rule)
    newer = name.family == "claude" and name.generation >= (4, 7)
    return _claude(width, height, edge=2576, most=4784) if newer else _claude(width, height, edge=1568, most=1568)


def _claude(width: int, height: int, *, edge: int, most: int) -> int:
    scale = min(1.0, edge / max(width, height))
    across, down = math.ceil(width * scale / 28), math.ceil(height * scale / 28)
    return min(most, across * down)


def _patches(width: int, height: int, rule: _Patches) -> int:
    """Patches after shrinking to the budget so that one side is whole patches, as the vendor's worked example does."""
    if math.ceil(width / 32) * math.ceil(height / 32) <= rule.budget:
        return math.ceil(math.ceil(width / 32) * math.ceil(height / 32) * rule.factor)
    scale = math.sqrt(32 * 32 * rule.budget / (width * height))
    across, down = width * scale / 32, height * scale / 32
    scale = min(max(1, math.floor(across)) / across, max(1, math.floor(down)) / down)
    patches = math.ceil(round(across * scale, 6)) * math.ceil(round(down * scale, 6))
    return math.ceil(min(rule.budget, patches) * rule.factor)


def _tiles(width: int, height: int, rule: _Tiles) -> int:
    """Tiles after fitting into 2048 × 2048 and then shrinking the short side to 768."""
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    across, down = math.ceil(round(width * scale / 512, 6)), math.ceil(round(height * scale / 512, 6))
    return rule.base + rule.tile * across * down


def _gemini(width: int, height: int, name: ModelName) -> int:
    if name.generation >= (3, 0):
        return 1120  # the level `high`, the default of images
    if max(width, height) <= 384:
        return 258
    return 258 * math.ceil(width / 768) * math.ceil(height / 768)


def _decoded(text: str) -> bytes:
    packed = "".join(text.split())
    try:
        return base64.b64decode(packed[: len(packed) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""

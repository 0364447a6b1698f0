"""Content encodings: undone the same however the bytes are split, and never beyond the limit."""

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.faces.proxy import codings
from pumice.faces.proxy.codings import Damaged, Decoder, TooLarge, Unsupported

PACKERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "br": brotli.compress,
}


@settings(max_examples=25)
@given(st.sampled_from(list(PACKERS)), st.lists(st.binary(max_size=3000), max_size=3), st.integers(1, 2000))
def test_an_encoding_is_undone_whatever_the_pieces(name: str, parts: list[bytes], size: int) -> None:
    """Split anywhere; several frames in a row are one body, where the encoding has frames."""
    frames = [b"".join(parts)] if name in ("br", "deflate") else parts
    packed = b"".join(PACKERS[name](frame) for frame in frames)
    decoder = Decoder(name, 10_000)
    made = b"".join(decoder.feed(packed[start : start + size]) for start in range(0, len(packed), size))
    decoder.finish()
    assert made == b"".join(parts)


def test_encodings_are_undone_in_turn() -> None:
    """The last one applied goes first; identity is none; deflate comes with and without its header."""
    packed = zstandard.ZstdCompressor().compress(gzip.compress(b"body"))
    assert codings.decode(packed, "gzip, identity, ZSTD", 99) == b"body"
    raw = zlib.compressobj(wbits=-15)
    assert codings.decode(raw.compress(b"body") + raw.flush(), "deflate", 99) == b"body"
    assert codings.decode(b"body", "", 99) == b"body"


@pytest.mark.parametrize("name", list(PACKERS))
def test_a_bomb_stops_at_the_limit(name: str) -> None:
    """And what is cut short or is something else is said to be damaged."""
    with pytest.raises(TooLarge):
        codings.decode(PACKERS[name](bytes(3_000_000)), name, 1_000_000)
    whole = PACKERS[name](b"body " * 99)
    for wrong in (whole[:-3], b"\x07 no such body"):
        with pytest.raises(Damaged):
            codings.decode(wrong, name, 1_000_000)


def test_an_unknown_encoding_is_named() -> None:
    """Whoever sent it learns what is known."""
    with pytest.raises(Unsupported, match=r"rot13.*zstd"):
        codings.decode(b"", "gzip, rot13", 9)

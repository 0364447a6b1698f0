"""Media inside a block, from its wire source."""

import binascii
from base64 import b64decode

from pumice.domain.block import Media


def from_base64(data: str, mime: str) -> Media:
    """What the header of the decoded bytes says; a broken encoding keeps its estimated size."""
    try:
        decoded = b64decode(data, validate=False)
    except (binascii.Error, ValueError):
        return Media(mime, size=len(data) * 3 // 4)
    return _header(decoded, mime)


def from_data_url(url: str) -> Media:
    """Media of a `data:` URL; of any other URL only that it is there."""
    if not url.startswith("data:"):
        return Media("")
    kind, _, data = url[5:].partition(",")
    return from_base64(data, kind.partition(";")[0])


def _header(data: bytes, mime: str) -> Media:
    return Media(mime, size=len(data))

"""What pumice itself writes into a message."""

from pumice.wire import jsonbytes

ABORTED = "The call was aborted before it gave a result."
"""Result of a call that never got one."""


def as_arguments(text: str) -> bytes:
    """The bytes of a JSON object given as text. Raises BadRequest for anything else (K-A9, K-O4)."""
    return jsonbytes.join_object(jsonbytes.members(text.encode("utf-8", "surrogatepass")))

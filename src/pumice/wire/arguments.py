"""Arguments of a call in another form."""

from pumice.wire import jsonbytes


def as_arguments(text: str) -> bytes:
    """The bytes of a JSON object given as text. Raises BadRequest for anything else (K-A9, K-O4)."""
    return jsonbytes.join_object(jsonbytes.members(text.encode("utf-8", "surrogatepass")))

"""What pumice itself writes as a Gemini content."""

from pumice.domain.block import UNNAMED, Block
from pumice.wire import jsonbytes
from pumice.wire.forms import ABORTED
from pumice.wire.gemini import results


def said(role: str, text: str) -> bytes:
    """A content of one text."""
    return jsonbytes.encode({"role": role, "parts": [{"text": text}]})


def aborted(call: Block) -> bytes:
    """The response to a call that never got one; it names an id only where the call does (K-G6)."""
    named = {} if call.call_id.startswith(UNNAMED) else {"id": call.call_id}
    response = {**named, "name": call.tool, "response": {results.ERROR: ABORTED}}
    return jsonbytes.encode({"role": "user", "parts": [{"functionResponse": response}]})

"""The usage a provider would have reported for a view, had it been sent: what calibrates the product's counter in a replay.

The recorded usage is about what the recorded client sent. Taken as it is, the growth of a view with excerpts would look
far too dear, so the view's own growth is billed at the recorded call's rate.
"""

from pumice.domain.book import Size
from pumice.evaluate.factor import Rate
from pumice.evaluate.metrics.cost import Bill
from pumice.wire import jsonbytes


class Usage:
    """Follows one session under one policy."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._epoch: tuple[str, int] | None = None
        self._size = Size(0, 0)
        self._tokens = 0

    def billed(self, response: bytes, *, size: Size, bill: Bill, rate: Rate, epoch: tuple[str, int], output: int) -> bytes:
        """The response with the usage of the view of this size; as it is where the recording has none."""
        self._tokens = self._grown(size, rate) if epoch == self._epoch else size.tokens(rate.growth)
        self._size, self._epoch = size, epoch
        members = jsonbytes.members(response)
        field = "usageMetadata" if self._dialect == "gemini" else "usage"
        if members.get(field, b"null") == b"null":
            return response
        cached = min(bill.cached, self._tokens)
        members[field] = jsonbytes.encode(self._report(cached, output))
        return jsonbytes.join_object(members)

    def _grown(self, size: Size, rate: Rate) -> int:
        grown = Size(size.text - self._size.text, size.fixed - self._size.fixed)
        return self._tokens + grown.tokens(rate.growth)

    def _report(self, cached: int, output: int) -> dict[str, object]:
        if self._dialect == "anthropic":
            return {"input_tokens": self._tokens - cached, "cache_read_input_tokens": cached, "output_tokens": output}
        if self._dialect == "gemini":
            return {"promptTokenCount": self._tokens, "cachedContentTokenCount": cached, "candidatesTokenCount": output}
        details = {"cached_tokens": cached}
        if self._dialect == "openai-responses":
            return {"input_tokens": self._tokens, "output_tokens": output, "input_tokens_details": details}
        return {"prompt_tokens": self._tokens, "completion_tokens": output, "prompt_tokens_details": details}

"""What OpenAI's two APIs have in common: words are plain strings, and system text of ours is one more message."""

from collections.abc import Mapping

from pumice.domain.message import Request
from pumice.wire import jsonbytes
from pumice.wire.spliced import Spliced


class OpenAI(Spliced):
    """A dialect of OpenAI's."""

    def user(self, text: str) -> bytes:
        return self.system(text, "user")

    def system(self, text: str, role: str) -> bytes:
        return jsonbytes.encode({"role": role, "content": text})

    def headed(self, _request: Request, _text: str, /) -> Mapping[str, bytes]:
        return {}

    def headless(self, request: Request, _text: str, /) -> Request:
        return request

"""Models behind HTTP: a question of ours goes to an Anthropic, OpenAI-compatible or Gemini endpoint (extra `model`)."""

import asyncio
import json
import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from pumice import extras
from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.errors import InvalidInput, ModelFailed, QuotaExceeded
from pumice.wire import asking

TIMEOUT = 120.0
"""Seconds for one answer."""
RETRIES = 2
"""Further attempts after a refusal for rate or load."""
LONGEST_WAIT = 20.0
"""Seconds: a provider that asks for more patience than this has no quota for us."""
_BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
_NO_QUOTA = ("insufficient_quota", "billing", "credit balance", "RESOURCE_EXHAUSTED", "quota")
_MAX_ANSWER = 8 * 1024 * 1024
"""Bytes of one answer."""


class _Api(NamedTuple):
    base: str
    version: str
    """What a base url without a path is completed by."""
    path: str
    key: str
    """Environment variable that holds the credential."""


APIS: Mapping[str, _Api] = {
    "anthropic": _Api("https://api.anthropic.com", "/v1", "/messages", "ANTHROPIC_API_KEY"),
    "openai-chat": _Api("https://api.openai.com", "/v1", "/chat/completions", "OPENAI_API_KEY"),
    "openai-responses": _Api("https://api.openai.com", "/v1", "/responses", "OPENAI_API_KEY"),
    "gemini": _Api("https://generativelanguage.googleapis.com", "/v1beta", "/models/{model}:generateContent", "GEMINI_API_KEY"),
}


class Spec(msgspec.Struct, frozen=True):
    """Where a model is: `<dialect>:<model>[@<base url>]`."""

    dialect: str
    model: str
    base: str

    @property
    def url(self) -> str:
        api = APIS[self.dialect]
        version = "" if urlsplit(self.base).path else api.version
        return self.base + version + api.path.format(model=quote(self.model, safe=""))

    @property
    def target(self) -> asking.Target:
        """Servers that only follow OpenAI's API name the cap as it once did."""
        is_follower = self.dialect == "openai-chat" and not (urlsplit(self.base).hostname or "").endswith("openai.com")
        return asking.Target(self.dialect, self.model, "max_tokens" if is_follower else "")


def parse(text: str) -> Spec:
    """A model's address as policies write it. Raises InvalidInput with what was expected."""
    dialect, colon, rest = text.partition(":")
    model, _, base = rest.partition("@")
    if not colon or dialect not in APIS or not model:
        known = ", ".join(APIS)
        raise InvalidInput(f"model {text!r}: expected <dialect>:<model>[@<base url>], the dialect one of {known}.")
    base = (base or APIS[dialect].base).rstrip("/")
    if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).hostname:
        raise InvalidInput(f"model {text!r}: base url {base!r} is no http address.", hint="Write https://host[:port][/path].")
    return Spec(dialect, model, base)


class Models:
    """Asks whichever model a question names; credentials come from the environment and go nowhere else."""

    by_address: Literal[True] = True

    def __init__(self, *, environ: Mapping[str, str] | None = None, timeout: float = TIMEOUT, most: int = _MAX_ANSWER) -> None:
        self._environ = os.environ if environ is None else environ
        self._timeout = timeout
        self._most = most

    def serves(self, dialect: str) -> bool:
        """Whether the environment holds a credential: without one nothing of a session goes to a vendor nobody has named."""
        return dialect in APIS and bool(self._environ.get(APIS[dialect].key))

    async def __call__(self, ask: Ask) -> Answer:
        """Ask on its own, material and instructions in one request."""
        spec = parse(ask.model)
        return await self._asked(spec, asking.request(ask, spec.target))

    async def continuing(self, ask: Ask, dialect: str, view: bytes) -> Answer:
        """Ask at the end of a live view where the same API serves the question; on its own otherwise (K-E8)."""
        spec = parse(ask.model)
        if spec.dialect != dialect:
            return await self(ask)
        return await self._asked(spec, asking.continuing(ask, spec.target, view))

    async def _asked(self, spec: Spec, body: bytes) -> Answer:
        for left in reversed(range(RETRIES + 1)):
            status, headers, answer = await self._post(spec, body)
            if status == 200:
                return asking.read(answer, spec.target)
            wait = _wait(headers, RETRIES - left)
            if status not in _BUSY or not left or wait > LONGEST_WAIT or _is_quota(status, answer):
                raise _refusal(spec, status, answer, wait)
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    async def _post(self, spec: Spec, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        aiohttp = _http()
        limits = aiohttp.ClientTimeout(total=self._timeout)
        try:
            async with (
                aiohttp.ClientSession(timeout=limits) as client,
                client.post(spec.url, data=body, headers=self._headers(spec), allow_redirects=False) as response,
            ):
                return response.status, response.headers, await self._whole(spec, response.content)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            said = str(error) or type(error).__name__
            raise ModelFailed(f"{_place(spec)}: {said}.", hint="Check the base url and that the server runs.") from error

    async def _whole(self, spec: Spec, content: Any) -> bytes:
        """All of an answer, in however many pieces it comes. Raises ModelFailed for one over the cap."""
        body = bytearray()
        async for piece in content.iter_any():
            body += piece
            if len(body) > self._most:
                raise ModelFailed(f"{_place(spec)} answered more than {self._most} bytes, which is no answer to a question.")
        return bytes(body)

    def _headers(self, spec: Spec) -> dict[str, str]:
        key = self._environ.get(APIS[spec.dialect].key, "")
        headers = {"content-type": "application/json"}
        if spec.dialect == "anthropic":
            headers["anthropic-version"] = "2023-06-01"
        if key:
            named = {"anthropic": ("x-api-key", key), "gemini": ("x-goog-api-key", key)}
            name, value = named.get(spec.dialect, ("authorization", f"Bearer {key}"))
            headers[name] = value
        return headers


@cache
def _http() -> Any:
    """aiohttp, loaded when a model is first asked: it is as large as all else together."""
    try:
        return import_module("aiohttp")
    except ImportError as error:
        raise ModelFailed("asking a model needs aiohttp.", hint=f"Install it: {extras.command('model')}.") from error


def _place(spec: Spec) -> str:
    return f"model {spec.model!r} at {spec.base}"


def _wait(headers: Mapping[str, str], tried: int) -> float:
    """Seconds until the next attempt: as the provider asks, else one and then two."""
    asked = headers.get("retry-after", "")
    return float(asked) if asked.replace(".", "", 1).isdigit() else float(tried + 1)


def _is_quota(status: int, answer: bytes) -> bool:
    said = answer.decode("utf-8", "replace")
    return status == 402 or (status == 429 and any(word in said for word in _NO_QUOTA))


def _refusal(spec: Spec, status: int, answer: bytes, wait: float) -> ModelFailed:
    said = _message(answer)
    words = f"{_place(spec)} answered {status}{f': {said}' if said else ''}."
    if _is_quota(status, answer) or (status == 429 and wait > LONGEST_WAIT):
        return QuotaExceeded(words, hint="Raise the quota or name another model.")
    if status in (401, 403):
        return ModelFailed(words, hint=f"Set {APIS[spec.dialect].key} to a valid key.")
    return ModelFailed(words)


def _message(answer: bytes) -> str:
    """The provider's own sentence, shortened; a page that is no JSON says nothing of use."""
    try:
        found: Any = json.loads(answer)
    except ValueError:
        return ""
    error = found.get("error") if isinstance(found, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return " ".join(said.split())[:300] if isinstance(said, str) else ""

"""Recorded provider traffic for the wire tests."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ENDPOINTS = {
    "https://api.anthropic.com/v1/messages": "anthropic",
    "https://api.openai.com/v1/chat/completions": "openai-chat",
    "https://api.openai.com/v1/responses": "openai-responses",
    "https://openrouter.ai/api/v1/responses": "openai-responses",
}
GEMINI = re.compile(r"https://generativelanguage\.googleapis\.com/v1beta/models/([^:]+):(?:streamG|g)enerateContent")


class Exchange(NamedTuple):
    """A request that a provider answered with 200."""

    file: str
    dialect: str
    request: bytes
    response: bytes
    is_stream: bool
    model: str = ""
    """As the address names it."""


@pytest.fixture(scope="session")
def exchanges(data: Path) -> list[Exchange]:
    """Every recorded exchange of the dialects we know."""
    return [found for path in sorted((data / "provider-cassettes").glob("*.yaml")) for found in _exchanges(path)]


def _exchanges(path: Path):
    recorded = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    for item in recorded["interactions"]:
        request, response = item["request"], item["response"]
        named = GEMINI.match(request["uri"])
        dialect = "gemini" if named else ENDPOINTS.get(request["uri"].partition("?")[0])
        if dialect and response["status"]["code"] == 200:
            body = response.get("parsed_body")
            answer = json.dumps(body).encode() if body else response["body"]["string"].encode()
            sent = json.dumps(request["parsed_body"]).encode()
            yield Exchange(path.stem, dialect, sent, answer, body is None, named[1] if named else "")

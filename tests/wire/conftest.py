"""Recorded provider traffic for the wire tests."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ENDPOINTS = {"https://api.anthropic.com/v1/messages": "anthropic", "https://api.openai.com/v1/chat/completions": "openai-chat"}


class Exchange(NamedTuple):
    """A request that a provider answered with 200."""

    file: str
    dialect: str
    request: bytes
    response: bytes
    is_stream: bool


@pytest.fixture(scope="session")
def exchanges(data: Path) -> list[Exchange]:
    """Every recorded exchange of the dialects we know."""
    return [found for path in sorted((data / "provider-cassettes").glob("*.yaml")) for found in _exchanges(path)]


def _exchanges(path: Path):
    recorded = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    for item in recorded["interactions"]:
        request, response = item["request"], item["response"]
        dialect = ENDPOINTS.get(request["uri"].partition("?")[0])
        if dialect and response["status"]["code"] == 200:
            body = response.get("parsed_body")
            answer = json.dumps(body).encode() if body else response["body"]["string"].encode()
            yield Exchange(path.stem, dialect, json.dumps(request["parsed_body"]).encode(), answer, body is None)

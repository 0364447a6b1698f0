"""A real model with a real prefix cache (`make test-model`): protocol, retries and cached tokens, not the quality of words."""

import json
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from pumice import Engine
from pumice.domain.summary import Ask
from pumice.faces.endpoint import Models

pytestmark = pytest.mark.model
MODEL = "smollm2"
WINDOW = 3000
SYSTEM = {"role": "system", "content": "You answer in one short sentence."}


class Call(NamedTuple):
    """What the server reported of one call."""

    epoch: int
    prompt: int
    cached: int

    @property
    def share(self) -> float:
        return self.cached / self.prompt


@contextmanager
def busy(address: str, times: int) -> Iterator[tuple[str, list[int]]]:
    """A way to the server that is overloaded at first: its address, and what it has answered."""
    answered: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = b'{"error": {"message": "overloaded"}}' if len(answered) < times else post(f"{address}{self.path}", body)
            answered.append(503 if len(answered) < times else 200)
            self.send_response(answered[-1])
            self.send_header("retry-after", "0.01")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            """Says nothing: the test looks at what was answered."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", answered
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def post(url: str, body: bytes) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, body), timeout=600) as response:
        read: bytes = response.read()
    return read


def ask(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """One call of the server."""
    found: dict[str, Any] = json.loads(post(f"{address}/v1/chat/completions", json.dumps({**body, "max_tokens": 8}).encode()))
    return found


def called(epoch: int, answer: dict[str, Any]) -> Call:
    usage = answer["usage"]
    return Call(epoch, usage["prompt_tokens"], usage["prompt_tokens_details"]["cached_tokens"])


def notes(at: int) -> dict[str, Any]:
    return {"role": "user", "content": f"Step {at}: " + " ".join(f"part {at}-{n} is done." for n in range(30))}


def tell(calls: list[Call]) -> None:
    """The measured calls, for the report of a passed test (`-rP`)."""
    sys.stdout.write("call  epoch  prompt  cached  share\n")
    for at, call in enumerate(calls, 1):
        sys.stdout.write(f"{at:4}  {call.epoch:5}  {call.prompt:6}  {call.cached:6}  {call.share:5.2f}\n")


def test_views_extend_what_the_server_has_cached(address: str) -> None:
    """Inside an epoch all that was sent before is read from a real cache; after a cut it is again at the very next call."""
    calls: list[Call] = []
    warned: list[str] = []
    messages: list[dict[str, Any]] = [SYSTEM]
    with Engine.open(":memory:") as engine:
        session = engine.session("real", window=WINDOW, policy="balanced")
        for at in range(11):
            messages.append(notes(at))
            view = session.compile({"model": MODEL, "messages": messages}, dialect="openai-chat")
            answer = ask(address, view.body)
            session.record(answer)
            messages.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"] or "Done."})
            calls.append(called(view.epoch, answer))
            warned += [said for said in view.manifest.warnings if "were foretold" in said]
    tell(calls)
    cuts = [at for at in range(1, len(calls)) if calls[at].epoch > calls[at - 1].epoch]
    assert cuts
    for at in range(1, len(calls)):
        if at not in cuts:
            assert calls[at].cached > 0.95 * calls[at - 1].prompt
    assert cuts[0] + 2 < len(calls)
    assert not warned


def test_a_streamed_answer_of_a_real_server_is_recorded(address: str) -> None:
    """The chunks of a real stream are read as they come, and the usage at its end calibrates the counter."""
    with Engine.open(":memory:") as engine:
        session = engine.session("streamed", window=WINDOW, policy="balanced")
        body = {"model": MODEL, "messages": [SYSTEM, notes(0)], "stream": True, "stream_options": {"include_usage": True}}
        view = session.compile(body, dialect="openai-chat")
        with session.recording() as recorder:
            sent = json.dumps({**view.body, "max_tokens": 8}).encode()
            request = urllib.request.Request(f"{address}/v1/chat/completions", sent)
            with urllib.request.urlopen(request, timeout=600) as response:
                for chunk in iter(lambda: response.read(64), b""):
                    recorder.feed(chunk)
        again = session.compile(body, dialect="openai-chat")
        assert again.tokens.error_pct is not None
        assert again.body == view.body


async def test_a_question_at_the_end_of_a_live_view_is_read_from_the_real_cache(address: str) -> None:
    """The view's own prefix costs nothing again when a summary is asked for right after it (K-E8), overload or not."""
    view = {"model": MODEL, "messages": [SYSTEM, *(notes(at) for at in range(3))]}
    ask(address, view)
    with busy(address, 2) as (way, answered):
        question = Ask("summary", "What was done? One sentence.", 16, model=f"openai-chat:{MODEL}@{way}/v1")
        found = await Models(environ={}, timeout=600).continuing(question, "openai-chat", json.dumps(view).encode())
        assert not found.flaw or "cut off" in found.flaw
        assert found.usage is not None
        assert found.usage.cache_read > 0.8 * found.usage.input
    assert answered == [503, 503, 200]


def test_a_poor_summary_never_harms_a_session(address: str) -> None:
    """Whatever so small a model answers, the view stays valid, inside its budget, and its rules stand."""
    spec = f"openai-chat:{MODEL}@{address}/v1"
    policy = {"extends": "claude-code", "summarize": {"model": spec, "tokens": 200, "input_tokens": 3000}}
    messages: list[dict[str, Any]] = [SYSTEM, {"role": "user", "content": "Never touch migrations/. Port the parser."}]
    for at in range(4):
        messages += [{"role": "assistant", "content": f"I did part {at}."}, notes(at)]
    with Engine.open(":memory:", model=Models(environ={}, timeout=600)) as engine:
        session = engine.session("poor", window=WINDOW, policy=policy)
        session.compile({"model": MODEL, "messages": messages}, dialect="openai-chat")
        view = session.compact("by hand")
        assert view.manifest.economics.asked.questions > 0
        assert view.tokens.total < WINDOW
        assert "Never touch migrations/." in json.dumps(view.body)
        ask(address, view.body)

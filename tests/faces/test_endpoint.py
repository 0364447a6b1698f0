"""Model endpoints over real HTTP: requests a strict provider accepts, answers read, refusals said in words."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from pumice.domain.summary import Ask
from pumice.engine import asking
from pumice.errors import InvalidInput, ModelFailed, QuotaExceeded
from pumice.faces.endpoint import Models, parse
from pumice.wire.double import Double, Say, Use

ASK = Ask("summary", "Summarise what stands above.", 500, material="[b1] user: fix src/app.py:12")
KEYS = {"ANTHROPIC_API_KEY": "key-a", "OPENAI_API_KEY": "key-o", "GEMINI_API_KEY": "key-g"}
Answering = Callable[[web.Request, bytes], web.Response]
Streaming = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(answer: Answering | Streaming) -> AsyncIterator[str]:
    """A provider on a free loopback port."""

    async def handle(request: web.Request) -> web.StreamResponse:
        if inspect.iscoroutinefunction(answer):
            return await answer(request)
        return answer(request, await request.read())

    app = web.Application()
    app.router.add_post("/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


def doubled(double: Double, dialect: str) -> Callable[[web.Request, bytes], web.Response]:
    def answer(request: web.Request, body: bytes) -> web.Response:
        addressed = request.path.rpartition("/")[2].partition(":")[0] if dialect == "gemini" else ""
        reply = double.answer(body, dialect, model=addressed)
        return web.Response(status=reply.status, body=reply.body, content_type="application/json")

    return answer


@pytest.mark.parametrize(
    ("dialect", "model", "path"),
    [
        ("anthropic", "claude-haiku-4-5", "/v1/messages"),
        ("openai-chat", "gpt-5.1", "/v1/chat/completions"),
        ("openai-responses", "gpt-5.1", "/v1/responses"),
        ("gemini", "gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:generateContent"),
    ],
)
async def test_a_strict_provider_accepts_what_is_asked(dialect: str, model: str, path: str) -> None:
    """The question is a valid request of its API, sent with that API's credential, and its usage comes back."""
    double, seen = Double([Say("Goal: fix src/app.py:12")]), []

    def answer(request: web.Request, body: bytes) -> web.Response:
        seen.append((request.path, request.headers))
        return doubled(double, dialect)(request, body)

    async with serving(answer) as base:
        found = await Models(environ=KEYS)(replaced(ASK, f"{dialect}:{model}@{base}"))
    assert found.text == "Goal: fix src/app.py:12"
    assert found.usage is not None
    assert found.usage.input > 0
    assert seen[0][0] == path
    named = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}
    key = seen[0][1][named.get(dialect, "authorization")].removeprefix("Bearer ")
    assert key == {"anthropic": "key-a", "gemini": "key-g"}.get(dialect, "key-o")


async def test_gemini_is_asked_in_its_own_form() -> None:
    """Contents and cap where generateContent has them; thoughts are no part of the answer."""
    seen = {}

    def answer(request: web.Request, body: bytes) -> web.Response:
        seen.update(path=request.path, key=request.headers["x-goog-api-key"], body=json.loads(body))
        parts = [{"text": "hm", "thought": True}, {"text": "Done."}]
        usage = {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 3, "cachedContentTokenCount": 4}
        return web.json_response(
            {"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}], "usageMetadata": usage}
        )

    async with serving(answer) as base:
        found = await Models(environ=KEYS)(replaced(ASK, f"gemini:gemini-3-flash@{base}"))
    assert (found.text, found.usage.input, found.usage.output, found.usage.cache_read) == ("Done.", 9, 5, 4)
    assert seen["path"] == "/v1beta/models/gemini-3-flash:generateContent"
    assert seen["body"]["generationConfig"] == {"maxOutputTokens": 500}
    assert "src/app.py:12" in seen["body"]["contents"][0]["parts"][0]["text"]


async def test_a_question_at_the_end_of_a_live_view_reads_its_cache() -> None:
    """The prefix of the conversation's own request is kept byte for byte, so the provider's cache serves it (K-E8)."""
    view = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 64,
        "stream": True,
        "system": [{"type": "text", "text": "Be exact. " * 900, "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "Read", "input_schema": {"type": "object", "properties": {}}}],
        "messages": [{"role": "user", "content": "fix it"}],
    }
    double = Double([Say("on it"), Say("Goal: fix it")])
    double.answer(json.dumps(view).encode(), "anthropic")
    async with serving(doubled(double, "anthropic")) as base:
        models = Models(environ=KEYS)
        found = await models.continuing(
            replaced(ASK, f"anthropic:claude-sonnet-4-5@{base}"), "anthropic", json.dumps(view).encode()
        )
    assert found.usage.cache_read > 1000
    sent = json.loads(double.requests[-1])
    assert sent["tools"] == view["tools"]
    assert "stream" not in sent
    assert sent["max_tokens"] == 500


async def test_a_live_view_of_gemini_goes_on() -> None:
    """The cap is raised among the client's own settings; the rest of its request stays, and the cache is read."""
    model = "gemini-3-pro-preview"
    view = {
        "systemInstruction": {"parts": [{"text": "Be exact. " * 2500}]},
        "generationConfig": {"temperature": 0, "max_output_tokens": 9},
        "contents": [{"role": "user", "parts": [{"text": "fix it"}]}],
    }
    double = Double([Say("on it"), Say("Goal: fix it")])
    double.answer(json.dumps(view).encode(), "gemini", model=model)
    async with serving(doubled(double, "gemini")) as base:
        asked = replaced(ASK, f"gemini:{model}@{base}")
        found = await Models(environ=KEYS).continuing(asked, "gemini", json.dumps(view).encode())
    assert found.text == "Goal: fix it"
    assert found.usage.cache_read > 1000
    sent = json.loads(double.requests[-1])
    assert sent["generationConfig"]["temperature"] == 0
    assert sent["generationConfig"]["max_output_tokens"] >= 500
    assert sent["systemInstruction"] == view["systemInstruction"]
    assert [content["role"] for content in sent["contents"]] == ["user", "user"]


@pytest.mark.parametrize(
    ("step", "words"), [(Say("", (Use("Read", {"file_path": "a"}),)), "tool was called"), (Say("   "), "answer is empty")]
)
async def test_an_answer_that_is_no_text_has_a_flaw(step: Say, words: str) -> None:
    """A tool call or silence never becomes a summary; it is told apart, and paid for."""
    async with serving(doubled(Double([step]), "openai-chat")) as base:
        found = await Models(environ=KEYS)(replaced(ASK, f"openai-chat:gpt-5.1@{base}"))
    assert words in found.flaw
    assert found.usage.input > 0


async def test_a_cut_off_answer_has_a_flaw() -> None:
    """What ran into its cap is not whole, whatever it says (C11)."""

    def answer(_: web.Request, __: bytes) -> web.Response:
        choice = {"message": {"role": "assistant", "content": "Goal: fi"}, "finish_reason": "length"}
        return web.json_response({"choices": [choice]})

    async with serving(answer) as base:
        found = await Models(environ=KEYS)(replaced(ASK, f"openai-chat:m@{base}"))
    assert "cut off at its cap" in found.flaw


async def pieces(request: web.Request) -> web.StreamResponse:
    """An answer in pieces, each on its way before the next is written."""
    said = {"choices": [{"message": {"role": "assistant", "content": "word " * 200}, "finish_reason": "stop"}]}
    body, response = json.dumps(said).encode(), web.StreamResponse()
    response.enable_chunked_encoding()
    await response.prepare(request)
    for at in range(0, len(body), 400):
        await response.write(body[at : at + 400])
        await asyncio.sleep(0.01)
    return response


async def test_an_answer_is_read_to_its_end_however_it_comes() -> None:
    """In one piece or in many it is the same answer; one over the cap is refused for its size, not for its form."""
    async with serving(pieces) as base:
        asked = replaced(ASK, f"openai-chat:m@{base}")
        assert (await Models(environ=KEYS)(asked)).text == ("word " * 200).strip()
        with pytest.raises(ModelFailed, match="more than 500 bytes"):
            await Models(environ=KEYS, most=500)(asked)


async def test_a_busy_provider_is_asked_again_and_one_without_quota_is_not() -> None:
    """Load passes, an empty account does not."""
    statuses = iter([529, 200])

    def busy(_: web.Request, __: bytes) -> web.Response:
        status = next(statuses)
        done = {"choices": [{"message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}
        return web.json_response(done if status == 200 else {}, status=status, headers={"retry-after": "0"})

    async with serving(busy) as base:
        assert (await Models(environ=KEYS)(replaced(ASK, f"openai-chat:m@{base}"))).text == "ok"

    asked = []

    def poor(_: web.Request, __: bytes) -> web.Response:
        asked.append(1)
        return web.json_response({"error": {"message": "no credit", "code": "insufficient_quota"}}, status=429)

    async with serving(poor) as base:
        with pytest.raises(QuotaExceeded, match="no credit"):
            await Models(environ=KEYS)(replaced(ASK, f"openai-chat:m@{base}"))
    assert len(asked) == 1


async def test_a_server_that_is_not_there_is_said_in_words() -> None:
    """The place is named, no trace of a credential is."""
    with pytest.raises(ModelFailed, match=r"at http://127\.0\.0\.1:1") as caught:
        await Models(environ=KEYS)(replaced(ASK, "openai-chat:m@http://127.0.0.1:1"))
    assert "key-o" not in str(caught.value)


def test_a_question_without_an_address_has_nobody_to_ask() -> None:
    """Models are whichever one a question names; a callable of the user's is one without a name."""

    def own(ask: Ask) -> str:
        return "ok"

    assert not asking.has_own(Models())
    assert not asking.has_own(None)
    assert asking.has_own(own)


def test_addresses_of_models() -> None:
    """A base url without a path gets the API's version, one with a path is taken at its word, anything else is refused."""
    assert parse("openai-chat:org/m:free").url == "https://api.openai.com/v1/chat/completions"
    assert parse("openai-chat:m@http://localhost:8080/v1/").url == "http://localhost:8080/v1/chat/completions"
    assert parse("openai-chat:m@https://x.org/api/paas/v4").url == "https://x.org/api/paas/v4/chat/completions"
    for wrong in ("gpt-5", "openai:m", "anthropic:", "anthropic:m@ftp://x", "anthropic:m@nowhere"):
        with pytest.raises(InvalidInput):
            parse(wrong)


def replaced(ask: Ask, model: str) -> Ask:
    return Ask(ask.purpose, ask.prompt, ask.max_tokens, ask.material, model=model)

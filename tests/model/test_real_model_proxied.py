"""The real model behind `pumice serve`: an official client, streamed and not, and cached tokens the model's server reports."""

import sys
from pathlib import Path
from typing import Any

import openai
import pytest

from pumice.faces.proxy import assembly
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import Limits, configured
from pumice.faces.serving import serving
from pumice.store.home import open_store

pytestmark = pytest.mark.model
MODEL = "smollm2"
WINDOW = 3000
PATIENCE = 60.0
"""Seconds for the engine, on a machine whose cores the model has taken."""


def notes(at: int) -> dict[str, str]:
    return {"role": "user", "content": f"Step {at}: " + " ".join(f"part {at}-{n} is done." for n in range(30))}


async def said(client: openai.AsyncOpenAI, messages: list[Any], *, is_streamed: bool) -> tuple[str, Any]:
    """What the model says, and the usage it reports."""
    asked: Any = {"model": MODEL, "messages": messages, "max_tokens": 8}
    if not is_streamed:
        answer = await client.chat.completions.create(**asked)
        return answer.choices[0].message.content or "", answer.usage
    chunks = [
        chunk
        async for chunk in await client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True})
    ]
    texts = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    return "".join(texts), chunks[-1].usage


async def test_cached_tokens_grow_between_epochs(address: str, tmp_path: Path) -> None:
    """Between two cuts each call reads from the real cache all the one before sent; every second one is streamed."""
    usages: list[Any] = []
    messages: list[Any] = [{"role": "system", "content": "You answer in one short sentence."}]
    config = configured(upstreams={"openai": f"{address}/v1"}, limits=Limits(prepare=PATIENCE))
    proxy = create(config, assembly.gate("balanced", WINDOW, home=tmp_path / "store", seconds=PATIENCE))
    async with serving(proxy) as url, openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", timeout=600) as client:
        for at in range(11):
            messages.append(notes(at))
            text, usage = await said(client, messages, is_streamed=at % 2 == 1)
            messages.append({"role": "assistant", "content": text or "Done."})
            usages.append(usage)
    store = open_store(tmp_path / "store")
    rows = await store.accounts.since("local")
    await store.close()
    for row, usage in zip(rows, usages, strict=True):
        sys.stdout.write(
            f"epoch {row.epoch}  prompt {usage.prompt_tokens:5}  cached {usage.prompt_tokens_details.cached_tokens:5}\n"
        )
    assert {row.stage for row in rows} == {"compiled"}
    assert rows[-1].epoch > 0
    assert max(usage.prompt_tokens for usage in usages) < WINDOW
    within = [at for at in range(1, len(rows)) if rows[at].epoch == rows[at - 1].epoch]
    for at in within:
        assert usages[at].prompt_tokens_details.cached_tokens > 0.95 * usages[at - 1].prompt_tokens
    assert [row.read for row in rows] == [usage.prompt_tokens_details.cached_tokens for usage in usages]

"""Known failures of other agents, G and H in a session: windows and counting (numbers alone: tests/measure)."""

import json
from pathlib import Path
from typing import Any

import pytest
from conversations import raw
from rows import Row

from pumice.faces import cli


async def test_g2_g3_the_window_is_the_callers_word_then_the_serving_models() -> None:
    """An explicit window beats the catalogue; without one a smaller model moves the budget; each says its source."""
    row = Row(window=32_768).user("go")
    assert ((await row.call()).usable.window, row.views[-1].usable.source) == (32_768, "argument")
    free = Row(window=None, model="claude-sonnet-4-5").user("go")
    assert (await free.call()).usable.window == 200_000
    free.model = "gpt-3.5-turbo"
    small = await free.call()
    assert small.usable.window < 20_000
    assert small.manifest.usable.source != "argument"


async def test_g5_what_holds_can_be_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The effective trigger is in every manifest and can be printed; a refused value is an error that names its key."""
    row = Row(window=50_000).user("go")
    usable = (await row.call()).manifest.usable
    assert (usable.window, usable.tokens) == (50_000, 50_000 - usable.reserve_output - usable.safety)
    assert cli.main(["policy", "show", "balanced", "--window", "50000", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["tokens"] == usable.tokens
    assert shown["values"]["budget.act"]["value"] == 1.0
    assert shown["values"]["budget.act"]["origin"] == "preset balanced"
    refused = tmp_path / "mine.yaml"
    refused.write_text("extends: balanced\nbudget: {act: 1.6}\n")
    assert cli.main(["policy", "check", str(refused)]) == 2
    assert "$.budget.act" in capsys.readouterr().err


def long_block(kind: str, text: str) -> list[dict[str, Any]]:
    use = {
        "type": "tool_use",
        "id": "c1",
        "name": "Write",
        "input": {"file_path": "a", "content": text if kind == "arguments" else "x"},
    }
    content: Any = {"json": text, "string": text, "blocks": [{"type": "text", "text": text}]}.get(kind, "ok")
    content = json.dumps({"rows": text.split()}) if kind == "json" else content
    said = [{"type": "text", "text": text}] if kind == "assistant" else []
    said += [{"type": "thinking", "thinking": text, "signature": "s" * 50}] if kind == "thinking" else []
    said += [{"type": "connector_text", "payload": text}] if kind == "opaque" else []
    return [
        {"role": "assistant", "content": [*said, use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": content}]},
    ]


@pytest.mark.parametrize("kind", ["arguments", "json", "string", "blocks", "assistant", "thinking", "opaque"])
async def test_h5_h6_nothing_is_free(kind: str) -> None:
    """Arguments, JSON results, text in any place and kinds nobody knows count by what they hold."""
    row = Row(window=200_000, policy="none").user("go")
    small = await row.call()
    body = row.body()
    body["messages"] += long_block(kind, "alpha beta gamma delta " * 2000)
    view = await row.session.compile(raw(body), dialect="anthropic")
    grown = view.tokens.total - small.tokens.total
    # What reasoning costs depends on its signature, not on its words (provider-contracts §1.6).
    assert grown > (10 if kind == "thinking" else 5000), kind


@pytest.mark.parametrize("text", ["你好世界", "안녕하세요", "こんにちは", "🔥👩‍👩‍👧"])
async def test_h1_no_script_slips_under_the_budget(text: str) -> None:
    """Words that cost more tokens than Latin ones are counted, so the window holds for them too."""
    row = Row(window=9000).user("go")
    for at in range(30):
        row.uses(f"{at} {text * 300}", tool="Read", file_path=f"notes_{at}.txt")
        view = await row.call()
        assert view.tokens.total <= view.usable.tokens
    assert view.epoch > 0


async def test_h8_a_dense_model_is_learnt_from_its_bills() -> None:
    """A provider that reports 2.2 tokens for each of ours moves the counter, and views stay inside what it really counts."""
    row = Row(window=40_000).user("go")
    for at in range(40):
        view = await row.reads(1, 50).call()
        event = row.session.tree.calls[view.call]
        reported = round(2.2 * event.counted) + event.fixed
        answer = {"id": f"m{at}", "type": "message", "role": "assistant", "model": "x", "content": []}
        await row.session.record({**answer, "usage": {"input_tokens": reported, "output_tokens": 1}})
        if at > 10:
            assert reported <= view.usable.window - view.usable.reserve_output, at
    assert view.epoch > 0

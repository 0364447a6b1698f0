"""Known failures of other agents, I: images and documents in a session (their formulas: tests/measure)."""

import base64
import json
from itertools import pairwise
from typing import Any

import pytest
from conversations import png
from rows import Row, blocks, sent
from tests_support import code

from pumice import wire
from pumice.wire import rules

DIALECTS = list(wire.dialects)
TEXT = {"type": "text", "text": "look"}


def picture(size: int, fill: bytes = b"\x00") -> dict[str, Any]:
    data = base64.b64encode(base64.b64decode(png(1000, 800)) + fill * size).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


async def test_i1_a_big_picture_is_no_text() -> None:
    """A screenshot of 1.6 MB costs what its pixels cost and causes no cut."""
    row = Row(window=60_000)
    body = row.user("look").body()
    body["messages"] = [{"role": "user", "content": [{"type": "text", "text": "look"}, picture(1_200_000)]}]
    view = await row.session.compile(body, dialect="anthropic")
    assert view.tokens.total < 3000
    assert view.epoch == 0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_i2_old_pictures_leave_at_a_cut(dialect: str) -> None:
    """Of twenty pictures the newest few stay at an epoch, and the words beside them go on; the next pass is not locked out."""
    row = Row(dialect, window=9000)
    for at in range(20):
        row.user(f"Picture {at} of the series.", images=1).uses(code(f"p{at}", 30))
        view = await row.call()
        assert view.tokens.total <= view.usable.tokens
        if len(row.views) > 1 and view.epoch != row.views[-2].epoch:
            assert 1 <= view.raw.count(png().encode()) <= 5
    assert view.epoch > 1
    assert "Picture 19 of the series." in str(sent(view))


def image(data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def images(view: Any) -> int:
    return view.raw.count(b'"type":"image"') + view.raw.count(b'"type": "image"')


@pytest.mark.parametrize("data", [png(9000, 20), png(20, 8001)], ids=["wide", "high"])
@pytest.mark.parametrize("place", ["message", "result"])
async def test_i4_a_picture_no_request_may_hold_is_replaced_on_entry(data: str, place: str) -> None:
    """A side over 8,000 pixels would be refused at every call: a line with its address stands for it, its words stay."""
    row = Row().user("look")
    await row.call()
    content = [{"type": "text", "text": "here it is"}, image(data)]
    if place == "result":
        use = {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "a.png"}}
        more = [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": content}]},
        ]
    else:
        more = [{"role": "assistant", "content": "Show me."}, {"role": "user", "content": content}]
    body = {**row.body(), "messages": [*row.body()["messages"], *more]}
    view = await row.session.compile(body, dialect="anthropic")
    assert (rules.check(view.raw, "anthropic"), view.epoch, images(view)) == ((), 0, 0)
    assert "here it is" in str(sent(view))
    (changed,) = [one for one in view.manifest.rows if one.outcome == "excerpt"]
    assert "8,000 are the most" in changed.reason
    assert f'read=\\"{changed.pointer}\\"' in json.dumps(sent(view))
    back = await row.session.read_range(changed.pointer)
    assert [json.loads(raw)["source"]["data"] for raw in back.media] == [data]
    more += [{"role": "assistant", "content": "Too large."}, {"role": "user", "content": "Then go on."}]
    later = await row.session.compile({**row.body(), "messages": [*row.body()["messages"], *more]}, dialect="anthropic")
    assert sent(later)[: len(sent(view))] == sent(view)


async def test_i4_a_picture_of_a_session_taken_over_leaves_with_the_next_epoch() -> None:
    """What was sent before pumice came is in the provider's cache, or in its way: an epoch on record puts only that away."""
    row = Row(window=60_000).user("look").says("Show me.")
    body = row.body()
    body["messages"] += [{"role": "user", "content": [TEXT, image(png(9000, 20))]}, {"role": "assistant", "content": "Hm."}]
    body["messages"] += [{"role": "user", "content": "go on"}]
    view = await row.session.compile(body, dialect="anthropic")
    assert (rules.check(view.raw, "anthropic"), view.epoch, view.cause) == ((), 1, "budget")
    assert [block["text"] for block in blocks(view) if "<pumice:" not in block["text"]] == [
        "look",
        "Show me.",
        "look",
        "Hm.",
        "go on",
    ]


async def test_i5_bytes_have_a_budget_of_their_own() -> None:
    """What is over the provider's bytes is not sent even where its tokens fit: the oldest images go, by rare steps."""
    row = Row(window=200_000).user("look")
    body, views = row.body(), []
    for at in range(12):
        shot = [{"type": "text", "text": f"step {at}"}, picture(3_000_000, bytes([at]))]
        body["messages"] += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": shot}]
        views.append(await row.session.compile(body, dialect="anthropic"))
        assert rules.check(views[-1].raw, "anthropic") == ()
        assert all(f'"step {n}"'.encode() in views[-1].raw for n in range(at + 1))
    moved = [after.epoch - before.epoch for before, after in pairwise(views)]
    assert sum(moved) == views[-1].epoch <= 3
    assert images(views[-1]) >= 3
    assert not views[-1].manifest.warnings


async def test_i5_too_many_bytes_at_once_leave_the_newest_images() -> None:
    """Of six large screenshots in one message as many of the newest stay as may."""
    row = Row(window=200_000)
    shots = [picture(5_000_000, bytes([at])) for at in range(6)]
    body = {**row.body(), "messages": [{"role": "user", "content": [TEXT, *shots]}]}
    view = await row.session.compile(body, dialect="anthropic")
    assert rules.check(view.raw, "anthropic") == ()
    assert [block for block in blocks(view) if block["type"] == "image"] == shots[-3:]


async def test_i5_more_images_than_a_provider_counts() -> None:
    """Over a hundred images on a model of 200,000 tokens the oldest leave; without a policy that cuts it is said."""
    content = [TEXT, *(image(png(30, 30)) for _ in range(120))]
    for policy in ("balanced", "none"):
        row = Row(window=200_000, policy=policy)
        view = await row.session.compile(
            {**row.body(), "messages": [{"role": "user", "content": content}]}, dialect="anthropic"
        )
        assert images(view) == (50 if policy == "balanced" else 120)
        assert any("A24" in warning for warning in view.manifest.warnings) is (policy == "none")


async def test_media_read_back_is_the_image() -> None:
    """A pointer to an image gives it back as a content block, from a message and from a result alike (F-B13)."""
    row = Row(window=9000)
    for at in range(12):
        row.user(f"Picture {at}.", images=1).uses(code(f"p{at}", 30))
        await row.call()
    hidden = [one for one in row.views[-1].manifest.rows if one.source == "user:media" and one.outcome == "fold"]
    assert hidden
    back = await row.session.read_range(hidden[0].pointer)
    assert (back.text, [json.loads(raw)["type"] for raw in back.media]) == ("", ["image"])

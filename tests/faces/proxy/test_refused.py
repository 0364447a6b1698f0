"""An upstream that refuses what was rewritten gets the client's own request once, and from then on (K-P8)."""

import json
from typing import Any

import pytest
from gated import Gated, chat, worked

from pumice.faces.proxy import verdicts
from pumice.faces.proxy.gate import Reply, Stage
from pumice.faces.proxy.turn import Turn
from pumice.wire.double import Double, Say


def refusal(message: str, status: int = 400) -> Reply:
    return Reply(status, json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": message}}).encode())


STRUCTURE = refusal("messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_x.")


async def rewritten(gated: Gated, **more: Any) -> tuple[list[dict[str, Any]], Turn]:
    """A conversation that has been cut, and its newest call."""
    bodies = worked(chat("go", **more), 40)
    for body in bodies[:38]:
        made = await gated.prepare(body)
    assert made.is_rewritten
    return bodies[38:], made


async def test_a_structural_refusal_is_answered_with_the_clients_own_request() -> None:
    """The second try is taken; afterwards, in this process and the next, the conversation goes through as it comes."""
    gated = Gated(upstream=Double([Say("ok")]))
    rest, made = await rewritten(gated)
    again = await gated.gate.refused(made.call, made, STRUCTURE)
    assert isinstance(again, Turn)
    assert (again.body, again.stage) == (made.call.body, Stage.CLIENT)
    await gated.gate.answered(again, gated.ask(again))
    later = await gated.prepare(rest[0])
    assert (later.body, later.stage) == (later.call.body, Stage.CLIENT)
    await gated.close()
    other = Gated(gated.store, upstream=Double([]))
    assert (await other.prepare(rest[1])).stage is Stage.CLIENT
    await other.close()


async def test_a_request_that_is_refused_either_way_was_not_ours_to_blame() -> None:
    """Where the client's own request is refused too, the conversation is compiled on."""
    gated = Gated(upstream=Double([]))
    rest, made = await rewritten(gated)
    again = await gated.gate.refused(made.call, made, STRUCTURE)
    assert isinstance(again, Turn)
    assert await gated.gate.refused(made.call, again, STRUCTURE) is None
    await gated.gate.answered(again, STRUCTURE)
    assert (await gated.prepare(rest[0])).stage is Stage.COMPILED
    await gated.close()


@pytest.mark.parametrize(
    ("reply", "more"),
    [
        (refusal("prompt is too long: 210000 tokens > 200000 maximum"), {}),
        (refusal("Your credit balance is too low to access the API."), {}),
        (refusal("messages.3: bad", 500), {}),
        (STRUCTURE, {"thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "error"}}}),
    ],
    ids=["too long", "credit", "status", "the client wants the error"],
)
async def test_other_refusals_are_the_clients(reply: Reply, more: dict[str, Any]) -> None:
    """Size, money, faults of the provider, and reasoning whose mismatch the client wants to hear of: no second try."""
    gated = Gated(upstream=Double([]))
    _, made = await rewritten(gated, **more)
    assert await gated.gate.refused(made.call, made, reply) is None
    await gated.close()


async def test_a_request_that_was_not_rewritten_is_not_tried_again() -> None:
    """The same bytes would be refused again."""
    gated = Gated(upstream=Double([]))
    made = await gated.prepare(chat("hello"))
    assert await gated.gate.refused(made.call, made, STRUCTURE) is None
    await gated.close()


@pytest.mark.parametrize(
    "said",
    [
        "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
        "messages: roles must alternate between \"user\" and \"assistant\"",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        "No tool call found for function call output with call_id call_1.",
        "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
)  # fmt: skip
def test_the_words_of_structure(said: str) -> None:
    """Sentences in which providers refuse a history, as recorded in provider-contracts."""
    assert verdicts.is_structural(refusal(said))

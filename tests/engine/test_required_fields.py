"""Fields a policy requires are committed before what holds them leaves the view."""

import json

from msgspec.structs import replace
from tests_support import Agent, World, words

from pumice.domain.policy import Commit
from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.faces import settings

FIELDS = Commit(
    required_fields=("delivery_status", "delivered_at", "refund_amount", "open_items"), synonyms={"delivered_at": ("签收日期",)}
)


def agent_of(policy_name: str) -> Agent:
    world = World()
    chosen = replace(settings.policy(policy_name), name="asking", commit_before_compact=FIELDS)
    engine = AsyncEngine(world.store, Ports(clock=lambda: world.now), lambda _: chosen)
    return Agent(engine.session("s", policy="asking", window=12_000))


async def worked(agent: Agent) -> str:
    agent.says("Please look after order A-1009. 签收日期是三月五日。")
    order = {"order": "A-1009", "delivery_status": "signed for", "box": 7}
    agent.runs("c0", json.dumps(order), tool="lookup_order", order="A-1009")
    for at in range(40):
        agent.runs(f"c{at + 1}", f"part {at} of the log, all is well\n" * 60, tool="Bash", command=f"tail part{at}.log")
        agent.says(f"go on with part {at}")
    view = await agent.call()
    assert view.epoch > 0
    return words(view.body)


async def test_what_a_result_said_once_is_state_when_it_has_gone() -> None:
    """Found with its source, pinned as it was said, or unknown; whatever levels the policy has."""
    for policy in ("balanced", "tool-rounds"):
        text = await worked(agent_of(policy))
        assert '\\"delivery_status\\": \\"signed for\\"' in text, policy
        assert "签收日期是三月五日。" in text, policy
        assert "⋯ refund_amount unknown" in text, policy
        assert "open_items unknown" not in text
        assert "delivered_at unknown" not in text

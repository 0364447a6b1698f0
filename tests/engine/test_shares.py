"""The manifest of every call says what each partition takes of its share."""

import msgspec
import pytest
from tests_support import World, code

from pumice.domain.policy import Shares
from pumice.faces import settings


@pytest.mark.parametrize("name", ["balanced", "none", "codex"])
async def test_shares_are_reported_whatever_the_policy(world: World, name: str) -> None:
    """Tokens by partition, the share in tokens of usable, and what is borrowed beyond it."""
    agent = world.agent(policy=name).says("Read it all.")
    for at in range(3):
        agent.runs(f"t{at}", code(f"f{at}", 200), tool="Read", file_path=f"f{at}.py")
    view = await agent.call()
    found = {share.partition: share for share in view.manifest.shares}
    assert list(found) == ["system", "goal", "memory", "state", "tools", "history"]
    assert {name: share.tokens for name, share in found.items()} == view.tokens.by_partition
    assert found["tools"].share == round(0.35 * view.usable.tokens)
    assert found["tools"].borrows == found["tools"].tokens - found["tools"].share > 0
    assert found["memory"].borrows == 0


async def test_a_policys_own_shares_count(world: World) -> None:
    """The numbers are those of the policy in force."""
    policy = msgspec.structs.replace(settings.policy("balanced"), shares=Shares(history=0.01))
    view = await world.agent(policy=policy).says("word " * 2000).answers("word " * 2000).says("go on").call()
    found = {share.partition: share for share in view.manifest.shares}
    assert found["history"].share == round(0.01 * view.usable.tokens)
    assert found["history"].borrows > 3000

"""Nothing of a session goes to a vendor that nobody has named or given a credential for."""

from typing import Literal

import pytest
from tests_support import World, code

from pumice.domain.summary import Ask
from pumice.faces.endpoint import Models


class Vendor:
    """Whichever model is asked, as the library asks them: with a credential for one dialect, or for none."""

    by_address: Literal[True] = True

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.asked: list[str] = []

    def serves(self, dialect: str) -> bool:
        return dialect == self.dialect

    def __call__(self, ask: Ask) -> str:
        self.asked.append(ask.model)
        return "no summary"


@pytest.mark.parametrize(("key", "asks"), [("", False), ("openai-chat", False), ("anthropic", True)])
async def test_a_products_policy_asks_its_own_vendor_only_with_a_credential(key: str, asks: bool) -> None:
    """Without one the summary is made without a model, and that counts as no failure."""
    world = World()
    world.model = vendor = Vendor(key)
    agent = world.agent(policy="codex", window=20_000).says("Fix the parser.")
    for at in range(12):
        await agent.runs(f"c{at}", code(f"part{at}", 60)).call()
    view = await agent.session.compact()
    await agent.session.asker.settled()
    assert view.epoch > 0
    assert bool(vendor.asked) == asks
    assert asks or agent.session.tree.failed == {}


def test_a_credential_is_one_in_the_environment() -> None:
    """Of the very vendor; an empty one is none."""
    models = Models(environ={"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": ""})
    assert models.serves("anthropic")
    assert not models.serves("openai-chat")
    assert not models.serves("gemini")

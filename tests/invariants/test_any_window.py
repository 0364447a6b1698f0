"""Every preset on windows far below what it was made for: its own plan stands, and no cut falls down to the floor."""

import asyncio

import pytest
from conversations import KINDS, Item, raw
from driver import Driver

from pumice.faces import settings

NAMES = [name for name in settings.preset_names() if name != "none"]


class Client(Driver):
    """A client that only calls, and after every call asks whether a plan has failed its proof."""

    async def work(self) -> None:
        """Reads, logs and searches of very different sizes, some bigger than a whole window, and what a person says between."""
        for at, lines in enumerate((10, 250, 30, 700, 60, 5, 400, 20)):
            kinds = [list(KINDS)[(at + more) % len(KINDS)] for more in range(2)]
            await self._loop(kinds, 7 * at, lines, 1 + at % 3)
            self.items.append(Item("user", f"Now part_{at}, please. Never touch part_{at + 50}. {'More of it. ' * 3**at}"))

    async def call(self, sent: bytes | None = None) -> None:
        await self.session.compile(raw(self.body()) if sent is None else sent, dialect=self.dialect)
        for lane in self.session.tree.lanes.values():
            assert not lane.breaker.failures, self.options


@pytest.mark.parametrize("name", NAMES)
def test_no_plan_fails_its_proof(name: str) -> None:
    """Numbers of newest results, rounds or tokens are bounded by what there is, also beside results bigger than that."""
    for window in (6_000, 16_000):
        client = Client("anthropic", window=window, policy=name)
        asyncio.run(client.work())
        [lane] = client.session.tree.lanes.values()
        assert lane.epoch.number > 2, "cut more than once"

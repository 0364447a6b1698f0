"""Sessions whose summaries a scripted model writes, for the rows of known failures."""

from typing import Any

from msgspec.structs import replace
from rows import Row

from pumice.compact.breaker import Breaker
from pumice.compact.summary import template
from pumice.domain.policy import Policy, Questions
from pumice.domain.summary import Ask
from pumice.engine.call import View
from pumice.faces import settings

WENT = "- It went on. ({source})"
"""What a model says that has forgotten everything."""


def policy(name: str, **own: Any) -> Policy:
    """A shipped policy by name, its level summarize changed; an open breaker stays open."""
    shipped = settings.policy(name)
    limits = replace(shipped.breaker, half_open_after=1000)
    return replace(shipped, summarize=replace(shipped.summarize, **own), questions=Questions(wait_seconds=5), breaker=limits)


def saying(text: str, name: str = "handoff") -> Any:
    """A model that says one thing in the last section of a template, `{source}` being the newest block it was asked about."""
    parts = [part for part in template.shipped(name).sections if not part.by_code and part.key != "next_step"]

    def answer(ask: Ask) -> str:
        titles = [f"## {part.title}" for part in template.shipped(name).sections if not part.by_code]
        said = text.replace("{source}", ask.sources[-1])
        return "\n".join(f"{title}\n{said if title.endswith(parts[-1].title) else ''}" for title in titles)

    return answer


def breaker(row: Row) -> Breaker:
    found: Breaker = row.session.tree.current["main"].breaker
    return found


async def until_epoch(row: Row, number: int, lines: int = 30) -> View:
    """Work until an epoch has begun; whoever is asked answers before the next step."""
    for _ in range(60):
        view = await row.steps(1, lines)
        await row.session.asker.settled()
        if view.epoch >= number:
            return view
    raise AssertionError(f"epoch {number} did not begin")

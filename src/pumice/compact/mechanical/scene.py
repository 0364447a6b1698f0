"""What the rules of level mechanical look at, and the forms they give."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pumice.commit import done, effects
from pumice.commit.effects import Does
from pumice.compact import exchanges
from pumice.compact.exchanges import Exchange
from pumice.compact.layout import Brief, Layout
from pumice.compact.recent.ends import rounds
from pumice.domain import marks, pointer
from pumice.domain.block import Block
from pumice.domain.decision import Decision, Outcome
from pumice.domain.group import Group

LEVEL = "mechanical"
_TESTS = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ctest|rspec|phpunit|nextest|playwright test"
    r"|(?:go|cargo|mvn|gradle|gradlew|dotnet|bazel|swift|mix|deno|bun|npm|yarn|pnpm)(?: run)? test|make (?:test|check))\b"
)

Found = tuple[Decision, ...]
"""Decisions that hold together or not at all."""


class Scene(msgspec.Struct, frozen=True):
    brief: Brief
    before: Layout
    exchanges: tuple[Exchange, ...]
    """Those that stand, in order."""
    fresh: int
    """Position of the newest round: what it brought the model has yet to see."""
    failed: frozenset[str]
    """Results of calls that failed."""
    spared: frozenset[str]
    """Calls and results that stay: the newest test result and the newest error."""
    cited: frozenset[str]
    """Sources of what the task state still holds: they are not dropped."""

    @property
    def groups(self) -> Sequence[Group]:
        return self.brief.book.groups

    def older(self) -> Iterator[Exchange]:
        """Exchanges that may be touched, in order; images have a policy of their own."""
        found = (one for one in self.exchanges if one.position < self.fresh and not one.result.media)
        return (one for one in found if one.result.id not in self.spared)

    def is_whole(self, block: Block) -> bool:
        """Whether a block stands as it came."""
        return block.id not in self.before.forms and block.id not in self.brief.book.forms


def of(brief: Brief, before: Layout) -> Scene:
    """The scene of a plan."""
    found = exchanges.standing(brief.book.groups, brief.book.uses, before)
    failed = frozenset(one.result.id for one in found if done.has_failed(one.result, one.use))
    newest = (_newest(found, is_test), _newest(found, lambda one: one.result.id in failed))
    spared = frozenset(block.id for one in newest if one is not None for block in one.blocks)
    cited = frozenset(name for item in brief.book.state.items if not item.by for name in item.sources)
    fresh = next(rounds(brief.book.groups), len(brief.book.groups))
    return Scene(brief, before, tuple(found), fresh, failed, spared, cited)


def is_test(exchange: Exchange) -> bool:
    """Whether a call ran tests."""
    return exchange.use.is_listing and bool(_TESTS.search(exchange.use.target))


def may_drop(scene: Scene, exchange: Exchange) -> bool:
    """Whether a pair may leave without a trace."""
    return exchange.may_go and not any(block.id in scene.cited for block in exchange.blocks)


def does(exchange: Exchange) -> Does:
    return effects.does(exchange.call)


def line(scene: Scene, block: Block, words: str, reason: str) -> Found:
    """One line of ours in place of a block, which says where to look instead."""
    return excerpt(scene, block, marks.gap(words), reason)


def excerpt(scene: Scene, block: Block, body: str, reason: str) -> Found:
    """A text in place of a block, with the block's own address."""
    address = pointer.artifact(block.id)
    text = marks.wrap("excerpt", body, of=block.id, **scene.brief.ruler.redeem.mark(block.id, address))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return (Decision(block.id, Outcome.EXCERPT, LEVEL, reason, text, digest, address),)


def dropped(exchange: Exchange, reason: str) -> Found:
    """A call out of view together with its result."""
    return tuple(
        Decision(block.id, Outcome.DROP, LEVEL, reason, pointer=pointer.artifact(block.id)) for block in exchange.blocks
    )


def _newest(found: Sequence[Exchange], matches: Callable[[Exchange], bool]) -> Exchange | None:
    return next((one for one in reversed(found) if matches(one)), None)

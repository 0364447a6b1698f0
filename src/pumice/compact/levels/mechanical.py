"""Level mechanical: out goes what something newer or smaller says as well; nothing that only stands there (F-C2)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.compact import exchanges
from pumice.compact.layout import Brief, Layout
from pumice.compact.mechanical import newer, scene, talk
from pumice.compact.mechanical.scene import LEVEL, Found, Scene
from pumice.compact.showing import Showing
from pumice.domain.decision import Decision, Outcome

RULES: Mapping[str, Callable[[Scene], Iterator[Found]]] = {
    "superseded": newer.superseded,
    "duplicate": newer.duplicate,
    "fixed": newer.fixed,
    "plans": newer.plans,
    "noise": talk.noise,
    "reasoning": talk.reasoning,
    "chatter": talk.chatter,
}

SAME = 5
"""Tokens by which two lines may differ that say the same of different blocks."""


def lay_out(brief: Brief, before: Layout) -> Layout:
    """What the policy's rules find, whatever the target: it is worth nothing where it stands."""
    forms = _found(brief, before)
    if not forms:
        return before
    kept = before.kept(brief.book.groups)
    return msgspec.structs.replace(before, level=LEVEL, forms=exchanges.swept(kept, {**before.forms, **forms}, level=LEVEL))


def _found(brief: Brief, before: Layout) -> dict[str, Decision]:
    """New forms by block, the first rule's where several find one; a rule's decisions hold together or not at all."""
    looked_at, stands = scene.of(brief, before), _Standing(brief, before)
    forms: dict[str, Decision] = {}
    for name in brief.policy.mechanical.rules:
        for found in RULES[name](looked_at):
            made = tuple(map(stands.as_before, found))
            if all(one.block not in forms and one.block not in before.forms for one in made) and stands.saves(made):
                forms.update((one.block, one) for one in made)
    return forms


class _Standing:
    """What stands before this level, here and in the lane's present epoch."""

    def __init__(self, brief: Brief, before: Layout) -> None:
        cut = brief.book.epoch.cut
        found = (one for one in (cut.decisions if cut else ()) if one.level == LEVEL and one.outcome is Outcome.EXCERPT)
        self._earlier = {one.block: one for one in found}
        self._blocks = {block.id: block for group in brief.book.groups for block in group.blocks}
        self._showing = Showing(brief, before)
        self._ruler = brief.ruler

    def as_before(self, made: Decision) -> Decision:
        """The excerpt this level has given already, unless there is much less to show now: its bytes may still be cached."""
        earlier = self._earlier.get(made.block) if made.outcome is Outcome.EXCERPT else None
        return earlier if earlier is not None and self._size(earlier) <= self._size(made) + SAME else made

    def saves(self, made: Sequence[Decision]) -> bool:
        return sum(map(self._size, made)) < sum(self._showing.block(self._blocks[one.block]) for one in made)

    def _size(self, made: Decision) -> int:
        return self._ruler.shown(self._blocks[made.block], made)

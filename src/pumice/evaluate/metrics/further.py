"""Further figures of a view (F-G4): what moved, what is cited, whether work can go on, what may be done or asked again."""

from collections.abc import Sequence

import msgspec

from pumice.evaluate.metrics import continuation
from pumice.evaluate.metrics.citations import Citations
from pumice.evaluate.metrics.prefix import Prefix, Prefixes
from pumice.evaluate.metrics.theirs import Theirs
from pumice.evaluate.script import Moment
from pumice.evaluate.share import Share
from pumice.evaluate.view import View


class Further(msgspec.Struct, frozen=True):
    prefix: Prefix = Prefix()
    citations: Share = Share()
    continuation: Share = Share()
    """Asked of the first view of every epoch after the one its lane opened with."""
    redone: int = 0
    """Changes made again of which nothing stood in the view."""
    asked: int = 0
    """Questions put to a person again whose answer did not stand in the view."""


class FurtherJudge:
    """Follows one session under one policy."""

    def __init__(self, theirs: Theirs) -> None:
        self._theirs = theirs
        self._prefixes = Prefixes()
        self._citations = Citations(theirs)

    def see(
        self, moment: Moment, view: View, *, factor: float, names: Sequence[str], rules: Sequence[str], begins: bool
    ) -> Further:
        """Judge a view; `names` are those of the blocks, `rules` the constraints that hold, `begins`: an epoch does."""
        sources = self._theirs.sources
        return Further(
            prefix=self._prefixes.see(view, factor),
            citations=self._citations.see(view, names),
            continuation=continuation.judge(sources, rules, view.text) if begins else Share(),
            redone=sum(sources[at].block.text not in view.text for at in moment.redone),
            asked=sum(sources[at].block.text not in view.text for at in moment.asked),
        )

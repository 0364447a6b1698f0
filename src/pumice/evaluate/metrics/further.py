"""Further figures of a view (F-G4): what moved, what is cited, whether work can go on, what may be done or asked again."""

import re
from collections.abc import Sequence

import msgspec

from pumice.domain import marks
from pumice.evaluate.again import Done
from pumice.evaluate.metrics.citations import Citations
from pumice.evaluate.metrics.continuation import Continuation
from pumice.evaluate.metrics.prefix import Prefix, Prefixes
from pumice.evaluate.metrics.theirs import Theirs
from pumice.evaluate.script import Moment
from pumice.evaluate.share import Share
from pumice.evaluate.view import View
from pumice.recordings.recording import Recording


class Further(msgspec.Struct, frozen=True):
    prefix: Prefix = Prefix()
    citations: Share = Share()
    continuation: Share = Share()
    """Structural probes answered in full by the first view of every epoch after the one its lane opened with."""
    redone: int = 0
    """Changes made again that nothing in the view told of."""
    asked: int = 0
    """Questions put to a person again whose answer did not stand in the view."""


class FurtherJudge:
    """Follows one session under one policy."""

    def __init__(self, theirs: Theirs, recording: Recording) -> None:
        self._theirs = theirs
        self._continuation = Continuation(recording)
        self._prefixes = Prefixes()
        self._citations = Citations(theirs)

    def see(self, moment: Moment, view: View, *, factor: float, names: Sequence[str], begins: bool) -> Further:
        """Judge a view; `names` are those of the blocks, `begins` says that an epoch does."""
        sources = self._theirs.sources
        return Further(
            prefix=self._prefixes.see(view, factor),
            citations=self._citations.see(view, names),
            continuation=self._continuation.see(moment, view, names) if begins else Share(),
            redone=sum(not self._stands(done, view, names) for done in moment.redone),
            asked=sum(sources[at].block.text not in view.text for at in moment.asked),
        )

    def _stands(self, done: Done, view: View, names: Sequence[str]) -> bool:
        """Whether a view shows that a change was made: the call itself, or a line of ours that names it or its result."""
        if self._theirs.sources[done.call].block.text in view.text:
            return True
        named = (names[at] for at in (done.call, done.result) if at < len(names))
        return any(re.search(rf"{marks.GAP}[^\n]*\b{name}\b", view.text) for name in named)

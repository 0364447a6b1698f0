"""Reads: are the newest file reads whole where they belong, and what was read again that should still have been there?"""

from collections.abc import Sequence

import msgspec

from pumice.evaluate.script import Moment
from pumice.evaluate.share import Share, share
from pumice.evaluate.sources import Source
from pumice.evaluate.view import View


class Reads(msgspec.Struct, frozen=True):
    last: Share = Share()
    last_three: Share = Share()
    again: int = 0
    """Results that came again although they had been seen, because they did not stand in the view."""


def judge(moment: Moment, view: View, sources: Sequence[Source]) -> Reads:
    """Judge a view by the newest file reads before it and by what its response read again."""
    standing = {(block.call_id, block.hash) for block in view.results}
    blocks = [sources[at].block for at in moment.reads]
    exact = [(block.call_id, block.hash) in standing for block in blocks]
    return Reads(
        last=share(exact[-1:]),
        last_three=share(exact),
        again=sum(sources[at].block.text not in view.text for at in moment.repeats),
    )

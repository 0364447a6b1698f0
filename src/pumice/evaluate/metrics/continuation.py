"""Continuation: of the structural probes, how many does the first view after a cut answer in full (F-D6)?"""

from collections.abc import Iterator, Sequence

from pumice.compact import probes
from pumice.compact.probes import Sight
from pumice.domain import marks
from pumice.evaluate.known import Knowledge
from pumice.evaluate.script import Moment
from pumice.evaluate.share import Share
from pumice.evaluate.view import View
from pumice.recordings.recording import Recording

STANDARD = "default"
"""The probe set that is asked."""


class Continuation:
    """Follows one session under one policy; what is not asked for is not looked at."""

    def __init__(self, recording: Recording) -> None:
        self._knowledge = Knowledge(recording)

    def see(self, moment: Moment, view: View, names: Sequence[str]) -> Share:
        """The share of the questions a view answers; `names` of the session's blocks."""
        self._knowledge.learn(moment.call.upto, names)
        known = self._knowledge.known
        asked = probes.questions([probes.shipped(STANDARD)], known)
        return Share(*probes.continuation(asked, Sight.of(view.text, ours(view), [block.id for block in known.blocks])))


def ours(view: View) -> Iterator[str]:
    """Texts that hold marks of ours."""
    return (block.text for shown in view.messages for block in shown.message.blocks if marks.OPEN in block.text)

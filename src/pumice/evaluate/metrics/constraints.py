"""Constraints: do the words a person laid down stand in every view?"""

from pumice.evaluate.script import Moment
from pumice.evaluate.share import Share, share
from pumice.evaluate.view import View


class Constraints:
    """Follows one session; every constraint counts from the call after it was given, at every call."""

    def __init__(self) -> None:
        self.active: list[str] = []

    def see(self, moment: Moment, view: View) -> Share:
        """The active constraints that stand in the view word for word."""
        self.active += (rule.text for rule in moment.rules)
        return share(rule in view.text for rule in self.active)

"""Provider rules over messages that are sent again and again: only what follows the unchanged beginning is checked."""

from collections.abc import Sequence
from itertools import compress, count
from operator import ne

import msgspec

from pumice.domain.message import Request
from pumice.wire import rules


class Checked(msgspec.Struct, frozen=True):
    """Messages with the state of the rule automaton before the first and after each."""

    raws: tuple[bytes, ...] = ()
    states: tuple[rules.State, ...] = ()

    @property
    def end(self) -> rules.State:
        return self.states[-1]

    def then(self, raws: Sequence[bytes], request: Request) -> "Checked":
        """The messages of a later request of the same model, checked; cache markers count, so bytes are compared."""
        least = min(len(self.raws), len(raws))
        shared = next(compress(count(), map(ne, self.raws, raws)), least)
        states = list(self.states[: shared + 1]) or [rules.start(request.dialect, request.model)]
        for raw in raws[shared:]:
            states.append(states[-1].feed(raw))
        return Checked(tuple(raws), tuple(states))

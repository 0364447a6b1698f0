"""Validity: provider rules, the promised prefix, and a manifest that names every block, call by call."""

import re
from collections.abc import Iterator, Sequence

from pumice.domain.manifest import Manifest, Row
from pumice.domain.message import Request, Violation
from pumice.evaluate.sources import Source
from pumice.evaluate.view import View
from pumice.wire import rules

PREFIX = "prefix"
"""Id of a view that does not extend the one before although no new epoch is on record (DESIGN §1.2)."""
COVERAGE = "manifest"
"""Id of a history block without a row in the call's manifest."""

_BLOCK = re.compile(r"b\d+")


class Validity:
    """Follows one session under one policy."""

    def __init__(self) -> None:
        self._before: Request | None = None
        self._states: list[rules.State] = []
        self._epoch: tuple[str, int] | None = None

    def see(self, view: View, epoch: tuple[str, int]) -> list[Violation]:
        """Everything wrong with a view; `epoch` is its lane and the lane's epoch number."""
        found = [*self._rules(view.request, view)]
        if not view.extends:
            found += rules.check_rewrite(self._before, view.request) if self._before else ()
            if epoch == self._epoch:
                found.append(Violation(PREFIX, f"unit {view.shared}", "the prefix moved within an epoch"))
        self._before, self._epoch = view.request, epoch
        return found

    def _rules(self, request: Request, view: View) -> Sequence[Violation]:
        """The automaton goes on from the end of the messages that are the same as before."""
        if not self._states or self._before is None or self._before.model != request.model:
            self._states = [rules.start(request.dialect, request.model)]
        del self._states[view.shared_messages + 1 :]
        for raw in request.messages[len(self._states) - 1 :]:
            self._states.append(self._states[-1].feed(raw))
        return self._states[-1].finish(request.fields)


def block_rows(manifest: Manifest) -> list[Row]:
    """The rows of the history's blocks, in order: they go together with the sources."""
    return [row for row in manifest.rows if _BLOCK.fullmatch(row.id)]


def uncovered(rows: Sequence[Row], sources: Sequence[Source], *, redacted: bool) -> Iterator[Violation]:
    """History blocks that the manifest has no row for; where secrets were replaced, hashes differ rightly."""
    for at, source in enumerate(sources):
        if at >= len(rows):
            yield Violation(COVERAGE, f"block {at + 1}", "the manifest has no row for it")
        elif rows[at].content_hash != source.block.hash and not redacted:
            yield Violation(COVERAGE, rows[at].id, "the row's content is not the block's")

"""What is known of a session up to a call, as probes ask for it: its groups, its state, its tool calls."""

from collections.abc import Sequence

from pumice import wire
from pumice.compact.probes import Known
from pumice.domain.decision import Cause, Epoch
from pumice.engine.branch import Arrival, Branch
from pumice.recordings.recording import Recording


class Knowledge:
    """Follows one session; its blocks are called what a manifest calls them, where there is one."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._dialect = wire.get(recording.dialect)
        self._branch = Branch("known")

    def learn(self, upto: int, names: Sequence[str]) -> list[str]:
        """Take in what is new of the first `upto` messages; `names` of all their blocks. Returns the new texts."""
        held = len(self._branch.nodes)
        names = names[sum(len(node.blocks) for node in self._branch.nodes) :]
        arrivals: list[Arrival] = []
        for raw in self._recording.messages[held:upto]:
            message = self._dialect.read_message(raw)
            own, names = names[: len(message.blocks)], names[len(message.blocks) :]
            arrivals.append(Arrival(message, raw, ids=tuple(own) if len(own) == len(message.blocks) else ()))
        self._branch.append(arrivals)
        return [block.text for node in self._branch.nodes[held:] for block in node.blocks]

    @property
    def known(self) -> Known:
        book = self._branch.book(Epoch(0, Cause.OPEN))
        return Known(book.state, book.groups, book.uses)

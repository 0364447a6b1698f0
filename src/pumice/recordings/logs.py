"""Records of a client's log as recordings, the same for every client."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.recordings.head import unseen_tokens
from pumice.recordings.history import History
from pumice.recordings.recording import Recording
from pumice.recordings.records import Record
from pumice.recordings.turns import Tree
from pumice.recordings.voices import Voice


def recordings(lanes: Iterable[Sequence[Record]], voice: Voice, shape: Recording) -> list[Recording]:
    """The session, abandoned branches with calls of their own, then the sub-agents; `shape` holds what all share."""
    found: list[Recording] = []
    done: set[str] = set()
    for lane in lanes:
        tree = Tree(lane)
        for number, path in enumerate(tree.paths()):
            history = History(voice, done)
            history.walk(path, trailing=not number)
            done |= history.answered
            if history.calls or not found:
                found.append(_recording(history, shape, () if number else tree.problems))
    return found


def _recording(history: History, shape: Recording, notes: Sequence[str]) -> Recording:
    return msgspec.structs.replace(
        shape,
        model=history.calls[0].model if history.calls else shape.model,
        messages=tuple(history.full),
        calls=tuple(history.calls),
        problems=(*notes, *history.problems),
        unseen_head_tokens=unseen_tokens(shape.dialect, history.calls, history.full),
        injected=frozenset(history.injected),
    )

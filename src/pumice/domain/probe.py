"""What came of asking a probe before and after a cut."""

import msgspec


class Probed(msgspec.Struct, frozen=True):
    """One probe at one cut."""

    set: str
    """Name and version of its set, `default@1`."""
    id: str
    ask: str
    """The question in words."""
    kind: str
    asked: int
    """How many answers there are to be read."""
    before: int = 0
    """How many of them could be read before the cut."""
    after: int = 0
    lost: tuple[str, ...] = ()
    """Answers that could be read before and cannot after."""
    found: tuple[str, ...] = ()
    """Answers that can be read after and could not before."""
    has_failed: bool = False
    """So much of what could be read before is lost that the cut may not stand."""
    questions: tuple[str, ...] = ()
    """Keys of the question to a model about the view before and about the one after; empty where no model is asked."""

"""The preface: the one message of ours that opens an epoch and stands unchanged until the next."""

from pumice.compact.section import Section
from pumice.domain import marks

NOTE = """\
Older steps of this conversation were folded to save room; the work goes on from where it stands. What the user typed is
below or in the messages that follow. Do not start over, and do not redo or announce again what is finished; a turn that
began before this note is still the same turn. A line that begins with ⋯ names a folded block; the lines under it were kept
from that block, each with its line number. What is not shown can be read back by the block's name."""
"""Holds no name and no number: whatever stands inside our marks must come from a source."""


REVIEW = "Making room for this conversation has failed several times in a row. A person should look at this session."
"""Asks for a review where the policy wants one (F-D4)."""


def note(reader: str = "") -> Section:
    """What the model has to know of a view that was cut (F-B11), and by which of its tools it reads back, where it has one."""
    how = marks.gap(f"the tool that reads back is {reader}") if reader else ""
    return Section("note", "\n".join(filter(None, (NOTE, how))))


def review(wanted: bool) -> tuple[Section, ...]:
    """A call for a person, where one is wanted."""
    return (Section("review", REVIEW),) if wanted else ()

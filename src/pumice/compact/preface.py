"""The preface: the one message of ours that opens an epoch and stands unchanged until the next."""

from pumice.compact.section import Section
from pumice.domain import marks
from pumice.domain.redeem import FILES, NONE, POINTERS, Redeem

_STATE = """\
Older steps of this conversation were folded to save room; the work goes on from where it stands. The rules and the newest
words of the user are below or in the messages that follow. Do not start over, and do not redo or announce again what is
finished; a turn that began before this note is still the same turn. A line that begins with ⋯ names a folded block; the
lines under it were kept from that block, each with its line number."""
NOTE = f"{_STATE} What is not shown can be read back by the block's name."
"""Holds no name and no number: whatever stands inside our marks must come from a source."""


REVIEW = "Making room for this conversation has failed several times in a row. A person should look at this session."
"""Asks for a review where the policy wants one (F-D4)."""


def note(redeem: Redeem = POINTERS) -> Section:
    """What the model has to know of a view that was cut (F-B11), and how it reads back, where it can."""
    if redeem.by == NONE:
        return Section("note", _STATE)
    how = f"the tool that reads back is {redeem.tool}" if redeem.tool else ""
    if redeem.by == FILES:
        how = f"the whole text of each folded block is a file of its name in {redeem.folder}; read it in parts"
    return Section("note", "\n".join(filter(None, (NOTE, how and marks.gap(how)))))


def review(wanted: bool) -> tuple[Section, ...]:
    """A call for a person, where one is wanted."""
    return (Section("review", REVIEW),) if wanted else ()

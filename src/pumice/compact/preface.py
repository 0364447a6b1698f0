"""The preface: the one message of ours that opens an epoch and stands unchanged until the next."""

from pumice.compact.section import Section

NOTE = """\
Older steps of this conversation were folded to save room; the work goes on from where it stands. What the user typed is
below or in the messages that follow. Do not start over and do not redo or announce again what is finished; a turn that
began before this note is still the same turn. `⋯ b12 Read src/app.py 90 lines` names a folded block; the lines under it
were kept, with their line numbers. What is not shown can be read back by that name (b12)."""


def note() -> Section:
    """What the model has to know of a view that was cut (F-B11)."""
    return Section("note", NOTE)

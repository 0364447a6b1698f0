"""What of the task state is said again while it works on: the goal and what is open, as lines of a note."""

from collections.abc import Callable

from pumice.commit import sections
from pumice.commit.draft import ACTIVE, OPEN, UNKNOWN
from pumice.commit.render import Rendered, lines
from pumice.domain import marks
from pumice.domain.state import Entry, TaskState

SECTIONS = tuple(
    section
    for section in sections.SECTIONS
    if (section.entry in (Entry.GOAL, Entry.PLAN, Entry.NEXT, Entry.OPEN) and section.status[0] in (OPEN, ACTIVE, UNKNOWN))
)
"""Nothing a tool has printed is among them: a note may speak as the system does."""


def again(state: TaskState, room: int, count: Callable[[str], int]) -> Rendered:
    """Goal, plan and questions that are open, the newest first where not all fit into `room` tokens of the counter.

    Words of a source stand verbatim on their own lines; every other line begins with `⋯`. Empty without a goal.
    """
    parts: list[str] = []
    sources: dict[str, None] = {}
    for section in SECTIONS:
        shown: list[str] = []
        for item in reversed(sections.items(state, section, lambda _: True)):
            text = lines(item)
            room -= count(text) + 1
            if room < 0:
                break
            shown.append(text)
            sources.update(dict.fromkeys(item.sources))
        if section.entry is Entry.GOAL and not shown:
            return Rendered("", ())
        parts += [marks.gap(section.title), *reversed(shown)] if shown else []
    return Rendered("\n".join(parts), tuple(sources))

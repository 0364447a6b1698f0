"""Big tool results by four means: cut off, summed up, put where they can be read back, left to a sub-agent."""

from collections.abc import Sequence
from itertools import groupby

from pumice.compact import conclusion
from pumice.compact.ruler import Ruler
from pumice.domain.block import Block, Kind
from pumice.domain.book import Book
from pumice.domain.decision import Cause, Epoch
from pumice.domain.effect import Effect
from pumice.domain.policy import FirstSight, Policy
from pumice.domain.state import TaskState
from pumice.evaluate.experiments.experiment import (
    COST,
    EXAMPLES,
    FAR,
    HONEST,
    LINE,
    LOST,
    REACH,
    VIEW,
    Column,
    Experiment,
    table,
)
from pumice.evaluate.experiments.shown import Shown, Treat, with_results
from pumice.evaluate.lab import Arm, Lab
from pumice.evaluate.script import Script
from pumice.evaluate.sources import Source
from pumice.measure import tokens

OVER = 1000
"""Tokens above which a result is treated, as counted, before calibration; the same for `ROOM`."""
ROOM = 400
"""What each mean may show of it."""
CHARS_PER_TOKEN = 8
"""More than any text has: where the search for a cut begins."""
BACK = Column("back", "read back", "words")
QUESTION = f"A result over {OVER:,} tokens is shown in {ROOM}: by which means, and which names are lost?"


def means(lab: Lab) -> Experiment:
    """Every mean at the same room, applied when a result comes, so that no cache is lost by it."""
    told = lab.script
    rows = [
        {**lab.under(whole(), name="whole").row("as they came", of_results=True), "back": ""},
        {**_treated(lab, "truncate", _truncate).row("truncate", of_results=True), "back": "no"},
        {**_treated(lab, "summarize", _summary()).row("summarize", of_results=True), "back": "no"},
        {
            **lab.under(external(told.factor), name="externalize").row("externalize", of_results=True),
            "back": "yes, by its pointer",
        },
        {**_treated(lab, "sub-agent", _isolated(told)).row("sub-agent", of_results=True), "back": "by asking it again"},
    ]
    columns = (COST, HONEST, VIEW, FAR, LINE, REACH, LOST, BACK, EXAMPLES)
    fewest = min(rows[1:], key=lambda row: (row["lost"], row["name"]))
    said = ", ".join(f"{row['name']} {row['lost']}" for row in rows[1:])
    return table("means", QUESTION, columns, rows, f"names of tool results lost: {said}", f"fewest by: {fewest['name']}")


def whole() -> Policy:
    """Everything as it came."""
    return Policy("whole", order=())


def external(factor: float) -> Policy:
    """An excerpt with a pointer, and no cut ever; a policy counts calibrated tokens."""
    over = round(OVER * factor)
    sight = FirstSight(over="window/1000000", min=over, max=over, show=ROOM / OVER, spare=())
    return Policy("external", order=(), first_sight=sight)


def _treated(lab: Lab, name: str, treat: Treat) -> Arm:
    driver = Shown(lab.recording, lab.options, with_results(lab.script, treat))
    return lab.by(driver, name=name)


def _is_big(source: Source) -> bool:
    return source.size.text > OVER and not source.block.media


def _truncate(source: Source) -> str | None:
    """The beginning alone."""
    return f"{_beginning(source.block.text)}\n[truncated]" if _is_big(source) else None


def _beginning(text: str) -> str:
    """As many characters as the room holds."""
    low, high = 0, min(len(text), ROOM * CHARS_PER_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens.count(text[:middle]) <= ROOM else (low, middle - 1)
    return text[:low]


def _summary() -> Treat:
    """The lines that say what came of it."""
    ruler = _ruler()
    return lambda source: _concluded(source.block, ROOM, ruler) if _is_big(source) else None


def _isolated(told: Script) -> Treat:
    """A run of steps that only look at things is a sub-agent's: all of it takes the room of one result."""
    ruler = _ruler()
    shares = _runs(told.sources)
    return lambda source: _concluded(source.block, shares[source.group], ruler) if source.group in shares else None


def _concluded(block: Block, room: int, ruler: Ruler) -> str:
    return "\n".join(conclusion.lines(block, room, ruler)) or "[nothing to report]"


def _runs(sources: Sequence[Source]) -> dict[int, int]:
    """Groups whose calls only read and that bring more than one big result's worth, each with its share of one room."""
    groups = {group: list(found) for group, found in groupby(sources, lambda source: source.group)}
    shares: dict[int, int] = {}
    for is_look, run in groupby(groups, lambda group: _looks(groups[group])):
        members = list(run)
        results = [one for group in members for one in groups[group] if one.block.kind is Kind.RESULT]
        if is_look and sum(one.size.text for one in results) > OVER:
            shares.update(dict.fromkeys(members, max(1, ROOM // len(results))))
    return shares


def _looks(group: Sequence[Source]) -> bool:
    calls = [one for one in group if one.block.kind is Kind.CALL]
    return bool(calls) and all(one.use is not None and one.use.effect is Effect.READ for one in calls)


def _ruler() -> Ruler:
    return Ruler(Book((), {}, {}, None, TaskState(), {}, Epoch(0, Cause.OPEN)), 1.0, tokens.count_many)

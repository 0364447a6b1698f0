"""Ask probes of a session before and after a cut, and say what was lost between the two."""

from collections.abc import Iterable, Sequence

import msgspec

from pumice.compact.probes import answers
from pumice.compact.probes.answers import Answer, Known
from pumice.compact.probes.read import Probe, ProbeSet
from pumice.compact.probes.sight import Sight
from pumice.domain.probe import Probed

SHOWN_CHARS = 200
"""Characters of an answer that are put on record."""


class Question(msgspec.Struct, frozen=True):
    """A probe with everything that answers it."""

    set: str
    probe: Probe
    answers: tuple[Answer, ...]

    def read(self, sight: Sight) -> tuple[bool, ...]:
        """Of each answer, whether a view has it."""
        return tuple(answer.is_read(sight, self.probe.needs) for answer in self.answers)

    def is_answered(self, sight: Sight) -> bool:
        """Whether a view has as many of the answers as there have to be."""
        return sum(self.read(sight)) >= self.probe.keeps * len(self.answers)


def questions(sets: Iterable[ProbeSet], known: Known) -> tuple[Question, ...]:
    """The probes of some sets that a session gives cause to ask, in their order."""
    made = (Question(one.title, probe, answers.of(probe, known)) for one in sets for probe in one.probes)
    return tuple(question for question in made if question.answers)


def compare(asked: Sequence[Question], before: Sight, after: Sight) -> tuple[Probed, ...]:
    """What each probe found in two views of the same session."""
    return tuple(_compared(question, question.read(before), question.read(after)) for question in asked)


def run(sets: Iterable[ProbeSet], known: Known, before: Sight, after: Sight) -> tuple[Probed, ...]:
    """`compare` for all that the sets ask."""
    return compare(questions(sets, known), before, after)


def continuation(asked: Sequence[Question], sight: Sight) -> tuple[int, int]:
    """How many of the questions a view answers, and how many there are (F-G4)."""
    return sum(question.is_answered(sight) for question in asked), len(asked)


def _compared(question: Question, before: Sequence[bool], after: Sequence[bool]) -> Probed:
    changes = list(zip(question.answers, before, after, strict=True))
    lost = tuple(str(answer)[:SHOWN_CHARS] for answer, old, new in changes if old and not new)
    return Probed(
        set=question.set,
        id=question.probe.id,
        ask=question.probe.ask,
        kind=question.probe.kind,
        asked=len(question.answers),
        before=sum(before),
        after=sum(after),
        lost=lost,
        found=tuple(str(answer)[:SHOWN_CHARS] for answer, old, new in changes if new and not old),
        has_failed=sum(before) - len(lost) < question.probe.keeps * sum(before),
    )

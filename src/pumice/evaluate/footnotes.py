"""What stands under a replay's table: how to read it, what was paid, what could not be saved, what went wrong."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from pumice.evaluate.replay import SessionRuns
from pumice.measure import prices

_MILLION = 1_000_000
_MOST_FAULTS = 3
"""Faults and problems shown of each session and policy."""
_MOST_NAMES = 5
_PASSIVE = ("none", "recorded")
"""Policies that never try to save."""


def footnotes(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    """How to read the figures, and what they rest on."""
    yield "cost: % of the full history's on the same calls; honest: plus a read-back for each needed line not in view"
    for model in sorted({session.model for session in sessions}):
        yield _priced(model)
    yield from _factors(sessions)
    unseen = [session.unseen_head_tokens for session in sessions if session.unseen_head_tokens]
    if unseen:
        spread = _spread([f"{tokens / 1000:.1f}k" for tokens in (min(unseen), max(unseen))])
        yield f"{spread} tokens of system prompt and tools are in no recording: not counted (--head N adds N)"
    yield from _idle(sessions)


def _priced(model: str) -> str:
    known = prices.of(model)
    if known is None:
        return f"no price is known for {model or 'the recorded model'}: no costs (--model M prices it as another)"
    write, read, output = (f"${price * _MILLION:.2f}" for price in (known.write, known.read, known.output))
    fresh = f"{write} (a cache write)" if known.write > known.input else write
    return f"{model}: fresh input {fresh}, cached {read}, output {output} per million tokens ({known.source})"


def _factors(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    factors = [session.factor for session in sessions]
    if factors:
        spread = _spread([f"{factor:.2f}" for factor in (min(factors), max(factors))])
        yield f"token factor {spread}: calibrated tokens per o200k token, by what the recordings report"


def _spread(ends: Sequence[str]) -> str:
    return " to ".join(dict.fromkeys(ends))


def _idle(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    """A policy that makes room made none, and none was needed: there was nothing to save."""
    for name in sessions[0].policies if sessions else ():
        scores = {_name(session): session.policies[name].run.score for session in sessions}
        idle = [file for file, score in scores.items() if not score.epochs and not score.overflows]
        if idle and name not in _PASSIVE:
            yield f"{name}: nothing to save in {_listed(idle)}: no cut pays there"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def faults(sessions: Sequence[SessionRuns]) -> Iterator[str]:
    """What could not be read, and what a view did wrong."""
    for session in sessions:
        yield from _some(_name(session), session.problems)
        for name, one in session.policies.items():
            yield from _some(f"{_name(session)} {name}", one.run.notes)


def _some(whose: str, notes: Sequence[str]) -> Iterator[str]:
    yield from (f"{whose}: {note}" for note in notes[:_MOST_FAULTS])
    if len(notes) > _MOST_FAULTS:
        yield f"{whose}: and more of the kind"


def _name(session: SessionRuns) -> str:
    return PurePath(session.file).name

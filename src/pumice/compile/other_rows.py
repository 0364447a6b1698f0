"""Manifest rows of what is neither the client's nor in the preface: notes of ours, and candidates that were not admitted."""

import hashlib
from collections.abc import Iterator, Sequence

from pumice.compile.admit import Drop
from pumice.domain import pointer
from pumice.domain.block import Trust
from pumice.domain.book import Size
from pumice.domain.decision import Outcome
from pumice.domain.manifest import Row
from pumice.domain.note import REMINDER, Note


def notes(found: Sequence[Note], scope: str, factor: float, counted: str) -> Iterator[Row]:
    """Notes of the epoch, in the order they were placed."""
    for number, note in enumerate(found, 1):
        is_reminder = note.name == REMINDER
        yield Row(
            id=f"note:{note.name}-{number}",
            partition="state" if is_reminder else "system",
            zone="dynamic",
            source="pumice",
            scope=scope,
            version="",
            trust=note.trust,
            authority="task" if is_reminder else "agent",
            permission_basis="the policy",
            outcome=Outcome.PLACED,
            level="",
            reason=note.reason,
            tokens=Size(note.tokens).tokens(factor),
            counted=counted,
            transform="quotation",
            content_hash=hashlib.sha256(note.text.encode("utf-8", "surrogatepass")).hexdigest(),
            sources=note.sources,
        )


def dropped(found: Sequence[Drop], scope: str, counted: str) -> Iterator[Row]:
    """Nothing that could have been shown goes without a word (F-F8)."""
    for drop in found:
        yield Row(
            id=f"pin:{drop.id}",
            partition="goal",
            zone="preface",
            source="pin",
            scope=scope,
            version="",
            trust=Trust.USER,
            authority="task",
            permission_basis="the session's own history",
            outcome=Outcome.DROP,
            level="admit",
            reason=drop.reason,
            tokens=0,
            counted=counted,
            transform="none",
            content_hash="",
            sources=(drop.block,) if drop.block else (),
            pointer=pointer.artifact(drop.block) if drop.block else "",
        )

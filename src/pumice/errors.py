"""Everything pumice raises on purpose.

PumiceError                 the family; carries `hint`, what to do next
├── InvalidInput            what was given cannot be read; exit 2
│   ├── UnknownDialect      the wire format is not known or ambiguous
│   ├── BadRequest          a body is not a request of its dialect
│   ├── BadRecording        a recorded session cannot be read
│   └── BadPolicy           a policy has a wrong key or value
├── CannotFit               even the smallest valid view is over the budget; exit 1
├── Unprovable              no valid request can be made of the client's messages; exit 1
├── NotAddressable          a pointer names nothing that is kept
├── TooManyReads            the read-back limit of one model response is used up
├── ModelFailed             a model endpoint gave no usable answer
│   └── QuotaExceeded       it refuses for want of quota: asking again at once is useless
├── Conflict                another writer moved the branch tip first
└── StoreError              the store cannot be read or written
"""

from collections.abc import Sequence


class PumiceError(Exception):
    """The family: a message says what was given and expected, `hint` what to do."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.hint = hint


class InvalidInput(PumiceError):
    """What was given cannot be read."""

    exit_code = 2


class UnknownDialect(InvalidInput):
    """The wire format is not known, or several fit."""


class BadRequest(InvalidInput):
    """A body is not a request of its dialect."""


class BadRecording(InvalidInput):
    """A recorded session cannot be read."""


class BadPolicy(InvalidInput):
    """A policy has a wrong key or value; the message begins with its path."""


class CannotFit(PumiceError):
    """Even the smallest valid view is over the budget; `parts` are (name, tokens)."""

    def __init__(self, budget: int, parts: Sequence[tuple[str, int]]) -> None:
        listed = ", ".join(f"{name} {tokens}" for name, tokens in parts)
        super().__init__(
            f"CannotFit: {sum(tokens for _, tokens in parts)} tokens needed, {budget} usable ({listed}).",
            hint="Give a larger window or target, or unpin or shorten what is listed.",
        )
        self.budget = budget
        self.parts = tuple(parts)


class Unprovable(PumiceError):
    """No valid request can be made of the client's messages: repairing one rule breaks another; `rules` are their ids."""

    def __init__(self, first: str, rules: Sequence[str]) -> None:
        super().__init__(
            f"{first} ({len(rules)} in all): no valid request can be made of these messages.",
            hint="Correct them; pumice validate names every rule they break.",
        )
        self.rules = tuple(rules)


class NotAddressable(PumiceError):
    """A pointer names nothing that is kept."""


class TooManyReads(PumiceError):
    """The read-back limit of one model response is used up."""


class ModelFailed(PumiceError):
    """A model endpoint gave no usable answer."""


class QuotaExceeded(ModelFailed):
    """A model endpoint refuses for want of quota: asking again at once is useless."""


class Conflict(PumiceError):
    """Another writer moved the branch tip first."""


class StoreError(PumiceError):
    """The store cannot be read or written; nothing half-written remains."""

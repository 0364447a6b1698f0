"""Secrets known by their very text: the credentials that a call comes with, whatever their shape.

An agent that prints its environment shows its own key to its model; no rule knows the keys of every gateway.
"""

from collections.abc import Iterable
from contextvars import ContextVar

from pumice.domain.ports import Redacted, Redactor

KIND = "credential"
SHORTEST = 16
"""Characters; what is shorter, or has no digit, may be a word that stands for no key (`none`, `local-development`)."""

_shown: ContextVar[tuple[str, ...]] = ContextVar("pumice_credentials", default=())
"""Of the call at work: what one caller shows changes nothing of what is kept of another's words."""


def show(secrets: Iterable[str]) -> None:
    """From here on in this task, and in all that it sets going, these are replaced."""
    _shown.set(tuple(sorted({secret for secret in secrets if _is_one(secret)}, key=lambda one: (-len(one), one))))


def _is_one(secret: str) -> bool:
    return len(secret) >= SHORTEST and any(char.isdigit() for char in secret)


class KnownSecrets:
    """A `Redactor` that replaces what has been shown, and what the rules find in the rest."""

    def __init__(self, rules: Redactor) -> None:
        self._rules = rules

    def __call__(self, text: str) -> Redacted:
        """The text without secrets; one that is part of another goes with it."""
        kinds: list[str] = []
        for secret in _shown.get():
            if secret in text:
                kinds += [KIND] * text.count(secret)
                text = text.replace(secret, f"[secret:{KIND}]")
        found = self._rules(text)
        return Redacted(found.text, (*kinds, *found.kinds)) if kinds else found

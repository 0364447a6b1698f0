"""Secrets known by their very text: the credentials that calls come with, whatever their shape.

An agent that prints its environment shows its own key to its model; no rule knows the keys of every gateway.
"""

from pumice.domain.ports import Redacted, Redactor

KIND = "credential"
SHORTEST = 16
"""Characters; what is shorter, or has no digit, may be a word that stands for no key (`none`, `local-development`)."""
MOST = 256
"""Credentials remembered, in memory only; the newest ones."""


class KnownSecrets:
    """A `Redactor` that replaces what it has learnt, and what the rules find in the rest."""

    def __init__(self, rules: Redactor) -> None:
        self._rules = rules
        self._known: tuple[str, ...] = ()

    def learn(self, secret: str) -> None:
        """From now on this is replaced; a call says so before anything of it is read. Any thread may call it."""
        is_one = len(secret) >= SHORTEST and any(char.isdigit() for char in secret)
        if is_one and secret not in self._known:
            self._known = (*self._known, secret)[-MOST:]

    def __call__(self, text: str) -> Redacted:
        """The text without secrets; one that is part of another goes with it."""
        kinds: list[str] = []
        for secret in sorted((one for one in self._known if one in text), key=len, reverse=True):
            kinds += [KIND] * text.count(secret)
            text = text.replace(secret, f"[secret:{KIND}]")
        found = self._rules(text)
        return Redacted(found.text, (*kinds, *found.kinds)) if kinds else found

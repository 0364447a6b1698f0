"""The shapes of secrets: a shipped table, made by tools/make_redaction_rules.py from maintained rule sets."""

import re
from functools import cache, cached_property
from importlib import resources

import msgspec


class Rule(msgspec.Struct, frozen=True, dict=True):
    """One kind of secret."""

    id: str
    regex: str
    anchors: tuple[str, ...]
    """Fixed text in lower case, one of which every match has."""
    back: int = 0
    """Bytes between the beginning of a match and its anchor."""
    reach: int = 0
    """Bytes from the beginning within which a match must end."""
    group: int | None = None
    """The part that is secret; the first that took part when None, everything when 0 or when there is none."""
    labelled: bool = False
    """Known only by the name before it: placeholders are no secrets then."""
    entropy: float | None = None
    """Bits a character the secret must have more of."""
    needs: tuple[str, ...] = ()
    """One of these must stand somewhere in the text, in lower case."""
    allow: tuple[tuple[str, str], ...] = ()
    """(secret, match or line; pattern found in it) that makes a hit no secret."""
    stopwords: tuple[str, ...] = ()
    """Words that make the value of a mere label no secret."""

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """Bytes, since the rules come from an engine whose classes are ASCII."""
        return re.compile(self.regex.encode())

    @cached_property
    def allowed(self) -> tuple[tuple[str, re.Pattern[bytes]], ...]:
        return tuple((target, re.compile(regex.encode())) for target, regex in self.allow)

    @cached_property
    def needed(self) -> tuple[bytes, ...]:
        return tuple(word.encode() for word in self.needs)

    @cached_property
    def stopped(self) -> frozenset[bytes]:
        return frozenset(word.encode() for word in self.stopwords)

    @cached_property
    def stopped_lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(word) for word in self.stopwords}))


class Table(msgspec.Struct, frozen=True, dict=True):
    """All rules, the more telling first, and what is never one."""

    made: str
    rules: tuple[Rule, ...]
    placeholders: tuple[str, ...]

    @cached_property
    def placeholder(self) -> re.Pattern[bytes]:
        return re.compile("|".join(f"(?:{regex})" for regex in self.placeholders).encode())


@cache
def shipped() -> Table:
    """The table in this package."""
    return msgspec.json.decode((resources.files("pumice.store") / "redaction_rules.json").read_bytes(), type=Table)

"""Probe sets: which questions are asked; data with a version."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from pumice.domain.policy import Policy
from pumice.errors import BadPolicy

Kind = Literal[
    "goal", "began", "constraints", "exceptions", "plan", "next_step", "open_items", "permissions", "decisions", "facts",
    "side_effects", "errors", "failed_attempts", "files", "editing", "children", "notes", "named", "entities", "said",
    "contains", "regex", "entity", "field", "answer",
]  # fmt: skip
"""What a probe asks for; `docs/probes.md` says of each what its answers are."""
LISTED = ("contains", "entity", "field")
"""Kinds that need `texts`: words, names, or names of fields."""
ANSWER = "answer"
"""The kind whose answer a model gives."""


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    ask: str
    """The question, in any language."""
    kind: Kind
    needs: Literal["words", "pointer"] = "words"
    """What counts as an answer: its words in view, or also a line of ours in view that names the block they stand in."""
    keeps: float = 1.0
    """Share of its answers that has to be left: below it, what went is a loss."""
    newest: int = 20
    """Answers looked for, the newest."""
    groups: int = 10
    """Newest groups `entities` are taken from."""
    texts: tuple[str, ...] = ()
    pattern: str = ""


class ProbeSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    version: int
    probes: tuple[Probe, ...]
    task: str = "any"

    @property
    def title(self) -> str:
        return f"{self.name}@{self.version}"


def read(data: Any) -> ProbeSet:
    """A probe set from the value of a YAML document. Raises BadPolicy with the path of what is wrong."""
    try:
        found = msgspec.convert(data, ProbeSet, strict=True)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at ")
        raise BadPolicy(f"probes {path.strip('`') or '$'}: {said}.") from error
    ids = [probe.id for probe in found.probes]
    if not ids or len(set(ids)) != len(ids):
        raise BadPolicy(f"probes $.probes: {ids} given, expected one or more, each with an id of its own.")
    if found.version < 1:
        raise BadPolicy(f"probes $.version: {found.version} given, expected 1 or more.")
    for at, probe in enumerate(found.probes):
        for wrong in _wrong(probe):
            raise BadPolicy(f"probes $.probes[{at}].{wrong}")
    return found


def _wrong(probe: Probe) -> Iterator[str]:
    for key, text in (("id", probe.id), ("ask", probe.ask)):
        if not text.strip() or not text.isprintable():
            yield f"{key}: {text[:60]!r} given, expected words on one line."
    for key, number in (("newest", probe.newest), ("groups", probe.groups)):
        if not 1 <= number <= 1000:
            yield f"{key}: {number} given, expected a whole number from 1 to 1,000."
    if not 0 < probe.keeps <= 1:
        yield f"keeps: {probe.keeps:g} given, expected a share above 0 and up to 1."
    if (probe.kind in LISTED) != bool(probe.texts) or not all(text.strip() for text in probe.texts):
        yield f"texts: {list(probe.texts)} given, expected texts for the kinds {', '.join(LISTED)}, and for no other."
    if (probe.kind == "regex") != bool(probe.pattern):
        yield "pattern: a regular expression is expected for the kind regex, and for no other."
    try:
        re.compile(probe.pattern)
    except re.error as error:
        yield f"pattern: {probe.pattern!r} is no regular expression ({error})."


@cache
def own(text: str) -> ProbeSet:
    """A probe set of the user's own, from YAML. Raises BadPolicy with the path of what is wrong."""
    try:
        return read(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise BadPolicy(f"probes: no YAML ({' '.join(str(error).split())}).") from error


def names() -> tuple[str, ...]:
    """The probe sets shipped with the package."""
    return tuple(sorted(_shipped()))


def shipped(name: str) -> ProbeSet:
    """A probe set of the package. Raises BadPolicy for a name it does not have."""
    if name not in _shipped():
        raise BadPolicy(f"probes: {name!r} given, expected one of {', '.join(names())}, or a .yaml file.")
    return _shipped()[name]


def of(policy: Policy) -> tuple[ProbeSet, ...]:
    """The sets a policy names, in its order. Raises BadPolicy."""
    texts = dict(zip(policy.probes, policy.probe_texts, strict=False))
    return tuple(own(texts[name]) if texts.get(name) else shipped(name) for name in policy.probes)


@cache
def _shipped() -> dict[str, ProbeSet]:
    folder = files("pumice") / "presets" / "probes"
    texts = (item.read_text("utf-8") for item in folder.iterdir() if item.name.endswith(".yaml"))
    return {found.name: found for found in map(own, texts)}

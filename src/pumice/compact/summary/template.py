"""A template: which sections a summary has, what feeds them, and how a model is asked to fill them; data with a version."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from pumice.domain import marks
from pumice.domain.policy import Summarize
from pumice.errors import BadPolicy

STATUSES = ("done", "failed", "to_confirm", "next")
"""Statuses an item may have; a template gives each its word."""
OPEN = ("failed", "to_confirm", "next")
"""Statuses of what is not over."""

_REFUSED = re.compile(r"(?P<said>.*?)(?: - at `(?P<path>\$[^`]*)`)?", re.S)
"""How msgspec says what is wrong, and where; of a value that is no mapping at all it names no place."""

Feed = Literal[
    "goal", "rules", "corrections", "next", "plan_open", "questions", "errors", "decisions", "approvals", "attempts", "effects",
    "children", "words", "files", "plan_done", "fixed", "said", "commands", "advice", "lines",
]  # fmt: skip
"""What the extractive summariser may put into a section; `compact.summary.feeds` has one function for each."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One section."""

    key: str
    """Name that items and XML elements have."""
    title: str
    tells: str
    """What a model is asked to write in it."""
    takes: tuple[Feed, ...] = ()
    status: bool = False
    """Its items carry a status."""
    rules: bool = False
    """Its items are whole sentences that a person typed."""
    sourced: bool = False
    """An item without a source is refused: files, decisions, steps."""
    quotes: bool = False
    """An item that quotes no words of the session is refused."""
    needed: bool = False
    """It may not stay empty where a person has said something."""
    by_code: bool = False
    """Filled without a model in any case: what must be word for word."""


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    version: int
    language: Literal["en", "zh"]
    shape: Literal["headed", "xml"]
    tags: dict[str, str]
    """Status → its word."""
    hint: str
    """Stands on an item without a source."""
    stands: str
    """Stands in place of items that can be read elsewhere in the view."""
    more: str
    """Stands before the blocks of what found no room."""
    about: str
    """What the summary is for, told to a model."""
    sections: tuple[Part, ...]
    root: str = ""
    """Element around an XML summary."""

    def part(self, key: str) -> Part | None:
        return next((part for part in self.sections if part.key == key), None)


def read(data: Any) -> Template:
    """A template from the value of a YAML document. Raises BadPolicy with the path of what is wrong."""
    try:
        template = msgspec.convert(data, Template, strict=True)
    except msgspec.ValidationError as error:
        found = _REFUSED.fullmatch(str(error))
        said, path = (found["said"], found["path"]) if found else (str(error), None)
        raise BadPolicy(f"template {path or '$'}: {said}") from error
    keys = [part.key for part in template.sections]
    if not keys or len(set(keys)) != len(keys):
        raise BadPolicy(f"template $.sections: {keys} given, expected one or more sections, each with a key of its own.")
    if set(template.tags) != set(STATUSES):
        raise BadPolicy(f"template $.tags: {sorted(template.tags)} given, expected a word for each of {', '.join(STATUSES)}.")
    texts = [template.root, template.hint, template.stands, template.more, *template.tags.values(), *keys]
    for text in (*texts, *(part.title for part in template.sections)):
        if not text.isprintable() or not marks.is_clean(text):
            raise BadPolicy(f"template $: {text[:60]!r} given, expected words on one line, without marks of ours.")
    if (template.shape == "xml") != bool(template.root):
        raise BadPolicy("template $.root: an element name is expected for the shape xml, and for no other.")
    return template


def of(policy: Summarize) -> Template:
    """The template a policy names. Raises BadPolicy."""
    return own(policy.template_text) if policy.template_text else shipped(policy.template)


@cache
def own(text: str) -> Template:
    """A template of the user's own, from YAML. Raises BadPolicy with the path of what is wrong."""
    try:
        return read(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise BadPolicy(f"template: no YAML ({' '.join(str(error).split())}).") from error


def names() -> tuple[str, ...]:
    """The templates shipped with the package."""
    return tuple(sorted(_shipped()))


def shipped(name: str) -> Template:
    """A template of the package. Raises BadPolicy for a name it does not have."""
    if name not in _shipped():
        raise BadPolicy(f"$.summarize.template: {name!r} given, expected one of {', '.join(names())} or a template file.")
    return _shipped()[name]


@cache
def wording() -> Mapping[str, Mapping[str, str]]:
    """By language, the sentences that every question to a model is put together from."""
    loaded: Mapping[str, Mapping[str, str]] = _load("asking.yaml")["languages"]
    return loaded


@cache
def _shipped() -> Mapping[str, Template]:
    found = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".yaml") and entry.name != "asking.yaml")
    return {template.name: template for template in map(read, map(_load, found))}


_FOLDER = files("pumice") / "presets" / "templates"


def _load(name: str) -> Any:
    text = (_FOLDER / name).read_text("utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 both are safe

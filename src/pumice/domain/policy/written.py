"""What a policy file says, key by key: aliases resolved, every value checked, every refusal with the path as written."""

import difflib
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from pumice.domain import marks
from pumice.domain.effect import Effect
from pumice.domain.policy import keys
from pumice.domain.policy.aliases import KEYS, SHORT, WORDS, WRAPPER
from pumice.domain.policy.governed import has_letter
from pumice.domain.policy.limits import CHOICES, FORMS, ITEMS, NEVER_CUT, RANGES, SOUGHT, TOKENS_OR_SHARE
from pumice.errors import BadPolicy

EXTENDS = "extends"
EFFECT = "effects"
EFFECTS = tuple(map(str, Effect))
"""Values that, in `tools`, say what a tool of that name does."""
_SHOWN = 60
"""Characters of a wrong value an error repeats."""


class Written(msgspec.Struct, frozen=True):
    """The values a file sets, by dotted key, in the order of the file."""

    values: Mapping[str, Any]
    paths: Mapping[str, str]
    """Where in the file each stands: `$.compression.budget.compact_at`."""
    extends: str = ""
    """Name of the policy it builds on."""


def written(data: Any) -> Written:
    """The value of a YAML document as keys of a policy. Raises BadPolicy with the path of the first that is wrong."""
    if not isinstance(data, Mapping):
        raise BadPolicy(f"$: {type(data).__name__} given, expected a mapping of keys such as budget and order.")
    reader = _Reader()
    reader.part(data, "", "$")
    extends = reader.values.pop(EXTENDS, "")
    return Written(reader.values, reader.paths, extends)


class _Reader:
    """Walks a document from top to bottom."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.paths: dict[str, str] = {}

    def part(self, data: Mapping[Any, Any], prefix: str, path: str) -> None:
        for name, value in data.items():
            here = f"{path}.{_step(name)}"
            if not prefix and name == WRAPPER:
                self.part(_mapping(value, here), "", here)
            elif not prefix and name == EXTENDS:
                self.put(EXTENDS, _text(value, here), here)
            elif prefix == "tools." and value in EFFECTS:
                self.effect(str(name), value, here)
            else:
                self.key(_known(prefix, str(name), here), value, here)

    def effect(self, name: str, value: Any, path: str) -> None:
        """What a tool does; the same may be said twice, but not in two ways."""
        key, known = f"{EFFECT}.{name}", self.values.setdefault(EFFECT, {})
        if known.setdefault(name, value) != value:
            raise _twice(self.paths[key], known[name], path, value, f"{EFFECT}.{_step(name)}")
        self.paths |= {EFFECT: self.paths.get(EFFECT, path), key: self.paths.get(key, path)}

    def key(self, key: str, value: Any, path: str) -> None:
        if key == EFFECT:
            for name, effect in checked(key, value, path).items():
                self.effect(name, str(effect), f"{path}.{_step(name)}")
        elif key not in keys.parts():
            self.put(key, checked(key, value, path), path)
        elif value is None and keys.is_optional(key):
            self.put(key, None, path)
        elif value == {} and keys.is_optional(key):
            first, default = keys.first(key)
            self.put(first, default, path)
        elif isinstance(value, str) and key in SHORT:
            self.key(f"{key}.{SHORT[key]}", value, path)
        else:
            self.part(_mapping(value, path), f"{key}.", path)

    def put(self, key: str, value: Any, path: str) -> None:
        """Set a value; the same thing may be said twice, but not in two ways."""
        for other, known in self.values.items():
            if same_place(key, other) and (key != other or known != value):
                raise _twice(self.paths[other], known, path, value, min(key, other))
        self.values[key] = value
        self.paths.setdefault(key, path)


def _twice(path: str, known: Any, other: str, value: Any, key: str) -> BadPolicy:
    said = f"{path} is {_shown(known)} and {other} is {_shown(value)}: both set {key}."
    return BadPolicy(said, hint="Keep one of them.")


def same_place(key: str, other: str) -> bool:
    """Whether two keys cannot both be set: they are one, or one is a part left out that the other lies in."""
    return key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.")


def _step(name: Any) -> str:
    """A key as a path names it: on one line, and not too long."""
    said = "null" if name is None else str(name)
    return said if said.isprintable() and len(said) <= _SHOWN else _shown(said)


def _mapping(value: Any, path: str) -> Mapping[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadPolicy(f"{path}: {_shown(value)} given, expected a mapping of keys.")
    return value


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadPolicy(f"{path}: {_shown(value)} given, expected the name of a policy or a .yaml file.")
    return value


def _known(prefix: str, name: str, path: str) -> str:
    """The key a name stands for where it is written."""
    key = KEYS.get(prefix + name, prefix + name)
    if key in keys.parts() or key in keys.leaves():
        return key
    own = [*keys.fields(keys.parts()[prefix.rstrip(".")])]
    others = [alias.removeprefix(prefix) for alias in KEYS if alias.rpartition(".")[0] == prefix.rstrip(".")]
    near = difflib.get_close_matches(name, [*own, *others], 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"Known here: {', '.join(own)}."
    if prefix == "tools.":
        hint += f" A tool's own name takes {', '.join(EFFECTS)}."
    raise BadPolicy(f"{path}: unknown key.", hint=hint)


def checked(key: str, value: Any, path: str) -> Any:
    """A value as its key takes it. Raises BadPolicy with what the key accepts."""
    try:
        taken = msgspec.convert(value, keys.leaves()[key], strict=True)
    except msgspec.ValidationError as error:
        raise _refusal(key, value, path) from error
    if key in SOUGHT:
        _sought(taken, path)
    if isinstance(taken, tuple):
        return _items(key, taken, path)
    if isinstance(taken, str) and not _is_accepted(key, taken):
        raise _refusal(key, value, path)
    if key in RANGES and isinstance(taken, (int, float)) and not _is_in_range(key, taken):
        raise _refusal(key, value, path)
    return taken


def _is_in_range(key: str, value: float) -> bool:
    low, high = RANGES[key]
    return low <= value <= high and not (key in TOKENS_OR_SHARE and value > 1 and value % 1)


def _is_accepted(key: str, value: str) -> bool:
    if value in CHOICES.get(key, ()):
        return True
    if key in FORMS:
        return re.fullmatch(FORMS[key][0], value) is not None
    return key not in CHOICES


def _items(key: str, value: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Items by their own names, each once; a level that stands twice is refused."""
    named = [WORDS.get(key, {}).get(item, item) for item in value]
    for at, item in enumerate(named):
        said = f"{path}[{at}]: {_shown(value[at])} given"
        if item in NEVER_CUT.get(key, ()):
            raise BadPolicy(f"{said}, but that is never cut.", hint=f"Name {', '.join(ITEMS[key])}.")
        if key in ITEMS and item not in ITEMS[key]:
            near = difflib.get_close_matches(item, ITEMS[key], 1)
            raise BadPolicy(f"{said}, accepted is {', '.join(ITEMS[key])}.", hint=f"Did you mean {near[0]!r}?" if near else "")
        if key == "order" and item in named[:at]:
            raise BadPolicy(f"{said}, but {item!r} stands before.", hint="Name each level once.")
    return tuple(dict.fromkeys(named))


def _sought(names: Any, path: str) -> None:
    """Refuse names, in a list or with lists of other names, that have no letter."""
    for at, name in names.items() if isinstance(names, Mapping) else enumerate(names):
        if isinstance(name, tuple):
            _sought((at,), path)
            _sought(name, f"{path}.{_step(at)}")
        elif not has_letter(name) or not marks.is_plain(name):
            raise BadPolicy(
                f"{path}[{at}]: {_shown(name)} given, accepted is a name with a letter in it, and none of our marks."
            )


def _refusal(key: str, value: Any, path: str) -> BadPolicy:
    return BadPolicy(f"{path}: {_shown(value)} given, accepted is {keys.expected(key)}.")


def _shown(value: Any) -> str:
    """A value as an error repeats it: on one line, and not too long."""
    said = "null" if value is None else repr(list(value) if isinstance(value, tuple) else value)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"

"""Policy files: what a preset's name or a YAML file means, every value with its origin."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import yaml

from pumice.compact import probes
from pumice.compact.probes import ProbeSet
from pumice.compact.summary import template
from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.domain.policy.written import EXTENDS
from pumice.errors import BadPolicy


class Effective(msgspec.Struct, frozen=True):
    """A policy with the origin of each of its values by dotted key: the preset or file that set it, or `default`."""

    policy: Policy
    origins: Mapping[str, str]


@cache
def preset_names() -> tuple[str, ...]:
    """Names of the policies shipped with the package, sorted."""
    folder = resources.files("pumice") / "presets"
    found = (item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml"))
    return tuple(sorted(name for name in found if name != "effects"))


def effective(name: str) -> Effective:
    """The policy a preset name or a YAML file means. Raises BadPolicy."""
    return _effective_of(name, ())


def written(path: Path) -> policy_read.Written:
    """What a policy file sets, with `extends` as `effective` takes it. Raises BadPolicy with the file's name."""
    with _named(str(path)):
        return placed(policy_read.written(_parse(_text(path))), path.parent)


def placed(found: policy_read.Written, folder: Path) -> policy_read.Written:
    """Files that are named stand beside the one that names them; a template's and probes' texts become part of the policy."""
    values = dict(found.values)
    name = values.get("summarize.template")
    if name is not None and "summarize.template_text" not in values:
        is_file = name.endswith((".yaml", ".yml"))
        values["summarize.template_text"] = _template(folder / name, _at(found, "summarize.template")) if is_file else ""
    if "probes" in values and "probe_texts" not in values:
        sets = enumerate(values["probes"])
        values["probe_texts"] = tuple(_probes(name, folder, f"{_at(found, 'probes')}[{at}]") for at, name in sets)
    if "triggers.degrade" in values:
        steps = enumerate(values["triggers.degrade"])
        at_steps = _at(found, "triggers.degrade")
        values["triggers.degrade"] = tuple(_policy(folder, name, f"{at_steps}[{at}]") for at, name in steps)
    extends = _policy(folder, found.extends, _at(found, EXTENDS)) if found.extends else ""
    return msgspec.structs.replace(found, values=values, extends=extends)


def _at(found: policy_read.Written, key: str) -> str:
    """Where in the file a key stands."""
    return found.paths.get(key, f"$.{key}")


def probe_set(name: str) -> ProbeSet:
    """The probe set a shipped name or a YAML file means. Raises BadPolicy."""
    text = _probes(name, Path(), "probes")
    return probes.own(text) if text else probes.shipped(name)


def _template(path: Path, at: str) -> str:
    with _named(f"{at}: {path}"):
        text = _text(path)
        template.own(text)
    return text


def _probes(name: str, folder: Path, at: str) -> str:
    """The text of a probe file; empty for a set that is shipped. Raises BadPolicy for one that is neither."""
    if name in probes.names():
        return ""
    if not name.endswith((".yaml", ".yml")):
        raise BadPolicy(f"{at}: {name!r} given, expected one of {', '.join(probes.names())}, or a .yaml file.")
    path = folder / name
    with _named(f"{at}: {path}"):
        text = _text(path)
        probes.own(text)
    return text


def _policy(folder: Path, name: str, at: str) -> str:
    """A policy that is named: a preset, or a file by its place. Raises BadPolicy for one that is neither."""
    if name in preset_names():
        return name
    if name.endswith((".yaml", ".yml")) and (folder / name).is_file():
        return str(folder / name)
    raise BadPolicy(f"{at}: {name!r} is no policy: expected one of {', '.join(preset_names())}, or a .yaml file.")


def _effective_of(name: str, heirs: tuple[str, ...]) -> Effective:
    if name in heirs:
        raise BadPolicy(f"$.extends: a circle ({' → '.join((*heirs, name))}).", hint="One of them has to stand on its own.")
    if name in preset_names():
        return _preset(name)
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        found = written(path)
        with _named(name):
            return _over_parent(found, path.stem, str(path), (*heirs, name))
    state = "is known to replay only" if path.name == "recorded" else "is no policy"
    raise BadPolicy(f"{path.name!r} {state}: expected one of {', '.join(preset_names())}, or a .yaml file.")


@cache
def _preset(name: str) -> Effective:
    text = (resources.files("pumice") / "presets" / f"{name}.yaml").read_text("utf-8")
    return _over_parent(policy_read.written(_parse(text)), name, f"preset {name}", (name,))


def _over_parent(found: policy_read.Written, name: str, origin: str, line: tuple[str, ...]) -> Effective:
    """A file may build on another policy with `extends`; its own values win, one by one."""
    base: dict[str, Any] = {}
    origins: dict[str, str] = {}
    if found.extends:
        parent = _effective_of(found.extends, line)
        base = dict(policy_read.values(parent.policy))
        origins = {key: value for key, value in parent.origins.items() if value != "default"}
    given = policy_read.over({**base, "name": name}, found.values)
    origins |= dict.fromkeys(("name", *found.values), origin)
    return with_origins(policy_read.build(given, name=name, paths=found.paths), origins)


def with_origins(policy: Policy, origins: Mapping[str, str]) -> Effective:
    """A policy of which some values have an origin; the others are defaults."""
    return Effective(policy, {key: origins.get(key, "default") for key, _ in policy_read.values(policy)})


@contextmanager
def _named(file: str) -> Iterator[None]:
    """What is wrong with a policy file is said with its name, so that of several one knows which."""
    try:
        yield
    except BadPolicy as error:
        raise BadPolicy(f"{file}: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise BadPolicy(f"cannot be read ({error.strerror}).", hint="Name a readable YAML file.") from error
    except UnicodeDecodeError as error:
        raise BadPolicy(f"cannot be read (not UTF-8 at byte {error.start}).", hint="Name a YAML file.") from error


class _Loader(yaml.SafeLoader):
    """Plain YAML, but a key that stands twice is an error: the first would be lost without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key has to be one word", key.start_mark)
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} stands twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _parse(text: str) -> Any:
    try:
        read = yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
        return {} if read is None else read
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise BadPolicy(f"{place}no YAML ({error.problem}).", hint="Correct it there.") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadPolicy(f"no YAML ({' '.join(str(error).split())}).") from error

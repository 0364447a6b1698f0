"""Settings: where the store lies, and which policy holds where none is named, every value with its origin."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.errors import BadPolicy
from pumice.faces.policy_files import Effective, effective, placed, preset_names, with_origins, written

__all__ = ["Effective", "effective", "home", "in_force", "policy", "preset_names"]

DEFAULT = "balanced"
PROJECT_FILE, USER_FILE = ".pumice.yaml", "pumice.yaml"


def home() -> Path:
    """The store's folder: `$PUMICE_HOME`, else `~/.pumice`."""
    return Path(os.environ.get("PUMICE_HOME") or Path.home() / ".pumice")


def seal_key() -> str:
    """The key sealed items are made with, `$PUMICE_SEAL_KEY`; empty: the store's own."""
    return os.environ.get("PUMICE_SEAL_KEY", "")


def policy(asked: str | Mapping[str, Any] | None) -> Policy:
    """The policy a preset's name or a YAML file means; values by key, or None, stand on what is in force. Raises BadPolicy."""
    return effective(asked).policy if isinstance(asked, str) else in_force(asked).policy


def in_force(given: Mapping[str, Any] | None = None) -> Effective:
    """What holds where no policy is named: `given` over the project's file over the user's over what they build on (F-H11).

    The project's file is `.pumice.yaml` in the working directory or above it, the user's `pumice.yaml` in the store's folder;
    without any of them it is `balanced`. Raises BadPolicy.
    """
    layers = [
        *_files(),
        *([_Layer("session", "session", placed(policy_read.written(given), Path()))] if given not in (None, {}) else []),
    ]
    base = next((layer.written.extends for layer in reversed(layers) if layer.written.extends), DEFAULT)
    parent = effective(base)
    if not layers:
        return parent
    values, origins, paths = dict(policy_read.values(parent.policy)), dict(parent.origins), dict[str, str]()
    for layer in layers:
        values = policy_read.over(values, layer.written.values)
        origins |= dict.fromkeys(layer.written.values, layer.origin)
        paths |= layer.written.paths
        if layer.written.values and "name" not in layer.written.values:
            values["name"], origins["name"] = layer.name, layer.origin
    return with_origins(policy_read.build(values, name=base, paths=paths), origins)


class _Layer(msgspec.Struct, frozen=True):
    """Values that stand above a preset."""

    name: str
    """`user`, `project` or `session`: the policy's name where it gives itself none."""
    origin: str
    written: policy_read.Written


def _files() -> Iterator[_Layer]:
    """Layers from files, the user's first."""
    user = home() / USER_FILE
    if _is_there(user):
        yield _Layer("user", str(user), written(user))
    project = next((path for folder in _upward() if _is_there(path := folder / PROJECT_FILE)), None)
    if project is not None:
        yield _Layer("project", str(project), _harmless(project, user))


def _upward() -> Iterator[Path]:
    """The working directory and what it lies in; nothing where it has been removed."""
    try:
        here = Path.cwd()
    except OSError:
        return
    yield here
    yield from here.parents


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a folder above that may not be looked into has no say


def _harmless(project: Path, user: Path) -> policy_read.Written:
    """A project may come from anyone: its file must not send what is said in a session anywhere, nor write it anywhere."""
    found = written(project)
    others = [effective(name).policy for name in (found.extends, *found.values.get("triggers.degrade", ())) if name]
    folders = [found.values.get("offload.read_back.folder"), *(policy.offload.read_back.folder for policy in others)]
    if any(folders):
        raise BadPolicy(
            f"{project}: $.offload.read_back.folder: a project's file may name no folder.", hint=f"Set it in {user}."
        )
    models = [found.values.get("summarize.model"), *(policy.summarize.model for policy in others)]
    for model in models:
        if model is not None and "://" in model:
            raise BadPolicy(
                f"{project}: $.summarize.model: {model!r} given, but a project's file may name no address.",
                hint=f"Set it in {user}, or say `same` or `cheapest`.",
            )
    return found

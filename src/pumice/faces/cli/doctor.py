"""`pumice doctor`: whether everything pumice needs is here and works."""

import json as json_
import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import resources, util
from pathlib import Path

import msgspec

import pumice
from pumice import extras
from pumice.errors import InvalidInput, PumiceError
from pumice.faces import settings
from pumice.faces.clients import json_text, known
from pumice.faces.library import Engine
from pumice.measure import models, tables, tokens

KNOWN = {"never push to main": 4, "不要动 migrations/": 4}
"""o200k tokens of two texts, by the vocabulary itself."""

EXTRAS = {"proxy": ("starlette", "aiohttp", "tomlkit"), "mcp": ("mcp",), "demo": ("anthropic", "openai")}
"""What some commands need that not everybody has, and the modules that come with it."""


class Finding(msgspec.Struct, frozen=True):
    name: str
    ok: bool
    detail: str


def doctor(*, json: bool = False) -> int:
    """Check the store, the counter, the tables and the extras; exit 1 when something pumice needs does not work.

    Also named are settings of clients on this machine that would cost tokens behind a base URL.

    Example: pumice doctor

    Parameters
    ----------
    json
        Print [{"name", "ok", "detail"}].
    """
    found = [_tried(name, check) for name, check in CHECKS]
    found += list(_extras())
    if json:
        sys.stdout.write(json_.dumps(msgspec.to_builtins(found), ensure_ascii=False) + "\n")
    else:
        for item in found:
            sys.stdout.write(f"{'ok  ' if item.ok else 'FAIL'} {item.name:<10} {item.detail}\n")
    return 0 if all(item.ok for item in found) else 1


def _tried(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check())
    except (PumiceError, OSError, sqlite3.Error) as error:
        return Finding(name, False, str(error))


def _version() -> str:
    return f"pumice {pumice.__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"


def _store() -> str:
    """The store must take and give back a session; tried in a folder of its own beside the real one."""
    place = settings.home()
    parent = next(folder for folder in (place, *place.parents) if folder.exists())
    if not parent.is_dir():
        raise OSError(f"{parent} is a file; set PUMICE_HOME to a folder")
    if not os.access(parent, os.W_OK):
        raise OSError(f"{parent} is not writable; set PUMICE_HOME to a folder that is")
    with tempfile.TemporaryDirectory(dir=parent, prefix=".pumice-doctor-") as folder, Engine.open(Path(folder)) as engine:
        engine.session("doctor", dialect="openai-chat").pin("a pin")
        kept = len(engine.sessions())
    return f"{place} ({'there' if place.exists() else 'made at first use'}), {kept} session written and read back"


def _counter() -> str:
    counts = {text: tokens.count(text) for text in KNOWN}
    if counts != KNOWN:
        raise OSError(f"the tokenizer counts {counts}, expected {KNOWN}; reinstall pumice")
    return "o200k, exact, offline: " + ", ".join(f"{count} tokens in {text!r}" for text, count in counts.items())


def _tables() -> str:
    facts = models.facts("claude-sonnet-4-5")
    return f"dated {tables.shipped().date}; claude-sonnet-4-5 window {facts.window:,}"


def _page() -> str:
    page = resources.files("pumice") / "faces" / "page" / "report.html"
    if not page.is_file():
        raise OSError("the report page is missing; reinstall with Node on the PATH or a network to the package registry")
    return "report page present"


def _extras() -> Iterator[Finding]:
    live = (
        "can be read with pumice.measure.prices_live"
        if util.find_spec("genai_prices")
        else "come by {extras.command('prices')}"
    )
    yield Finding("extras", True, ", ".join(_extra(*extra) for extra in EXTRAS.items()))
    yield Finding("clients", True, _clients())
    yield Finding("prices", True, f"shipped table of {tables.shipped().date}; live ones {live}")


def _extra(name: str, modules: Sequence[str]) -> str:
    return f"{name} there" if all(map(util.find_spec, modules)) else f"{name} by {extras.command(name)}"


def _clients() -> str:
    """Settings of Claude Code that cost tokens, of its own file and of this shell; nothing else of them is looked at."""
    file = known.claude_folder(os.environ, Path.home()) / "settings.json"
    try:
        found = json_text.read(file.read_text("utf-8")).get("env", {})
    except FileNotFoundError:
        found = {}
    except (InvalidInput, OSError, UnicodeDecodeError) as error:
        return f"{file} cannot be read ({error})"
    costs = known.costly({**os.environ, **(found if isinstance(found, dict) else {})})
    return "; ".join(costs) if costs else "no setting of Claude Code that would cost tokens"


CHECKS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("version", _version),
    ("store", _store),
    ("counter", _counter),
    ("tables", _tables),
    ("page", _page),
)

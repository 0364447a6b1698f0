"""How a part that needs more than the core is added to the installation at hand."""

import json
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

from pumice.errors import InvalidInput


def command(extra: str) -> str:
    """The command that adds an extra, from where pumice itself came from (PEP 610): a public registry may hold another."""
    metadata: Any = import_module("importlib.metadata")  # slow to load, and only somebody who lacks something needs it
    try:
        told = metadata.distribution("pumice").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        told = None
    return f'pip install "{_wanted(json.loads(told or "{}"), extra)}"'


def missing(what: str, extra: str, error: ModuleNotFoundError) -> InvalidInput:
    """The error of a part whose module is not installed."""
    return InvalidInput(f"{what} needs {error.name}.", hint=f"Install it: {command(extra)}.")


def _wanted(origin: dict[str, Any], extra: str) -> str:
    """A requirement as pip takes it: a folder with the extra, an address pumice was fetched from, or the name alone."""
    url = urlsplit(origin.get("url", ""))
    if url.scheme == "file" and "dir_info" in origin:
        return f"{unquote(url.path)}[{extra}]"
    scheme = f"{origin['vcs_info']['vcs']}+" if "vcs_info" in origin else ""
    return f"pumice[{extra}] @ {scheme}{url.geturl()}" if url.scheme else f"pumice[{extra}]"

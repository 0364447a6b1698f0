"""What points each agent client at the proxy, line by line, each with its reason (provider-contracts §9.3–9.5)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

CLIENTS = ("claude-code", "codex", "gemini")
URL = "http://127.0.0.1:8787"
TITLES = {"claude-code": "Claude Code", "codex": "Codex CLI", "gemini": "Gemini CLI"}


class Edit(msgspec.Struct, frozen=True):
    """A value of a settings file, and why it has to be there."""

    path: tuple[str, ...]
    value: str | bool | tuple[str, ...]
    """Several are entries of a list, beside those it has."""
    why: str
    unless: tuple[str, ...] = ()
    """A key that does the same: where it stands, this one is left out."""


class Target(msgspec.Struct, frozen=True):
    """A settings file of a client, and what of it is ours."""

    file: Path
    form: str
    """json, toml or env."""
    edits: tuple[Edit, ...]


class Plan(msgspec.Struct, frozen=True):
    """Everything that points one client here."""

    client: str
    variables: Mapping[str, str]
    """Environment variables that do the same for one shell; empty where the client knows none."""
    targets: tuple[Target, ...]
    notes: Sequence[str] = ()


_CLAUDE = (
    ("ANTHROPIC_BASE_URL", "", "every call goes through pumice; the login stays as it is"),
    ("ENABLE_TOOL_SEARCH", "true", "behind a base URL every MCP tool is sent in full unless this says that tool search works"),
    (
        "CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING",
        "1",
        "behind a base URL long arguments of tools arrive all at once else",
    ),
)
COSTLY = {
    "DISABLE_PROMPT_CACHING": "every call pays the full price for all of its input",
    "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS": "tool search and the provider's own context editing are off",
}
"""Settings of Claude Code that cost tokens anywhere; a name stands for those that begin with it too."""


def plan(client: str, url: str, *, environment: Mapping[str, str], home: Path, files: Path) -> Plan:
    """What points a client at the proxy of an address, given where it keeps its settings.

    `files` is where plain files of what has left a window lie.
    """
    base = url.rstrip("/")
    match client:
        case "claude-code":
            return _claude(base, claude_folder(environment, home), files)
        case "codex":
            return _codex(base, codex_folder(environment, home), has_key=bool(environment.get("OPENAI_API_KEY")))
        case _:
            return _gemini(base, home / ".gemini")


def _claude(url: str, folder: Path, files: Path) -> Plan:
    values = {name: value or url for name, value, _ in _CLAUDE}
    edits = tuple(Edit(("env", name), value or url, why) for name, value, why in _CLAUDE)
    # Two slashes begin an absolute path.
    opens = Edit(("permissions", "allow"), (f"Read(/{files}/**)",), "else it asks before it opens what left its window")
    return Plan("claude-code", values, (Target(folder / "settings.json", "json", (*edits, opens)),))


def _codex(url: str, folder: Path, *, has_key: bool) -> Plan:
    table = ("model_providers", "pumice")
    key, login = (*table, "env_key"), (*table, "requires_openai_auth")
    # A key in the environment is what Codex would use; else whatever it is signed in with.
    credential = (
        Edit(key, "OPENAI_API_KEY", "the key of the environment; pumice passes it on and keeps it nowhere", unless=login)
        if has_key
        else Edit(login, True, "what Codex is signed in with; env_key would name a variable instead", unless=key)
    )
    edits = (
        Edit(("model_provider",), "pumice", "every call goes through the provider below"),
        Edit((*table, "name"), "pumice", "any name but OpenAI: that one switches to web sockets and compressed bodies"),
        Edit((*table, "base_url"), f"{url}/v1", "where pumice listens"),
        Edit((*table, "wire_api"), "responses", "the only one Codex still speaks"),
        credential,
    )
    note = "Codex reads a provider from the user's own config.toml only, never from a project's."
    return Plan("codex", {}, (Target(folder / "config.toml", "toml", edits),), (note,))


def _gemini(url: str, folder: Path) -> Plan:
    auth = Edit(("security", "auth", "selectedType"), "gemini-api-key", "the base URL counts for API keys only")
    base = Edit(("GOOGLE_GEMINI_BASE_URL",), url, "every call goes through pumice; GEMINI_API_KEY stays where it is")
    return Plan(
        "gemini",
        {"GOOGLE_GEMINI_BASE_URL": url},
        (Target(folder / ".env", "env", (base,)), Target(folder / "settings.json", "json", (auth,))),
        ("Signed in with Google, Gemini CLI does not use a base URL: it needs an API key (GEMINI_API_KEY).",),
    )


def claude_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Where Claude Code keeps settings and sessions."""
    return Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")


def codex_folder(environment: Mapping[str, str], home: Path) -> Path:
    """The same of Codex."""
    return Path(environment.get("CODEX_HOME") or home / ".codex")


def costly(variables: Mapping[str, Any]) -> list[str]:
    """What of Claude Code's environment costs tokens, each with its reason."""
    found = [f"{name}: {why}" for key, why in COSTLY.items() for name in variables if name.startswith(key) and variables[name]]
    if variables.get("ANTHROPIC_BASE_URL"):
        found += [f"{name} is not set: {why}" for name, _, why in _CLAUDE if name not in variables]
    return found

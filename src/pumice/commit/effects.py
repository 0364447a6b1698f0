"""What a tool call was about and what running it again would do, from the tables in presets/effects.yaml and effects/."""

import re
from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from pumice.commit import arguments, commands
from pumice.domain.block import Block
from pumice.domain.effect import Effect, ToolUse
from pumice.domain.redeem import Redeem


class Does(StrEnum):
    """The kinds of tools the table knows; its head explains them."""

    FILE_READ = "file_read"
    EDIT = "edit"
    SHELL = "shell"
    SEARCH = "search"
    FETCH = "fetch"
    ACT = "act"
    PLAN = "plan"
    AGENT = "agent"
    ASK = "ask"
    CODE = "code"
    NOTES = "notes"
    PHASE = "phase"
    UNKNOWN = "unknown"


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    does: Does
    target: tuple[str, ...] = ()
    """Arguments the call may be about, tried in order."""
    first_line: dict[str, int] = {}
    """Argument that names the first line wanted → the number it gives the first line of a file."""
    of: str = ""
    """Whose tool it is, as the table groups them."""
    by: dict[str, dict[str, Does]] = {}
    """Argument → its value → what the call does then; `*` is any other value."""


class Table(msgspec.Struct, frozen=True):
    tools: dict[str, Tool]
    commands: commands.Commands


class Known(msgspec.Struct, frozen=True):
    """What is said of a client's tools besides the table."""

    policy: Mapping[str, Effect] = {}
    """By the policy, for names or patterns such as `mcp__shop__*`: it wins over everything else."""
    declared: Mapping[str, Effect] = {}
    """By the definitions themselves (MCP hints): of tools the table does not know."""
    folder: str = ""
    """Where blocks that have left the view are files."""

    def of(self, name: str, tool: Tool) -> Effect | None:
        """The effect that holds for a tool whatever it is called with; None leaves it to the table."""
        short = _short(name)
        stated = self.policy.get(name, self.policy.get(short))
        if stated is None:
            patterns = (effect for pattern, effect in self.policy.items() if fnmatchcase(name, pattern))
            stated = next(patterns, None)
        if stated is None and tool.does is Does.UNKNOWN:
            stated = self.declared.get(name)
        return stated


NOTHING = Known()
OURS = "pumice"
_SERVED = "mcp__pumice__"
"""A tool called `search` may be anybody's; behind this it is ours."""
_UNKNOWN = Tool(Does.UNKNOWN)
_READS = frozenset({Does.FILE_READ, Does.SEARCH, Does.FETCH})
_WRITES = frozenset({Does.EDIT, Does.ACT, Does.PLAN, Does.NOTES, Does.PHASE})
_TARGET_CHARS = 200
_LIKELY_TARGETS = ("file_path", "path", "filePath", "filename", "command", "cmd", "url", "query", "pattern", "name", "id")
_PATCHED = re.compile(r"^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b/)?)(\S.*)$", re.M)
_ERROR_START = re.compile(r"\s*(?:<tool_use_error>|(?:Error|ERROR|error)\b[^\n]{0,80}:|Traceback \(most recent call last\))")
_EXIT = re.compile(r"(?:exit(?:ed)?(?: with)?|process)[ _]?(?:code|status)\W{0,3}([1-9]\d*)", re.I)
_ANSWER_CHARS = 4000
_FLAGS = ("success", "ok")
_ERRORS = ("error", "errors", "iserror", "is_error")
_REFUSALS = frozenset(
    {"declined", "denied", "rejected", "refused", "failed", "failure", "error", "invalid", "unauthorized", "forbidden"}
)
_HTTP_ERROR = re.compile(r"[45]\d\d")


def describe(call: Block, result: Block | None, known: Known = NOTHING) -> ToolUse:
    """The label and effect of one tool call; `is_file_read` needs a result that is no error."""
    given = arguments.read(call)
    tool = lookup(call.tool)
    does = _does(tool, given)
    source = _read_back(tool, given, call, known)
    return ToolUse(
        tool=call.tool,
        target=_target(tool, given, call.text),
        effect=known.of(call.tool, tool) or _effect(does, given, tool),
        is_file_read=does is Does.FILE_READ and result is not None and not failed(result),
        is_listing=does in (Does.SHELL, Does.SEARCH),
        is_edit=does is Does.EDIT,
        first_line=_first_line(tool, given) if does is Does.FILE_READ else 1,
        reads_back=source,
    )


def _read_back(tool: Tool, given: dict[str, Any], call: Block, known: Known) -> str:
    """The block a call fetches again: by a tool of ours, or as the file it was written to."""
    is_ours = tool.of == OURS and (tool.does is Does.FILE_READ or call.tool.startswith(_SERVED))
    if is_ours and tool.does in _READS:
        return str(_first(given, tool.target) or "")
    return Redeem(folder=known.folder).block_in(call.text) if known.folder else ""


def lookup(name: str) -> Tool:
    """The table's row for a tool: by exact name, then without an `mcp__server__` prefix, else the unknown one."""
    tools = table().tools
    if name in tools:
        return tools[name]
    return tools.get(_short(name), _UNKNOWN)


def _short(name: str) -> str:
    """A tool's name without that of its server."""
    return re.sub(r"^mcp__.+?__", "", name)


def does(call: Block) -> Does:
    """What kind of work a call is, `by` arguments considered."""
    return _does(lookup(call.tool), arguments.read(call))


def failed(result: Block) -> bool:
    """Whether a result says that the call failed: its flag, or the words short failures begin and end with."""
    if result.is_error:
        return True
    head, tail = result.text[:300], result.text[-300:]
    return (len(result.text) < 1500 and bool(_ERROR_START.match(head))) or bool(_EXIT.search(head) or _EXIT.search(tail))


def refused(result: Block, tool: str) -> bool:
    """Whether a short JSON object says in its own fields that what was asked is not done; `reject_claim` may say `rejected`."""
    text = result.text.strip()
    if not text.startswith("{") or len(text) > _ANSWER_CHARS:
        return False
    try:
        said = {name.lower(): value for name, value in msgspec.json.decode(text, type=dict[str, Any]).items()}
    except (msgspec.DecodeError, RecursionError):
        return False
    if flags := [said[name] for name in _FLAGS if isinstance(said.get(name), bool)]:
        return not all(flags)
    if any(said.get(name) and isinstance(said[name], str | dict | list | bool) for name in _ERRORS):
        return True
    status = str(said.get("status")).lower()
    is_asked = any(status.startswith(word[:-1].lower()) for word in re.findall(r"[A-Z]?[a-z]{3,}", tool))
    return (status in _REFUSALS and not is_asked) or bool(_HTTP_ERROR.fullmatch(status))


@cache
def table() -> Table:
    """The shipped tables, read once."""
    tools = {name: {**row, "of": of} for of, client in _loaded("effects.yaml")["tools"].items() for name, row in client.items()}
    judged = msgspec.convert(_worded(_loaded("effects/commands.yaml")), commands.Commands)
    return Table({name: _row(row) for name, row in tools.items()}, judged)


def names_by_client() -> dict[str, list[str]]:
    """The tool names of the table per client, as the file lists them."""
    return {client: list(rows) for client, rows in _loaded("effects.yaml")["tools"].items()}


def _loaded(name: str) -> dict[str, Any]:
    text = (files("pumice") / "presets" / name).read_text("utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 both are safe
    return loaded


def _row(row: dict[str, Any]) -> Tool:
    target = row.get("target", [])
    return msgspec.convert({**row, "target": [target] if isinstance(target, str) else target}, Tool)


def _worded(value: Any) -> Any:
    """Strings of the table are lists of words."""
    if isinstance(value, dict):
        return {key: _worded(inner) for key, inner in value.items()}
    return str(value).split()


def _does(tool: Tool, given: dict[str, Any]) -> Does:
    for name, kinds in tool.by.items():
        return kinds.get(str(given.get(name)), kinds.get("*", tool.does))
    return tool.does


def _effect(does: Does, given: dict[str, Any], tool: Tool) -> Effect:
    if does is Does.SHELL:
        line = _first(given, tool.target)
        return commands.effect(_line(line), table().commands) if line else Effect.UNKNOWN
    if does in _READS:
        return Effect.READ
    return Effect.WRITE if does in _WRITES else Effect.UNKNOWN


def _line(command: Any) -> str:
    """A command as one shell line; a list that starts a shell on a text is that text."""
    if not isinstance(command, list):
        return str(command)
    words = [str(word) for word in command]
    if len(words) == 3 and words[0].rpartition("/")[2] in table().commands.shells and words[1] in ("-c", "-lc"):
        return words[2]
    return " ".join(words)


def _target(tool: Tool, given: dict[str, Any], text: str) -> str:
    found = _first(given, tool.target) or (None if tool.target else _first(given, _LIKELY_TARGETS))
    if found is None:
        short = (leaf for leaf in arguments.leaves(given) if 0 < len(leaf) <= _TARGET_CHARS and "\n" not in leaf)
        found = next(short, text.partition("\n")[0] if not given else "")
    if tool.does is Does.NOTES and isinstance(given.get("notes"), dict):
        found = list(given["notes"])
    line = _line(found) if tool.does is Does.SHELL else _joined(found)
    patched = _PATCHED.search(line) if tool.does is Does.EDIT else None
    return " ".join((patched[1] if patched else line).split())[:_TARGET_CHARS]


def _first(given: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((given[name] for name in names if given.get(name) not in (None, "", [])), None)


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _first_line(tool: Tool, given: dict[str, Any]) -> int:
    for name, base in tool.first_line.items():
        value = given.get(name)
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, int) or (isinstance(first, str) and first.isdigit()):
            return max(1, int(first) + 1 - base)
    return 1

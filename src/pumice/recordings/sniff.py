"""Which format a recorded session is in, told from its content alone."""

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Any

from pumice.errors import BadRecording, BadRequest
from pumice.recordings.jsonl import lines
from pumice.wire import jsonbytes


class Format(StrEnum):
    CLAUDE_CODE = "claude-code"
    PI = "pi"
    GEMINI_CLI = "gemini-cli"
    CODEX = "codex"
    OPENAI = "openai"
    """A JSON list of runs, each with its messages under `traj`."""
    BODY = "body"
    """One request body."""
    BODIES = "bodies"
    """Several request bodies, as a JSON list or one a line."""
    MESSAGES = "messages"
    """A bare list of messages, as JSON or one a line."""


EXPECTED = "a Claude Code, Codex or pi log, a Gemini CLI session, OpenAI runs, or request bodies or messages of a provider"
_CODEX = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_LATER: dict[str, Callable[[dict[str, Any]], bool]] = {
    "cline": lambda value: "system_prompt" in value and "sessionId" in value,
    "swe-agent": lambda value: "trajectory" in value and "history" in value,
    "inspect": lambda value: "eval" in value and "samples" in value,
}
"""Formats that are recognised but not read yet."""
_ITEMS = re.compile(r"reasoning|compaction|(?:function|custom_tool|local_shell|shell|apply_patch|web_search)_call(?:_output)?")
"""Items of a Responses input that have no role."""
_NEEDS_NO_SESSION = ("summary", "file-history-snapshot", "queue-operation")
_SAMPLE = 50
"""Lines looked at before giving up."""


def sniff(data: bytes, file: str) -> Format:
    """The format of a file's bytes; raises BadRecording for what is empty, binary, broken or not known."""
    _check_text(data, file)
    try:
        value = jsonbytes.decode(data)
    except BadRequest:
        return _of_lines(data, file)
    found = _of_value(value, file)
    if found:
        return found
    raise BadRecording(f"{file}: line 1: {_shape(value)}: no known format; expected {EXPECTED}.")


def _check_text(data: bytes, file: str) -> None:
    if not data.strip():
        raise BadRecording(f"{file}: is empty; expected {EXPECTED}.")
    sample = data[:8192].decode("utf-8", "replace")
    strange = sum(character == "\ufffd" or (character < " " and character not in "\t\r\n\f") for character in sample)
    if strange * 10 > len(sample):
        raise BadRecording(f"{file}: line 1: is binary, not JSON text in UTF-8; expected {EXPECTED}.")


def _of_value(value: Any, file: str) -> Format | None:
    if isinstance(value, dict):
        return _of_object(value, file)
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return None
    found = _of_object(value[0], file)
    return Format.BODIES if found is Format.BODY else found if found in (Format.MESSAGES, Format.OPENAI) else None


def _of_object(value: dict[str, Any], file: str) -> Format | None:
    for name, fits in _LATER.items():
        if fits(value):
            raise BadRecording(f"{file}: is of the format {name}, not supported yet; expected {EXPECTED}.")
    if "projectHash" in value and "sessionId" in value:
        return Format.GEMINI_CLI
    kind = value.get("type")
    if "payload" in value and kind in _CODEX:
        return Format.CODEX
    if kind == "session" or (kind == "message" and isinstance(value.get("message"), dict)):
        return Format.PI
    if isinstance(kind, str) and (
        kind in _NEEDS_NO_SESSION or ("message" in value and "sessionId" in value) or "parentUuid" in value
    ):
        return Format.CLAUDE_CODE
    if isinstance(value.get("traj"), list):
        return Format.OPENAI
    if any(isinstance(value.get(key), list) for key in ("messages", "contents", "input")) or _is_text(value):
        return Format.BODY
    return Format.MESSAGES if isinstance(value.get("role"), str) or _ITEMS.fullmatch(str(kind)) else None


def _is_text(value: dict[str, Any]) -> bool:
    """A Responses body whose input is one prompt; any object may have a key of that name."""
    return isinstance(value.get("input"), str) and isinstance(value.get("model"), str)


def _of_lines(data: bytes, file: str) -> Format:
    sample = [line.data for line in islice(lines(data), _SAMPLE)]
    values = list(_objects(sample))
    if len(values) * 2 < len(sample):
        raise _broken(data, file)
    for value in values:
        found = _of_object(value, file)
        if found:
            return Format.BODIES if found is Format.BODY else found
    raise BadRecording(f"{file}: line 1: {_shape(values[0])}: no known format; expected {EXPECTED}.")


def _objects(sample: list[bytes]) -> Iterator[dict[str, Any]]:
    for line in sample:
        try:
            value = jsonbytes.decode(line)
        except BadRequest:
            continue
        if isinstance(value, dict):
            yield value


def _broken(data: bytes, file: str) -> BadRecording:
    """Where the JSON of a whole file breaks off."""
    line, why = 1, "not JSON"
    try:
        json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line, why = data.count(b"\n", 0, error.start) + 1, f"not UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        line, why = error.lineno, f"not JSON ({error.msg}, column {error.colno})"
    except (RecursionError, ValueError) as error:
        why = f"not readable ({error})"
    return BadRecording(f"{file}: line {line}: {why}; expected {EXPECTED}.")


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with the keys {', '.join(list(value)[:6]) or '(none)'}"
    return f"a list of {len(value)}" if isinstance(value, list) else f"a bare {type(value).__name__}"

"""The replay report: one HTML file that holds its data and loads nothing."""

import base64
import gzip
import importlib.resources
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

import pumice
from pumice.errors import StoreError
from pumice.faces import saving
from pumice.faces.tracks import Track

SLOT = '<script id="pumice-data" type="text/plain">'


class PolicyRun(msgspec.Struct, frozen=True):
    summary: Mapping[str, Any]
    """The policy's fields of `replay --json`."""
    track: Track


class SessionRuns(msgspec.Struct, frozen=True):
    file: str
    policies: Mapping[str, PolicyRun]


class ReportData(msgspec.Struct, frozen=True):
    sessions: Sequence[SessionRuns]
    total: Mapping[str, Any]
    """`total` of `replay --json`."""


def prepare(path: Path) -> None:
    """Find out before a long replay, not after it, that its report could not be written. Raises StoreError."""
    _template()
    saving.prepare(path)


def write(path: Path, data: ReportData, *, redact: bool = False) -> None:
    """Write the report; with `redact` it holds sizes and kinds, and no text of any session.

    Raises StoreError when the page is not in the package or the file cannot be written.
    """
    saving.write(path, _template().replace(SLOT, SLOT + _blob(_content(data, redact)), 1))


def _template() -> str:
    page = importlib.resources.files("pumice.faces") / "page" / "report.html"
    try:
        return page.read_text("utf-8")
    except FileNotFoundError as error:
        raise StoreError(
            "the report page is not in the package.", hint="Install pumice again: its build makes the page."
        ) from error


def _content(data: ReportData, redact: bool) -> dict[str, Any]:
    sessions = [
        {
            "file": f"session {n}" if redact else session.file,
            "policies": {name: _run(run, redact) for name, run in session.policies.items()},
        }
        for n, session in enumerate(data.sessions, 1)
    ]
    total = _figures(data.total) if redact else data.total
    return {"generated_by": f"pumice {pumice.__version__}", "redacted": redact, "sessions": sessions, "total": total}


def _run(run: PolicyRun, redact: bool) -> dict[str, Any]:
    summary = _figures(run.summary) if redact else run.summary
    return {"summary": summary, **run.track.packed(redact=redact)}


def _figures(value: Any) -> Any:
    """The value with every string emptied: numbers, nulls and the names of fields stay."""
    if isinstance(value, Mapping):
        return {key: _figures(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_figures(inner) for inner in value]
    return "" if isinstance(value, str) else value


def _blob(content: Any) -> str:
    """Base64 of gzipped JSON: small, and no text of a session can end the element it stands in."""
    return base64.b64encode(gzip.compress(msgspec.json.encode(content), compresslevel=9, mtime=0)).decode("ascii")

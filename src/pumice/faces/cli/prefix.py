"""`pumice prefix`: does a request extend the one before, so that the provider's cache holds?"""

import sys
from pathlib import Path

import msgspec
from rich.console import Console

from pumice.faces.cli import bodies
from pumice.wire import prefix as prefixes


def prefix(a: Path, b: Path, /, *, dialect: str | None = None, model: str = "", json: bool = False) -> int:
    """Compare two consecutive requests: where they part, what that costs, and which field is to blame; exit 1 when they do.

    Example: pumice prefix call-1.json call-2.json --dialect anthropic

    Parameters
    ----------
    a
        The earlier request body.
    b
        The later one.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when the bodies do not tell.
    model
        The model their address names, where the bodies do not (Gemini).
    json
        Print {"stable", "diverges_at", "invalidated_tokens", "cost_usd", "volatile"}.
    """
    earlier, name = bodies.read(a, dialect)
    later, _ = bodies.read(b, name)
    report = prefixes.compare(earlier, later, name, model=model)
    if json:
        sys.stdout.write(msgspec.json.encode(report).decode() + "\n")
    else:
        Console().print("\n".join(_lines(report)), highlight=False, markup=False, soft_wrap=True)
    return 0 if report.stable else 1


def _lines(report: prefixes.PrefixReport) -> list[str]:
    at = report.diverges_at
    if at is None:
        lines = ["stable: the later request extends the earlier"]
    else:
        cost = "" if report.cost_usd is None else f", ${report.cost_usd:.4f} more than reading them from the cache"
        lines = [
            f"unstable at {at.path} (token {at.token:,})",
            f"{report.invalidated_tokens:,} tokens are sent anew{cost}",
        ]
    return lines + [f"volatile: {found.path} ({found.kind})" for found in report.volatile]

"""`pumice validate`: does a request keep its provider's rules?"""

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pumice import wire
from pumice.domain.message import Violation
from pumice.errors import InvalidInput
from pumice.faces.cli import bodies
from pumice.measure import models
from pumice.wire import rules
from pumice.wire.size import estimate


def validate(
    body: Path, /, *, dialect: str | None = None, model: str = "", window: int | None = None, json: bool = False
) -> int:
    """Check a request body against its provider's rules and name each broken one; exit 1 when there is any.

    Example: pumice validate request.json --dialect anthropic

    Parameters
    ----------
    body
        A file that holds one request body as JSON.
    dialect
        anthropic, openai-chat, openai-responses or gemini, when the body does not tell.
    model
        The model its address names, where the body does not (Gemini).
    window
        Tokens of the model's window; the model table's without it.
    json
        Print {"valid", "violations": [{"rule", "path", "message"}]}.
    """
    if window is not None and window <= 0:
        raise InvalidInput(f"--window {window} given, expected tokens above 0.", hint="Leave it out to take the model's own.")
    raw, name = bodies.read(body, dialect)
    with bodies.of(body):
        found = _check(raw, name, model, window)
    if json:
        result = {"valid": not found, "violations": found}
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    else:
        _print(body, found)
    return 1 if found else 0


def _check(raw: bytes, dialect: str, model: str, window: int | None) -> tuple[Violation, ...]:
    found = wire.get(dialect)
    request = found.open(raw).for_model(model)
    facts = models.facts(request.model)
    room = window or (facts.window if facts.known else None)
    early = (*rules.missing(request), *rules.check_request(request, window=room))
    if early or room is None:
        return early
    # Only a request that keeps the other rules can be read into units and counted.
    return rules.check_request(request, window=room, tokens=sum(estimate(found.units(raw), request.model)))


def _print(body: Path, found: tuple[Violation, ...]) -> None:
    console = Console()
    if not found:
        console.print(f"{body}: valid", highlight=False, markup=False)
        return
    table = Table("rule", "path", "what is wrong", box=None, pad_edge=False)
    for violation in found:
        table.add_row(*map(Text, (violation.rule, violation.path, violation.message)))
    console.print(table)

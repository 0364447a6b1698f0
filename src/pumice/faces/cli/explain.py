"""`pumice explain`: why a block was, or was not, in the view of a call."""

import sys
from collections.abc import Iterator

import msgspec

from pumice.domain.manifest import Row
from pumice.faces.cli import stored
from pumice.faces.library import Engine


def explain(name: str, block: str, /, *, call: int | None = None, scope: str = "", json: bool = False) -> int:
    """Why a block was, or was not, in the view of a call: its outcome, the level that decided it, and the reason.

    Example: pumice explain build-42 b173 --call 17

    Parameters
    ----------
    name
        A stored session.
    block
        A block's name, as labels in a view and rows of a manifest give it, such as b173.
    call
        Number of the call, from 1; the newest without it.
    scope
        tenant:T/project:P/user:U, where several sessions have that name; the local tenant without it.
    json
        Print the block's row of the call's manifest.
    """
    with Engine.open() as engine:
        row = engine.session(name, scope=stored.scope_of(engine, name, scope)).explain(block, call)
    if json:
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(row)))
    return 0


def _lines(row: Row) -> Iterator[str]:
    yield f"{row.id}: {row.outcome}, {row.tokens:,} tokens in view ({row.counted})"
    told = {
        "because": row.reason,
        "level": row.level,
        "partition": row.partition,
        "zone": row.zone,
        "from": row.source,
        "trust": row.trust,
        "authority": row.authority,
        "read it back at": row.pointer,
        "made of": ", ".join(row.sources),
    }
    for name, value in told.items():
        if value:
            yield f"  {name:<16} {value}"

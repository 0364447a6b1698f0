"""What a request would count after the edits it asks for, without doing any of them (K §1.5.1, §1.6)."""

from pumice.engine.engine import AsyncEngine
from pumice.engine.terms import Rung, Terms
from pumice.faces.proxy.emulate.demand import Demand
from pumice.wire import jsonbytes

_ANY_WINDOW = 100_000_000
"""Tokens: a count is never too long."""


async def preview(engine: AsyncEngine, demand: Demand) -> bytes:
    """The answer of `count_tokens`, by our own counter; `engine` holds nothing and is thrown away."""
    session = engine.session("count", window=_ANY_WINDOW)
    view = await session.compile(demand.request, terms=Terms(Rung.HELD, edits=demand.asked.edits))
    told: dict[str, object] = {"input_tokens": view.tokens.total}
    if demand.asked.reports:
        told["context_management"] = {"original_input_tokens": view.full}
    return jsonbytes.encode(told)

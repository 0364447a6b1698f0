"""Sealed items in plain words, where a request goes upstream without the engine: nobody there can read them."""

from pumice import wire
from pumice.compact import sealed
from pumice.domain.ports import Sealer
from pumice.domain.scope import Scope
from pumice.engine import sealing
from pumice.faces.proxy.emulate.demand import Demand
from pumice.faces.proxy.turn import Turn
from pumice.wire.emulated import openai_responses


def spelled(made: Turn, demand: Demand, sealer: Sealer | None, owner: Scope) -> Turn:
    """A request that the engine has not compiled, with what its items hold; others' stay shut."""
    if made.view is not None or made.reply is not None or not demand.item or demand.given.dialect == "anthropic":
        return made
    dialect = wire.get(demand.request.dialect)
    request = dialect.open(made.body)
    messages = openai_responses.spelled(request.messages, lambda item: _words(item, sealer, owner))
    made.body = dialect.close(request, messages)
    return made


def _words(item: str, sealer: Sealer | None, owner: Scope) -> str:
    content = None if sealer is None else sealing.content_of(sealer, item, owner)
    return sealed.unknown() if content is None else content.preface

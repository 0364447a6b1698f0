"""A call that the engine has to do with, as the gate has read it."""

import msgspec

from pumice.domain.message import Request
from pumice.faces.proxy.descent import Kept
from pumice.faces.proxy.emulate.demand import Demand
from pumice.faces.proxy.gate import Call
from pumice.faces.proxy.identity import Named
from pumice.faces.proxy.openings import Opening


class Ask(msgspec.Struct, frozen=True):
    """Whose it is, and what may be done with it."""

    call: Call
    request: Request
    named: Named
    opening: Opening
    kept: Kept = Kept.NO
    demand: Demand | None = None
    """What its client asks a provider to do with its history, done here."""

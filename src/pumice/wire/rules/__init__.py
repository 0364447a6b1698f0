"""Provider rules on a finished request, by their ids in provider-contracts §1.2, §1.3, §2.2 and §4.2 (K-A4 is "A4").

A resumable automaton: `start(...)`, `feed` each message, `finish`. A state is a value, so the one at the end of an
unchanged prefix can be kept and fed from there. Rules that one request cannot show (A3, A12, A15, A20, A32–A34,
A38–A40, O8's order, O10) allow something or describe answers; what an edit may break is in `rewrite`.
"""

from collections.abc import Collection

from pumice.domain.message import Request, Violation
from pumice.measure import naming
from pumice.wire import get
from pumice.wire.rules.automaton import State
from pumice.wire.rules.rewrite import check_rewrite

__all__ = ["SIZES", "State", "check", "check_request", "check_rewrite", "missing", "start"]

SIZES = frozenset({"A24"})
"""Rules on how many and how big images and documents are."""

_REQUIRED = {"anthropic": ("model", "max_tokens")}
"""Fields besides `messages` that an API refuses to do without (provider-contracts §1.1)."""


def start(dialect: str, model: str) -> State:
    """The state before the first message."""
    return State.at_start(dialect, naming.parse(model))


def check(
    body: bytes,
    dialect: str,
    *,
    tokens: int | None = None,
    window: int | None = None,
    betas: Collection[str] | None = None,
    model: str = "",
) -> tuple[Violation, ...]:
    """All violations of a body; `model` is the one its address names. Raises BadRequest where it is no request at all."""
    request = get(dialect).open(body).for_model(model)
    return check_request(request, tokens=tokens, window=window, betas=betas)


def check_request(
    request: Request,
    *,
    tokens: int | None = None,
    window: int | None = None,
    betas: Collection[str] | None = None,
) -> tuple[Violation, ...]:
    """All violations of an opened request; size limits by tokens where they are given (A25, O13)."""
    state = start(request.dialect, request.model)
    for raw in request.messages:
        state = state.feed(raw)
    return state.finish(request.fields, tokens=tokens, window=window, betas=betas)


def missing(request: Request) -> tuple[Violation, ...]:
    """What a request lacks to be sent as it is: a view is made of whatever the client has, a sender needs all of it.

    Where the platform names the version in the body, the model stands in the address.
    """
    required = _REQUIRED.get(request.dialect, ())
    lacking = (field for field in required if field not in request.fields)
    elsewhere = {"model"} if "anthropic_version" in request.fields else set()
    return tuple(Violation("A9", field, "the API requires this field") for field in lacking if field not in elsewhere)

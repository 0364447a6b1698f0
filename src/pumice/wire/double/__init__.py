"""A scripted provider: answers requests from a script and refuses whatever the rules refuse.

It ships with the package so that anyone can test an agent against it without a key or a network.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from pumice.domain.message import Request, Violation
from pumice.measure import cache, models
from pumice.wire import get, jsonbytes, rules, tools
from pumice.wire.dialect import Unit
from pumice.wire.double import anthropic, gemini, openai_chat, openai_responses
from pumice.wire.double.script import Answer, Reply, Say, Shape, Step, Use
from pumice.wire.size import estimate

__all__ = ["Double", "Reply", "Say", "Step", "Use"]

_SHAPES: dict[str, Shape] = {
    "anthropic": anthropic,
    "openai-chat": openai_chat,
    "openai-responses": openai_responses,
    "gemini": gemini,
}
OVER = Say("The script has no further step.")


class Double:
    """Answers one step of the script per valid request, in the dialect and form (plain or stream) it was asked in.

    The prompt cache is simulated per model by `measure.cache`; reasoning is signed over the prefix where the model
    binds it, and checked when it comes back. A step of the script is what is said, or a function of the request that says it;
    `beyond` is every step after the last.
    """

    def __init__(self, script: Sequence[Step] = (), *, beyond: Step = OVER) -> None:
        self._script = list(script)
        self._beyond = beyond
        self._caches: dict[str, cache.Cache] = {}
        self.requests: list[bytes] = []
        """Every body that was sent, refused ones too."""
        self.answered = 0
        """Steps of the script that have been used up."""
        self.refused: list[Violation] = []
        """Why requests were refused, in order."""

    def then(self, step: Step) -> None:
        """One more step at the end of the script."""
        self._script.append(step)

    def answer(
        self,
        body: bytes,
        dialect: str,
        *,
        at: float = 0.0,
        betas: Collection[str] | None = None,
        model: str = "",
        is_stream: bool = False,
    ) -> Reply:
        """The provider's reply to a request sent `at` seconds. Raises BadRequest for a body that is no request at all.

        `model` and `is_stream` are what the address says (Gemini); elsewhere the body does.
        """
        self.requests.append(body)
        shape, request = _SHAPES[dialect], get(dialect).open(body)
        request = msgspec.structs.replace(request, model=model) if model else request
        facts = models.facts(request.model)
        window = facts.window if facts.known else None
        found = (*rules.missing(request), *rules.check_request(request, window=window, betas=betas))
        if found:
            return self._refusal(shape, found[0])
        units = get(dialect).units(body)
        sizes = estimate(units, request.model)
        found = rules.check_request(request, tokens=sum(sizes), window=window, betas=betas)
        dropped = tuple(shape.mismatched(request))
        if found or (dropped and not shape.may_drop(request)):
            return self._refusal(shape, found[0] if found else dropped[0])
        hit = self._hit(request, units, sizes, at)
        step = self._script[self.answered] if self.answered < len(self._script) else self._beyond
        self.answered += 1
        said = step if isinstance(step, Say) else step(request)
        made = Answer(self.answered, request, said, hit, tuple(violation.path for violation in dropped))
        is_stream = is_stream or jsonbytes.decode(request.fields.get("stream", b"false")) is True
        return shape.stream(made) if is_stream else shape.plain(made)

    def _refusal(self, shape: Shape, violation: Violation) -> Reply:
        self.refused.append(violation)
        return shape.refusal(violation)

    def _hit(self, request: Request, units: Sequence[Unit], sizes: Sequence[int], at: float) -> cache.Hit:
        known = self._caches.get(request.model) or cache.Cache(models.facts(request.model).cache)
        counted = [cache.Unit(unit.exact, size) for unit, size in zip(units, sizes, strict=True)]
        markers = list(_markers(request, units)) if request.dialect == "anthropic" else None
        hit, self._caches[request.model] = known.see(counted, at=at, markers=markers)
        return hit


def _markers(request: Request, units: Sequence[Unit]) -> Iterator[int]:
    """Positions of units that carry a marker; the automatic one stands on the last."""
    if "cache_control" in request.fields:
        yield len(units) - 1
    dialect = get(request.dialect)
    loaded = [tool.raw for tool in tools.of(request) if not tool.is_deferred]
    raws = [*loaded, *request.head.system]
    raws += [block.raw for message in request.messages for block in dialect.read_message(message).blocks]
    for place, raw in enumerate(raws):
        if b'"cache_control"' in raw and "cache_control" in jsonbytes.members(raw):
            yield place

"""Requests that only go on from what the provider holds: nothing of them can be left out, moved or told from them (K-R10)."""

from typing import TYPE_CHECKING

from pumice.compile.manifest import Record
from pumice.domain.decision import Cause
from pumice.engine import heads
from pumice.engine.call import View, ViewTokens
from pumice.engine.context import Context
from pumice.engine.sizes import measure
from pumice.measure.calibration import Calibration
from pumice.measure.window import usable
from pumice.wire import get

if TYPE_CHECKING:
    from pumice.engine.calling import Step

WARNING = "the request goes on from input that the provider holds: it is passed as it came, and no lane knows of it"


def untouched(context: Context, step: "Step") -> View:
    """The client's own bytes as a view of no lane; its size is that of what was sent, not of what the provider adds."""
    request, factor = step.request, Calibration.start(step.request.model)
    dialect = get(request.dialect)
    head = heads.head_size(request.head, request.dialect)
    blocks = [block for raw in request.messages for block in dialect.read_message(raw).blocks]
    messages = sum(size.tokens(factor.factor) for size in measure(blocks, request.model))
    in_head = round(head.text * factor.factor) + head.fixed
    size = ViewTokens(in_head + messages, in_head, messages, f"estimate, o200k × {factor.factor:.3f}, without what is stored")
    record = Record(
        call=0,
        lane="",
        epoch=0,
        cause=Cause.OPEN,
        policy=context.policy.name,
        usable=usable(context.policy.budget, model=request.model, window=step.window, output_cap=request.max_output),
        factor=factor.factor,
        scope=str(context.scope),
        nodes=(),
        cut=None,
        forms={},
        sizes={},
        texts={},
        head=head.parts,
        warnings=(WARNING,),
    )
    return View(step.given, record, size, headers={}, text=request.body, full=size.total)

"""Cache reads of the newest call beside what was foretold of it: a miss that nothing explains names its cause (F-A5, K-C8)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pumice.domain.message import Usage
from pumice.engine import journal
from pumice.engine.alert import Alert, Kind
from pumice.engine.lane import Lane
from pumice.engine.tree import Tree
from pumice.measure import cache, models
from pumice.measure.cache import Comparison, Hit
from pumice.measure.models import CacheRules
from pumice.wire import envelope, jsonbytes, prefix
from pumice.wire import tools as definitions

if TYPE_CHECKING:
    from pumice.engine.session import Session

MOST_NAMED = 4
"""Fields of a head that are named."""
KINDS = {
    "key_order": "its keys came in another order",
    "tool_order": "they came in another order",
    "tools": "others are declared",
    "text": "its text is another",
    "status": "the working directory's status in it is another",
}
"""What is said of a change; any other kind is volatile text of that name."""


def found(session: "Session", lane: Lane) -> Iterator[Alert]:
    """What the newest call's cache reads fell short of, with the cause; nothing where the cache has never worked."""
    call, told = session.tree.calls.get(lane.newest_call), _compared(session.tree, lane)
    rules = models.facts(lane.model).cache
    if call is None or told is None or not told.missed or told.predicted < rules.min_tokens:
        return
    kind, cause = _cause(session.tree, lane, call, rules)
    yield Alert(kind, f"call {call.call} read {told.reported} tokens from the cache, {told.predicted} were foretold: {cause}")


def _compared(tree: Tree, lane: Lane) -> Comparison | None:
    """Foretold against reported; None before a report, and where no report of the lane's has shown a hit."""
    call, response = tree.calls.get(lane.newest_call), tree.responses.get(lane.newest_call)
    if call is None or response is None or response.reported is None or response.cache_read is None or not lane.has_hit:
        return None
    read = round(call.predicted_read * _scale(tree, call))
    return cache.compare(Hit(read, 0), Usage(response.reported, cache_read=response.cache_read))


def _scale(tree: Tree, call: journal.CallEvent) -> float:
    """What the provider made of our count of the view before: what is shared with it is billed alike, not as we count."""
    before = before_of(tree, call)
    reported = tree.responses.get(before.call) if before is not None else None
    if before is None or reported is None or not reported.reported or not before.tokens:
        return 1.0
    return reported.reported / before.tokens


def before_of(tree: Tree, call: journal.CallEvent) -> journal.CallEvent | None:
    """The lane's call before this one."""
    earlier = (tree.calls.get(number) for number in range(call.call - 1, 0, -1))
    return next((event for event in earlier if event is not None and event.lane == call.lane), None)


def _cause(tree: Tree, lane: Lane, call: journal.CallEvent, rules: CacheRules) -> Alert:
    before = before_of(tree, call)
    if lane.gap > rules.ttl:
        return Alert(Kind.CACHE_IDLE, f"{lane.gap:.0f} seconds had passed, its entries live {rules.ttl}")
    if before is not None and (moved := _moved(tree, lane, before, call)):
        return Alert(Kind.CACHE_HEAD, f"the head is spelled otherwise than before: {moved}")
    if rules.marked and b'"cache_control"' not in _sent(tree, lane, call):
        return Alert(Kind.CACHE_NO_MARKER, "the request has no cache marker")
    new = 0 if before is None else sum(len(node.blocks) for node in lane.branch.nodes[before.nodes : call.nodes])
    if rules.marked and rules.lookback and new > rules.lookback:
        said = f"{new} blocks came after the marker before, a read looks back over {rules.lookback}"
        return Alert(Kind.CACHE_LOOKBACK, said)
    return Alert(Kind.CACHE_PROVIDER, "nothing of ours had moved, so the provider has let go of it")


def _sent(tree: Tree, lane: Lane, call: journal.CallEvent) -> bytes:
    """Head and messages of a call as they came, to be searched."""
    return b"".join((tree.heads[lane.name][call.head], *lane.branch.wire[: call.nodes]))


def _moved(tree: Tree, lane: Lane, before: journal.CallEvent, call: journal.CallEvent) -> str:
    """Fields of the head that differ although it counts as the same, each with how; empty when none does."""
    if before.head == call.head:
        return ""
    dialect, heads = lane.dialect, tree.heads[lane.name]
    old, new = (envelope.bare(jsonbytes.members(heads[at]), dialect.field) for at in (before.head, call.head))
    found = prefix.compare(old, new, dialect.name).volatile
    names = [tool.name for tool in definitions.read(dialect.open(new).head, dialect.name)]
    told = [f"{_named(one.path, names)} ({KINDS.get(one.kind, f'a {one.kind} in it is another')})" for one in found]
    return ", ".join([*told[:MOST_NAMED], *([f"{len(told) - MOST_NAMED} more"] if len(told) > MOST_NAMED else [])])


def _named(path: str, tools: list[str]) -> str:
    """A path of a request, a tool's by its name."""
    place, dot, rest = path.partition(".")
    at = place[len("tools[") : -1] if place.startswith("tools[") else ""
    is_known = at.isdigit() and int(at) < len(tools)
    return f"tool {tools[int(at)]}{dot}{rest}" if is_known else path

"""The diet of a lane's tools: decided at its first call, on record, and the same at every later one (F-A6)."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from pumice import wire
from pumice.compile import diet as diets
from pumice.compile.diet import Candidate
from pumice.domain.block import Kind
from pumice.domain.book import BLOCK_OVERHEAD
from pumice.domain.decision import Cause
from pumice.domain.diet import Diet
from pumice.domain.message import Head, Request
from pumice.domain.policy import Tools
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.tree import Tree
from pumice.measure import models, tokens
from pumice.wire import jsonbytes
from pumice.wire import tools as definitions

if TYPE_CHECKING:
    from pumice.engine.session import Session


def decide(session: "Session", lane: Lane, request: Request, *, is_asked: bool) -> None:
    """Give a lane its diet at its first call, where the policy has one; what was decided before stays.

    `is_asked`: a compaction was asked for with this call, so that the prefix of an adopted conversation may change too.
    """
    policy = session.context.policy.tools
    if policy is None or lane.diet is not None or not request.head.tools or not _is_first(session.tree, lane):
        return
    found = _inherited(lane, request, policy) or _planned(lane, request, policy, is_asked=is_asked)
    made = msgspec.structs.replace(found, key=head(request, found).key.hex())
    session.write(Entry(lane.branch.name, journal.DietEvent(lane.name, made)))


def head(request: Request, diet: Diet | None) -> Head:
    """The head as it leaves."""
    made = definitions.written(request, diet) if diet is not None else None
    return request.head if made is None else definitions.head_of(request, made)


def fields(lane: Lane, request: Request) -> Mapping[str, bytes]:
    """Top-level fields of a request that its lane's diet changes."""
    made = definitions.written(request, lane.diet) if lane.diet is not None else None
    return {} if made is None else {"tools": made}


def notes(lane: Lane) -> tuple[str, ...]:
    """What the lane's manifests say of its diet."""
    return (lane.diet.note,) if lane.diet is not None and lane.diet.note else ()


def loaded(lane: Lane) -> frozenset[str]:
    """Deferred definitions that stand in the view because a search has found them."""
    nodes = lane.branch.nodes
    for node in nodes[lane.searched :]:
        found = ((block.id, definitions.loads(block)) for block in node.blocks if block.kind in (Kind.OPAQUE, Kind.RESULT))
        lane.references.update((block, names) for block, names in found if names)
    lane.searched = len(nodes)
    return frozenset(name for block, names in lane.references.items() if lane.shown.stands(block) for name in names)


def forces(request: Request, diet: Diet | None) -> bool:
    """Whether the request wants a tool that waits: it has to be loaded, whatever the prefix costs."""
    return diet is not None and definitions.forced(request) in diet.deferred


def is_warm(lane: Lane) -> bool:
    """Whether a lane that opened because the client's head changed still sends the head its parent sent."""
    before, now = lane.inherited, lane.diet
    is_same = (lane.resident.text if lane.resident else "") == (lane.before.text if lane.before else "")
    return lane.cause is Cause.CLIENT_HEAD and is_same and before is not None and now is not None and before.key == now.key


def as_asked(tree: Tree, agent: str, request: Request) -> Request:
    """A request that goes on from the lane's last view, with the tools as the client had sent them before."""
    lane = tree.current.get(agent)
    if lane is None or lane.diet is None or not lane.diet.deferred or request.head.key.hex() != lane.diet.key:
        return request
    dialect = wire.get(request.dialect)
    known = jsonbytes.members(lane.head_raw or tree.heads[lane.name][-1])
    return dialect.open(dialect.close(request, request.messages, fields={"tools": known.get("tools")})).for_model(request.model)


def _is_first(tree: Tree, lane: Lane) -> bool:
    return all(call.lane != lane.name for call in tree.calls.values())


def _inherited(lane: Lane, request: Request, policy: Tools) -> Diet | None:
    """The parent's diet, new tools deferred with the rest, where the head then leaves as the parent's did."""
    before = lane.inherited
    if before is None or forces(request, before):
        return None
    found = diets.extend(before, _candidates(lane, request), policy, needed=_needed(lane, request))
    return found if head(request, found).key.hex() == before.key else None


def _planned(lane: Lane, request: Request, policy: Tools, *, is_asked: bool) -> Diet:
    tools = _candidates(lane, request)
    reason = _refusal(lane, request, policy, is_asked=is_asked)
    chosen = msgspec.structs.replace(policy, defer_unused_over=None) if reason else policy
    cost = round(definitions.SEARCH_TOKENS * lane.calibration.factor) + BLOCK_OVERHEAD
    made = diets.plan(tools, chosen, needed=_needed(lane, request), search_tokens=cost)
    is_over = policy.defer_unused_over is not None and sum(tool.tokens for tool in tools) > policy.defer_unused_over
    return msgspec.structs.replace(made, note=_stays(reason, tools)) if reason and is_over else made


def _refusal(lane: Lane, request: Request, policy: Tools, *, is_asked: bool) -> str:
    """Why nothing is deferred although the policy asks for it; empty where it may be."""
    if policy.defer_unused_over is None:
        return ""
    if lane.branch.adopted and lane.cause is Cause.OPEN and not is_asked:
        return "the conversation was under way when it was first seen, and the provider's cache holds its tools"
    # A diet the lane before had cannot be what this reasoning was signed over: the client's own head has changed.
    if lane.inherited is None and models.facts(lane.model).binds_reasoning and _reasons(lane):
        return "the model's reasoning so far is signed over the tools as they are"
    return definitions.refusal(request, lane.model)


def _stays(reason: str, tools: Iterable[Candidate]) -> str:
    sizes = [tool.tokens for tool in tools]
    return f"tools.defer_unused_over: all {len(sizes)} tools ({sum(sizes):,} tokens) stay: {reason}"


def _reasons(lane: Lane) -> bool:
    return any(block.kind is Kind.REASONING for node in lane.branch.nodes for block in node.blocks)


def _needed(lane: Lane, request: Request) -> set[str]:
    """Tools that calls of the history have used, and the one the request forces."""
    used = {block.tool for node in lane.branch.nodes for block in node.blocks if block.kind is Kind.CALL}
    return {*used, definitions.forced(request)}


def _candidates(lane: Lane, request: Request) -> list[Candidate]:
    found = definitions.of(request)
    counts = tokens.count_many([tool.raw.decode("utf-8", "replace") for tool in found])
    factor = lane.calibration.factor
    return [
        Candidate(tool.name, round(count * factor) + BLOCK_OVERHEAD, tool.can_wait)
        for tool, count in zip(found, counts, strict=True)
    ]

"""The questions to a model that were put for an epoch: how many, what came of them, and what they have cost."""

from collections.abc import Sequence

from pumice.compile.figures import Asked, Purpose, summed
from pumice.engine.journal import AnswerEvent, AskFailed
from pumice.engine.lane import Lane
from pumice.engine.spending import usd
from pumice.engine.tree import Tree
from pumice.measure import prices

Event = AnswerEvent | AskFailed


def total(tree: Tree, lane: Lane) -> Asked:
    """The questions put for the lane's epoch, and what they have cost as far as that is known."""
    of = (lane.name, lane.epoch.number)
    given = [event for event in tree.answers.values() if (event.lane, event.epoch) == of]
    failed = [event for event in tree.failed.values() if (event.lane, event.epoch) == of]
    events: list[Event] = [*given, *failed]
    paid = [event for event in events if _is_answer(event)]
    usages = [event.usage for event in paid if event.usage is not None]
    cost = summed(_cost(event, lane) for event in paid)
    price = prices.of(lane.model)
    return Asked(
        questions=len({event.key for event in given} | {event.key for event in failed}),
        failed=len(failed),
        input_tokens=sum(usage.input for usage in usages),
        output_tokens=sum(usage.output for usage in usages),
        cost_usd=cost,
        cost_tokens=(cost or 0.0) / price.input if price is not None and price.input else 0.0,
        purposes=_purposes(tree, lane, events, paid),
    )


def _purposes(tree: Tree, lane: Lane, events: Sequence[Event], paid: Sequence[Event]) -> tuple[Purpose, ...]:
    asked: dict[str, set[str]] = {}
    for event in events:
        asked.setdefault(_purpose(tree, event), set()).add(event.key)
    for ask in lane.cut.asks if lane.cut else ():
        asked.setdefault(ask.purpose, set()).add(ask.key)
    return tuple(_row(name, keys, [event for event in paid if event.purpose == name], lane) for name, keys in asked.items())


def _row(name: str, keys: set[str], paid: Sequence[Event], lane: Lane) -> Purpose:
    return Purpose(name, len(keys), len({event.key for event in paid}), summed(_cost(event, lane) for event in paid))


def _purpose(tree: Tree, event: Event) -> str:
    return event.purpose or (tree.answers[event.key].purpose if event.key in tree.answers else "")


def _is_answer(event: Event) -> bool:
    """Whether a model has said something, be it of no use."""
    return isinstance(event, AnswerEvent) or event.usage is not None


def _cost(event: Event, lane: Lane) -> float | None:
    return usd(event.model or lane.model, event.usage) if event.usage is not None else None

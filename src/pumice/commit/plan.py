"""The agent's own plan, from the tools its client gives it for that."""

import re
from typing import Any

from pumice.commit import arguments
from pumice.commit.draft import ACTIVE, DONE, OPEN, SUPERSEDED, Draft
from pumice.domain.block import Block
from pumice.domain.state import Entry

_LISTS = ("todos", "plan", "tasks", "task_list", "steps", "items")
_TEXTS = ("content", "step", "subject", "title", "task", "description", "text")
_STATUS = {
    "completed": DONE,
    "done": DONE,
    "complete": DONE,
    "cancelled": SUPERSEDED,
    "deleted": SUPERSEDED,
    "in_progress": ACTIVE,
}
_LISTED = "listed"
"""Begins the key of steps that come as a whole list, replaced by the next one."""
_TASK = re.compile(r"[Tt]ask #?(\d+)")


def fold(draft: Draft, call: Block, result: Block) -> None:
    """Take in a plan or a change of one: the newest list counts, single tasks by their number."""
    given = arguments.read(call)
    steps = next((given[name] for name in _LISTS if isinstance(given.get(name), list)), None)
    if steps is not None:
        _replace(draft, call, [step for step in map(_step, steps) if step])
    elif given.get("taskId"):
        _update(draft, call, str(given["taskId"]), str(given.get("status", "")))
    elif text := _text(given):
        number = _TASK.search(result.text)
        draft.put(Entry.PLAN, text, (call.id,), key=f"task {number[1] if number else call.id}", status=OPEN)
    _next(draft)


def _step(step: Any) -> tuple[str, str] | None:
    if isinstance(step, str):
        return step, OPEN
    if not isinstance(step, dict):
        return None
    text = _text(step)
    return (text, _STATUS.get(str(step.get("status", "")), OPEN)) if text else None


def _text(value: dict[str, Any]) -> str:
    return next((value[name] for name in _TEXTS if isinstance(value.get(name), str) and value[name]), "")


def _replace(draft: Draft, call: Block, steps: list[tuple[str, str]]) -> None:
    keys = {f"{_LISTED} {text}" for text, _ in steps}
    draft.drop(Entry.PLAN, lambda item: item.key in keys)
    draft.close(Entry.PLAN, lambda item: item.key.startswith(_LISTED), by=call.id, status=SUPERSEDED)
    for text, status in steps:
        draft.put(Entry.PLAN, text, (call.id,), key=f"{_LISTED} {text}", status=status)


def _update(draft: Draft, call: Block, number: str, status: str) -> None:
    key = f"task {number}"
    for item in draft.of(Entry.PLAN):
        if item.key == key and status:
            draft.put(Entry.PLAN, item.text, (*item.sources[:1], call.id), key=key, status=_STATUS.get(status, OPEN))


def _next(draft: Draft) -> None:
    """The step at work, else the first that is open."""
    steps = [item for item in draft.of(Entry.PLAN) if item.status in (ACTIVE, OPEN)]
    draft.drop(Entry.NEXT, lambda _: True)
    if steps:
        chosen = next((step for step in steps if step.status == ACTIVE), steps[0])
        draft.put(Entry.NEXT, chosen.text, chosen.sources, key=chosen.key, status=OPEN)

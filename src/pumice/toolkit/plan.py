"""The tool an agent plans with: its plan is the anchor that stays in every view (F-C15). Folded by `commit.plan`."""

from collections import Counter
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pumice.toolkit.tool import Tool

NAME = "update_plan"


class Step(msgspec.Struct, forbid_unknown_fields=True):
    step: str
    status: Literal["pending", "in_progress", "completed", "cancelled"]


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    plan: Annotated[list[Step], Meta(description="The whole plan, every step with its status; it replaces the plan before.")]


def tool() -> Tool:
    """`update_plan`."""

    async def run(asked: Plan) -> str:
        counts = Counter(step.status for step in asked.plan)
        said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items())
        now = [step.step for step in asked.plan if step.status == "in_progress"]
        return f"Plan of {len(asked.plan)} steps: {said or 'empty'}." + (f" At work: {now[0]}" if now else "")

    return Tool(NAME, "Set the plan of the whole task, and keep the status of its steps up to date.", Plan, run, adds=True)

"""Play a scenario of examples/scenarios against the engine, as a client and a provider with a prompt cache would."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from tests_support import World

from pumice import wire
from pumice.compact import probes
from pumice.compact.probes import Known, Question, Sight
from pumice.domain.policy import Policy
from pumice.engine.call import View
from pumice.measure import models
from pumice.measure.cache import Cache, Unit
from pumice.wire.size import estimate

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "scenarios"
MODEL = "claude-sonnet-4-5"
DIALECT = "anthropic"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@cache
def load(name: str) -> dict[str, Any]:
    """A scenario, read once."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return found


def text(result: Any, *, chinese: bool, again: int = 0) -> str:
    """A step's result: as it stands, or so many lines of a kind, others each time."""
    if isinstance(result, str):
        return result
    kind = next(kind for kind in ("code", "page", "orders") if kind in result)
    name = f"{result[kind]}{again or ''}"
    lines = [_line(kind, name, at, chinese=chinese) for at in range(1, result["lines"] + 1)]
    return "\n".join([*lines, *([result["ends"]] if "ends" in result else [])])


def _line(kind: str, name: str, at: int, *, chinese: bool) -> str:
    if kind == "code":
        return f"{at}→def {name}_{at}(value_{at}): return {name}_table.field_{at}(value_{at}) + {at * 37 % 1000}"
    if kind == "orders":
        return f'{{"id": "{name}-{at * 7919 % 90000}", "amount": {at * 13 % 97}.{at % 10}0, "state": "kept"}}'
    if chinese:
        return f"第{at}段，关于{name}：去年共有 {at * 317 % 900} 处记录在案，没有发现需要另外处理的情况。"
    return (
        f"Paragraph {at} on {name}: of the {at * 317 % 900} cases of last year none called for anything beyond the usual care."
    )


class Play:
    """One scenario under one policy, call by call."""

    def __init__(self, name: str, policy: Policy, *, window: int | None = None, world: World | None = None) -> None:
        self.scenario = load(name)
        self.world = world or World()
        self.chinese = name.endswith("-zh")
        self.agent = self.world.agent(policy=policy, window=window or self.scenario["window"])
        self.views: list[View] = []
        self.texts: list[str] = []
        """What the model could read at each call."""
        self.shares: list[float] = []
        """Of each call, the share of the input that the provider's cache gave."""
        self.answered: dict[int, dict[str, bool]] = {}
        """Of each call that begins an epoch: every question asked then, and whether the view answers it in full."""
        self._cache = Cache(models.facts(MODEL).cache)

    @property
    def lane(self) -> Any:
        return self.agent.session.tree.current["main"]

    async def run(self, times: int = 1) -> "Play":
        """All turns, so many times in a row."""
        for again in range(times):
            for at, turn in enumerate(self.scenario["turns"]):
                self.agent.says(turn["says"])
                for step, (tool, arguments, result) in enumerate(turn["does"]):
                    shown = text(result, chinese=self.chinese, again=again)
                    self.agent.runs(f"t{again}x{at}x{step}", shown, tool=tool, **arguments)
                    await self._call()
                self.agent.answers(turn["answers"])
        return self

    async def _call(self) -> None:
        self.world.now += 5.0
        view: View = await self.agent.call()
        units = wire.get(DIALECT).units(view.raw)
        sizes = estimate(units, MODEL)
        counted = [Unit(unit.key, size) for unit, size in zip(units, sizes, strict=True)]
        hit, self._cache = self._cache.see(counted, at=self.world.now)
        self.shares.append(hit.read / hit.input)
        self.views.append(view)
        self.texts.append(self.lane.shown.text())
        if len(self.views) > 1 and view.epoch != self.views[-2].epoch:
            sight = self.sight()
            self.answered[len(self.views) - 1] = {one.probe.id: all(one.read(sight)) for one in self.asked("default")}

    def asked(self, *sets: str) -> tuple[Question, ...]:
        """The questions of probe sets that the session gives cause to ask now."""
        book = self.lane.branch.book(self.lane.epoch)
        return probes.questions([probes.shipped(name) for name in sets], Known(book.state, book.groups, book.uses, book.before))

    def sight(self) -> Sight:
        """What can be read now."""
        cut = self.lane.cut
        names = [block.id for group in self.lane.branch.groups for block in group.blocks]
        return Sight.of(self.texts[-1], [cut.preface] if cut else [], names)

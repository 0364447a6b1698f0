"""Short Anthropic sessions written by hand, and a driver that shows whatever a test wants shown."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pumice import wire
from pumice.domain.manifest import Manifest, Usable
from pumice.evaluate import rules, script
from pumice.evaluate.driver import Compiled
from pumice.evaluate.judge import Seen
from pumice.evaluate.options import Options
from pumice.evaluate.run import Run, run
from pumice.evaluate.script import Moment, Script
from pumice.recordings.files import parse
from pumice.recordings.recording import Recording

MODEL = "claude-sonnet-4-5"
Message = dict[str, Any]


def user(*texts: str) -> Message:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def said(text: str) -> Message:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def call(call_id: str, tool: str = "Read", **arguments: Any) -> Message:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": call_id, "name": tool, "input": arguments}]}


def result(call_id: str, text: str, **more: Any) -> Message:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": text, **more}]}


def read(number: int, path: str, text: str) -> list[Message]:
    """A file read with its result."""
    return [call(f"toolu_{number}", file_path=path), result(f"toolu_{number}", text)]


def filler(count: int) -> list[Message]:
    """So many groups that name nothing."""
    return [message for _ in range(count) for message in (said("well"), user("go on"))][:count]


def body(messages: Sequence[Message]) -> bytes:
    return json.dumps({"model": MODEL, "max_tokens": 1000, "messages": messages}).encode()


def recording(*messages: Message, constraints: Iterable[str] = ()) -> Recording:
    """A session with one call per assistant message, and one more for a trailing user turn."""
    found = parse(body(messages), "session.json", dialect="anthropic")[0]
    return Recording(**{name: getattr(found, name) for name in found.__struct_fields__} | {"constraints": tuple(constraints)})


def written(*messages: Message, constraints: Iterable[str] = ()) -> Script:
    found = recording(*messages, constraints=constraints)
    return script.write(found, wire.get("anthropic"), rules.finder(found))


class Given:
    """A driver that shows the messages a test gives for a call, and the full history for any other."""

    def __init__(
        self,
        found: Recording,
        views: Mapping[int, Sequence[Message]],
        *,
        epochs: Mapping[int, int] | None = None,
        usable: int = 100_000,
        manifests: Mapping[int, Manifest] | None = None,
    ) -> None:
        self._recording = found
        self._views = views
        self._epochs = epochs or {}
        self._manifests = manifests or {}
        self._usable = Usable(usable, 0, 0, "test")

    async def compile(self, moment: Moment) -> Compiled:
        number = moment.call.number
        shown = self._views.get(number)
        request = self._recording.body(moment.call) if shown is None else body(shown)
        epoch, manifest = self._epochs.get(number, 0), self._manifests.get(number)
        return Compiled(request, self._usable, epoch=epoch, factor=1.25, manifest=manifest)

    async def answer(self, response: bytes) -> None:
        """Nobody listens."""

    async def unresolved(self, pointed: Mapping[str, str | None]) -> list[str]:
        return []


def judged(
    messages: Sequence[Message],
    views: Mapping[int, Sequence[Message]],
    *,
    options: Options | None = None,
    constraints: Iterable[str] = (),
    **given: Any,
) -> tuple[Run, list[Seen]]:
    """What the judge says of the views a test shows at some calls."""
    told = written(*messages, constraints=constraints)
    seen: list[Seen] = []
    driver = Given(told.recording, views, **given)
    done = asyncio.run(run(told, driver, wire.get("anthropic"), options or Options(), seen.append))
    return done, seen

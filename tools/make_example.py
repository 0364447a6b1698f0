"""Make examples/long-session again: a scripted agent adds a small feature to a scratch clone, with real tools and real output.

    python tools/make_example.py [COMMIT]

The clone is taken at COMMIT, so the same commit and the same versions of the tools give the same session.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from example import change, discover, questions, release
from example.head import SYSTEM, TOOLS
from example.turns import Answer, Call, Step, Story, User
from example.workbench import Workbench

REPOSITORY = Path(__file__).resolve().parents[1]
TARGET = REPOSITORY / "examples" / "long-session"
COMMIT = "5ad5235e4bba"
"""The commit the shipped session was made at."""


def story() -> Story:
    facts = discover.Facts()
    yield from discover.look_around(facts)
    yield from discover.trace_callers()
    yield from change.implement(facts)
    yield from change.correct_the_target()
    yield from release.build(facts)
    yield from release.review_neighbours()
    yield from release.complete_the_docstring()
    yield from release.commit(facts)
    yield from questions.answer_the_reviewer()
    yield from questions.ask_about_the_beginning(facts)


def messages(bench: Workbench) -> Iterator[dict[str, Any]]:
    """The conversation in Anthropic form; a call that fails unasked, or does not fail where the story says so, stops it."""
    told = story()
    results: list[str] = []
    number = 0
    while (turn := _next(told, results)) is not None:
        results = []
        match turn:
            case User(text):
                yield {"role": "user", "content": text}
            case Answer(text):
                yield {"role": "assistant", "content": [{"type": "text", "text": text}]}
            case Step(text, calls):
                ids = [f"toolu_{number + place:04d}" for place in range(1, len(calls) + 1)]
                number += len(calls)
                yield {"role": "assistant", "content": [*_said(text), *map(_call_block, ids, calls)]}
                blocks = list(map(_result_block, ids, (_run(bench, call) for call in calls)))
                results = [block["content"] for block in blocks]
                yield {"role": "user", "content": blocks}


def _next(told: Story, results: list[str]) -> User | Step | Answer | None:
    try:
        return told.send(results) if results else next(told)
    except StopIteration:
        return None


def _said(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}] if text else []


def _call_block(name: str, call: Call) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": call.tool, "input": call.input}


def _run(bench: Workbench, call: Call) -> tuple[str, bool]:
    text, is_error = bench.run(call)
    if is_error != call.fails:
        raise SystemExit(f"{call.tool} {call.input} {'failed' if is_error else 'did not fail'}:\n{text}")
    return text, is_error


def _result_block(name: str, ran: tuple[str, bool]) -> dict[str, Any]:
    text, is_error = ran
    return {"type": "tool_result", "tool_use_id": name, "content": text} | ({"is_error": True} if is_error else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("commit", nargs="?", default=COMMIT)
    commit = parser.parse_args().commit
    with tempfile.TemporaryDirectory() as scratch:
        conversation = list(messages(Workbench(REPOSITORY, commit, Path(scratch))))
    body = {"model": "claude-sonnet-4-5", "max_tokens": 8192, "system": SYSTEM, "tools": TOOLS, "messages": conversation}
    TARGET.mkdir(parents=True, exist_ok=True)
    _write(TARGET / "session.json", body)
    _write(TARGET / "session.constraints.json", list(discover.RULES))
    print(f"{len(conversation)} messages, {(TARGET / 'session.json').stat().st_size:,} bytes")


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

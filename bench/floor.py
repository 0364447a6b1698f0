"""The floor of one more call: what any engine must do, as plain calls beside ours (reference dependencies.md C.9)."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from bench import sessions
from bench.row import Row
from bench.timing import quantile, repeated

RUNS = 30


class _Envelope(msgspec.Struct):
    messages: list[msgspec.Raw]


def rows(repeats: int) -> Iterator[Row]:
    """Each step's median over the last request of the biggest session, and their sum."""
    files = sessions.biggest(1)
    if not files:
        yield Row("floor of one more call", None, "ms", note="no recorded sessions at hand")
        return
    recording = sessions.read(files[0])
    before, body = (recording.body(call) for call in recording.calls[-2:])
    with tempfile.TemporaryDirectory() as folder:
        steps = _steps(before, body, Path(folder))
        taken = {name: _median(run, repeats) for name, run in steps.items()}
    for name, value in taken.items():
        yield Row(f"floor: {name}", value, "ms")
    yield Row(
        "floor of one more call", sum(taken.values()), "ms", note=f"{len(body):,} bytes, {len(recording.messages)} messages"
    )


def _median(run: Callable[[], Any], repeats: int) -> float:
    return quantile([time.wall for time in repeated(run, RUNS * repeats)], 0.5)


def _steps(before: bytes, body: bytes, folder: Path) -> dict[str, Callable[[], Any]]:
    decoder = msgspec.json.Decoder(_Envelope)
    messages = [bytes(raw) for raw in decoder.decode(body).messages]
    shared = sum(map(len, messages[:-2]))
    return {
        "compare with the request before": lambda: body.startswith(memoryview(before)[:shared]),
        "open the envelope": lambda: [bytes(raw) for raw in decoder.decode(body).messages],
        "splice": lambda: b'{"messages":[' + b",".join(messages) + b"]}",
        "one append": _append(folder / "floor.sqlite3", b"".join(messages[-2:])),
    }


def _append(path: Path, data: bytes) -> Callable[[], Any]:
    """An append as its own transaction, through a thread of its own."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, data BLOB)")
    thread = ThreadPoolExecutor(1)

    def insert() -> None:
        connection.execute("INSERT INTO events (data) VALUES (?)", (data,))

    return lambda: thread.submit(insert).result()

"""Searching the biggest session: the first search, which fills the index, later ones, a scan beside them, the size on disk."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench import sessions
from bench.row import Row
from bench.timing import Time, Watch
from pumice.faces import library
from pumice.recordings.recording import Recording
from pumice.store.home import DATABASE

QUERY = 50.0
"""Milliseconds for any query; nobody waits for them, but an agent's turn does."""
QUERIES = {
    "one word": "error",
    "two words": "the file",
    "a sentence": "why does the test fail with an error",
    "no hit": "nowhere_zz",
}


class Found(msgspec.Struct, frozen=True):
    first: Time
    queries: dict[str, Time]
    scan: Time


def rows(repeats: int) -> Iterator[Row]:
    """Of each search the least of all repeats."""
    files = sessions.biggest(1)
    if not files:
        yield Row("search", None, "ms", QUERY, "no recorded sessions at hand")
        return
    recording = sessions.read(files[0])
    with tempfile.TemporaryDirectory() as place:
        bare = asyncio.run(_size(recording, Path(place) / "bare"))
        found = asyncio.run(_searched(recording, Path(place) / "searched", repeats))
        size = (Path(place) / "searched" / DATABASE).stat().st_size - bare
    yield Row("first search of a session, fills the index", found.first.wall, "ms", note=_cpu(found.first))
    for name, time in found.queries.items():
        yield Row(f"search, {name}", time.wall, "ms", QUERY, _cpu(time))
    yield Row("the same as a scan with a regular expression", found.scan.wall, "ms", note=_cpu(found.scan))
    yield Row("index of a session", size / 1000, "KB", note=f"beside {bare / 1000:.0f} KB without it, {files[0].name}")


def _cpu(time: Time) -> str:
    return f"CPU {time.cpu:.1f} ms"


async def _size(recording: Recording, place: Path) -> int:
    """Bytes of a database that holds the session and no index."""
    async with library.open_async(place) as engine:
        await engine.session("bench", policy="none").compile(_body(recording), dialect=recording.dialect)
    return (place / DATABASE).stat().st_size


async def _searched(recording: Recording, place: Path, repeats: int) -> Found:
    async with library.open_async(place) as engine:
        session = engine.session("bench", policy="none")
        await session.compile(_body(recording), dialect=recording.dialect)

        async def least(query: str, times: int, *, regex: bool = False) -> Time:
            found: list[Time] = []
            for _ in range(times):
                watch = Watch()
                await session.search(query, regex=regex)
                found.append(watch.read())
            return min(found, key=lambda time: time.cpu)

        first = await least("error", 1)
        queries = {name: await least(query, repeats + 2) for name, query in QUERIES.items()}
        return Found(first, queries, await least("nowhere_zz", repeats + 2, regex=True))


def _body(recording: Recording) -> bytes:
    call = recording.calls[-1]
    return recording.body(call, recording.messages[: call.upto])

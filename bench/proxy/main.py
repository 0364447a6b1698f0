"""The proxy side by side with others: `python -m bench proxy [track …] [--peers FOLDER] [--rounds N]`; exit 1 on a miss."""

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from bench import report, runs
from bench.proxy import contenders, peers, shown, tracks
from bench.proxy.contenders import DIRECT, NAMES, OFF, OURS, RELAY, Field
from bench.proxy.shapes import SHAPES
from bench.proxy.shown import Outcome
from bench.proxy.tracks import Peak, Stand
from bench.sessions import ROOT

TRACKS = ("one", "stream", "parallel", "memory", "peaks")
OUT = ROOT / "out" / "bench"


def main(arguments: Sequence[str]) -> int:
    asked = _arguments(arguments)
    if asked.install:
        peers.install(asked.peers)
    outcome = Outcome(
        {"package": runs.version(), "dialect": asked.dialect, "rounds": asked.rounds, "peers": _versions(asked.peers)}
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:

        def stand(window: int, names: Sequence[str]) -> AbstractContextManager[Field]:
            return contenders.standing(Path(folder), window, asked.peers, names, counts=window != tracks.WINDOW)

        if {"one", "stream", "parallel"} & set(asked.track):
            _timed(outcome, asked, stand)
        if "memory" in asked.track:
            _remembered(outcome, asked, stand)
        if "peaks" in asked.track:
            _peaked(outcome, asked, stand)
    return _told(outcome, is_json=asked.json)


def _timed(outcome: Outcome, asked: argparse.Namespace, stand: Stand) -> None:
    with stand(tracks.WINDOW, asked.contender) as field:
        outcome.absent |= {one.name: one.reason for one in field.absent}
        for track in ("one", "stream"):
            if track in asked.track:
                outcome.latency[track] = tracks.one(field.found, asked.dialect, asked.rounds, is_stream=track == "stream")
        if "parallel" in asked.track:
            outcome.latency["parallel"] = tracks.parallel(field.found, asked.dialect, asked.rounds)


def _remembered(outcome: Outcome, asked: argparse.Namespace, stand: Stand) -> None:
    """In fresh processes: what was measured before must not count."""
    with stand(tracks.WINDOW, asked.contender) as field:
        outcome.absent |= {one.name: one.reason for one in field.absent}
        outcome.memory, faults = tracks.memory(field.found, asked.dialect, asked.sessions)
        outcome.absent |= {f"{name} (memory)": said for name, said in faults.items()}


def _peaked(outcome: Outcome, asked: argparse.Namespace, stand: Stand) -> None:
    names = [name for name in asked.contender if name not in (DIRECT, RELAY, OFF)]
    for one in tracks.peaks(stand, names, tracks.WINDOWS):
        if isinstance(one, Peak):
            outcome.peaks.append(one)
        else:
            outcome.absent[one.name] = one.reason


def _told(outcome: Outcome, *, is_json: bool) -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    made = shown.as_json(outcome)
    (OUT / "proxy.json").write_bytes(made)
    shown.write_page(outcome, OUT / "proxy.html")
    rows = list(shown.rows(outcome))
    if is_json:
        print(made.decode())
    else:
        report.table(rows)
        for name, reason in outcome.absent.items():
            print(f"{name}: {reason}")
        print(f"written: {OUT / 'proxy.json'}, {OUT / 'proxy.html'}")
    is_silent = OURS in outcome.absent or any(row.target is not None and row.value is None for row in rows)
    return int(is_silent or any(row.is_met is False for row in rows))


def _versions(folder: Path | None) -> dict[str, str]:
    return {peer: found for peer in peers.PACKAGES if (found := peers.version(folder, peer))}


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench proxy", description=__doc__)
    parser.add_argument("track", nargs="*", help=f"{', '.join(TRACKS)}; all without one")
    parser.add_argument("--peers", type=Path, help="folder that holds a virtual environment for each peer")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing there first")
    parser.add_argument("--contender", action="append", choices=NAMES, help="once or more often; all without it")
    parser.add_argument("--dialect", choices=tuple(SHAPES), default="anthropic", help="of the timed calls")
    parser.add_argument("--rounds", type=int, default=3, help="the least counts; 3 without it")
    parser.add_argument("--sessions", type=int, default=tracks.SESSIONS, help="in memory; 100 without it")
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    asked = parser.parse_args(given)
    if unknown := [name for name in asked.track if name not in TRACKS]:
        parser.error(f"unknown track {unknown[0]!r}, there are {', '.join(TRACKS)}")
    if asked.rounds < 1 or asked.sessions < 1 or (asked.install and asked.peers is None):
        parser.error("--rounds and --sessions must be 1 or more, and --install needs --peers FOLDER")
    asked.track = asked.track or list(TRACKS)
    asked.contender = list(dict.fromkeys([DIRECT, *(asked.contender or NAMES)]))
    asked.peers = asked.peers.resolve() if asked.peers else None
    return asked

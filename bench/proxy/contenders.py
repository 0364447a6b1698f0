"""Who is measured: nobody in between, a bare pass-through, pumice switched off and on, and the peers."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import yaml

from bench.proxy import peers
from bench.proxy.processes import Running, free_port, wait
from bench.proxy.shapes import SHAPES
from bench.sessions import ROOT

READY = 180.0
"""Seconds a proxy may take to listen; the heaviest imports its world first."""
DIRECT, RELAY, OFF, OURS = "direct", "bare relay", "pumice off", "pumice"
LITELLM, HEADROOM, HEADROOM_TOKEN = "litellm", "headroom", "headroom token"
NAMES = (DIRECT, RELAY, OFF, OURS, LITELLM, HEADROOM, HEADROOM_TOKEN)


class Contender(msgspec.Struct):
    """One way to the upstream."""

    name: str
    url: str
    running: Running | None = None
    """None: nobody stands in between."""

    def cpu(self) -> float:
        return self.running.cpu() if self.running else 0.0


class Place(msgspec.Struct, frozen=True):
    """Where contenders are started and what they are told."""

    folder: Path
    upstream: str
    window: int
    peers: Path | None


class Absent(msgspec.Struct, frozen=True):
    """One that could not be measured, and why."""

    name: str
    reason: str


class Field(msgspec.Struct, frozen=True):
    """All that run side by side."""

    upstream: str
    found: list[Contender]
    absent: list[Absent]


Start = Callable[[Place, int], tuple[Sequence[str], Mapping[str, str]]]
"""Command and environment for a port."""


def _relay(place: Place, port: int) -> tuple[Sequence[str], Mapping[str, str]]:
    return [sys.executable, "-m", "bench.proxy.relay", str(port), place.upstream], {"PYTHONPATH": str(ROOT)}


def _pumice(place: Place, port: int) -> tuple[Sequence[str], Mapping[str, str]]:
    """As it is installed, on a store of its own."""
    upstreams = (
        "--anthropic-upstream",
        place.upstream,
        "--openai-upstream",
        f"{place.upstream}/v1",
        "--gemini-upstream",
        place.upstream,
    )
    command = [str(Path(sys.executable).with_name("pumice")), "serve", "--port", str(port), *upstreams]
    return [*command, "--policy", "balanced", "--window", str(place.window)], {
        "PUMICE_HOME": str(place.folder / f"home-{port}")
    }


def _off(place: Place, port: int) -> tuple[Sequence[str], Mapping[str, str]]:
    command, env = _pumice(place, port)
    return command, {**env, "PUMICE_OFF": "1"}


def _litellm(place: Place, port: int) -> tuple[Sequence[str], Mapping[str, str]]:
    config = place.folder / f"litellm-{port}.yaml"
    providers = {"anthropic": ("anthropic", ""), "openai-chat": ("openai", "/v1"), "gemini": ("gemini", "/v1beta")}
    models = [
        {
            "model_name": SHAPES[dialect].model,
            "litellm_params": {
                "model": f"{provider}/{SHAPES[dialect].model}",
                "api_base": place.upstream + base,
                "api_key": "none",
            },
        }
        for dialect, (provider, base) in providers.items()
    ]
    config.write_text(yaml.safe_dump({"model_list": models, "litellm_settings": {"telemetry": False}}))
    command = [str(peers.program(place.peers, "litellm")), "--config", str(config), "--host", "127.0.0.1", "--port", str(port)]
    return command, {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_LOG": "ERROR",
        "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
    }


def _headroom(mode: str) -> Start:
    def start(place: Place, port: int) -> tuple[Sequence[str], Mapping[str, str]]:
        upstreams = [word for name in ("anthropic", "openai", "gemini") for word in (f"--{name}-api-url", place.upstream)]
        command = [str(peers.program(place.peers, "headroom")), "proxy", "--port", str(port), "--mode", mode, *upstreams]
        home = place.folder / f"home-{port}"
        home.mkdir()
        return [*command, "--no-rate-limit", "--no-cache", "--no-telemetry"], {"HOME": str(home), "HF_HUB_OFFLINE": "1"}

    return start


_STARTS: Mapping[str, Start] = {
    RELAY: _relay,
    OFF: _off,
    OURS: _pumice,
    LITELLM: _litellm,
    HEADROOM: _headroom("cache"),
    HEADROOM_TOKEN: _headroom("token"),
}
_PEER = {LITELLM: "litellm", HEADROOM: "headroom", HEADROOM_TOKEN: "headroom"}


@contextmanager
def _upstream(folder: Path, *, counts: bool) -> Iterator[str]:
    """The dumb provider while the block runs; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "bench.proxy.upstream", str(port), *(["--count"] if counts else [])]
    running = Running(command, port, folder, {"PYTHONPATH": str(ROOT)})
    try:
        if not wait(running, READY):
            raise RuntimeError(f"the upstream did not start: {running.last_words()}")
        yield f"http://127.0.0.1:{port}"
    finally:
        running.stop()


@contextmanager
def standing(
    folder: Path, window: int, folder_of_peers: Path | None, names: Sequence[str], *, counts: bool = False
) -> Iterator[Field]:
    """An upstream and each contender in its own process while the block runs, and those that could not be started."""
    with (
        _upstream(folder, counts=counts) as url,
        _started(Place(folder, url, window, folder_of_peers), names) as (found, absent),
    ):
        yield Field(url, found, absent)


@contextmanager
def _started(place: Place, names: Sequence[str]) -> Iterator[tuple[list[Contender], list[Absent]]]:
    found: list[Contender] = []
    absent: list[Absent] = []
    try:
        for name in names:
            made = _begun(place, name)
            if isinstance(made, Contender):
                found.append(made)
            else:
                absent.append(made)
        for one in [one for one in found if one.running and not wait(one.running, READY)]:
            absent.append(Absent(one.name, f"did not start: {one.running.last_words()}" if one.running else ""))
            found.remove(one)
        yield found, absent
    finally:
        for one in found:
            if one.running:
                one.running.stop()


def _begun(place: Place, name: str) -> Contender | Absent:
    if name == DIRECT:
        return Contender(name, place.upstream)
    if name in _PEER and peers.program(place.peers, _PEER[name]) is None:
        return Absent(name, peers.ABSENT)
    port = free_port()
    command, env = _STARTS[name](place, port)
    return Contender(name, f"http://127.0.0.1:{port}", Running(command, port, place.folder, env))

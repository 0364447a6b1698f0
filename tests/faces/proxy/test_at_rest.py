"""What a proxy leaves on disk: nothing that opens a door, and nothing that others may read."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard
from gated import Gated, chat, step
from proxied import proxied
from scripted import SECRET

from pumice.faces import settings
from pumice.faces.proxy import assembly
from pumice.faces.upstream import Fault, Upstream
from pumice.store.home import open_store
from pumice.wire.double import Say, Use

SHOWN = {
    "x_api_key": "sk-own-1-key-of-no-known-shape",
    "authorization": "Bearer sk-own-2-key-of-no-known-shape",
    "x_goog_api_key": "sk-own-3-key-of-no-known-shape",
    "cookie": "c=sk-own-4-key-of-no-known-shape",
}
QUERY = "?beta=true&key=sk-own-5-key-of-no-known-shape"
LOG = "\n".join(f"step {at}: token {SECRET} used" for at in range(300))


def left(home: Path) -> Iterator[bytes]:
    """Every file below a folder, as it is and with what zstd has packed undone."""
    for path in home.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        yield data
        for start in range(len(data)) if data.count(b"\x28\xb5\x2f\xfd") else ():
            if data.startswith(b"\x28\xb5\x2f\xfd", start):
                yield _unpacked(data[start:])


def _unpacked(data: bytes) -> bytes:
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except zstandard.ZstdError:
        return b""  # bytes that only look like the beginning of something packed, or whose pages lie elsewhere


async def test_a_caller_that_shows_its_own_keys_leaves_none_of_them(tmp_path: Path) -> None:
    """An agent prints its environment: what it was let in with is replaced, though no rule knows such a key."""
    home, own = tmp_path / "home", [value.split()[-1].removeprefix("c=") for value in (*SHOWN.values(), QUERY[15:])]
    printed = "\n".join(f"{word} {at}" for at in range(99) for word in own)
    upstream = Upstream([Say(f"Found {word}", (Use("Bash", {"command": f"echo {word}"}),)) for word in own])
    body: dict[str, Any] = chat(f"Mine is {own[0]}.", model="claude-opus-4-8", system=f"Use {own[1]}.")
    async with proxied(upstream, assembly.gate("balanced", 20_000, home=home)) as proxy:
        for at in range(5):
            body = step(body, f"m{at}", printed, tool="Bash")
            status, headers, _ = await proxy.send(f"/v1/messages{QUERY}", json.dumps(body).encode(), **SHOWN)
            assert (status, headers["x-pumice-step"]) == (200, "compiled")
        found = list(left(home))
    assert any(b"[secret:credential]" in data for data in found)
    assert not [data[:80] for data in (*found, *left(home)) if b"sk-own" in data]


async def test_no_credential_is_left_on_disk(tmp_path: Path) -> None:
    """Keys of calls that go well, are refused or break off, and secrets in what tools and models say: none is in any file."""
    home = tmp_path / "home"
    upstream = Upstream([Say(f"I use {SECRET}", (Use("Bash", {"command": f"curl -u x:{SECRET}"}),))] * 9)
    gated = Gated(open_store(home), window=20_000, policy=settings.policy({"read_back": "files"}))
    body: dict[str, Any] = chat(f"The token is {SECRET}.", model="claude-opus-4-8")
    async with proxied(upstream, gated.gate) as proxy:
        for at in range(8):
            if at in (3, 5):
                upstream.then(Fault(status=401) if at == 3 else Fault(error_after=5))
            body = step(body, f"m{at}", LOG if at % 2 else "done", tool="Bash")
            await proxy.send(f"/v1/messages{QUERY}", json.dumps(body | {"stream": at > 4}).encode(), **SHOWN)
        found = list(left(home))
    assert any(b"[secret:" in data for data in found)
    assert not [data[:80] for data in (*found, *left(home)) if b"sk-own" in data or SECRET.encode() in data]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (home, *home.rglob("*"))}
    assert modes == {(True, 0o700), (False, 0o600)}

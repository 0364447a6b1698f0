"""Real agent clients on this machine: a scripted provider, `pumice serve` before it and a client, with no way out."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from minds import ANSWER, TASK, Mind, Repair, breaks, furnish

from pumice.domain.account import Account
from pumice.domain.event import SessionKey
from pumice.faces.serving import serving
from pumice.faces.upstream import Upstream
from pumice.store.home import open_store
from pumice.store.private import make_folder

PATIENCE = 100
"""Seconds a client may take for its whole task."""
PUMICE = Path(sys.executable).with_name("pumice")
INSTALLED = Path(sys.prefix) / "clients" / "node_modules" / ".bin"
"""Where `make test-clients` puts the clients."""


class Ended(NamedTuple):
    """A program that is through."""

    code: int | None
    out: str
    err: str


class Stage:
    """A private home and a throw-away project."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.store, self.workspace = self.home / "pumice", self.home / "pumice" / "workspace"
        self.requests = folder / "requests"
        """Where every body the provider saw is kept, for whoever looks into a failure."""
        for path in (self.home, self.project, self.requests):
            path.mkdir()
        for path in (self.store, self.workspace):
            make_folder(path)
        furnish(self.project)

    @property
    def environment(self) -> dict[str, str]:
        """What every program starts with: of this process nothing but where programs are."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "PUMICE_HOME": str(self.store), "LANG": "C.UTF-8"}

    async def run(self, command: Sequence[str], **variables: str) -> Ended:
        """A program in the project, to its end or to the end of patience."""
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=self.project,
            env=self.environment | variables,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return Ended(process.returncode, out.decode(), err.decode())

    @asynccontextmanager
    async def proxy(self, provider: str, *options: str) -> AsyncIterator[str]:
        """`pumice serve` as a process of its own; gives its address."""
        way = {"PUMICE_ANTHROPIC_UPSTREAM": provider, "PUMICE_OPENAI_UPSTREAM": f"{provider}/v1"}
        process = await asyncio.create_subprocess_exec(
            *(str(PUMICE), "serve", "--port", "0", "--json", *options),
            env=self.environment | way | {"PUMICE_GEMINI_UPSTREAM": provider},
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        try:
            yield json.loads(await asyncio.wait_for(process.stdout.readline(), 60))["url"]
        finally:
            process.terminate()
            await process.wait()


class Played(NamedTuple):
    """A client's whole task, and what everybody saw of it."""

    ended: Ended
    upstream: Upstream
    mind: Mind
    accounts: list[Account]
    stage: Stage

    def bodies(self, who: str) -> list[bytes]:
        """What the provider was sent for one of the agents."""
        pairs = zip(self.mind.asked, self.upstream.double.requests, strict=True)
        return [body for asked, body in pairs if asked == who]

    def lanes(self) -> list[list[Account]]:
        """The calls of each agent of each session, the first that called first."""
        found: dict[tuple[SessionKey, str], list[Account]] = {}
        for row in self.accounts:
            found.setdefault((row.key, row.agent), []).append(row)
        return list(found.values())

    def went_well(self) -> None:
        """The client has its answer, the provider refused nothing, and no call went another way than it should."""
        assert self.mind.failed is None, self.mind.failed
        assert self.ended.code == 0, self.ended
        assert self.upstream.double.refused == []
        assert {row.stage for row in self.accounts} == {"compiled"}
        assert all(row.is_reported for row in self.accounts)
        agents = [name for name in dict.fromkeys(self.mind.asked) if name]
        assert [len(self.bodies(name)) for name in agents] == [len(rows) for rows in self.lanes()]

    def was_cut(self, repair: Repair, dialect: str, window: int) -> None:
        """The main agent outgrew its window: prefixes held but for the cuts, and what was read back had left the view."""
        rows = self.lanes()[0]
        bodies = self.bodies(TASK)
        assert rows[-1].epoch > 0
        assert breaks(bodies, dialect) == len({row.epoch for row in rows}) - 1
        assert max(row.sent or 0 for row in rows) <= window < max(row.full or 0 for row in rows)
        assert sum(row.read_backs for row in rows) == 1
        assert ANSWER[-7:-1] not in repair.views[0]
        assert ANSWER in self.ended.out
        assert b"Never touch m3.py." in bodies[-1]
        assert (self.stage.project / "m0.py").read_text().startswith("LIMIT = 7\n")

    def took_up(self, dialect: str) -> None:
        """A new process of the client, before a new process of the proxy, has gone on with the very same messages."""
        assert "It still is." in self.ended.out
        assert len({row.key.session for row in self.accounts}) == 1
        assert breaks(self.bodies(TASK)[-2:], dialect, but=("system", "tools")) == 0


async def play(
    stage: Stage,
    client: str,
    mind: Mind,
    command: Sequence[str],
    *options: str,
    variables: Mapping[str, str],
    upstream: Upstream | None = None,
) -> Played:
    """Run a client, set up by `pumice setup`, through a proxy with these options; `upstream` is a provider met before.

    In the command `{url}` stands for the proxy's address.
    """
    upstream = upstream or Upstream(beyond=mind)
    async with serving(upstream) as provider, stage.proxy(provider, *options) as url:
        told = await stage.run([str(PUMICE), "setup", client, "--url", url, "--write"], **variables)
        assert told.code == 0, told.err
        ended = await stage.run([word.replace("{url}", url) for word in command], **variables)
    for at, body in enumerate(upstream.double.requests):
        (stage.requests / f"{at:03d}.json").write_bytes(body)
    store = open_store(stage.store)
    accounts = await store.accounts.since("local")
    await store.close()
    return Played(ended, upstream, mind, accounts, stage)

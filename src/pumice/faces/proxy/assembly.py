"""The gate of `pumice serve`: store, engines and policy put together; without a store every call still goes through."""

import contextlib
import threading
import time
from pathlib import Path

import msgspec

from pumice.engine.context import Ports
from pumice.engine.engine import AsyncEngine
from pumice.errors import StoreError
from pumice.faces import settings
from pumice.faces.endpoint import Models
from pumice.faces.proxy.desk import Rules
from pumice.faces.proxy.emulate.setting import Emulation
from pumice.faces.proxy.engine_gate import EngineGate
from pumice.faces.proxy.journal import log
from pumice.faces.proxy.observing import ObserveGate
from pumice.measure import tokens
from pumice.store import seal
from pumice.store.home import Store, memory_store, open_store
from pumice.store.keys import Identity, random_identity
from pumice.store.known_secrets import KnownSecrets
from pumice.store.seal import StoreSealer

BUSY = 2.0
"""Seconds to wait for another process that holds the store: longer than any commit, shorter than a client's patience."""
AGAIN = 5.0
"""Seconds after which a store that could not be opened is tried again."""


class Vault:
    """The store of a gate, opened when it is first needed, and tried again where that failed."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._failure: tuple[float, StoreError] | None = None
        self._without: Identity = random_identity()

    def store(self) -> Store:
        """Raises StoreError."""
        with self._lock:
            if self._store is None:
                self._store = self._opened()
            return self._store

    def _opened(self) -> Store:
        if self._failure is not None and time.monotonic() < self._failure[0] + AGAIN:
            raise self._failure[1]
        try:
            store = open_store(self._home, busy=BUSY)
        except StoreError as error:
            self._tell(error)
            self._failure = (time.monotonic(), error)
            raise
        return msgspec.structs.replace(store, redactor=KnownSecrets(store.redactor))

    def _tell(self, error: StoreError) -> None:
        """To whoever started the proxy, once for each reason: clients notice nothing."""
        if self._failure is None or str(self._failure[1]) != str(error):
            log.warning("%s Until then calls go through without it.", error)

    def hashed(self, value: bytes) -> bytes:
        """The store's keyed hash; without a store one that lives as long as the process."""
        try:
            return self.store().identity(value)
        except StoreError:
            return self._without(value)

    def sealer(self) -> StoreSealer:
        """Seals and opens with the store's key."""
        return StoreSealer(self._home / seal.KEY, settings.seal_key())

    def engine(self) -> AsyncEngine:
        """One more engine on the store. Raises StoreError."""
        return AsyncEngine(self.store(), Ports(clock=time.time, model=Models(), sealer=self.sealer()), settings.policy)


def gate(
    policy: str | None = None,
    window: int | None = None,
    *,
    home: Path | None = None,
    is_observing: bool = False,
    is_here: bool = True,
    is_alone: bool = True,
    seconds: float = 10.0,
    emulation: Emulation | None = None,
) -> EngineGate:
    """The gate of a proxy: `seconds` are what a call waits for the engine, `is_here` that clients run on this machine,
    `is_alone` that they are all the same person's.

    Raises BadPolicy. A store that cannot be used is told by each call's step, and tried again.
    """
    vault = Vault(home or settings.home())
    threading.Thread(target=_warm, args=(vault,), name="pumice-warming", daemon=True).start()
    made = ObserveGate if is_observing else EngineGate
    rules = Rules(settings.policy(policy), window, is_here=is_here, is_alone=is_alone).within(seconds)
    return made(
        vault.engine,
        vault.hashed,
        rules,
        seconds=seconds,
        spare=_in_memory,
        emulation=emulation,
        sealer=vault.sealer(),
    )


def _in_memory() -> AsyncEngine:
    """An engine for calls whose store has failed; what it decides lasts as long as the process."""
    return AsyncEngine(memory_store(), Ports(clock=time.time), settings.policy)


def _warm(vault: Vault) -> None:
    """Have the counter's vocabulary and the store at hand when the first call comes."""
    tokens.load()
    with contextlib.suppress(StoreError):  # the first call meets it again, and is told
        vault.store()

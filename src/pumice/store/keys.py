"""Keyed identity: what a client sent is known again by a hash nobody outside the store can compute."""

import hmac
import secrets
from pathlib import Path

from pumice.errors import StoreError
from pumice.store.failures import explain
from pumice.store.private import create_once, keep_private

_BYTES = 32


class Identity:
    """HMAC-SHA256 under a key that never leaves the store; no view or manifest shows what comes from it."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __call__(self, canonical: bytes) -> bytes:
        """The 32 bytes a canonical block is known by."""
        return hmac.digest(self._key, canonical, "sha256")


def random_identity() -> Identity:
    """An identity that lives as long as the process."""
    return Identity(secrets.token_bytes(_BYTES))


def open_identity(path: Path) -> Identity:
    """The identity of a store, its key created on first use (mode 0600).

    Raises StoreError when the file cannot be read or holds no key.
    """
    try:
        if not path.exists():
            create_once(path, secrets.token_bytes(_BYTES))
        keep_private(path)
        key = path.read_bytes()
    except OSError as error:
        raise explain(error, path) from error
    if len(key) != _BYTES:
        raise StoreError(
            f"The key file {str(path)!r} holds {len(key)} bytes; expected {_BYTES}.",
            hint="Restore it from a backup; with a new key, sessions already kept are not recognised.",
        )
    return Identity(key)

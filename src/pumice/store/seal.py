"""Seal bytes so that only this store can read them: Fernet (AES-128-CBC with HMAC-SHA256) from `cryptography`."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pumice import extras
from pumice.errors import InvalidInput, PumiceError, StoreError
from pumice.store.failures import explain
from pumice.store.private import create_once, keep_private

KEY = "seal.key"
IS_THERE = find_spec("cryptography") is not None
"""Loaded only when something is sealed or opened: it takes 7 MB, and most sessions never do."""


def _fernet() -> Any:
    return import_module("cryptography.fernet")


class FernetSealer:
    """Encrypts and authenticates; what was altered, or sealed under another key, opens as None."""

    def __init__(self, key: bytes) -> None:
        if not IS_THERE:
            raise StoreError("sealing needs cryptography.", hint=f"Install it: {extras.command('sealed')}.")
        try:
            self._fernet = _fernet().Fernet(key)
        except ValueError as error:
            raise InvalidInput("the key for sealing is no Fernet key: expected 32 bytes in URL-safe base64.") from error

    def seal(self, data: bytes) -> str:
        """A token; the same bytes give another token each time."""
        token: bytes = self._fernet.encrypt(data)
        return token.decode("ascii")

    def open(self, token: str) -> bytes | None:
        """The bytes of a token; None when it was altered or belongs to another key."""
        try:
            data: bytes = self._fernet.decrypt(token.encode("ascii"))
        except _fernet().InvalidToken:
            return None
        return data


class StoreSealer:
    """The sealer of a store: under `key` where one is given, else under a key in a file, made at the first sealing (0600)."""

    def __init__(self, path: Path | None, key: str = "") -> None:
        self._path = path
        self._key = key.encode()

    def seal(self, data: bytes) -> str:
        """A token. Raises StoreError when the key cannot be kept or `cryptography` is missing, InvalidInput for no key."""
        if IS_THERE and not self._found():
            self._make(_fernet().Fernet.generate_key())
        return FernetSealer(self._found()).seal(data)

    def open(self, token: str) -> bytes | None:
        """The bytes of a token; None as well where this store has no key, or none that can be read."""
        try:
            key = self._found()
            return FernetSealer(key).open(token) if key and IS_THERE else None
        except PumiceError:
            return None

    def _make(self, key: bytes) -> None:
        """Keep a new key in the file, or as long as the process where there is none."""
        if self._path is None:
            self._key = key
            return
        try:
            create_once(self._path, key)
        except OSError as error:
            raise explain(error, self._path) from error

    def _found(self) -> bytes:
        if self._key or self._path is None or not self._path.exists():
            return self._key
        try:
            keep_private(self._path)
            return self._path.read_bytes().strip()
        except OSError as error:
            raise explain(error, self._path) from error

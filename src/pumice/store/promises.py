"""What every implementation of a store refuses alike."""

import re

from pumice.domain.event import SessionKey
from pumice.errors import Conflict, NotAddressable, StoreError

_NAME = re.compile(r"(?:[a-z][a-z0-9_-]{0,63}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def check_tip(key: SessionKey, branch: str, seen: int, tip: int) -> None:
    """Raises Conflict when another writer has moved a branch the caller builds on."""
    if seen != tip:
        raise Conflict(
            f"Branch {branch!r} of session {key.session!r} stands at event {tip}, not at {seen}: another writer was first.",
            hint="Load what is new and compile again.",
        )


def check_name(name: str) -> None:
    """Raises NotAddressable for what is no artifact name, paths included."""
    if not _NAME.fullmatch(name) or ".." in name:
        raise NotAddressable(
            f"{name!r} is no artifact name; expected up to 128 letters, digits, dots, dashes and underscores, no '..', with or "
            "without one folder in front.",
            hint="Copy the name from the pointer in the view.",
        )


def check_unused(key: SessionKey, name: str, kept: str | None, given: str) -> None:
    """Raises StoreError when a name already stands for other bytes; both are sha256 hex."""
    if kept is not None and kept != given:
        raise StoreError(
            f"Artifact {name!r} of session {key.session!r} is already written (sha256 {kept[:12]}…, given {given[:12]}…).",
            hint="A name is written once; choose another.",
        )


def not_kept(key: SessionKey, name: str) -> NotAddressable:
    """The error for a name nothing is kept under."""
    return NotAddressable(
        f"Session {key.session!r} keeps nothing under {name!r}.", hint="List its artifacts, or search for the text."
    )

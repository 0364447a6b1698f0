"""Settings of other programs, changed with a copy beside them and taken back: byte for byte where nothing else has changed.

What was written is on record in the store's folder, so that taking it back never touches a line of the user's.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from pumice import extras
from pumice.errors import InvalidInput
from pumice.faces.clients import env_text, json_text
from pumice.faces.clients.known import Edit, Target
from pumice.faces.saving import saving
from pumice.store.private import make_folder

BACKUP = ".before-pumice"


class Change(msgspec.Struct, frozen=True):
    """One value of ours, and what stood there."""

    path: tuple[str, ...]
    value: Any
    before: Any = None
    """None where nothing did."""
    made: int = 0
    """How many keys of the path were there before."""


class Written(msgspec.Struct, frozen=True):
    """What was written to one file."""

    file: str
    form: str
    existed: bool
    after: str
    """sha256 of the file as we left it; empty once somebody else has written to it between two writes of ours."""
    changes: tuple[Change, ...]


def write(target: Target, record: Path) -> bool:
    """Put a target's values into its file, with a copy beside; False where all of them stand there. Raises StoreError."""
    file = target.file.resolve()
    text = _text(file)
    changed, changes = _planned(text, target)
    if changed == text:
        return False
    known = _recorded(record)
    if known is None and file.exists():
        _save(copy_of(file), file.read_bytes(), like=file)
    is_ours = known is None or known.after == _digest(text)
    merged = _merged(known.changes if known else (), changes)
    made = Written(
        str(file), target.form, known.existed if known else file.exists(), _digest(changed) if is_ours else "", merged
    )
    # First on record: a run that is killed in between leaves nothing that cannot be taken back.
    make_folder(record.parent)
    _save(record, msgspec.json.encode(made))
    _save(file, changed.encode(), like=file)
    return True


def undo(record: Path) -> list[str]:
    """Take back what was written; returns sentences about values that were changed since and stay. Raises StoreError."""
    known = _recorded(record)
    if known is None:
        return []
    file = Path(known.file)
    backup = copy_of(file)
    text = _text(file)
    kept: list[str] = []
    if _digest(text) == known.after and (backup.exists() or not known.existed):
        _restore(file, backup, existed=known.existed)
    else:
        text, kept = _taken_out(text, known)
        _save(file, text.encode(), like=file)
    backup.unlink(missing_ok=True)
    record.unlink()
    return kept


def copy_of(file: Path) -> Path:
    """Where a file lies as it was before the first writing, if it was there at all."""
    real = file.resolve()
    return real.with_name(real.name + BACKUP)


def _restore(file: Path, backup: Path, *, existed: bool) -> None:
    if existed:
        _save(file, backup.read_bytes(), like=file)
    else:
        file.unlink(missing_ok=True)


def _planned(text: str, target: Target) -> tuple[str, tuple[Change, ...]]:
    form = form_of(target.form)
    changes: list[Change] = []
    try:
        for edit in target.edits:
            values = form.read(text)
            before, depth = look_up(values, edit.path)
            has_other = bool(edit.unless) and look_up(values, edit.unless)[0] is not None
            value = _wanted(edit, before)
            if before != value and not has_other:
                changes.append(Change(edit.path, value, before, depth))
                text = form.put(text, edit.path, value)
    except InvalidInput as error:
        raise InvalidInput(f"{target.file} {error}") from None
    return text, tuple(changes)


def _wanted(edit: Edit, before: Any) -> Any:
    """What is to stand there; entries of a list behind those that do."""
    if not isinstance(edit.value, tuple):
        return edit.value
    if before is not None and not isinstance(before, list):
        raise InvalidInput(f"holds no list under {'.'.join(edit.path)}.", hint="Add the lines by hand.")
    listed = before or []
    return [*listed, *(entry for entry in edit.value if entry not in listed)]


def _merged(first: Sequence[Change], then: Sequence[Change]) -> tuple[Change, ...]:
    """Of a value written twice, what stood there before the first time."""
    found = {change.path: change for change in first}
    for change in then:
        known = found.get(change.path)
        found[change.path] = msgspec.structs.replace(known, value=change.value) if known else change
    return tuple(found.values())


def _taken_out(text: str, known: Written) -> tuple[str, list[str]]:
    form, kept = form_of(known.form), []
    for change in reversed(known.changes):
        now, _ = look_up(form.read(text), change.path)
        name = ".".join(change.path)
        if isinstance(change.value, list) and isinstance(now, list):
            text = _without(text, form, change, now)
        elif now != change.value:
            kept += [f"{name} is no longer what was written and stays"] if now is not None else []
        elif change.before is not None:
            text = form.put(text, change.path, change.before)
        else:
            text = _dropped(text, form, change)
    return text, kept


def _without(text: str, form: ModuleType, change: Change, now: list[Any]) -> str:
    """Without our entries of a list, whatever else has been put in since."""
    before = change.before or []
    rest = [entry for entry in now if entry in before or entry not in change.value]
    if rest or change.before is not None:
        return str(form.put(text, change.path, rest))
    return _dropped(text, form, change)


def _dropped(text: str, form: ModuleType, change: Change) -> str:
    """Without the value, and without what was made to hold it and is empty now."""
    text = form.drop(text, change.path)
    for depth in range(len(change.path) - 1, change.made, -1):
        if look_up(form.read(text), change.path[:depth])[0] == {}:
            text = form.drop(text, change.path[:depth])
    return text


def look_up(values: Mapping[str, Any], path: Sequence[str]) -> tuple[Any, int]:
    """The value at a path, None where there is none, and how many keys of the path there are."""
    found: Any = values
    for depth, key in enumerate(path):
        if not isinstance(found, Mapping) or key not in found:
            return None, depth
        found = found[key]
    return found, len(path)


def form_of(name: str) -> ModuleType:
    """How texts of a form are read and changed."""
    if name != "toml":
        return json_text if name == "json" else env_text
    try:
        # tomlkit comes with an extra: who sets up another client does without it.
        from pumice.faces.clients import toml_text
    except ModuleNotFoundError as error:
        raise extras.missing("a settings file in TOML", "proxy", error) from error
    return toml_text


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not UTF-8 (byte {error.start}).", hint="Add the lines by hand.") from None


def _recorded(record: Path) -> Written | None:
    try:
        return msgspec.json.decode(record.read_bytes(), type=Written)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise InvalidInput(f"{record} is damaged ({error}).", hint=f"Restore the file from its copy (…{BACKUP}).") from None


def _save(path: Path, data: bytes, *, like: Path | None = None) -> None:
    """Write a file whole or not at all, with the permissions of another, or for its owner alone."""
    mode = like.stat().st_mode & 0o777 if like is not None and like.exists() else 0o600
    with saving(path) as half:
        half.touch(mode=mode)
        half.write_bytes(data)
        half.chmod(mode)
        half.replace(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def preview(target: Target) -> str:
    """A target's values as its file would hold them alone."""
    form = form_of(target.form)
    text = ""
    for edit in target.edits:
        text = form.put(text, edit.path, _wanted(edit, None))
    return text

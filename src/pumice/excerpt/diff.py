"""Diffs: the commit's words and every file's name first, then hunk headers as far as they fit, changed lines, their context."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pumice.domain import marks
from pumice.excerpt import lines
from pumice.excerpt.units import BODY, FAR, FRAME, MUST, Shape, Unit, many

Within = Callable[[str, float], bool]
"""(words, share) → whether they take no more than that share of the room."""
_HUNK = re.compile(r"@@@? -\d+(?:,(?P<old>\d+))? (?:-\d+(?:,\d+)? )?\+\d+(?:,(?P<new>\d+))? @@")
_FILE = re.compile(r"diff --(?:git|cc|combined) |Index: |Only in |Binary files ")
_NAMES = re.compile(r"--- |\+\+\+ ")
_ABOUT = re.compile(
    r"(?:rename|copy) (?:from|to) |(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |={20,}$|Binary files "
)
_MINOR = re.compile(r"index [0-9a-f]+[.,]|similarity index |={20,}$")
_COMMIT = re.compile(r"(?:commit |From )?[0-9a-f]{7,64}(?= |$)")
_SUBJECT = re.compile(r" {4}\S|Subject: ")
_NAME = re.compile(
    r"(?:diff --git (?:.* b/)?|diff --(?:cc|combined) |Index: |Only in |(?:rename|copy) to |--- (?:a/)?|\+\+\+ (?:b/)?)"
    r"([^\t\r]+)"
)
_WANTED = re.compile(r"^(?:diff --|@@@? -\d|index: |only in |binary files |\+\+\+ |rename |copy |commit [0-9a-f]{7})", re.M)
_FILES = re.compile(r"^(?:diff --(?:git|cc|combined) |Index: )", re.M)
_PLAIN_FILES = re.compile(r"^--- .*\n\+\+\+ .*\n@@ ", re.M)
_HUNKS = re.compile(r"^@@@? -\d", re.M)
_FRONT, _FIRST, _COMMITTED, _SECOND, _THIRD = 1e9, 1e6, 3e4, 1e3, 1.0
"""Values that put a commit's words at the front before the lines naming a file, those before further commits, hunks after
them, and all before what else stands in a file's header."""
_WORDS, _HALF = 0.25, 0.5
"""Shares of the room that the words at the front, and the names of files or the headers shown under their list, may take."""
_GAP = f"\n{marks.gap('100 lines')}"
_ENDLESS = 1 << 60


class _Read(msgspec.Struct, frozen=True, gc=False):
    """What a line of a diff is."""

    file: int
    """Number of the file whose part it stands in; -1 before the first."""
    header: float = 0.0
    """How early it must stand; 0 for a line that is no header."""
    sign: str = ""
    """`+` or `-` of a changed line."""
    is_word: bool = False
    """Whether it is a commit's own: its author, its message."""


class _File(msgspec.Struct):
    name: str = ""
    added: int = 0
    removed: int = 0


def is_diff(text: str) -> bool:
    """Whether a text is a unified diff, after at most a commit's own words."""
    head = text[:20_000]
    return bool(re.search(r"^diff --(?:git|cc|combined) ", head, re.M)) or (
        bool(re.search(r"^@@ -\d+(?:,\d+)? \+\d+", head, re.M)) and bool(re.search(r"^\+\+\+ ", head, re.M))
    )


def cut(text: str, within: Within) -> Shape:
    """Lines of a diff: a commit's words, then headers as long as any fit, those that name files first, then changed lines.

    Where the lines that name files take more than half of the room, a list of them stands in our words, and only the first
    files are shown: a hunk below the name of another file would be taken for a part of that.
    """
    pieces = list(lines.split(text, _WANTED))
    bodies = lines.texts(text, pieces)
    read = list(_read(pieces, bodies))
    front = _front(text, pieces, read, within)
    files = _files(pieces, bodies, read)
    note, shown = _note(text, pieces, files), range(-1, len(files))
    if not within("".join(body + _GAP for body, what in zip(bodies, read, strict=True) if what.header == _FIRST), _HALF):
        shown = range(-1, _that_fit(bodies, read, within))
        note = _listed(note, files, _count(text), within, is_whole=_is_whole(pieces))
    return Shape("diff", list(_units(pieces, bodies, read, front, shown)), "line", note)


def _units(pieces: Sequence[Unit], bodies: Sequence[str], read: Sequence[_Read], front: int, shown: range) -> Iterator[Unit]:
    """The pieces with their tiers and values: the first `front` before all, those of files not `shown` never."""
    says = lines.weigh(pieces, bodies, is_output=False)
    last = len(pieces) - 1
    for at, (unit, body, what) in enumerate(zip(pieces, bodies, read, strict=True)):
        header = _FRONT if at < front else what.header
        value = 0.0 if _MINOR.match(body) else says[at].value + 0.5 * bool(what.sign)
        is_edge = at < lines.EDGE or at == last
        tier = FRAME if header else MUST if is_edge else BODY
        if what.file not in shown and not what.is_word:
            tier = FAR
        yield unit if unit.tier > BODY else Unit(unit.start, unit.end, unit.row, tier, header or value)


def _read(units: Sequence[Unit], bodies: Sequence[str]) -> Iterator[_Read]:
    reader, before = _Reader(), _Read(-1)
    for at, unit in enumerate(units):
        if at and unit.row == units[at - 1].row:  # a further piece of a long line is of its kind
            before = msgspec.structs.replace(before, header=0.0)
        else:
            before = reader.read(bodies[at : at + 3], is_hidden=unit.tier > BODY)
        yield before


class _Reader:
    """Tells headers from content by the counts of the hunk they stand in: an added line `++ x` is no file."""

    def __init__(self) -> None:
        self._old = self._new = 0
        self._file = -1
        self._naming = ""
        """How the line begins that names the file whose header is read; empty elsewhere."""
        self._is_word = True
        self._has_subject = True

    def read(self, ahead: Sequence[str], *, is_hidden: bool) -> _Read:
        """What the first of these lines is."""
        body = ahead[0]
        if hunk := _HUNK.match(body):
            self._old, self._new = _counts(hunk)
            self._naming, self._is_word = "", False
            return _Read(self._file, _SECOND)
        opens = _names_a_file(ahead)
        if (self._old > 0 or self._new > 0) and not (is_hidden or opens or _FILE.match(body) or _COMMIT.match(body)):
            if not body.startswith("\\"):
                self._old, self._new = self._old - (body[:1] != "+"), self._new - (body[:1] != "-")
            return _Read(self._file, sign=body[:1] if body[:1] in ("+", "-") else "")
        self._old = self._new = 0
        header = self._header(body, ahead[1] if opens else "")
        if header or not (self._is_word or _COMMIT.match(body)):
            is_changed = not header and body[:1] in ("+", "-") and body.rstrip() != "--"  # as a mail is signed
            return _Read(self._file, header, body[:1] if is_changed else "")
        return self._word(body)

    def _header(self, body: str, follows: str) -> float:
        """How early a line outside all hunks must stand; `follows` is the second of the two names of a file."""
        if _FILE.match(body) and not (self._naming and body.startswith("Binary ")):
            self._open("diff")
            return _FIRST
        if follows and not self._naming:
            self._open("--- " if follows.startswith("+++ /dev/null") else "+++ ")
        if self._is_word:
            return 0.0
        if self._naming and body.startswith(self._naming):
            return _FIRST
        return _THIRD if _NAMES.match(body) or _ABOUT.match(body) else 0.0

    def _open(self, naming: str) -> None:
        self._file += 1
        self._naming, self._is_word = naming, False

    def _word(self, body: str) -> _Read:
        """A line of a commit's own; of a further commit its name and its subject are headers."""
        if is_commit := _COMMIT.match(body) is not None:
            self._naming, self._is_word = "", True
            self._has_subject = self._file < 0 or not body.startswith(("commit ", "From "))
        is_subject = not self._has_subject and _SUBJECT.match(body) is not None
        self._has_subject |= is_subject
        is_header = is_subject or (is_commit and self._file >= 0)
        return _Read(self._file, _COMMITTED if is_header else 0.0, is_word=True)


def _counts(hunk: re.Match[str]) -> tuple[int, int]:
    """Lines of the old and the new file a hunk has; a merge has several old ones and ends where the next header begins."""
    if hunk[0].startswith("@@@"):
        return _ENDLESS, _ENDLESS
    return int(hunk["old"] or 1), int(hunk["new"] or 1)


def _names_a_file(bodies: Sequence[str]) -> bool:
    """Whether a file's header begins here, whatever the counts of the hunk before it say."""
    return bodies[0].startswith("--- ") and bodies[1:2] != [] and bodies[1].startswith("+++ ") and bool(_HUNK.match(bodies[-1]))


def _front(text: str, units: Sequence[Unit], read: Sequence[_Read], within: Within) -> int:
    """How many units of the words before the first file fit their share."""
    end = next((at for at, what in enumerate(read) if not what.is_word), len(read))
    return bisect_right(range(end), False, key=lambda at: not within(text[: units[at].end], _WORDS))


def _files(units: Sequence[Unit], bodies: Sequence[str], read: Sequence[_Read]) -> list[_File]:
    """The files in order, each by the last name its header gives, with how many lines were added and removed."""
    found: list[_File] = []
    row = -1
    for unit, body, what in zip(units, bodies, read, strict=True):
        if what.file == len(found):
            found.append(_File(body))
        if what.file >= 0 and what.header and (name := _NAME.match(body)) and name[1] != "/dev/null":
            found[-1].name = name[1]
        elif what.sign and unit.row != row:
            file = found[-1] if found else _File()
            file.added, file.removed = file.added + (what.sign == "+"), file.removed + (what.sign == "-")
        row = unit.row
    return found


def _that_fit(bodies: Sequence[str], read: Sequence[_Read], within: Within) -> int:
    """How many files from the first on have headers that fit half of the room together; one at least."""
    headers = [""] * (read[-1].file + 1)
    for body, what in zip(bodies, read, strict=True):
        if what.header and not what.is_word and what.file >= 0:
            headers[what.file] += body + _GAP
    return max(1, bisect_right(range(1, len(headers) + 1), False, key=lambda n: not within("".join(headers[:n]), _HALF)))


def _listed(note: str, files: Sequence[_File], total: int, within: Within, *, is_whole: bool) -> str:
    """The note with the names of all files and what changed; the names alone; or the first and the last that fit its half."""
    known: dict[str, _File] = {}  # further commits change the same files
    for file in files:
        name = file.name if marks.is_clean(file.name) and file.name.isprintable() else "(a name not shown)"
        before = known.get(name, _File())
        known[name] = _File(name, before.added + file.added, before.removed + file.removed)
    names, left = list(known), max(0, total - len(files))
    counted = ", ".join(f"{file.name} +{file.added} −{file.removed}" for file in known.values())
    if is_whole and within(f"{note}: {counted}", _HALF):
        return f"{note}: {counted}"
    most = bisect_right(range(len(names)), False, key=lambda n: not within(f"{note}: {_ends(names, n + 1, left)}", _HALF))
    return f"{note}: {_ends(names, most, left)}" if most else note


def _ends(names: Sequence[str], most: int, unseen: int) -> str:
    """So many of the names from both ends, and between them how many are left out."""
    left = len(names) - most + unseen
    between = [f"{marks.GAP} {left} more"] if left else []
    return ", ".join([*names[: most - most // 2], *between, *names[len(names) - most // 2 :]])


def _count(text: str) -> int:
    return len(_FILES.findall(text)) or len(_PLAIN_FILES.findall(text))


def _is_whole(units: Sequence[Unit]) -> bool:
    return all(unit.tier <= BODY for unit in units)


def _note(text: str, units: Sequence[Unit], files: Sequence[_File]) -> str:
    counted = f"{many(_count(text), 'file')}, {many(len(_HUNKS.findall(text)), 'hunk')}"
    if not _is_whole(units):
        return counted
    return f"{counted}, +{sum(file.added for file in files)} −{sum(file.removed for file in files)} lines"

"""Plan a lane's resident content: one block in the policy's order, within its share, examples counted (F-B9)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from pumice.domain import marks
from pumice.domain.event import pack
from pumice.domain.policy import FewShot, Policy
from pumice.domain.resident import EXAMPLES, NAMES, PLATFORM, SEMI_STABLE, STABLE, ZONES, Given, Part, Resident

AREA = "resident"
"""Where texts are kept that only a line stands for."""
_DIGITS = 12

Texts = Mapping[str, tuple[str, ...]]
"""What was given, by name; of few-shot several texts, else one."""


class Rules(msgspec.Struct, frozen=True):
    """What a policy says of resident content."""

    zones: tuple[tuple[str, str], ...]
    """Name and zone of each, in the order they stand."""
    few_shot: FewShot
    share: float
    """Of usable, for all of it together."""


class Room(msgspec.Struct, frozen=True):
    """Sizes as the lane counts at the time."""

    usable: int
    factor: float
    count: Callable[[str], int]

    def tokens(self, calibrated: float) -> int:
        """Calibrated tokens as the counter counts."""
        return round(calibrated / self.factor)


class _Piece(msgspec.Struct, frozen=True):
    part: Part
    text: str


def rules(policy: Policy) -> Rules:
    """Stable before semi-stable, each in the policy's order; what it names in neither stands where DESIGN §3 puts it."""
    named = {**dict.fromkeys(policy.stable, STABLE), **dict.fromkeys(policy.semi_stable, SEMI_STABLE)}
    known = {name: zone for name, zone in named.items() if name in NAMES}
    placed = known | {name: ZONES[name] for name in NAMES if name not in known}
    return Rules(tuple(sorted(placed.items(), key=lambda pair: pair[1] != STABLE)), policy.few_shot, policy.shares.system)


def given(texts: Texts, policy: Rules) -> tuple[Given, ...]:
    """What there is, in the order it stands."""
    return tuple(Given(name, zone, digest(pack(texts[name]).decode())) for name, zone in policy.zones if texts.get(name))


def basis(texts: Texts, policy: Rules) -> str:
    """Identity of what a block is made of; empty where there is nothing."""
    found = given(texts, policy)
    return digest(pack((found, policy.few_shot, policy.share)).decode()) if found else ""


def plan(texts: Texts, policy: Rules, room: Room) -> Resident | None:
    """The block of a head that no cache holds yet; None where nothing is given.

    The platform's policy stands whole whatever there is room for, examples only where the rest leaves some (F-B3).
    """
    wanted = [piece for name, zone in policy.zones for piece in _pieces(name, zone, texts.get(name, ()), policy.few_shot, room)]
    if not wanted:
        return None
    left = room.tokens(policy.share * room.usable)
    fitted: dict[str, _Piece] = {}
    for piece in sorted(wanted, key=_need):
        fitted[piece.part.name] = chosen = _fit(piece, left, room)
        left -= chosen.part.tokens
    pieces = [fitted[piece.part.name] for piece in wanted]
    text = marks.wrap(AREA, "\n".join(piece.text for piece in pieces))
    return Resident(text, _counted(pieces, text, room), given(texts, policy), basis(texts, policy))


def address(name: str, text: str) -> str:
    """Where a text is kept: the same text under the same name is the same address."""
    return f"workspace://{AREA}/{name.partition('-')[0]}-{digest(text)[:_DIGITS]}"


def kept(texts: Texts, made: Resident) -> Iterator[tuple[str, str]]:
    """Address and text of everything a line stands for."""
    wanted = {part.digest: part.pointer for part in made.parts if part.pointer}
    for name, found in texts.items():
        for text in (*found, *(_joined(found[at:]) for at in range(len(found) if name == EXAMPLES else 0))):
            if digest(text) in wanted:
                yield wanted[digest(text)], text


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _joined(texts: Sequence[str]) -> str:
    return "\n\n".join(texts)


def _need(piece: _Piece) -> int:
    """The platform's policy first, examples last."""
    return {PLATFORM: 0, EXAMPLES: 2}.get(piece.part.kind, 1)


def _pieces(name: str, zone: str, texts: Sequence[str], few_shot: FewShot, room: Room) -> Iterator[_Piece]:
    if name != EXAMPLES:
        yield from (_whole(name, zone, name, text, room) for text in texts)
        return
    for at, text in enumerate(texts[: few_shot.examples], 1):
        piece = _whole(f"{name}-{at}", zone, f"{name} {at}", text, room)
        is_long = room.count(text) > room.tokens(few_shot.tokens)
        yield _pointed(piece, room, f"over few_shot.tokens, {few_shot.tokens:,}") if is_long else piece
    rest = texts[few_shot.examples :]
    if rest:
        at = len(texts) - len(rest) + 1
        label = f"{name} {at}" if len(rest) == 1 else f"{name} {at} to {len(texts)}"
        piece = _whole(f"{name}-{at}", zone, label, _joined(rest), room)
        yield _pointed(piece, room, f"over few_shot.examples, {few_shot.examples:,}")


def _whole(name: str, zone: str, label: str, text: str, room: Room) -> _Piece:
    lines = f"{marks.gap(label)}\n{text}"
    return _Piece(Part(name, zone, digest(text), room.count(lines), reason="given to the session"), lines)


def _pointed(piece: _Piece, room: Room, why: str) -> _Piece:
    """A line in place of a text: its label, its size and its address."""
    if piece.part.pointer:
        return piece
    label, _, text = piece.text.partition("\n")
    where = address(piece.part.name, text)
    line = f"{label}: {text.count(chr(10)) + 1} lines, {where}"
    part = msgspec.structs.replace(piece.part, tokens=room.count(line), reason=why, pointer=where)
    return _Piece(part, line)


def _fit(piece: _Piece, left: int, room: Room) -> _Piece:
    if piece.part.tokens <= left or piece.part.kind == PLATFORM:
        return piece
    return _pointed(piece, room, "over what shares.system leaves")


def _counted(pieces: Sequence[_Piece], text: str, room: Room) -> tuple[Part, ...]:
    """The parts, the first with what the marks around all of them cost."""
    first, *others = (piece.part for piece in pieces)
    rest = room.count(text) - sum(part.tokens for part in others)
    return (msgspec.structs.replace(first, tokens=rest), *others)

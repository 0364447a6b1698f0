"""Mend groups the client sent unpaired (dangling calls, orphan results, reused ids), once each, on the wire only."""

import hashlib
import re
from collections.abc import Sequence

import msgspec

from pumice.compile.assemble import Piece, total
from pumice.domain.group import Group
from pumice.engine.branch import Branch
from pumice.engine.sizes import measure
from pumice.ledger.groups import is_sound
from pumice.wire.dialect import Dialect

_PLACE = re.compile(r"^(\w+)\[(\d+)\]")


class _Mended(msgspec.Struct, frozen=True):
    came: tuple[Piece, ...]
    pieces: tuple[Piece, ...]
    sentences: tuple[str, ...]


class Mender:
    """Follows a branch; groups that are over and sound cost nothing."""

    def __init__(self, branch: Branch, dialect: Dialect) -> None:
        self._branch = branch
        self._dialect = dialect
        self._checked = 0
        self._unsound: list[Group] = []
        self._mended: dict[int, _Mended] = {}

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was repaired, in order."""
        return tuple(sentence for index in sorted(self._mended) for sentence in self._mended[index].sentences)

    def mend(self, pieces: Sequence[Piece | None]) -> tuple[Piece, ...]:
        """Pieces by node index in, the pieces to send out."""
        unsound = [*self._over(), *self._last()]
        if not unsound:
            return tuple(filter(None, pieces))
        sent: list[Piece] = []
        at = 0
        for group in unsound:
            first, after = group.nodes[0].index, group.nodes[-1].index + 1
            sent += filter(None, pieces[at:first])
            sent += self._repair(group, pieces[first:after])
            at = after
        return (*sent, *filter(None, pieces[at:]))

    def _over(self) -> list[Group]:
        """Unsound groups another group has followed: nothing more can come for them."""
        groups = self._branch.groups
        while self._checked < len(groups) - 1:
            if not is_sound(groups[self._checked]):
                self._unsound.append(groups[self._checked])
            self._checked += 1
        return self._unsound

    def _last(self) -> list[Group]:
        last = self._branch.groups[-1:]
        return [group for group in last if not is_sound(group)]

    def _repair(self, group: Group, came: Sequence[Piece | None]) -> tuple[Piece, ...]:
        shown = tuple(piece for piece in came if piece is not None)
        known = self._mended.get(group.index)
        if known is not None and len(known.came) == len(shown) and all(map(_same, known.came, shown)):
            return known.pieces
        repaired = self._dialect.repair([piece.raw for piece in shown])
        by_raw = {piece.raw: piece for piece in shown}
        pieces = tuple(by_raw.get(raw) or self._piece(raw) for raw in repaired.messages)
        places = [piece.node for piece in shown]
        self._mended[group.index] = _Mended(shown, pieces, tuple(_placed(said, places) for said in repaired.sentences))
        return pieces

    def _piece(self, raw: bytes) -> Piece:
        message = self._dialect.read_message(raw)
        size = total(measure(message.blocks, self._branch.model))
        return Piece(hashlib.sha256(b"repaired\x00" + message.key).digest(), raw, size, -1)


def _placed(sentence: str, places: Sequence[int]) -> str:
    """A sentence about a message of the group, by its place in the client's request."""
    return _PLACE.sub(lambda found: f"{found[1]}[{places[int(found[2])]}]", sentence)


def _same(one: Piece, other: Piece) -> bool:
    return one is other or (one.key == other.key and one.raw == other.raw)

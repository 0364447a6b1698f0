"""What a lane shows under one cut: pieces kept from call to call, remade only where the wire bytes changed."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pumice.compile import ties
from pumice.compile.assemble import Piece, form, is_whole, ours, show, total
from pumice.domain.block import Block, Kind, Role
from pumice.domain.book import Size
from pumice.domain.decision import Cut, Decision
from pumice.domain.group import Node
from pumice.domain.note import Note
from pumice.domain.resident import Resident
from pumice.engine.branch import Branch
from pumice.engine.mend import Mender
from pumice.measure import tokens
from pumice.wire.dialect import Dialect


class Shown:
    """A branch under a cut (or under none), as messages of a dialect."""

    def __init__(self, branch: Branch, dialect: Dialect, cut: Cut | None, resident: Resident | None = None) -> None:
        self.branch = branch
        self.dialect = dialect
        self.cut = cut
        self.resident = resident
        self._notes: tuple[tuple[Note, Piece], ...] = ()
        self.decisions: Mapping[str, Decision] = {item.block: item for item in cut.decisions} if cut else {}
        self._own_texts = {
            item.block: Size(tokens.count(item.text), 8)
            for item in self.decisions.values()
            if item.text is not None and item is not branch.forms.get(item.block)
        }
        self.keeps_reasoning = self._keeps_reasoning()
        """Reasoning from before the cut is still shown: its prefix is no longer what it was signed over."""
        self._ties = ties.of(branch.groups, branch.lead, cut, self.decisions)
        self._front = ties.front(branch.nodes, branch.lead, cut)
        self._preface = self._make_preface()
        self._pieces: list[Piece | None] = []
        self._sent: tuple[Piece, ...] = (self._preface,) if self._preface else ()
        self._size = total(piece.size for piece in self._sent)
        self._seen = 0
        """How many moves of the branch the pieces have followed."""
        self._mender = Mender(branch, dialect)

    def _make_preface(self) -> Piece | None:
        if self.cut is None or not self.cut.preface:
            return None
        return ours(self.cut.preface, self.dialect.user(self.cut.preface), Size(tokens.count(self.cut.preface)))

    def _keeps_reasoning(self) -> bool:
        return self.cut is not None and any(
            block.kind is Kind.REASONING and is_whole(self.decisions.get(block.id))
            for node in self.branch.nodes[: self.cut.until]
            for block in node.blocks
        )

    @property
    def texts(self) -> Mapping[str, Size]:
        """Size of each excerpt in force, by block."""
        return {**self.branch.texts, **self._own_texts} if self._own_texts else self.branch.texts

    def decision(self, block: str, node: int) -> Decision | None:
        """What holds for a block of a node; the head's stand as they are."""
        if node < self.branch.lead:
            return None
        return self.decisions.get(block) if self.cut and node < self.cut.until else self.branch.forms.get(block)

    def stands(self, block_id: str) -> bool:
        """Whether a block, wherever it is on the branch, stands in its own bytes."""
        return is_whole(self.decisions.get(block_id) or self.branch.forms.get(block_id)) and self.branch.has(block_id)

    def is_whole(self, node: Node, block: Block) -> bool:
        """Whether a block stands in the view in its own bytes."""
        return is_whole(self.decision(block.id, node.index))

    def pieces(self) -> tuple[Piece, ...]:
        """The messages of the view as it stands."""
        self._follow()
        return self._sent

    @property
    def size(self) -> Size:
        """Size of all pieces before calibration."""
        self._follow()
        return self._size

    def place(self, note: Note) -> None:
        """Show one more note from now on."""
        self._follow()
        self._notes = (*self._notes, (note, self._spoken(note)))
        after = self._arranged(self._notes)
        self._sent, self._size = after, _grown(self._sent, self._size, after)

    def would_be(self, note: Note) -> tuple[Piece, ...]:
        """The messages of the view with one more note."""
        self._follow()
        return self._arranged((*self._notes, (note, self._spoken(note))))

    @property
    def notes(self) -> tuple[Note, ...]:
        """In the order they were placed."""
        return tuple(note for note, _ in self._notes)

    def _follow(self) -> None:
        moves = self.branch.moves
        if self._seen == len(moves):
            return
        for at in dict.fromkeys(moves[self._seen :]):
            self._pieces[at : at + 1] = [self._piece(self.branch.nodes[at])]
        self._seen = len(moves)
        after = self._arranged(self._notes)
        self._sent, self._size = after, _grown(self._sent, self._size, after)

    def _arranged(self, notes: tuple[tuple[Note, Piece], ...]) -> tuple[Piece, ...]:
        body = self._mender.mend(self._pieces)
        lead, front = self.branch.lead, self._behind(body)
        leading = [piece for piece in (self._leading(),) if piece is not None]
        preface = [piece for piece in (self._preface,) if piece is not None]
        after = (*body[:lead], *leading, *body[lead:front], *preface, *body[front:]) if leading or preface else body
        return tuple(self._noted(after, notes)) if notes else after

    def _behind(self, body: Sequence[Piece]) -> int:
        """Place of the preface among the pieces."""
        if self._front == self.branch.lead:
            return self._front
        return next((place for place, piece in enumerate(body) if piece.node >= self._front), len(body))

    def _noted(self, pieces: tuple[Piece, ...], notes: tuple[tuple[Note, Piece], ...]) -> Iterator[Piece]:
        """Pieces with notes between them, each before the node it was placed in front of.

        One that speaks as the system must be followed by the model (K-A17): where a client goes on without an answer it goes.
        """
        waiting = deque(notes)
        for piece in pieces:
            while waiting and piece.node >= waiting[0][0].at:
                note, said = waiting.popleft()
                if note.is_users or self.branch.nodes[piece.node].role == Role.ASSISTANT:
                    yield said
            yield piece
        yield from (said for _, said in waiting)

    def _spoken(self, note: Note) -> Piece:
        raw = self.dialect.user(note.text) if note.is_users else self.dialect.system(note.text, note.role)
        return ours(note.text, raw, Size(note.tokens))

    def _leading(self) -> Piece | None:
        """Resident content where system text is a message; its size is counted with the head."""
        role = self.dialect.lead_role(self.branch.wire[: self.branch.lead]) if self.resident is not None else ""
        if self.resident is None or not self.resident.text or not role:
            return None
        return ours(self.resident.text, self.dialect.system(self.resident.text, role), Size(0, 0))

    @property
    def repairs(self) -> tuple[str, ...]:
        """What of the client's history had to be repaired on the wire."""
        return self._mender.sentences

    def text(self) -> str:
        """The text of the view: the preface, then every block as it is shown."""
        parts = [self.cut.preface] if self.cut else []
        for node in self.branch.nodes:
            for block in node.blocks:
                shown = form(block, self.decision(block.id, node.index))
                if shown:
                    parts.append(shown)
        return "\n".join(parts)

    def _piece(self, node: Node) -> Piece | None:
        covered = self.cut is not None and node.index < self.cut.until
        decisions = self.decisions if covered else self.branch.forms
        if node.index < self.branch.lead:
            decisions = {}
        made = show(node, self.branch.wire[node.index], decisions, self.dialect, self.branch.sizes, self.texts)
        if made is None or node.index not in self._ties.loose:
            return made
        raw = None if node.index in self._ties.gone else self.dialect.loose(made.raw)
        return None if raw is None else msgspec.structs.replace(made, raw=raw)


def _grown(before: tuple[Piece, ...], size: Size, after: tuple[Piece, ...]) -> Size:
    """Size of pieces; where they go on from others of known size, only what came is added up."""
    if after[: len(before)] == before:
        return total([size, *(piece.size for piece in after[len(before) :])])
    return total(piece.size for piece in after)

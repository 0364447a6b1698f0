"""A branch in memory: its nodes, and what is kept up for them as they come."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from pumice.commit import effects, fold
from pumice.compact.lines import LineIndex
from pumice.compile.assemble import total
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.book import Book, Size
from pumice.domain.decision import Decision, Epoch
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group, Node
from pumice.domain.message import Message
from pumice.domain.state import TaskState
from pumice.engine.sizes import measure
from pumice.ledger.groups import extend, is_open
from pumice.ledger.pairing import paired

SETTLED_AHEAD = 4
"""Groups indexed while the model's answer is taken in: more than one call brings, so that a restarted session catches up."""
BRANCH_STRIDE = 1_000_000
"""Branch n numbers its blocks from n − 1 million on, so that names stay unique when two processes fork at once."""


class Arrival(msgspec.Struct, frozen=True):
    """A new message: as the store may hold it, and its bytes as the client sent them."""

    message: Message
    """Secrets replaced; `key` is the identity of what the client sent."""
    wire: bytes
    redactions: int = 0
    ids: tuple[str, ...] = ()
    """Names its blocks had on the branch this one left, empty for a new one; none at all when all are new."""


class Branch:
    """Nodes in order with groups, sizes, tool uses, first-sight forms, line index and task state."""

    def __init__(self, name: str, number: int = 1, inherited: TaskState | None = None) -> None:
        self.name = name
        self.number = number
        self.model = ""
        """Whose formula prices media."""
        self.nodes: list[Node] = []
        self.lead = 0
        """System messages in front: the head, in dialects that have no field for it. Never cut, and before any preface."""
        self.wire: list[bytes] = []
        self.groups: tuple[Group, ...] = ()
        self.before: tuple[Group, ...] = ()
        """Groups the client has replaced by its own summary."""
        self.sizes: dict[str, Size] = {}
        self.texts: dict[str, Size] = {}
        self.uses: dict[str, ToolUse] = {}
        self.known = effects.NOTHING
        """What policy and definitions say of the client's tools."""
        self.forms: dict[str, Decision] = {}
        self.moves: list[int] = []
        """Index of a node each time it came or changed its bytes on the wire."""
        self.held: dict[int, bytes] = {}
        """What the client sends for nodes it has cut down itself."""
        self.holds_media = False
        self.redactions = 0
        self.veiled: set[int] = set()
        """Nodes with secrets: what the client sent of them is never written down."""
        self.bytes = 0
        """Of its own messages, those it shares with the branch it left not counted again."""
        self.counted = 0
        """o200k tokens of all blocks in their own form."""
        self.fixed = 0
        """What they cost besides, whatever the factor."""
        self.responses = 0
        """Groups a model has begun."""
        self.newest_words = ""
        """Id of the newest block a person typed; empty when there is none."""
        self.adopted = 0
        self.lines = LineIndex()
        self.state = inherited or TaskState()
        self.kin: Branch | None = None
        """The branch this one left."""
        self.familiar: set[str] = set()
        """Blocks that came again from there after the shared nodes: their forms are chosen."""
        self._blocks: dict[str, Block] = {}
        self._indexed = 0
        self._next_block = (number - 1) * BRANCH_STRIDE + 1

    def append(self, arrivals: Iterable[Arrival]) -> list[Node]:
        """Take new messages in; returns their nodes, blocks numbered and paired."""
        newest = max(0, len(self.groups) - 1)
        fresh = [self._node(arrival) for arrival in arrivals]
        self.responses -= _responses(self.groups[newest:])
        self.groups = extend(self.groups, fresh)
        self.responses += _responses(self.groups[newest:])
        for place in range(newest, len(self.groups)):
            self._settle_ids(place)
            self._pair(self.groups[place])
        self._measure([block for node in fresh for block in node.blocks])
        return [self.nodes[node.index] for node in fresh]

    def _node(self, arrival: Arrival) -> Node:
        message = arrival.message
        names = arrival.ids or ("",) * len(message.blocks)
        pairs = zip(message.blocks, names, strict=True)
        blocks = tuple(msgspec.structs.replace(block, id=name or self._name()) for block, name in pairs)
        self._recall(filter(None, names))
        node = Node(len(self.nodes), message.role, blocks, message.key, message.raw, message.is_text, message.is_part)
        self.lead += self.lead == node.index and node.role == Role.SYSTEM
        self.nodes.append(node)
        self._blocks.update((block.id, block) for block in blocks)
        self.newest_words = _newest_words(blocks) or self.newest_words
        self.wire.append(arrival.wire)
        self.bytes += len(message.raw)
        self.moves.append(node.index)
        if arrival.redactions:
            self.redactions += arrival.redactions
            self.veiled.add(node.index)
        return node

    def _recall(self, names: Iterable[str]) -> None:
        """Blocks that come again keep the form in which they were first shown."""
        for name in names:
            self.familiar.add(name)
            if self.kin is not None and name in self.kin.forms:
                self.forms[name], self.texts[name] = self.kin.forms[name], self.kin.texts[name]

    def _name(self) -> str:
        name = f"b{self._next_block}"
        self._next_block += 1
        return name

    def _settle_ids(self, place: int) -> None:
        """Give results of a group the ids of their calls, where they have none that says so."""
        group = paired(self.groups[place])
        if group is self.groups[place]:
            return
        self.groups = (*self.groups[:place], group, *self.groups[place + 1 :])
        for node in group.nodes:
            self.nodes[node.index] = node
            self._blocks.update((block.id, block) for block in node.blocks)

    def _pair(self, group: Group) -> None:
        """Describe each call with its result; a call without one yet is described alone."""
        waiting: dict[str, list[Block]] = {}
        for block in group.blocks:
            if block.kind is Kind.CALL:
                waiting.setdefault(block.call_id, []).append(block)
                if block.id not in self.uses:
                    self.uses[block.id] = effects.describe(block, None, self.known)
            elif block.kind is Kind.RESULT and waiting.get(block.call_id):
                call = waiting[block.call_id].pop(0)
                if block.id not in self.uses:
                    self.uses[block.id] = self.uses[call.id] = effects.describe(call, block, self.known)

    def _measure(self, blocks: Sequence[Block]) -> None:
        sizes = measure(blocks, self.model)
        self.sizes.update(zip((block.id for block in blocks), sizes, strict=True))
        self.holds_media = self.holds_media or any(block.media for block in blocks)
        self.counted += sum(size.text for size in sizes)
        self.fixed += sum(size.fixed for size in sizes)

    def price_for(self, model: str) -> None:
        """Count media as another model does; views made before keep their sizes."""
        if model == self.model:
            return
        self.model = model
        held = [block for block in self._blocks.values() if block.media]
        self.sizes = self.sizes | dict(zip((block.id for block in held), measure(held, model), strict=True))
        self.fixed = sum(size.fixed for size in self.sizes.values())

    def settle(self) -> None:
        """Index and fold the groups that can no longer grow, and the newest unless a call of it is pending."""
        self._settle_until(self._grown)

    def settle_some(self) -> None:
        """Do a little of what the next cut would have to do at once: of the groups that can no longer grow, a few."""
        self._settle_until(min(self._grown, self._indexed + SETTLED_AHEAD))

    @property
    def _grown(self) -> int:
        """How many groups can no longer grow, the newest among them unless a call of it is pending."""
        is_whole = bool(self.groups) and not is_open(self.groups[-1])
        return len(self.groups) if is_whole else len(self.groups) - 1

    def _settle_until(self, end: int) -> None:
        while self._indexed < end:
            group = self.groups[self._indexed]
            self.lines.add(group, self.uses)
            self.state = fold(self.state, group, self.uses)
            self._indexed += 1

    def book(self, epoch: Epoch) -> Book:
        """The Book of the branch as it stands, the head left out."""
        self.settle()
        return Book(
            self.groups[1:] if self.lead else self.groups,
            self.uses,
            self.sizes,
            self.lines,
            self.state,
            self.forms,
            epoch,
            self.before,
        )

    @property
    def indexed(self) -> float:
        """Share of its groups that stand in the line index."""
        return self._indexed / len(self.groups) if self.groups else 0.0

    def has(self, block_id: str) -> bool:
        """Whether a block is on this branch."""
        return block_id in self._blocks

    def block(self, block_id: str) -> Block:
        """A block of the branch by its id; raises KeyError."""
        return self._blocks[block_id]

    def lead_size(self) -> Size:
        """Size of the system messages in front."""
        return total(self.sizes[block.id] for node in self.nodes[: self.lead] for block in node.blocks)

    def keep_form(self, decision: Decision, count: Callable[[str], int]) -> None:
        """Remember how a block was first shown."""
        self.forms[decision.block] = decision
        self.texts[decision.block] = Size(count(decision.text or ""))

    def fork(self, name: str, number: int, at: int) -> "Branch":
        """A new branch that shares the nodes before `at`, with their names and first-sight forms."""
        new = Branch(name, number)
        new.model, new.kin, new.known = self.model, self, self.known
        new.nodes, new.wire, new.moves = self.nodes[:at], self.wire[:at], list(range(at))
        new.lead = min(self.lead, at)
        new._blocks = {block.id: block for node in new.nodes for block in node.blocks}
        shared = new._blocks.keys()
        new.groups = extend((), new.nodes)
        new.sizes = {key: size for key, size in self.sizes.items() if key in shared}
        new.counted = sum(size.text for size in new.sizes.values())
        new.fixed = sum(size.fixed for size in new.sizes.values())
        new.responses = _responses(new.groups)
        new.newest_words = _newest_words(new._blocks.values())
        new.texts = {key: size for key, size in self.texts.items() if key in shared}
        new.forms = {key: form for key, form in self.forms.items() if key in shared}
        # A call's result stands in its own group: only the newest can have lost one.
        settled = (block.id for group in new.groups[:-1] for block in group.blocks)
        new.uses = {block: self.uses[block] for block in settled if block in self.uses}
        for group in new.groups[-1:]:
            new._pair(group)
        new.veiled = {index for index in self.veiled if index < at}
        new.before, new.holds_media = self.before, self.holds_media
        new.lines = self.lines.rebuilt((), {})
        new.adopted = min(self.adopted, at)
        return new

    def touch(self, index: int, raw: bytes) -> None:
        """Take newer bytes of a known node from the current request."""
        self.wire[index] = raw
        self.moves.append(index)


def _responses(groups: Iterable[Group]) -> int:
    return sum(1 for group in groups if not group.is_user)


def _newest_words(blocks: Iterable[Block]) -> str:
    """Id of the newest of some blocks that a person typed; empty when there is none."""
    typed = [block.id for block in blocks if block.origin is Origin.PERSON and block.kind is Kind.TEXT]
    return typed[-1] if typed else ""

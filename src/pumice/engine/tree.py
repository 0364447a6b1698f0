"""The tree of a session in memory: branches, lanes, calls and hand-made pins, moved only by journal entries."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pumice import wire
from pumice.commit import effects
from pumice.compact.breaker import Breaker
from pumice.compact.economics import pulse_after
from pumice.domain.decision import Cause, Epoch
from pumice.domain.effect import Effect
from pumice.domain.hidden import Hidden
from pumice.domain.pointer import Section
from pumice.domain.state import Pin
from pumice.engine import journal
from pumice.engine.branch import Arrival, Branch
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane, Sent
from pumice.engine.shown import Shown
from pumice.engine.spending import Spending
from pumice.measure import tokens
from pumice.wire import jsonbytes
from pumice.wire import tools as definitions


class Tree:
    """What the events of a session add up to."""

    def __init__(self, stated: Mapping[str, Effect] | None = None) -> None:
        self.known = effects.Known(stated or {})
        """What the policy says that tools do."""
        self.branches: dict[str, Branch] = {}
        self.parents: dict[str, tuple[str, int]] = {}
        """Branch → the branch it forked from, and how many nodes they share."""
        self.lanes: dict[str, Lane] = {}
        self.current: dict[str, Lane] = {}
        """The lane each agent was last seen in."""
        self.calls: dict[int, journal.CallEvent] = {}
        self.responses: dict[int, journal.ResponseEvent] = {}
        self.heads: dict[str, list[bytes]] = {}
        """Versions of each lane's head as the store holds them: a JSON object without messages."""
        self.pins: dict[str, Pin] = {}
        self.pins_version = 0
        """How often hand-made pins have changed."""
        self.hidden: dict[str, list[tuple[Hidden, tuple[bytes, ...]]]] = {}
        """Exchanges the client does not see with their messages, by agent."""
        self.jots: dict[str, tuple[str, int]] = {}
        """Notes given by hand: by topic the text, and the ordinal of the newest block then."""
        self.content: dict[str, tuple[str, ...]] = {}
        """Resident content as it was last given, by name."""
        self.past_content: list[journal.ContentEvent] = []
        """Everything that ever was: some of it is kept under addresses."""
        self.stepped_back: dict[str, str] = {}
        """Why an agent's requests go through as they come; empty where they are compiled again."""
        self.reread: tuple[Section, ...] = ()
        """Sections that stay in view for having been read back so often, oldest first."""
        self.limits: dict[str, int] = {}
        """Windows by model that a provider's error has named."""
        self.spent = Spending()
        self.answers: dict[str, journal.AnswerEvent] = {}
        """What models have answered, by the key of the question."""
        self.addresses: dict[str, str] = {}
        """Blocks by the addresses that were given to them besides their own."""
        self.failed: dict[str, journal.AskFailed] = {}
        """Questions that had no usable answer: never asked again, unless a person asks for a cut. By key."""

    @property
    def first(self) -> str:
        """Where events of the whole session go: its first branch, or a branch of their own before any call."""
        return next(iter(self.branches), "session")

    def load(self, entries: Iterable[Entry]) -> None:
        """Apply recorded entries; runs of messages are taken in at once."""
        for (branch, is_message), run in itertools.groupby(
            entries, key=lambda entry: (entry.branch, isinstance(entry.header, journal.MessageEvent))
        ):
            if is_message:
                self._reload(self.branches[branch], list(run))
            else:
                for entry in run:
                    self.apply(entry)
        self._restore_sent()

    def _restore_sent(self) -> None:
        for lane in self.current.values():
            self.restore(lane)

    def restore(self, lane: Lane) -> None:
        """The bytes a lane last had on the wire, and what it sent of them, for its next view to extend."""
        for index, change in self._patches(lane.branch, len(lane.branch.nodes), max(self.calls, default=0)).items():
            lane.branch.touch(index, journal.apply(lane.branch.nodes[index].raw, change))
        call = self.calls.get(lane.newest_call)
        if call is not None and call.nodes == len(lane.branch.nodes) and call.epoch == lane.epoch.number:
            lane.sent = Sent(lane.shown.pieces(), call.epoch, call.nodes, size=lane.shown.size)

    def _reload(self, branch: Branch, run: Sequence[Entry]) -> None:
        dialect = wire.get(self._dialect_of(branch))
        arrivals: list[Arrival] = []
        for entry in run:
            message = dialect.read_message(entry.raw)
            held = msgspec.structs.replace(message, key=bytes.fromhex(entry.header.key))
            arrivals.append(Arrival(held, entry.raw, entry.header.redactions, entry.header.ids))
            if entry.header.adopted:
                branch.adopted = entry.header.index + 1
        branch.append(arrivals)

    def _dialect_of(self, branch: Branch) -> str:
        return next(lane.dialect.name for lane in self.lanes.values() if lane.branch is branch)

    def apply(self, entry: Entry) -> None:
        """Move the tree by one entry other than a message."""
        match entry.header:
            case journal.BranchEvent() as event:
                self._open_branch(event)
            case journal.LaneEvent() as event:
                self._open_lane(event)
            case journal.HeadEvent() as event:
                self._note_head(event, entry.raw)
            case journal.DietEvent() as event:
                self.lanes[event.lane].diet = event.diet
            case journal.ContentEvent() as event:
                self._give(event)
            case journal.ResidentEvent() as event:
                self.lanes[event.lane].take_resident(event)
            case journal.ReadBackEvent() as event:
                self.lanes[event.lane].take_redeem(event.redeem)
            case journal.NoteEvent() as event:
                self.lanes[event.lane].note(event.note)
            case journal.FormEvent() as event:
                self.branches[entry.branch].keep_form(event.decision, tokens.count)
            case journal.CutEvent() as event:
                self._begin(event)
            case journal.CutStart() as event:
                self._start(event)
            case journal.AddressEvent() as event:
                self.addresses.setdefault(event.address, event.block)
            case journal.AnswerEvent() as event:
                self._answer(event)
            case journal.AskFailed() as event:
                self.failed[event.key] = event
                self._pay(event)
                if event.lane in self.lanes:
                    self.lanes[event.lane].breaker = event.breaker
            case journal.CutDropped() as event:
                self.lanes[event.lane].breaker = event.breaker
                self.lanes[event.lane].dropped += (event.reason,)
            case journal.CutDeclined() as event:
                self.lanes[event.lane].pulse = event.pulse
                self.lanes[event.lane].ended = ""
            case journal.ResumeEvent() as event:
                self.current[self.lanes[event.lane].agent] = self.lanes[event.lane]
            case journal.BreakEvent() as event:
                lane = self.lanes[event.lane]
                lane.begin(Epoch(event.epoch, Cause(event.cause), lane.cut, lane.resident), lane.shown)
                lane.is_torn |= event.cause == Cause.FAULT
            case journal.StepBackEvent() as event:
                self.stepped_back[event.agent] = event.reason
            case journal.RollbackEvent() as event:
                self._roll_back(event)
            case journal.CallEvent() as event:
                self.calls[event.call] = event
                self.lanes[event.lane].count_call(entry.at, event.nodes, event.call)
                self.spent.foretell(event, self.lanes[event.lane].model)
            case journal.ResponseEvent() as event:
                self._respond(event)
            case journal.PhaseEvent() as event:
                self.lanes[event.lane].ended = event.name
            case journal.PolicyEvent() as event:
                self.lanes[event.lane].harder_next = event
            case journal.PinEvent() as event:
                self.pins[event.pin.id] = event.pin
                self.pins_version += 1
            case journal.HiddenEvent() as event:
                messages = tuple(jsonbytes.items(entry.raw))
                self.hidden.setdefault(event.hidden.agent, []).append((event.hidden, messages))
            case journal.JotEvent() as event:
                self.jots |= {topic: (text, event.after) for topic, text in event.notes.items()}
            case journal.RereadEvent() as event:
                self.reread = (*(one for one in self.reread if not event.section.is_about(one)), event.section)
            case journal.LimitEvent() as event:
                self.limits[event.model] = event.tokens
            case journal.UnpinEvent() as event:
                self.pins.pop(event.id, None)
                self.pins_version += 1
            case _:
                return

    def _open_branch(self, event: journal.BranchEvent) -> None:
        parent = self.branches.get(event.parent)
        if parent is None:
            new = Branch(event.name, event.number)
            new.known = self.known
        elif event.carries:
            parent.settle()
            new = Branch(event.name, event.number, parent.state)
            new.before, new.kin, new.known = (*parent.before, *parent.groups), parent, parent.known
        else:
            new = parent.fork(event.name, event.number, event.at)
        self.branches[event.name] = new
        if event.parent and not event.carries:
            self.parents[event.name] = (event.parent, event.at)

    def _open_lane(self, event: journal.LaneEvent) -> None:
        branch = self.branches[event.branch]
        branch.price_for(event.model)
        lane = Lane(event.lane, event.agent, wire.get(event.dialect), event.model, branch, Cause(event.cause))
        parent = self.lanes.get(event.parent)
        if parent is not None:
            lane.inherit(parent, keeps_cut=parent.cut is not None and parent.cut.until <= len(branch.nodes))
        self.lanes[event.lane] = self.current[event.agent] = lane

    def _note_head(self, event: journal.HeadEvent, raw: bytes) -> None:
        versions = self.heads.setdefault(event.lane, [])
        versions.append(raw if event.change is None else journal.apply(versions[-1], event.change))
        lane = self.lanes[event.lane]
        lane.head_key = bytes.fromhex(event.key)
        lane.branch.known = msgspec.structs.replace(lane.branch.known, declared=definitions.declared(versions[-1]))

    def _give(self, event: journal.ContentEvent) -> None:
        self.past_content.append(event)
        self.content.pop(event.name, None)
        if event.texts:
            self.content[event.name] = event.texts

    def _start(self, event: journal.CutStart) -> None:
        """Whoever asks for a cut by hand closes the breaker (F-D4), and may name what to keep in mind."""
        if event.cause == Cause.REQUESTED:
            self.lanes[event.lane].breaker = Breaker()
            self.lanes[event.lane].focus = event.focus
            self.failed.clear()

    def _answer(self, event: journal.AnswerEvent) -> None:
        self.answers[event.key] = event
        self._pay(event)

    def _pay(self, event: journal.AnswerEvent | journal.AskFailed) -> None:
        if event.usage is not None:
            lane = self.lanes.get(event.lane)
            self.spent.add(event.model or (lane.model if lane is not None else ""), event.usage)

    def _begin(self, event: journal.CutEvent) -> None:
        lane = self.lanes[event.lane]
        lane.begin(Epoch(event.epoch, event.cut.cause, event.cut, lane.coming))
        lane.pulse, lane.breaker = event.pulse or pulse_after(event.cut), event.breaker
        lane.harder, lane.ended = lane.harder_next, ""
        lane.pins_version = self.pins_version

    def _roll_back(self, event: journal.RollbackEvent) -> None:
        lane = self.lanes[event.lane]
        target = next(epoch for epoch in lane.epochs if epoch.number == event.to)
        lane.begin(Epoch(event.epoch, Cause.REQUESTED, target.cut, lane.coming))

    def _respond(self, event: journal.ResponseEvent) -> None:
        self.responses[event.call] = event
        self.lanes[event.lane].has_hit |= bool(event.cache_read)
        call = self.calls.get(event.call)
        if call is not None:
            self.spent.settle(call, event, self.lanes[event.lane].model)
        if call is not None and event.reported is not None:
            self.lanes[event.lane].calibrate(call, event.reported)

    def has_failed(self, lane: str, epoch: int) -> bool:
        """Whether a question put for an epoch had no usable answer."""
        return any((event.lane, event.epoch) == (lane, epoch) for event in self.failed.values())

    def shown_at(self, call: journal.CallEvent) -> Shown:
        """What a past call's lane showed: its branch up to there under the epoch of then."""
        lane = self.lanes[call.lane]
        epoch = next(epoch for epoch in lane.epochs if epoch.number == call.epoch)
        past = lane.branch.fork(lane.branch.name, lane.branch.number, call.nodes)
        past.wire = [node.raw for node in past.nodes]
        shown = Shown(past, lane.dialect, epoch.cut, epoch.resident)
        for note in lane.notes.get(call.epoch, ()):
            if note.call <= call.call:
                shown.place(note)
        return shown

    def patches_until(self, call: journal.CallEvent) -> dict[int, journal.Change]:
        """How nodes of a call's branch last differed on the wire, up to that call."""
        return self._patches(self.lanes[call.lane].branch, call.nodes, call.call)

    def _patches(self, branch: Branch, nodes: int, last: int) -> dict[int, journal.Change]:
        shared = self._shared(branch.name, nodes)
        newest: dict[int, journal.Change] = {}
        for number in range(1, last + 1):
            event = self.calls.get(number)
            if event is not None:
                most = shared.get(self.lanes[event.lane].branch.name, 0)
                newest.update((index, change) for index, change in event.patches if index < most)
        return newest

    def _shared(self, branch: str, nodes: int) -> dict[str, int]:
        """Branches whose first nodes are a branch's own, with how many they share."""
        shared = {branch: nodes}
        while branch in self.parents:
            branch, at = self.parents[branch]
            shared[branch] = nodes = min(nodes, at)
        return shared

"""The judge: every metric of one policy on one session, call by call."""

import msgspec

from pumice.domain.book import Size
from pumice.domain.manifest import Manifest
from pumice.domain.message import Violation
from pumice.errors import CannotFit
from pumice.evaluate.driver import Compiled
from pumice.evaluate.metrics import altered, constraints, grounding, reads, retention, validity
from pumice.evaluate.metrics.cost import Bill, Charge, Till
from pumice.evaluate.metrics.further import FurtherJudge
from pumice.evaluate.metrics.grounding import Grounding, Judged
from pumice.evaluate.metrics.pointers import Pointers
from pumice.evaluate.metrics.theirs import Theirs
from pumice.evaluate.options import Options
from pumice.evaluate.score import Score
from pumice.evaluate.script import Moment, Need, Script
from pumice.evaluate.view import Reader, View
from pumice.wire.dialect import Dialect

MOST_NOTES = 5
"""Faults named per session and policy; all are counted."""


class Seen(msgspec.Struct, frozen=True):
    """A judged call, for reports and dumps."""

    call: int
    response_id: str | None
    dialect: str
    body: bytes
    tokens: int
    """The complete request, calibrated."""
    usable: int
    size: Size
    """Before calibration."""
    bill: Bill
    full: Bill
    """The full history on the same call."""
    lane: str
    epoch: int
    cause: str
    manifest: Manifest | None
    missing: tuple[Need, ...] = ()
    """Names the recorded response used that do not stand in the view."""
    problem: CannotFit | None = None
    """Why it stands as the client wrote it."""


class Judge:
    """Follows one policy through one session."""

    def __init__(self, script: Script, dialect: Dialect, options: Options) -> None:
        recording = script.recording
        self.score = Score()
        self.notes: list[str] = []
        self.unfit: CannotFit | None = None
        """The first call that could not be made to fit."""
        self.pointed: dict[str, str | None] = {}
        """Blocks that pointers of ours named → the text they must resolve to; None for a name no block has."""
        self._script = script
        self._options = options
        self._reader = Reader(dialect, recording.model)
        head = Reader(dialect, recording.model).read(recording.body(None, ())).size
        self._till = Till(head, options)
        self._validity = validity.Validity()
        self._constraints = constraints.Constraints()
        self._retention = retention.Retention()
        self._theirs = Theirs(script.sources)
        self._altered = altered.Altered(self._theirs, b"\n".join(recording.fields.values()).decode("utf-8", "replace"))
        self._further = FurtherJudge(self._theirs, recording)
        self._names: list[str] = []
        self._epochs: set[tuple[str, int]] = set()

    def see(self, moment: Moment, compiled: Compiled) -> Seen:
        """Judge the view of a call and add it to the score."""
        self._theirs.learn(moment.sources)
        view = self._reader.read(compiled.body)
        charge = self._till.see(moment, view, compiled.factor or moment.rate.factor)
        tokens = charge.bill.tokens if compiled.tokens is None else compiled.tokens + self._options.head
        seen = Seen(
            call=moment.call.number,
            response_id=moment.call.response_id,
            dialect=self._script.recording.dialect,
            body=compiled.body,
            tokens=tokens,
            usable=compiled.usable.tokens + self._options.head,
            size=view.size,
            bill=charge.bill,
            full=charge.full,
            lane=compiled.lane,
            epoch=compiled.epoch,
            cause=compiled.cause,
            manifest=compiled.manifest,
            problem=compiled.problem,
        )
        held = self._held(seen, view, compiled)
        judged = self._ground(moment, view)
        further = self._judge_further(moment, view, compiled, begins=held.epochs > 0)
        self.score += held + self._kept(moment, view, charge, judged, compiled) + further
        return msgspec.structs.replace(seen, missing=judged.missing)

    def _judge_further(self, moment: Moment, view: View, compiled: Compiled, *, begins: bool) -> Score:
        factor = compiled.factor or moment.rate.factor
        found = self._further.see(moment, view, factor=factor, names=self._names, begins=begins)
        return Score(further=found)

    def _held(self, seen: Seen, view: View, compiled: Compiled) -> Score:
        """Whether the view holds what was promised: budget, rules, prefix, manifest."""
        faults = self._faults(seen, view)
        if compiled.problem is not None:
            self.unfit = self.unfit or compiled.problem
            self.note(f"call {seen.call}: {compiled.problem}")
        return Score(
            calls=1,
            bill=seen.bill,
            overflows=int(seen.tokens > seen.usable),
            violations=len(faults),
            epochs=self._begun(seen),
            latencies=() if compiled.milliseconds is None else (compiled.milliseconds,),
        )

    def _kept(self, moment: Moment, view: View, charge: Charge, judged: Judged, compiled: Compiled) -> Score:
        """What the view kept of what was known, and what that costs."""
        return Score(
            full_tokens=charge.full.tokens,
            money=charge.money(
                lost=len(judged.lost), pointed=len(judged.pointed), output=moment.output, asked=compiled.asked_usd
            ),
            rules_found=sum(rule.is_detected for rule in moment.rules),
            rules=self._constraints.see(moment, view),
            retention=self._retention.see(moment.fresh, view),
            grounding=judged.grounding,
            after=judged.grounding if moment.is_after_compaction else Grounding(),
            reads=reads.judge(moment, view, self._script.sources),
            altered=self._count_altered(moment, view),
        )

    def _faults(self, seen: Seen, view: View) -> list[Violation]:
        found = self._validity.see(view, (seen.lane, seen.epoch))
        if seen.manifest is not None:
            rows = validity.block_rows(seen.manifest)
            self._names = [row.id for row in rows]
            found += validity.uncovered(rows, self._theirs.sources, redacted=seen.manifest.redactions > 0)
        for fault in found:
            self.note(f"call {seen.call}: {fault.rule} {fault.path}: {fault.message}")
        return found

    def _ground(self, moment: Moment, view: View) -> Judged:
        pointers = Pointers(shown for shown in view.messages if not self._theirs.wrote(shown))
        fresh = pointers.all - self.pointed.keys()
        if fresh:
            texts = {name: source.block.text for name, source in zip(self._names, self._script.sources, strict=False)}
            self.pointed |= {name: texts.get(name) for name in sorted(fresh)}
        return grounding.judge(moment.needs, view.text, pointers, self._script.sources, self._names)

    def _count_altered(self, moment: Moment, view: View) -> int:
        found = self._altered.see(view)
        for scalar in found:
            self.note(f"call {moment.call.number}: {scalar!r} inside our marks occurs in no source")
        return len(found)

    def _begun(self, seen: Seen) -> int:
        """1 when the call begins an epoch after the one its lane opened with."""
        epoch = (seen.lane, seen.epoch)
        is_new = seen.epoch > 0 and epoch not in self._epochs
        self._epochs.add(epoch)
        return int(is_new)

    def note(self, fault: str) -> None:
        """Keep the first few faults to be shown."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(fault)

    def conclude(self, unresolved: list[str]) -> None:
        """Count the pointers that did not resolve to their stored text."""
        for name in unresolved:
            self.note(f"pointer to {name} does not resolve to its block's text")
        self.score += Score(violations=len(unresolved))

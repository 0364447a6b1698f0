"""The judge: every metric of one policy on one session, call by call."""

import msgspec

from pumice.domain.book import Size
from pumice.domain.manifest import Manifest
from pumice.domain.message import Violation
from pumice.evaluate.driver import Compiled
from pumice.evaluate.metrics import altered, constraints, grounding, reads, retention, validity
from pumice.evaluate.metrics.cost import Bill, Till
from pumice.evaluate.metrics.grounding import Grounding, Judged
from pumice.evaluate.options import Options
from pumice.evaluate.score import Score
from pumice.evaluate.script import Moment, Script
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
    lane: str
    epoch: int
    cause: str
    manifest: Manifest | None


class Judge:
    """Follows one policy through one session."""

    def __init__(self, script: Script, dialect: Dialect, options: Options) -> None:
        recording = script.recording
        self.score = Score()
        self.notes: list[str] = []
        self.pointed: dict[str, str] = {}
        """Blocks that pointers of the views named → the text they must resolve to."""
        self._script = script
        self._options = options
        self._reader = Reader(dialect, recording.model)
        head = Reader(dialect, recording.model).read(recording.body(None, ())).size
        self._till = Till(head, options)
        self._validity = validity.Validity()
        self._constraints = constraints.Constraints()
        self._retention = retention.Retention()
        self._altered = altered.Altered(script.sources, b"\n".join(recording.fields.values()).decode("utf-8", "replace"))
        self._names: list[str] = []
        self._epochs: set[tuple[str, int]] = set()

    def see(self, moment: Moment, compiled: Compiled) -> Seen:
        """Judge the view of a call and add it to the score."""
        view = self._reader.read(compiled.body)
        charge = self._till.see(moment, view, compiled.factor or moment.rate.factor)
        tokens = charge.bill.tokens if compiled.tokens is None else compiled.tokens + self._options.head
        usable = compiled.usable.tokens + self._options.head
        faults = self._faults(moment, view, compiled)
        judged = self._ground(moment, view)
        self.score += Score(
            calls=1,
            bill=charge.bill,
            full_tokens=charge.full.tokens,
            overflows=int(tokens > usable),
            violations=len(faults),
            epochs=self._begun(compiled),
            money=charge.money(lost=len(judged.lost), pointed=len(judged.pointed), output=moment.output),
            rules_found=sum(rule.is_detected for rule in moment.rules),
            rules=self._constraints.see(moment, view),
            retention=self._retention.see(moment.fresh, view),
            grounding=judged.grounding,
            after=judged.grounding if moment.is_after_compaction else Grounding(),
            reads=reads.judge(moment, view, self._script.sources),
            altered=self._count_altered(moment, view),
            latencies=() if compiled.milliseconds is None else (compiled.milliseconds,),
        )
        return Seen(
            moment.call.number, moment.call.response_id, self._script.recording.dialect, compiled.body, tokens, usable,
            view.size, charge.bill, compiled.lane, compiled.epoch, compiled.cause, compiled.manifest,
        )  # fmt: skip

    def _faults(self, moment: Moment, view: View, compiled: Compiled) -> list[Violation]:
        found = self._validity.see(view, (compiled.lane, compiled.epoch))
        if compiled.manifest is not None:
            rows = validity.block_rows(compiled.manifest)
            self._names = [row.id for row in rows]
            redacted = compiled.manifest.redactions > 0
            found += validity.uncovered(rows, self._script.sources[: moment.sources], redacted=redacted)
        for fault in found:
            self.note(f"call {moment.call.number}: {fault.rule} {fault.path}: {fault.message}")
        if compiled.problem:
            self.note(compiled.problem)
        return found

    def _ground(self, moment: Moment, view: View) -> Judged:
        pointers = grounding.Pointers(view)
        fresh = pointers.all - self.pointed.keys()
        if fresh:
            texts = zip(self._names, self._script.sources, strict=False)
            self.pointed |= {name: source.block.text for name, source in texts if name in fresh}
        return grounding.judge(moment.needs, view.text, pointers, self._script.sources, self._names)

    def _count_altered(self, moment: Moment, view: View) -> int:
        found = self._altered.see(moment.sources, view)
        for scalar in found:
            self.note(f"call {moment.call.number}: {scalar!r} inside our marks occurs in no source")
        return len(found)

    def _begun(self, compiled: Compiled) -> int:
        """1 when the call begins an epoch after the one its lane opened with."""
        epoch = (compiled.lane, compiled.epoch)
        is_new = compiled.epoch > 0 and epoch not in self._epochs
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

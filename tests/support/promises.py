"""What every view promises, checked from the outside: on the finished bytes, the manifest and the session's own answers."""

import itertools
import json
import re
from collections.abc import Sequence
from typing import Any

from pumice import wire
from pumice.domain import marks
from pumice.domain.block import Origin
from pumice.engine.call import View
from pumice.measure import entities, media, tokens
from pumice.wire import rules

OURS = re.compile(r"<pumice:[a-z]+[^>\n]*>\n(.*?)\n</pumice:[a-z]+>", re.DOTALL)


def is_valid(view: View, sent: bytes, dialect: str) -> None:
    """No provider rule is broken that the client's own request does not break, and no breach goes unsaid."""
    theirs = {found.rule for found in rules.check(sent, dialect)}
    for found in rules.check(view.raw, dialect):
        assert found.rule in theirs, found
        assert any(found.rule in warning for warning in view.manifest.warnings), (found, view.manifest.warnings)


def fits(view: View) -> None:
    """The complete request is within the usable window."""
    assert view.tokens.total <= view.usable.tokens, (view.tokens.total, view.usable)


def is_counted(view: View, dialect: str, model: str) -> None:
    """Counted again from its bytes the request is as big as the view says, while no provider has reported otherwise."""
    units = wire.get(dialect).units(view.raw)
    lead = sum(1 for _ in itertools.takewhile(lambda sent: sent.get("role") in ("system", "developer"), view_messages(view)))
    in_head, in_messages = 0.0, 0.0
    for unit in units:
        size = view.manifest.factor * tokens.count(unit.text) + 8 + sum(media.tokens(item, model) for item in unit.media)
        is_head = unit.message < lead
        in_head, in_messages = in_head + size * is_head, in_messages + size * (not is_head)
    assert abs(in_messages - view.tokens.messages) <= 0.01 * in_messages + 2, (in_messages, view.tokens.messages)
    assert view.tokens.head >= 0.95 * in_head - 2, (in_head, view.tokens.head)


def view_messages(view: View) -> list[dict[str, Any]]:
    """The messages of a view, decoded."""
    body = json.loads(view.raw)
    found: list[dict[str, Any]] = body[field_of(body)]
    return found


def field_of(body: dict[str, Any]) -> str:
    """The key of a body's messages."""
    return next(field for field in ("messages", "input", "contents") if field in body)


def keeps_the_head(view: View, sent: bytes) -> None:
    """System text, tools and every other field stand as the client sent them, first of all (B-E2)."""
    theirs, ours = json.loads(sent), json.loads(view.raw)
    field = field_of(theirs)
    assert {**ours, field: None, "thinking": None} == {**theirs, field: None, "thinking": None}
    lead = list(itertools.takewhile(lambda message: message.get("role") in ("system", "developer"), theirs[field]))
    assert ours[field][: len(lead)] == lead


def keys(view: View, dialect: str) -> list[bytes]:
    """Canonical units, the way a provider's cache compares them."""
    return [unit.key for unit in wire.get(dialect).units(view.raw)]


def extends(before: View, after: View, dialect: str) -> None:
    """Within one lane and epoch the earlier view is a prefix of the later; over a cut reasoning is treated as it must be."""
    if before.lane != after.lane:
        return
    opened = wire.get(dialect).open
    assert rules.check_rewrite(opened(before.raw), opened(after.raw)) == ()
    if before.epoch == after.epoch:
        old, new = keys(before, dialect), keys(after, dialect)
        assert new[: len(old)] == old, (before.call, after.call, before.epoch)


async def is_accounted_for(view: View, session: Any) -> None:
    """Each block of the branch has one row; what is not shown as it came can be read back as stored."""
    lane = session.tree.lanes[view.lane]
    blocks = {block.id: block for node in lane.branch.nodes for block in node.blocks}
    rows = {row.id: row for row in view.manifest.rows}
    assert len(rows) == len(view.manifest.rows)
    assert blocks.keys() <= rows.keys()
    for row in rows.values():
        if row.pointer and row.id in blocks:
            target = session.blocks()[row.pointer.rpartition("/")[2]]
            session.reads.reset()
            found = await session.read_range(row.pointer, unit="chars", limit=20_000)
            assert found.text == target.text[:20_000]


def adds_nothing(view: View, session: Any, sources: Sequence[str]) -> None:
    """No name or number inside our marks, but for what marks exempt, occurs in no source."""
    texts = [unit.text for unit in wire.get(session.tree.lanes[view.lane].dialect.name).units(view.raw)]
    known = "\n".join([*sources, *(block.text for block in session.blocks().values())])
    for text in texts:
        if text in known:
            continue
        for inner in OURS.findall(text):
            for line in inner.split("\n"):
                said = re.sub(r"^\s*\d+→", "", line)
                if line.startswith((marks.GAP, marks.OPEN, marks.CLOSE)):
                    continue
                for entity in entities.find(said):
                    assert entity.text in known, (entity, line)


def trusts_only_people(session: Any) -> None:
    """No pin or rule has a source that a person did not type."""
    blocks = session.blocks()
    for branch in session.tree.branches.values():
        branch.settle()
        for pin in branch.state.pins:
            assert not pin.block or blocks[pin.block].origin is Origin.PERSON, pin
        for item in branch.state.items:
            if item.entry in ("constraint", "correction", "approval", "goal"):
                # What an approval answered is its second source.
                assert blocks[item.sources[0]].origin is Origin.PERSON, item


def marks_are_ours(view: View, session: Any) -> None:
    """Where we write, every mark is opened and closed once, and every address in one can be read."""
    blocks = session.blocks().values()
    known = {block.text for block in blocks}
    # Of long words of a person the middle is left out: their lines may be cut off.
    typed = tuple(line for block in blocks if block.origin is Origin.PERSON for line in block.text.split("\n"))
    for unit in wire.get(session.tree.lanes[view.lane].dialect.name).units(view.raw):
        if not unit.text.startswith(marks.OPEN) or unit.text in known:
            continue
        opened = re.findall(r"<pumice:([a-z]+)(?: [^>\n]*)?>", unit.text)
        assert opened == re.findall(r"</pumice:([a-z]+)>", unit.text), unit.text[:400]
        for line in unit.text.split("\n"):
            if line.startswith((marks.GAP, marks.OPEN)) and not any(own.startswith(line) for own in typed):
                for address in re.findall(r"(?:^⋯ |workspace://artifacts/)(b\d+)", line):
                    assert address in session.blocks(), line

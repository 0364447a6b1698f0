"""A lane's resident content: decided at its first call, on record, and the same until its next epoch (DESIGN §2).

What stands stable never moves inside a lane: where it changes, the next call opens a lane of cause `client_head`. What
stands semi-stable waits for the next epoch.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from pumice.compile import resident as residents
from pumice.compile.manifest import HeadPart
from pumice.domain import marks, pointer
from pumice.domain.block import Kind
from pumice.domain.book import BLOCK_OVERHEAD
from pumice.domain.decision import Cause, Outcome
from pumice.domain.manifest import Usable
from pumice.domain.message import Request
from pumice.domain.resident import EXAMPLES, NAMES, PLATFORM, STABLE, Given, Resident
from pumice.engine import journal
from pumice.engine.journal import Entry
from pumice.engine.lane import Lane
from pumice.engine.tree import Tree
from pumice.errors import InvalidInput
from pumice.measure import models, tokens
from pumice.wire import jsonbytes

if TYPE_CHECKING:
    from pumice.engine.session import Session

Texts = str | Sequence[str]
NOTHING = Resident("", (), (), "")
"""A head from which the block has gone."""


def read(name: str, given: Texts) -> tuple[str, ...]:
    """What a caller gives under a name, as texts; none where it is empty. Raises InvalidInput."""
    if name not in NAMES:
        raise InvalidInput(f"resident content {name!r} is not known; expected one of {', '.join(NAMES)}.")
    if not isinstance(given, Sequence):
        raise InvalidInput(f"{type(given).__name__} given as {name}, expected text.")
    texts = (given,) if isinstance(given, str) else tuple(given)
    if len(texts) > 1 and name != EXAMPLES:
        raise InvalidInput(f"{len(texts)} texts given as {name}, expected one.", hint=f"Only {EXAMPLES} takes several.")
    for text in texts:
        if not isinstance(text, str):
            raise InvalidInput(f"{type(text).__name__} given as {name}, expected text.")
        if not marks.is_plain(text):
            raise InvalidInput(f"{name} holds marks of pumice: `{marks.OPEN}` or a line that begins with {marks.GAP}.")
    return tuple(text for text in texts if text.strip())


def take(session: "Session") -> None:
    """Put on record what the caller has given and the session does not hold yet."""
    redact = session.context.store.redactor
    for name, given in session.context.resident.items():
        texts = tuple(redact(text).text for text in given)
        if texts != session.tree.content.get(name, ()):
            session.write(Entry(session.tree.first, journal.ContentEvent(name, texts)))


def is_outdated(session: "Session", lane: Lane) -> bool:
    """Whether something stable in the lane's head is another now, or new: it cannot go on as it is."""
    content = session.tree.content
    if not content and lane.resident is None:
        return False
    known = {given.name: given for given in lane.resident.given} if lane.resident else {}
    now = {given.name: given for given in residents.given(content, residents.rules(session.context.policy))}
    fixed = {name for name, given in {**now, **known}.items() if given.zone == STABLE}
    return any(_digest(known.get(name)) != _digest(now.get(name)) for name in fixed)


def decide(session: "Session", lane: Lane, usable: Usable) -> None:
    """Give a lane its block at its first call; later, what its next epoch begins with where that is another."""
    policy = residents.rules(session.context.policy)
    basis = residents.basis(session.tree.content, policy)
    is_first = not lane.newest_call
    now = is_first and (lane.cause is not Cause.CLIENT_EDIT or is_outdated(session, lane))
    held = made = lane.resident if now else lane.coming
    if basis != (held.basis if held else ""):
        room = residents.Room(usable.tokens, lane.calibration.factor, tokens.count)
        made = residents.plan(session.tree.content, policy, room)
    if now:
        made = _bound(lane, made)
    if made != held:
        _keep(session, made)
        session.write(Entry(lane.branch.name, journal.ResidentEvent(lane.name, made, now)))


def fields(shown: Resident | None, lane: Lane, request: Request) -> Mapping[str, bytes]:
    """Top-level fields of a request that the block changes."""
    return lane.dialect.headed(request, shown.text) if shown is not None and shown.text else {}


def as_asked(tree: Tree, agent: str, request: Request) -> Request:
    """A request that goes on from the lane's last view, without the block of that."""
    lane = tree.current.get(agent)
    if lane is None or lane.resident is None or not lane.resident.text or lane.dialect.name != request.dialect:
        return request
    return lane.dialect.headless(request, lane.resident.text)


def parts(shown: Resident | None) -> tuple[HeadPart, ...]:
    """The block as parts of the head; all of them together are one block."""
    if shown is None:
        return ()
    return tuple(
        HeadPart(
            name=f"resident:{part.name}",
            tokens=part.tokens,
            digest=part.digest,
            outcome=Outcome.FOLD if part.pointer else Outcome.PLACED,
            source="pumice",
            reason=part.reason,
            fixed=0 if at else BLOCK_OVERHEAD,
            zone=part.zone,
            authority=part.authority,
            trust=part.trust,
            basis="given to the session by its caller",
            pointer=part.pointer,
        )
        for at, part in enumerate(shown.parts)
    )


def missing(shown: Resident | None, body: bytes) -> Iterator[str]:
    """Whether the platform's policy does not stand, whole and in the bytes on record, in a finished request."""
    for part in shown.parts if shown is not None else ():
        if part.kind == PLATFORM and not _stands(shown, part.digest, body):
            yield f"{PLATFORM} does not stand in the request as it was given"


def notes(lane: Lane) -> Iterator[str]:
    """What the lane's manifests warn of."""
    pointed = [part for part in lane.resident.parts if part.pointer] if lane.resident else []
    if pointed:
        yield f"resident content: {', '.join(part.name for part in pointed)} only pointed at: {pointed[0].reason}"


def texts(tree: Tree) -> dict[str, str]:
    """What must be among the artifacts, by name: texts that only a line stands for in some lane's head."""
    made = [epoch.resident for lane in tree.lanes.values() for epoch in lane.epochs]
    made += [lane.coming for lane in tree.lanes.values()]
    found: dict[str, str] = {}
    for block in filter(None, made):
        for event in tree.past_content:
            found.update(residents.kept({event.name: event.texts}, block))
    return {pointer.kept_as(pointer.parse(address)): text for address, text in found.items()}


def _digest(given: Given | None) -> str:
    return given.digest if given is not None else ""


def _keep(session: "Session", made: Resident | None) -> None:
    for address, text in residents.kept(session.tree.content, made) if made is not None else ():
        session.outbox.keep_text(text, pointer.kept_as(pointer.parse(address)))


def _bound(lane: Lane, made: Resident | None) -> Resident | None:
    """The block of a lane that begins, with whether its conversation holds reasoning signed over another head (K-A35)."""
    before = lane.before or NOTHING
    is_moved = before.rebinds or before.text != (made or NOTHING).text
    reasons = (block.kind is Kind.REASONING for node in lane.branch.nodes for block in node.blocks)
    rebinds = is_moved and models.facts(lane.model).binds_reasoning and any(reasons)
    if made is None and not rebinds:
        return None
    return msgspec.structs.replace(made or NOTHING, rebinds=rebinds)


def _stands(shown: Resident | None, digest: str, body: bytes) -> bool:
    text = shown.text if shown is not None else ""
    return jsonbytes.encode(text)[1:-1] in body and any(residents.digest(piece) == digest for piece in _bodies(text))


def _bodies(text: str) -> Iterator[str]:
    """The texts in a block: what stands between the lines of ours."""
    lines = text.split("\n")[1:-1]
    found: list[str] = []
    for line in lines:
        if line.startswith(marks.GAP):
            yield "\n".join(found)
            found = []
        else:
            found.append(line)
    yield "\n".join(found)

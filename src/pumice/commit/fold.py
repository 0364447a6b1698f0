"""The task state, folded group by group from what was said and done."""

import re
from collections.abc import Iterator, Mapping

from pumice.commit import done, said, words
from pumice.commit.draft import ADVISORY, OPEN, Draft
from pumice.commit.sentences import split
from pumice.domain.block import Block, Kind, Origin
from pumice.domain.effect import ToolUse
from pumice.domain.group import Group
from pumice.domain.state import Entry, TaskState

_SENTENCE_CHARS = 300
_COMMAND = "command"
"""Key of the note that a command was called: a long text right after it is the client's, not typed."""
_CALLED = re.compile(r"<command-name>(?P<name>[^<\n]+)</command-name>(?!.*<local-command)", re.S)
_EXPANDED = 200
_DECIDED = re.compile(
    r"^(?:decision:|decided\b|we\s+(?:decided|agreed)|i(?:['’]ve)?\s+decided|going\s+with|i['’]ll\s+go\s+with)|^决定|我们采用",
    re.I,
)


def fold(state: TaskState, group: Group, uses: Mapping[str, ToolUse]) -> TaskState:
    """The state after one more group of the branch. `uses` describes its calls, by block id.

    Only what a person typed gives goals, rules, corrections and approvals; what a model says of the state is advisory; what a
    tool printed gives evidence and never an instruction.
    """
    draft = Draft(state)
    for block in group.blocks:
        if block.kind is Kind.TEXT:
            _text(draft, block)
    for call, result in _paired(group):
        if call.id in uses:
            done.fold(draft, call, result, uses[call.id])
    return draft.built()


def _text(draft: Draft, block: Block) -> None:
    is_expansion = len(block.text) > _EXPANDED and bool(draft.of(Entry.NOTE))
    draft.drop(Entry.NOTE, lambda item: item.key == _COMMAND)
    if block.origin is Origin.MODEL:
        _stated(draft, block)
        return
    if block.origin is Origin.CLIENT:
        done.notified(draft, block)
    elif words.is_persons(block) and not is_expansion:
        said.fold(draft, block)
    if command := _CALLED.search(block.text):
        draft.put(Entry.NOTE, command["name"], (block.id,), key=_COMMAND, status=OPEN)


def _paired(group: Group) -> Iterator[tuple[Block, Block | None]]:
    """Calls with their results: ids may come twice, so they are paired by occurrence."""
    results: dict[str, list[Block]] = {}
    for block in group.blocks:
        if block.kind is Kind.RESULT:
            results.setdefault(block.call_id, []).append(block)
    for block in group.blocks:
        if block.kind is Kind.CALL:
            waiting = results.get(block.call_id)
            yield block, waiting.pop(0) if waiting else None


def _stated(draft: Draft, block: Block) -> None:
    """What a model asks at the end of a text is open until a person answers; what it says it decided is advisory."""
    sentences = split(words.own(block.text))
    if sentences and sentences[-1].text.endswith(("?", "？")):
        draft.put(Entry.OPEN, sentences[-1].text[-_SENTENCE_CHARS:], (block.id,), key=said.QUESTION, status=OPEN)
    for sentence in sentences:
        if len(sentence.text) <= _SENTENCE_CHARS and _DECIDED.search(sentence.text):
            draft.add(Entry.DECISION, sentence.text, (block.id,), status=ADVISORY)

"""What a tool call and its result add to the task state: files, errors, side effects, children."""

import re
from itertools import islice

from pumice.commit import arguments, effects, notes, plan
from pumice.commit.draft import DONE, FAILED, OPEN, REJECTED, Draft
from pumice.commit.effects import Does
from pumice.domain.block import Block
from pumice.domain.effect import Effect, ToolUse
from pumice.domain.state import Entry
from pumice.excerpt import salience

_ERROR_CHARS = 300
_LOOKED_AT = 200
"""Lines from either end of a failed result that are searched for the one that says why, and of those between."""
_MAY_SAY = re.compile(r"error|fail|fatal|exception|panic|traceback|undefined|cannot|错误|失败|异常", re.I)
_REJECTED = re.compile(r"The user doesn['’]t want to (?:proceed with this tool use|take this action)")
_SAID = re.compile(r"the user said:\s*\n?(?P<words>.+)", re.S)
_FAILED_RUN = re.compile(
    r"^\s*(?:FAIL|FAILED|BUILD FAILED|npm ERR!|make: \*\*\*|error(?:\[\w+\])?:|ERROR:?|--- FAIL)\b"
    r"|\b[1-9]\d* (?:failed|failures?|errors?)\b",
    re.M,
)
_FAILED_STEMS = ("FAIL", "ERR", "***", "error", "fail")
"""One of them stands in all that the pattern finds: most outputs hold none, which is quickly told."""
_VIEW_ONLY = re.compile(r"""\s*(?:\d?>&\d|\|\s*(?:head|tail|grep|rg|tee|cat|less)\b(?:"[^"]*"|'[^']*'|[^|&;"'])*)\s*""")
"""What a command line only shows its output through: the same command without it is the same attempt."""
_EXIT_LINE = re.compile(r"(?:Error: )?Exit code \d+$")
_BACKGROUND = re.compile(r"\b(?:running|launched|started)\b[^\n]{0,60}\b(?:background|agent)|\bagent_?id\b", re.I)
_CHILD_ID = re.compile(r"\b(?:agent_?id|task_?id|id)\W{1,4}(?P<id>[\w-]{4,40})", re.I)
_OVER = re.compile(r"<status>(?:completed|failed|killed|stopped)</status>")


def fold(draft: Draft, call: Block, result: Block | None, use: ToolUse) -> None:
    """Take in one call with its result; None is a call that never got one."""
    does = effects.does(call)
    sources = (call.id,) if result is None else (call.id, result.id)
    if does is Does.AGENT:
        _child(draft, call, result, use)
    if result is None:
        return
    if _REJECTED.match(result.text):
        _rejected(draft, result, use)
        return
    if use.effect is not Effect.READ:
        _error(draft, result, use, sources)
    if undone(result, use):
        return
    if does is Does.PLAN:
        plan.fold(draft, call, result)
    elif does is Does.NOTES:
        notes.fold(draft, call)
    elif does is Does.PHASE:
        notes.end_phase(draft, call)
    elif use.is_file_read or use.is_edit:
        way = "edit" if use.is_edit else "read"
        draft.put(Entry.FILE, use.target, sources, key=f"{way} {use.target}", status=way)
    elif _is_side_effect(does, use):
        draft.add(Entry.SIDE_EFFECT, use.target or use.tool, sources, key=f"{use.tool} {call.id}", status=DONE)
    if does is Does.FETCH and _OVER.search(result.text[:2000]):
        draft.close(Entry.CHILD, lambda item: item.key == use.target, by=result.id)


def notified(draft: Draft, block: Block) -> None:
    """A client says that a child of ours has ended."""
    found = re.search(r"<task-?id>\s*([\w-]+)\s*</task-?id>", block.text)
    if found and _OVER.search(block.text):
        draft.close(Entry.CHILD, lambda item: item.key == found[1], by=block.id)


def attempt(use: ToolUse) -> str:
    """What a call tried: the same for calls that only show their output in another way."""
    return f"{use.tool} {_VIEW_ONLY.sub(' ', use.target).strip()}"


def undone(result: Block, use: ToolUse) -> bool:
    """Whether a call did not do its work: it failed, or the answer to a change says in a field that nothing was changed."""
    may_change = use.effect is Effect.WRITE or (use.effect is Effect.UNKNOWN and not use.is_listing)
    return effects.failed(result) or (may_change and effects.refused(result, use.tool))


def has_failed(result: Block, use: ToolUse) -> bool:
    """Whether a call failed, or ran something that says so at the end of its output."""
    return undone(result, use) or (use.is_listing and _says_failed(result.text[-3000:]))


def _says_failed(output: str) -> bool:
    return any(map(output.__contains__, _FAILED_STEMS)) and _FAILED_RUN.search(output) is not None


def _is_side_effect(does: Does, use: ToolUse) -> bool:
    """A change outside the conversation; a shell command nobody can judge is more likely a test run."""
    is_unknown = does is Does.UNKNOWN and use.effect is Effect.UNKNOWN
    return use.effect is Effect.WRITE or (is_unknown and not use.is_listing)


def _child(draft: Draft, call: Block, result: Block | None, use: ToolUse) -> None:
    head = result.text[:500] if result else ""
    is_away = result is None or (bool(arguments.read(call).get("run_in_background")) and bool(_BACKGROUND.search(head)))
    named = _CHILD_ID.search(head) if is_away else None
    sources = (call.id,) if result is None else (call.id, result.id)
    key = named["id"] if named else call.id
    draft.put(Entry.CHILD, use.target or use.tool, sources, key=key, status=OPEN if is_away else DONE)


def _rejected(draft: Draft, result: Block, use: ToolUse) -> None:
    """A person has refused a call: why is said in its result alone."""
    said = _SAID.search(result.text)
    text = (said["words"] if said else result.text.partition(".")[0]).strip()[:_ERROR_CHARS]
    draft.add(Entry.FAILED, text, (result.id,), key=f"{use.tool} {use.target}", status=REJECTED)


def _error(draft: Draft, result: Block, use: ToolUse, sources: tuple[str, ...]) -> None:
    """A failure is open until the same call succeeds; one that fails again is a failed attempt."""
    key, failed = attempt(use), has_failed(result, use)
    before = draft.close(Entry.ERROR, lambda item: item.key == key, by=result.id)
    if not failed:
        return
    for item in before:
        draft.add(Entry.FAILED, item.text, item.sources, status=FAILED)
    draft.add(Entry.ERROR, _why(result.text), sources, key=key, status=OPEN)


def _why(text: str) -> str:
    """The line of a failed result that says most about it."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    lines = [line for line in lines if not _EXIT_LINE.match(line)] or lines
    first, between, last = lines[:_LOOKED_AT], lines[_LOOKED_AT:-_LOOKED_AT], lines[max(_LOOKED_AT, len(lines) - _LOOKED_AT) :]
    near = [*first, *islice(filter(_MAY_SAY.search, between), _LOOKED_AT), *last]
    if not near:
        return ""
    says = salience.of_lines([line[:_ERROR_CHARS] for line in near])
    best = max(range(len(near)), key=lambda at: (says[at].value, -at))
    return near[best][:_ERROR_CHARS]

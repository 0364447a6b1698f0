"""Read a summary back from text: a model's answer to a template, or a rendering of ours.

Tolerant of fences and words around it, strict about headings and tags: what is not of the form is said, not guessed at.
"""

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import unescape

import msgspec

from pumice.compact.summary.render import MORE, STANDS, opening
from pumice.compact.summary.template import Part, Template
from pumice.domain import marks
from pumice.domain.summary import SummaryItem

_ESCAPED = {"&quot;": '"', "&apos;": "'"}
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^\s{0,3}(?:[-*•+]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s*|\*\*)(?P<title>.+?)(?:\*\*)?\s*[:：]?\s*$")
_NUMBER = re.compile(r"^\d{1,2}[.)、]\s*")
_TAGGED = re.compile(r"^[\[【](?P<tag>[^\]】\n]{1,30})[\]】]\s*[:：]?\s*")
_SUBJECT = re.compile(r"^\*\*(?P<key>[^*\n]{1,160})\*\*\s*[:：—–-]?\s*")
_LEAD = r"(?:(?:see|blocks?|sources?|from|cf|per|in|ref|based\s+on|见|参见|来源|出自|依据|块)\b[.:：]?\s*)*"
_CITED = re.compile(rf"\s*[(（\[](?P<names>\s*{_LEAD}b\d+(?:\s*(?:[,，、;/&–-]|and|和|to)?\s*{_LEAD}b\d+)*\s*)[)）\]]", re.I)
"""Names of blocks in brackets, with or without a word that says that they are the source."""
_NAME = re.compile(r"\bb\d+\b")
_OURS = re.compile(rf"^{marks.GAP} (?P<names>(?:b\d+(?:–b\d+)?(?: |$))+|\([^)\n]+\) ?)(?P<rest>.*)$")


class Parsed(msgspec.Struct, frozen=True):
    """What a text says of a template's sections."""

    items: tuple[SummaryItem, ...] = ()
    """`verbatim` as the text claims; a model's claim is nothing until it is looked up."""
    found: tuple[str, ...] = ()
    """Keys of the sections whose heading stands."""
    tags: tuple[str, ...] = ()
    """Words in brackets where a status was asked for that are none."""
    is_whole: bool = True
    """No fence is left open, no element without its end."""


def parse(text: str, template: Template) -> Parsed:
    """The items of a text, in order."""
    body = _bare(text)
    sections = _rendered(body, template) if text.startswith(marks.GAP) else _answered(body, template)
    items: list[SummaryItem] = []
    tags: list[str] = []
    for part, lines in sections:
        for item, tag in _items(part, lines, template):
            tags += [tag] if tag else []
            items += [item] if item.text or item.key or item.sources else []
    closed = text.count("```") % 2 == 0 and (template.shape != "xml" or _is_closed(body, template))
    return Parsed(tuple(items), tuple(part.key for part, _ in sections), tuple(tags), closed)


def _bare(text: str) -> str:
    """The text without a fence around all of it, and without what a model thought aloud before it."""
    text = re.sub(r"<(analysis|thinking|scratchpad)>.*?</\1>", "", text, flags=re.S)
    inner = re.search(r"^\s*```[\w-]*\n(.*)\n\s*```\s*$", text, re.S)
    return inner[1] if inner and "```" not in re.sub(r"```[^`]*```", "", inner[1], flags=re.S) else text


def _rendered(text: str, template: Template) -> list[tuple[Part, list[str]]]:
    """Sections as `render` writes them: words of a source are no headings, whatever they look like."""
    openings = {opening(part, template): part for part in template.sections}
    closings = {f"{marks.GAP} </{name}>" for name in (template.root, *(part.key for part in template.sections))}
    found: list[tuple[Part, list[str]]] = []
    for line in text.split("\n"):
        if line in openings:
            found.append((openings[line], []))
        elif found and line not in closings:
            found[-1][1].append(line)
    return found


def _answered(text: str, template: Template) -> list[tuple[Part, list[str]]]:
    return _elements(text, template) if template.shape == "xml" else _headed(text, template)


def _headed(text: str, template: Template) -> list[tuple[Part, list[str]]]:
    titles = {_plain(part.title): part for part in template.sections}
    found: list[tuple[Part, list[str]]] = []
    in_fence = False
    for line in text.split("\n"):
        in_fence ^= bool(_FENCE.match(line))
        heading = None if in_fence else _HEADING.match(line)
        part = titles.get(_plain(heading["title"])) if heading else None
        if part is not None:
            found.append((part, []))
        elif found and line.strip() not in ("<summary>", "</summary>"):
            found[-1][1].append(line)
    return found


def _plain(title: str) -> str:
    return _NUMBER.sub("", title.strip(" *#")).strip(" :：*").casefold()


def _elements(text: str, template: Template) -> list[tuple[Part, list[str]]]:
    """Sections as elements, in whatever order, with attributes or without, what XML escapes read back."""
    return [(part, unescape(inner, _ESCAPED).strip("\n").split("\n")) for part, inner, _ in _spans(text, template)]


def _is_closed(text: str, template: Template) -> bool:
    return all(closed for _, _, closed in _spans(text, template))


def _spans(text: str, template: Template) -> Iterator[tuple[Part, str, bool]]:
    """Each element of a section, its content, and whether it is closed; what stands in one opens no other."""
    opening = re.compile(
        rf"<(?P<key>{'|'.join(re.escape(part.key) for part in template.sections)})(?:\s[^<>]*?)?(?P<empty>/)?>"
    )
    at = 0
    while found := opening.search(text, at):
        part = next(part for part in template.sections if part.key == found["key"])
        closing = None if found["empty"] else re.compile(rf"</{re.escape(part.key)}\s*>").search(text, found.end())
        end = found.end() if found["empty"] else closing.start() if closing else len(text)
        yield part, text[found.end() : end], bool(closing or found["empty"])
        at = closing.end() if closing else end


def _items(part: Part, lines: Sequence[str], template: Template) -> Iterator[tuple[SummaryItem, str]]:
    """The items of a section, each with a word in place of its status that is none."""
    for run in _runs(lines):
        if run[0].startswith(marks.GAP):
            yield _ours(part, run, template), ""
        else:
            yield _item(part, run, template)


def _runs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines that belong together: a bullet and what is under it, or a label of ours and the words of its block."""
    run: list[str] = []
    in_fence = is_ours = False
    for line in lines:
        in_fence ^= bool(_FENCE.match(line))
        label = not in_fence and bool(_OURS.match(line) or _is_aside(line))
        starts = label or (not is_ours and not in_fence and bool(_BULLET.match(line) or (not line.strip() and run)))
        if starts and any(map(str.strip, run)):
            yield run
            run = []
        is_ours = is_ours or label
        if line.strip() or is_ours:
            run.append(line)
    if any(map(str.strip, run)):
        yield run


def _is_aside(line: str) -> bool:
    return line.startswith(f"{marks.GAP} {MORE} ")


def _ours(part: Part, run: Sequence[str], template: Template) -> SummaryItem:
    """An item as `render` writes it."""
    if _is_aside(run[0]):
        return SummaryItem(part.key, "", MORE, sources=tuple(_NAME.findall(run[0])))
    label = _OURS.match(run[0])
    if label is None:
        return SummaryItem(part.key, "")
    sources = tuple(_NAME.findall(label["names"]))
    rest, status = _tag(label["rest"], template)
    if rest == template.stands:
        return SummaryItem(part.key, "", STANDS, sources=sources)
    key, told, text = rest.partition(f" {marks.GAP} ") if f" {marks.GAP} " in f" {rest}" else (rest, "", "")
    if rest.startswith(f"{marks.GAP} "):
        key, told, text = "", marks.GAP, rest[2:]
    return SummaryItem(part.key, text if told else "\n".join(run[1:]), key, status, sources, verbatim=not told)


def _item(part: Part, run: Sequence[str], template: Template) -> tuple[SummaryItem, str]:
    """An item as a model writes it."""
    text = "\n".join((_BULLET.sub("", run[0]), *run[1:])).strip()
    sources = tuple(dict.fromkeys(name for cited in _CITED.finditer(text) for name in _NAME.findall(cited["names"].casefold())))
    text = _CITED.sub("", text).strip()
    text, status = _tag(text, template)
    wrong = _TAGGED.match(text) if part.status and not status else None
    subject = _SUBJECT.match(text)
    key = " ".join(subject["key"].strip(" :：").split()) if subject else ""
    text = text[subject.end() :] if subject else text
    return SummaryItem(part.key, text.strip(), key, status, sources), wrong["tag"] if wrong else ""


def _tag(text: str, template: Template) -> tuple[str, str]:
    """A text without the status it begins with, and that."""
    found = _TAGGED.match(text)
    by_word = {word.casefold(): status for status, word in template.tags.items()}
    status = by_word.get(found["tag"].strip().casefold(), "") if found else ""
    return (text[found.end() :], status) if found and status else (text, "")

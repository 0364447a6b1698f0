"""Write a summary as lines of a preface: ours begin with `⋯`, words of a source stand verbatim under the name of its block."""

from collections.abc import Iterator, Sequence

import msgspec

from pumice.compact.summary.template import Part, Template
from pumice.domain import marks
from pumice.domain.summary import Summary, SummaryItem

STANDS, MORE = "=", "+"
"""Keys of items without words: what can be read elsewhere in the view, and what found no room."""
SHOWN_SOURCES = 4
"""Blocks named on one line; the manifest names all."""
_CUT = f"{marks.GAP} "


def render(summary: Summary, template: Template) -> str:
    """The text of a summary; empty when it has no items. Sections without items are left out."""
    lines = [line for part in template.sections for line in section(part, _of(summary, part.key), template)]
    if not lines:
        return ""
    return "\n".join(
        lines if template.shape == "headed" else (_CUT + f"<{template.root}>", *lines, _CUT + f"</{template.root}>")
    )


def section(part: Part, items: Sequence[SummaryItem], template: Template) -> Iterator[str]:
    """The lines of one section."""
    if not items:
        return
    yield opening(part, template)
    status = ""
    for found, following in zip(items, (*items[1:], None), strict=True):
        if _is_said_below(found, following):
            status = found.status
        else:
            yield item(msgspec.structs.replace(found, status=found.status or status), template)
            status = ""
    if template.shape == "xml":
        yield f"{_CUT}</{part.key}>"


def opening(part: Part, template: Template) -> str:
    return _CUT + (f"## {part.title}" if template.shape == "headed" else f"<{part.key}>")


def item(found: SummaryItem, template: Template) -> str:
    """The lines of one item: `⋯ b12 [done] what it is about`, its words below when they are a source's, else behind.

    Words of a source that hold marks of ours, or lines that read like ours, are only pointed at.
    """
    if found.key == STANDS:
        return marks.gap(f"{_listed(found.sources)} {template.stands}")
    if found.key == MORE:
        return marks.gap(f"{MORE} {template.more} {'–'.join(found.sources)}")
    label = " ".join(word for word in (*_names(found, template), _tag(found, template), found.key) if word)
    if found.verbatim:
        return f"{marks.gap(label)}\n{found.text}" if found.text and is_showable(found.text) else marks.gap(label)
    text = " ".join(found.text.split())
    says = marks.is_clean(text) and marks.GAP not in text
    return marks.gap(f"{label} {marks.GAP} {text}" if says else label)


def is_showable(text: str) -> bool:
    """Whether nothing in words of a source reads as ours, but for the line that says how much of them was left out."""
    return marks.is_clean(text) and not any(
        line.startswith(marks.GAP) and not _is_gap(line) for line in (text.splitlines() if marks.GAP in text else ())
    )


def _is_gap(line: str) -> bool:
    count, _, unit = line.removeprefix(_CUT).partition(" ")
    return count.isdigit() and unit == "characters"


def _is_said_below(found: SummaryItem, following: SummaryItem | None) -> bool:
    """Whether an item only names a block that the next one names again, with lines of it."""
    if following is None or found.text or found.key in (STANDS, MORE):
        return False
    return bool(following.text) and found.sources[:1] == following.sources[:1] and following.key.startswith(found.key)


def _of(summary: Summary, key: str) -> list[SummaryItem]:
    return [found for found in summary.items if found.section == key]


def _names(found: SummaryItem, template: Template) -> tuple[str, ...]:
    return found.sources[:SHOWN_SOURCES] or (f"({template.hint})",)


def _listed(sources: Sequence[str]) -> str:
    """A run of names; a long one by its ends."""
    return " ".join(sources) if len(sources) <= 2 * SHOWN_SOURCES else f"{sources[0]}–{sources[-1]}"


def _tag(found: SummaryItem, template: Template) -> str:
    return f"[{template.tags[found.status]}]" if found.status else ""

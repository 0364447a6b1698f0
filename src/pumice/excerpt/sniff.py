"""What kind of content a text is, found from the text itself."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from pumice.excerpt import code, diff, html, jsons, lines, search, table
from pumice.excerpt.units import Shape


class _Kind(NamedTuple):
    find: Callable[[str, str], Any]
    """(text, tool) → what there is of this kind; nothing in any other text."""
    cut: Callable[[str, Any, diff.Within], Shape | None]
    """(text, what was found, what fits the room) → its units."""


_KINDS = (
    _Kind(lambda text, _: jsons.value_of(text), lambda text, found, _: jsons.cut(text, found)),
    _Kind(lambda text, _: jsons.records_of(text), lambda text, found, _: jsons.cut_records(text, found)),
    _Kind(lambda text, _: diff.is_diff(text), lambda text, _, within: diff.cut(text, within)),
    _Kind(lambda text, _: html.is_html(text), lambda text, *_: html.cut(text)),
    _Kind(search.is_results, lambda text, *_: search.cut(text)),
    _Kind(lambda text, _: code.is_code(text), lambda text, *_: code.cut(text)),
    _Kind(lambda text, _: table.layout(text), lambda text, found, _: table.cut(text, found)),
)
"""Tried in this order."""


def shape(text: str, tool: str, within: diff.Within) -> Shape:
    """The text cut into units by its content type; a text that only looks like one of them loses nothing by it.

    `within` tells of words whether they take no more than a share of the room.
    """
    at, found = _first(text, tool)
    while found:
        made = _KINDS[at].cut(text, found, within)
        if made is not None:
            return made
        at, found = _first(text, tool, at + 1)
    return lines.cut(text)


def has_shape(text: str, tool: str) -> bool:
    """Whether a text is more than a list of lines: neither prose nor a log nor other output."""
    return bool(_first(text, tool)[1])


@lru_cache(maxsize=1)  # asked twice of a text: whether it has a shape, then for its units
def _first(text: str, tool: str, start: int = 0) -> tuple[int, Any]:
    """The place among the kinds, from `start` on, of the first that a text is of, and what there is of it; nothing for none."""
    tried = ((at, _KINDS[at].find(text, tool)) for at in range(start, len(_KINDS)))
    return next(((at, found) for at, found in tried if found), (len(_KINDS), None))

"""What kind of content a text is, found from the text itself."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pumice.excerpt import code, diff, html, jsons, lines, search, table
from pumice.excerpt.units import Shape


class _Kind(NamedTuple):
    find: Callable[[str, str], Any]
    """(text, tool) → what there is of this kind; nothing in any other text."""
    cut: Callable[[str, Any], Shape | None]
    """(text, what was found) → its units."""


_KINDS = (
    _Kind(lambda text, _: jsons.value_of(text), jsons.cut),
    _Kind(lambda text, _: jsons.records_of(text), jsons.cut_records),
    _Kind(lambda text, _: diff.is_diff(text), lambda text, _: diff.cut(text)),
    _Kind(lambda text, _: html.is_html(text), lambda text, _: html.cut(text)),
    _Kind(search.is_results, lambda text, _: search.cut(text)),
    _Kind(lambda text, _: code.is_code(text), lambda text, _: code.cut(text)),
    _Kind(lambda text, _: table.layout(text), table.cut),
)
"""Tried in this order."""


def shape(text: str, tool: str) -> Shape:
    """The text cut into units by its content type; a text that only looks like one of them loses nothing by it."""
    for kind in _KINDS:
        found = kind.find(text, tool)
        made = kind.cut(text, found) if found else None
        if made is not None:
            return made
    return lines.cut(text)


def has_shape(text: str, tool: str) -> bool:
    """Whether a text is more than a list of lines: neither prose nor a log nor other output."""
    return any(kind.find(text, tool) for kind in _KINDS)

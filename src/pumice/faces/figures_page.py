"""A page of figures: tables and drawn charts in one HTML file that loads nothing and runs nothing."""

import re
from collections.abc import Sequence
from html import escape

import msgspec

from pumice.faces.drawn import Bars, Scatter, draw

_FIGURE = re.compile(r"[$+−-]?[\d.,]+%?|–?")
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}
table{border-collapse:collapse;margin:.6rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid #dde2e6;text-align:right;vertical-align:top}
th:first-child,td:first-child,td.words,th.words{text-align:left}td:first-child{white-space:nowrap}figure{margin:.6rem 0}
.scroll{overflow-x:auto}svg text{font-size:12px;fill:currentColor}.note{color:#55606a}
@media(prefers-color-scheme:dark){body{color:#e4e8eb;background:#16191c}th,td{border-color:#343a40}.note{color:#a9b3bb}}
"""


class Section(msgspec.Struct, frozen=True):
    title: str
    text: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    charts: tuple[Bars | Scatter, ...] = ()
    found: tuple[str, ...] = ()


def page(title: str, about: str, sections: Sequence[Section]) -> str:
    """The whole page."""
    body = "\n".join(_section(section) for section in sections)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n'
        f'<p class="note">{escape(about)}</p>\n{body}\n</body></html>\n'
    )


def _section(section: Section) -> str:
    charts = "\n".join(map(draw, section.charts))
    found = "".join(f"<li>{escape(said)}</li>" for said in section.found)
    listed = f"<ul>{found}</ul>" if found else ""
    head = f"<section><h2>{escape(section.title)}</h2>\n<p>{escape(section.text)}</p>"
    return f"{head}\n{_table(section)}\n{charts}\n{listed}</section>"


def _table(section: Section) -> str:
    worded = [any(not _FIGURE.fullmatch(row[at]) for row in section.rows) for at in range(len(section.headings))]
    head = "".join(_cell("th", *pair) for pair in zip(section.headings, worded, strict=True))
    rows = "\n".join(
        f"<tr>{''.join(_cell('td', *pair) for pair in zip(row, worded, strict=True))}</tr>" for row in section.rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


def _cell(tag: str, text: str, is_worded: bool) -> str:
    """A cell of a column of figures stands to the right, one of a column of words to the left."""
    named = ' class="words"' if is_worded else ""
    return f"<{tag}{named}>{escape(text)}</{tag}>"

"""What kind of content a text is, found from the text itself."""

from pumice.excerpt import diff, jsons, lines, search, table
from pumice.excerpt.units import Shape


def shape(text: str, tool: str) -> Shape:
    """The text cut into units by its content type; a text that only looks like one of them loses nothing by it."""
    return structured(text, tool) or lines.cut(text)


def structured(text: str, tool: str) -> Shape | None:
    """The same for a text that is more than a list of lines; None for prose, logs and other output."""
    value = jsons.value_of(text)
    if value:
        return jsons.cut(text, value)
    records = jsons.records_of(text)
    if records:
        return jsons.cut_records(text, records)
    if diff.is_diff(text):
        return diff.cut(text)
    if search.is_results(text, tool):
        return search.cut(text)
    layout = table.layout(text)
    return table.cut(text, layout) if layout else None

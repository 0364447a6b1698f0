"""A24, A25: how many and how big."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pumice.domain.message import Violation
from pumice.measure import limits, media
from pumice.measure.naming import ModelName
from pumice.wire.rules.rule import Ending, Seen, Step
from pumice.wire.values import objects, string

_MOST = limits.ANTHROPIC


class Sizes(msgspec.Struct, frozen=True):
    images: int = 0
    pages: int = 0
    wide: tuple[str, ...] = ()
    """Paths of images with a side that is too long among many."""


START = Sizes()


def step(state: Sizes, message: Seen, _model: ModelName, /) -> Step:
    found: list[Violation] = []
    images, pages, wide = state.images, state.pages, list(state.wide)
    for part in message.parts:
        for value, path in _sources(part.value, part.path):
            held = media.from_base64(string(value.get("data")), string(value.get("media_type")))
            is_document = held.mime == limits.PDF
            images, pages = images + (not is_document), pages + (max(held.pages, 1) if is_document else 0)
            side = max(held.width, held.height)
            wide += [path] if side > _MOST.side_of_many else []
            found += _too_big(path, side, len(string(value.get("data"))))
    return Step(Sizes(images, pages, tuple(wide)), tuple(found))


def end(state: Sizes, ending: Ending, /) -> Iterator[Violation]:
    most = limits.anthropic(ending.window).count
    if state.images + state.pages > most:
        yield Violation("A24", "messages", f"{state.images + state.pages} images and pages; {most} are the most")
    if state.images > _MOST.many:
        for path in state.wide:
            yield Violation("A24", path, f"with more than {_MOST.many} images no side may be over {_MOST.side_of_many} pixels")
    if ending.size > _MOST.body:
        yield Violation("A24", "request", f"{ending.size} bytes; {_MOST.body} are the most")
    if ending.tokens is not None and ending.window is not None and ending.tokens > ending.window:
        yield Violation("A25", "messages", f"prompt is too long: {ending.tokens} tokens > {ending.window} maximum")


def _too_big(path: str, side: int, length: int) -> Iterator[Violation]:
    if side > _MOST.side:
        yield Violation("A24", path, f"an image of {side} pixels; {_MOST.side} are the most")
    if length > _MOST.base64:
        yield Violation("A24", path, f"{length} bytes of base64; {_MOST.base64} are the most")


def _sources(value: dict[str, Any], path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Base64 sources of a block itself and of a result's content."""
    source = value.get("source")
    if isinstance(source, dict) and source.get("type") == "base64":
        yield source, path
    for place, item in enumerate(objects(value.get("content"))):
        yield from _sources(item, f"{path}.content[{place}]")

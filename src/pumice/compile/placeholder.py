"""A placeholder: what stands for an image or document that is not sent, with the pointer that gives it back (F-B13)."""

from collections.abc import Iterable, Iterator

from pumice.domain import marks, pointer
from pumice.domain.block import Block, Media
from pumice.domain.book import MediaLimits
from pumice.domain.decision import Decision, shown_as
from pumice.domain.redeem import POINTERS, Redeem
from pumice.measure import limits


def of(block: Block, why: str, level: str, redeem: Redeem = POINTERS) -> Decision:
    """The block without its images: its own text if it has any, and one line that says what is not shown and why."""
    line = marks.gap(f"{', '.join(map(_said, block.media))}, not sent: {why}")
    body = f"{block.text}\n{line}" if block.text and marks.is_plain(block.text) else line
    address = pointer.artifact(block.id)
    text = marks.wrap("excerpt", body, of=block.id, **redeem.mark(block.id, address))
    return shown_as(block.id, text, level=level, reason=why, pointer=address)


def _said(media: Media) -> str:
    size = f"{media.width} × {media.height} pixels" if media.width else f"{media.pages} pages" if media.pages else ""
    return " ".join(word for word in (media.mime or "a medium", size, f"{media.size:,} bytes" if media.size else "") if word)


def on_arrival(blocks: Iterable[Block], most: MediaLimits, level: str, redeem: Redeem = POINTERS) -> Iterator[Decision]:
    """Placeholders for what would be refused in any request: one such image would make every later call fail."""
    for block in blocks:
        why = next(filter(None, (limits.breach(media, most) for media in block.media)), "")
        if why:
            yield of(block, why, level, redeem)

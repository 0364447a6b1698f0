"""What needs no call to be recognised: terminal noise, old reasoning, empty chatter (F-C2)."""

import re
from collections.abc import Iterator

from pumice.compact import turns
from pumice.compact.mechanical.scene import LEVEL, Found, Scene, excerpt
from pumice.domain import marks
from pumice.domain.block import Block, Kind, Role
from pumice.domain.decision import Decision, Outcome
from pumice.excerpt import clean
from pumice.measure import entities

LEAST_NOISE = 0.9
"""A result is cleaned when what is left is below this share of it."""
_CONTROL = re.compile(r"[\x1b\x08]|\r(?!\n)")
_CHARS = 160
_OPENERS = r"ok(?:ay)?|sure|great|perfect|good|excellent|alright|right|certainly|of course|now|next|first|then|finally|好的?|嗯"
_DOING = "look check see view read run try start begin continue proceed examine search find open explore take do test verify go"
_WILL = r"(?:let me|let's|let us|i(?:'ll|’ll| will)(?: now| also)?|i(?:'m|’m| am) going to)(?: now| also| first)?"
_CHATTER = re.compile(
    rf"(?:(?:{_OPENERS})(?![a-z])[\s,.!，。！]*)*"
    rf"(?:{_WILL} (?:{'|'.join(_DOING.split())})\b[^.!?\n]*"
    r"|(?:现在|接下来|首先|然后)?(?:让我|我来|我先|我将|我会)(?:先|再)?[看查检运读试找打继][^。！？\n]*)?"
    r"[.!。！:：…]*",
    re.IGNORECASE,
)


def _is_drawn(text: str) -> bool:
    return any(map(text.__contains__, "\x1b\x08\r")) and _CONTROL.search(text) is not None


def noise(scene: Scene) -> Iterator[Found]:
    """Results as a terminal would show them, without colours and bars that were drawn over."""
    for exchange in scene.older():
        text = exchange.result.text
        if exchange.use.is_file_read or exchange.result.media or not _is_drawn(text):
            continue
        shown = clean.terminal(text)
        if scene.is_whole(exchange.result) and marks.is_plain(shown) and len(shown) < LEAST_NOISE * len(text):
            yield excerpt(scene, exchange.result, shown, "control sequences and redrawn parts left out")


def reasoning(scene: Scene) -> Iterator[Found]:
    """Reasoning of turns that are over (K-A30, K-A33); where a policy names a number, not of so many newest groups."""
    newest = scene.brief.policy.reasoning.newest
    end = min(turns.running(scene.groups, scene.before), len(scene.groups) - (newest or 0))
    for position, group in enumerate(scene.groups[:end]):
        if not scene.before.folds(position):
            for block in group.blocks:
                if block.kind is Kind.REASONING:
                    yield (Decision(block.id, Outcome.DROP, LEVEL, "reasoning of a turn that is over"),)


def chatter(scene: Scene) -> Iterator[Found]:
    """What the model said before a call that the call says itself: no name, no number, no finding, no question."""
    for position, group in enumerate(scene.groups[: scene.fresh]):
        if scene.before.folds(position) or not any(block.kind is Kind.CALL for block in group.blocks):
            continue
        for block in group.blocks:
            if block.id not in scene.cited and is_chatter(block):
                yield (Decision(block.id, Outcome.DROP, LEVEL, "says nothing the call does not"),)


def is_chatter(block: Block) -> bool:
    """Whether a model says with a text only that it is about to do something."""
    text = block.text.strip()
    is_said = block.kind is Kind.TEXT and block.role is Role.ASSISTANT and 0 < len(text) <= _CHARS
    return is_said and bool(_CHATTER.fullmatch(text)) and not entities.names(text)

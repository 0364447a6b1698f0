"""What a sentence is about: its words in a form that other sentences about the same share, in any script."""

import re

from pumice.measure.terms import pieces

_SHORTEST = 3
"""Letters of a word that says what a sentence is about."""
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        the and for you your that this with want should would could shall can will may have has had are was were does did not
        now all any please like need let make run use what which where when who how why there here then them they its from into
        about before after first next also just more than other one two new get going
        是否 要不 不要 需要 可以 我们 现在 这个 那个 一下 什么 怎么 还是 应该 是不 能不 不能 要我 需要
        """,
    )
)
"""Words and pairs of letters in nearly every sentence: sharing them says nothing."""


def topic(text: str) -> frozenset[str]:
    """The words of a text without those of every sentence and without their endings; each stands in a text that has it."""
    found = (piece for piece in pieces(text) if piece not in _EMPTY)
    return frozenset(_stem(piece) for piece in found if len(piece) >= _SHORTEST or not piece.isascii())


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s)$", "", word) if word.isascii() and len(word) > _SHORTEST + 2 else word

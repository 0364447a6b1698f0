"""The judge: for each tool call, whether it stays and whether its result does, two decisions (F-C12)."""

import msgspec

__all__ = ["LINES", "LONG", "Verdict"]

LONG, LINES = 4000, 20
"""Characters from which a shell's output is judged part by part, and lines of a part (coding-agents §4.10)."""


class Verdict(msgspec.Struct, frozen=True):
    """What a judge says of one tool call: two scores from 0 to 1; a policy says from which on call and result stay."""

    call: float
    result: float
    parts: tuple[float, ...] = ()
    """Scores of the parts of a long shell output, `LINES` lines each; none of any other result."""

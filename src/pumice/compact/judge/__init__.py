"""The judge: for each tool call, whether it stays and whether its result does, two decisions (F-C12)."""

import msgspec

__all__ = ["Verdict"]


class Verdict(msgspec.Struct, frozen=True):
    """What a judge says of one tool call: two scores from 0 to 1; a policy says from which on call and result stay."""

    call: float
    result: float

"""What a judge says of one tool call."""

import msgspec


class Verdict(msgspec.Struct, frozen=True):
    """Two scores from 0 to 1; the policy says from which on call and result stay."""

    call: float
    result: float

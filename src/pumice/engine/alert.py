"""An alert: what is wrong in words, with its cause, and its kind for whoever counts alerts (F-G1)."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """All kinds there are: a label of metrics, so a short list."""

    SIZE = "size"
    COST = "cost"
    HARDER = "harder_policy"
    BREAKER = "breaker_open"
    REVIEW = "review"
    NO_ANSWER = "no_answer"
    ANSWER_LOST = "answer_lost"
    CUT_FAILED = "cut_failed"
    PROBE = "probe_lost"
    HEAD = "head_moved"
    READ_BACKS = "read_backs"
    TOO_OFTEN = "too_often"
    """Cuts follow each other faster than the cache lives."""
    CACHE_IDLE = "cache_idle"
    """Fewer cache hits than foretold, as the other `CACHE_` kinds: the call came after the entries' time."""
    CACHE_HEAD = "cache_head"
    CACHE_NO_MARKER = "cache_no_marker"
    CACHE_LOOKBACK = "cache_lookback"
    CACHE_PROVIDER = "cache_provider"


class Alert(NamedTuple):
    kind: Kind
    text: str

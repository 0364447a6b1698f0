"""Whether an error of a model says that a quota is used up: asking on would burn what is left (B-B7)."""

import re

from pumice.errors import QuotaExceeded

_STATUS = (402, 429)
"""HTTP: payment required, too many requests."""
_NAMES = re.compile(r"rate.?limit|quota|too.?many.?requests|insufficient", re.I)
_WORDS = re.compile(
    r"\b(?:429|402)\b|quota|rate.?limit|usage.?limit|too many requests|(?:insufficient|out of).{0,12}(?:credit|balance|fund)"
    r"|credit balance|billing|额度|余额不足",
    re.I,
)


def is_quota(error: BaseException) -> bool:
    """By its kind, by the status it carries, by its name, or by its words; whatever client library raised it."""
    if isinstance(error, QuotaExceeded) or _NAMES.search(type(error).__name__):
        return True
    response = getattr(error, "response", None)
    carried = (getattr(error, name, None) for name in ("status_code", "status", "code"))
    return any(code in _STATUS for code in (*carried, getattr(response, "status_code", None))) or bool(
        _WORDS.search(str(error))
    )

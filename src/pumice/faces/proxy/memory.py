"""Memory that was freed, given back to the system: the C library keeps it otherwise, and a proxy runs for weeks.

glibc raises the size from which it maps blocks of their own as soon as one was freed; bodies and texts of sessions that come
and go then leave holes in its heaps. Measured with 100 sessions of 100,000 tokens: 20 MB less.
"""

import ctypes
from functools import cache

_MMAP_THRESHOLD = -3
"""M_MMAP_THRESHOLD of mallopt(3)."""
_LARGE = 128 * 1024
"""glibc's own first value, in bytes."""


@cache
def _library() -> ctypes.CDLL | None:
    """The C library, where it is glibc."""
    try:
        found = ctypes.CDLL(None)
        return found if hasattr(found, "malloc_trim") and hasattr(found, "mallopt") else None
    except (OSError, TypeError):
        return None


def settle() -> None:
    """Give large blocks back as soon as they are freed, for as long as the process lives."""
    library = _library()
    if library is not None:
        library.mallopt(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Return what is free; takes some milliseconds, in which other threads run."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)

"""How the bytes of a message or a head differ from those known of it, so that only the difference is recorded."""

Change = tuple[int, int, str]
"""How bytes differ: how many they share at the beginning, at the end, and what stands between."""


def _shared(one: bytes, other: bytes) -> int:
    """Length of the common beginning, by bisection on slices (byte loops are slow on large messages)."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def patch(known: bytes, seen: bytes) -> Change:
    """How to get `seen` from `known`: both ends they share, and what stands between."""
    first = _shared(known, seen)
    last = _shared(known[first:][::-1], seen[first:][::-1])
    return first, last, seen[first : len(seen) - last].decode("latin-1")


def apply(known: bytes, change: Change) -> bytes:
    """Undo `patch`."""
    first, last, between = change
    return known[:first] + between.encode("latin-1") + (known[len(known) - last :] if last else b"")

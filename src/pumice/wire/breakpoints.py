"""Breakpoints of a provider's prompt cache on raw parts: found, taken off, and moved when their part goes."""

from collections.abc import Callable, Mapping, Sequence

from pumice.wire import jsonbytes


class Breakpoints:
    """Those of one dialect, each a member of the part it stands on; not every part can carry one."""

    def __init__(self, name: str, can_carry: Callable[[bytes], bool] = lambda _: True) -> None:
        self._name = name
        self._sought = name.encode()
        self._can_carry = can_carry

    def of(self, part: bytes) -> bytes | None:
        """The breakpoint a part carries."""
        return jsonbytes.members(part).get(self._name) if self._sought in part and part[:1] == b"{" else None

    def kept(self, pairs: Sequence[tuple[bytes, bytes | None]]) -> list[bytes]:
        """Of parts before and after, those that stay; a breakpoint of one that goes moves to the nearest that has none."""
        found = {place: after for place, (_, after) in enumerate(pairs) if after is not None}
        for place, (before, after) in enumerate(pairs):
            marker = self.of(before) if after is None else None
            target = self._nearest(found, place) if marker else None
            if marker and target is not None and self.of(found[target]) is None:
                found[target] = self._put(found[target], marker)
        return list(found.values())

    def moved(self, lost: Sequence[bytes], onto: Sequence[bytes]) -> list[bytes] | None:
        """Parts with the last breakpoint of lost ones; None where there is none, or none of them can take it."""
        markers = [marker for part in lost if (marker := self.of(part))]
        if not markers or any(map(self.of, onto)):
            return None
        found = dict(enumerate(onto))
        place = self._nearest(found, len(onto))
        if place is None:
            return None
        return list((found | {place: self._put(found[place], markers[-1])}).values())

    def off(self, parts: Sequence[bytes]) -> list[bytes] | None:
        """Parts without breakpoints; None where they have none."""
        return [self._bare(part) for part in parts] if any(map(self.of, parts)) else None

    def _nearest(self, parts: Mapping[int, bytes], place: int) -> int | None:
        """The part next to a place that can carry a breakpoint, the earlier of two."""
        able = [other for other, part in parts.items() if self._can_carry(part)]
        return min(able, key=lambda other: (abs(other - place), other), default=None)

    def _put(self, part: bytes, marker: bytes) -> bytes:
        return jsonbytes.join_object(jsonbytes.members(part) | {self._name: marker})

    def _bare(self, part: bytes) -> bytes:
        if self.of(part) is None:
            return part
        return jsonbytes.join_object({key: value for key, value in jsonbytes.members(part).items() if key != self._name})

"""A row of the bench: what was measured, the number, and the target it is held to."""

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One number. Lower is better everywhere."""

    what: str
    value: float | None
    """None when it could not be measured; `note` says why."""
    unit: str
    target: float | None = None
    """The value to stay at or below; None where the number only stands beside another."""
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """None where there is no target, or nothing was measured."""
        return None if self.target is None or self.value is None else self.value <= self.target

    def as_json(self) -> dict[str, object]:
        return {**msgspec.structs.asdict(self), "met": self.is_met}

"""What a level is: one way to make room."""

from typing import Protocol

from pumice.compact.layout import Brief, Layout


class Level(Protocol):
    """One way to make room: what `before` shows, smaller. It may only take away what `before` still shows."""

    def __call__(self, brief: Brief, before: Layout, /) -> Layout: ...

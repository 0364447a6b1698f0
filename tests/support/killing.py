"""A fault that ends a process of its own in the middle of its work."""

import os
import signal


class KillAt:
    """Kills the process, without any clean-up, when a point is passed for the nth time."""

    def __init__(self, point: str, nth: int) -> None:
        self._point = point
        self._left = nth

    def __call__(self, name: str) -> None:
        self._left -= name == self._point
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

"""What cannot be made again, as typed state."""

from pumice.commit.fold import fold
from pumice.commit.render import Rendered, StateRoom, render

__all__ = ["Rendered", "StateRoom", "fold", "render"]

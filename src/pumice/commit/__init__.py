"""What cannot be made again, as typed state."""

from pumice.commit.fold import fold
from pumice.commit.render import Rendered, render

__all__ = ["Rendered", "fold", "render"]

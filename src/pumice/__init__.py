"""pumice compiles what each model call should see, from an append-only ledger, under a budget."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "AsyncEngine": "pumice.engine.engine",
    "CannotFit": "pumice.errors",
    "Compacted": "pumice.faces.oneshot",
    "Engine": "pumice.faces.library",
    "Policy": "pumice.domain.policy",
    "PumiceError": "pumice.errors",
    "Session": "pumice.faces.library",
    "View": "pumice.engine.call",
    "compact": "pumice.faces.oneshot",
    "open_async": "pumice.faces.library",
}
"""Public names and where they live: importing pumice loads nothing else."""

__all__ = [
    "AsyncEngine",
    "CannotFit",
    "Compacted",
    "Engine",
    "Policy",
    "PumiceError",
    "Session",
    "View",
    "compact",
    "open_async",
]

if TYPE_CHECKING:
    from pumice.domain.policy import Policy
    from pumice.engine.call import View
    from pumice.engine.engine import AsyncEngine
    from pumice.errors import CannotFit, PumiceError
    from pumice.faces.library import Engine, Session, open_async
    from pumice.faces.oneshot import Compacted, compact


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'pumice' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """`pumice.compact` is the one-call function, although a folder of that name holds how cuts are planned.

    Importing a folder binds its name on the package; a property keeps the function there.
    """

    @property
    def compact(self) -> Any:
        return __getattr__("compact")

    @compact.setter
    def compact(self, folder: ModuleType) -> None:
        """The import system's own binding; `from pumice.compact import …` does not need it."""


sys.modules[__name__].__class__ = _Package

"""A scripted upstream: a provider's HTTP side around the double, for tests and demonstrations without a key or a network."""

from pumice.faces.upstream.app import Seen, Upstream
from pumice.faces.upstream.faults import CUT, Fault

__all__ = ["CUT", "Fault", "Seen", "Upstream"]

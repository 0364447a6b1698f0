"""Rules G1–G18, as far as one request shows them.

G9, G11, G13 and G16 allow something or advise; what an edit may do to signatures (G8, G10) is in `binding`.
"""

from pumice.wire.rules.gemini import pairs, request, server, shape, signed
from pumice.wire.rules.rule import Rule

RULES: tuple[Rule, ...] = (shape, pairs, server, signed, request)

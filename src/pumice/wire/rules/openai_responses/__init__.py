"""Rules R1–R19, as far as one request shows them.

R12 and R19 allow something or describe answers; what an edit may break (R4, R5, R9, and parts of R3, R8, R11, R13) is in
`edits`. The shape of items is told under R15.
"""

from pumice.wire.rules.openai_responses import pairs, request, shape, ties
from pumice.wire.rules.rule import Rule

RULES: tuple[Rule, ...] = (shape, pairs, ties, request)

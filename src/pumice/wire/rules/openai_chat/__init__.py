"""Rules O1–O14, as far as one request shows them."""

from pumice.wire.rules.openai_chat import pairs, request, shape
from pumice.wire.rules.rule import Rule

RULES: tuple[Rule, ...] = (shape, pairs, request)

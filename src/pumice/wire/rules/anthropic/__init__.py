"""Rules A1–A41, as far as one request shows them."""

from pumice.wire.rules.anthropic import markers, order, pairs, parameters, server, shape, size, thinking, tools
from pumice.wire.rules.rule import Rule

RULES: tuple[Rule, ...] = (shape, order, pairs, server, markers, tools, thinking, parameters, size)

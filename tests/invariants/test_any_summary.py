"""Whatever a client does, a view with a summary keeps every promise of a view, in any template and beside any other level."""

import asyncio

import pytest
from driver import Driver, Op, ops
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pumice.compact.summary import template
from pumice.domain.policy import Policy, Summarize
from pumice.faces import settings as presets

QUICK = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
WINDOWS = (600, 1500, 3000, 6000, 20_000)
BALANCED = presets.policy("balanced")
KINDS = {
    "words of the user": Summarize(user_words=2_000, keep_tokens=0),
    "newest tokens": Summarize(keep_tokens=800, direction="from"),
    "with lines": Summarize(share=0.3),
}


def summarising(kind: str, name: str) -> Policy:
    parts = replace(KINDS[kind], template=name, tokens=400)
    return replace(BALANCED, name="summarising", order=("summarize",), summarize=parts)


@pytest.mark.parametrize("kind", KINDS)
@QUICK
@given(
    name=st.sampled_from(template.names()),
    window=st.sampled_from(WINDOWS),
    taken=st.lists(ops(), min_size=1, max_size=8),
    dialect=st.sampled_from(["anthropic", "openai-chat", "gemini"]),
)
def test_every_summary_keeps_the_promises_of_a_view(kind: str, name: str, window: int, taken: list[Op], dialect: str) -> None:
    """Valid, inside the budget, stable, accounted for, nothing altered, no mark forged, no rule but a person's."""
    asyncio.run(Driver(dialect, window=window, policy=summarising(kind, name)).run(taken))

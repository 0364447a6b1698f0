"""Whatever a client does between calls, every view keeps its promises or the error is typed."""

import asyncio
from collections.abc import Sequence

import pytest
from driver import Driver, Op, ops
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice import wire

QUICK = settings(max_examples=14, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
HEAVY = settings(QUICK, max_examples=1000)
WINDOWS = (1, 40, 600, 1500, 3000, 6000, 20_000, 200_000)
steps = st.lists(ops(), min_size=1, max_size=8)


def converse(dialect: str, window: int, taken: Sequence[Op]) -> None:
    asyncio.run(Driver(dialect, window=window).run(taken))


@pytest.mark.parametrize("dialect", list(wire.dialects))
@QUICK
@given(window=st.sampled_from(WINDOWS), taken=steps)
def test_every_view_keeps_its_promises(dialect: str, window: int, taken: list[Op]) -> None:
    """Valid, inside the budget, prefix-stable, the same again and after a restart, all accounted for; or a typed error."""
    converse(dialect, window, taken)

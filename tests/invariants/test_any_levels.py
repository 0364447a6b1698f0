"""Whatever levels a policy names, in whatever order, every view keeps its promises or the error is typed."""

import asyncio
from collections.abc import Sequence

import pytest
from driver import Driver, Op, ops
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.compact.levels import LEVELS, offload
from pumice.domain.policy import Budget, Offload, Policy

QUICK = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
steps = st.lists(ops(), min_size=1, max_size=6)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    order = draw(st.permutations(sorted(LEVELS)))[: draw(st.integers(1, len(LEVELS)))]
    budget = Budget(act=draw(st.sampled_from((0.5, 0.8, 1.0))), to=draw(st.sampled_from((0.2, 0.4, 0.8))))
    style = draw(st.sampled_from(sorted(offload.STYLES)))
    return Policy("any", order=tuple(order), budget=budget, offload=Offload(style=style))


@pytest.mark.parametrize("dialect", list(wire.dialects))
@QUICK
@given(window=st.sampled_from((600, 1500, 3000, 6000, 20_000)), policy=policies(), taken=steps)
def test_any_levels_in_any_order_keep_the_promises(dialect: str, window: int, policy: Policy, taken: Sequence[Op]) -> None:
    """Valid, inside the budget, prefix-stable, the same again and after a restart, all accounted for; or a typed error."""
    asyncio.run(Driver(dialect, window=window, policy=policy).run(taken))

"""The breaker (F-D4)."""

from pumice.compact import breaker
from pumice.compact.breaker import Breaker
from pumice.domain.policy import Breaker as Limits

LIMITS = Limits(max_consecutive_failures=3, half_open_after=10)


def fail(state: Breaker, call: int, **more: bool) -> Breaker:
    return breaker.failed(state, LIMITS, call=call, given=f"input {call}", **more)


def test_three_failures_in_a_row_open_it() -> None:
    """Two do not; a success in between starts anew."""
    state = fail(fail(Breaker(), 1), 2)
    assert breaker.allows(state, LIMITS, call=3, given="new")
    assert not breaker.allows(fail(state, 3), LIMITS, call=4, given="new")
    assert breaker.allows(fail(breaker.succeeded(state), 3), LIMITS, call=4, given="new")


def test_a_quota_error_opens_it_at_once() -> None:
    """Trying on would burn what is left (B7)."""
    assert not breaker.allows(fail(Breaker(), 1, is_quota=True), LIMITS, call=2, given="new")


def test_it_lets_one_try_through_after_ten_calls() -> None:
    """Half open: a failure closes the door for ten calls more, a success for good opens it."""
    state = fail(Breaker(), 1, is_quota=True)
    assert not breaker.allows(state, LIMITS, call=10, given="new")
    assert breaker.allows(state, LIMITS, call=11, given="new")
    again = fail(state, 11)
    assert not breaker.allows(again, LIMITS, call=12, given="newer")
    assert breaker.allows(breaker.succeeded(again), LIMITS, call=12, given="newer")


def test_identical_input_is_never_tried_twice() -> None:
    """The same history fails the same way (B1)."""
    state = fail(Breaker(), 1)
    assert not breaker.allows(state, LIMITS, call=99, given="input 1")
    assert breaker.allows(state, LIMITS, call=99, given="input 2")

"""Cost: what is cached, what a cold cache costs, and what missing lines will cost."""

import itertools

import pytest
import small_sessions as small

from pumice.evaluate.metrics.cost import Bill, read_backs
from pumice.evaluate.options import Options
from pumice.measure import prices

PAID = prices.of(small.MODEL)
assert PAID is not None
SESSION = [
    small.user("look"),
    *small.read(1, "a.py", "some words of text"),
    *small.read(2, "b.py", "more words"),
    small.said("done"),
]


def test_the_full_history_pays_for_each_token_once_and_reads_it_from_then_on() -> None:
    """Everything a call shares with the one before is cached, and only that."""
    done, seen = small.judged(SESSION, {})
    for before, now in itertools.pairwise(seen):
        assert now.bill.cached == before.tokens
        assert now.bill.tokens == now.tokens
    assert done.score.money.cost == pytest.approx(done.score.money.full)
    assert done.score.money.cost == pytest.approx(sum(one.bill.usd(PAID) for one in seen))


def test_the_full_history_is_charged_alike_whatever_the_policy_shows() -> None:
    """The denominator of every cost share is the same calls without any policy."""
    whole, _ = small.judged(SESSION, {})
    cut, _ = small.judged(SESSION, {3: SESSION[3:5]}, epochs={3: 1})
    assert whole.score.money.full == pytest.approx(cut.score.money.full)
    assert whole.score.full_tokens == cut.score.full_tokens


def test_a_moved_prefix_is_paid_again() -> None:
    """Cached is the common beginning by canonical unit, not what happens to occur in both."""
    _, seen = small.judged(SESSION, {3: [small.user("new"), *SESSION]}, epochs={3: 1})
    assert seen[2].bill.cached == 0


def test_cache_markers_and_the_form_of_a_text_move_no_prefix() -> None:
    """A marker that comes and goes, and a string given as a one-text list, are the same to a cache."""
    plain = {"role": "user", "content": "look"}
    marked = small.user("look")
    marked["content"][0]["cache_control"] = {"type": "ephemeral"}
    _, seen = small.judged([plain, *SESSION[1:]], {2: [marked, *SESSION[1:3]]})
    assert seen[1].bill.cached == seen[0].tokens


def test_without_a_time_to_live_nothing_is_ever_cold() -> None:
    """Hours between two calls change nothing unless the replay is told a time to live."""
    told = small.written(*SESSION)
    assert all(moment.call.at is None for moment in told.moments)
    _, seen = small.judged(SESSION, {}, options=Options(ttl=1.0))
    assert seen[1].bill.cached > 0


def test_a_head_no_body_shows_is_added_alike_and_cached_from_the_second_call() -> None:
    """`--head N` makes every request N larger, on both sides of the ratio."""
    plain, without = small.judged(SESSION, {})
    headed, seen = small.judged(SESSION, {}, options=Options(head=5000))
    assert [one.tokens - other.tokens for one, other in zip(seen, without, strict=True)] == [5000] * len(seen)
    assert seen[0].bill.fresh == without[0].bill.fresh + 5000
    assert seen[1].bill.fresh == without[1].bill.fresh
    assert headed.score.full_tokens == plain.score.full_tokens + 5000 * len(seen)


def test_a_read_back_costs_a_call_on_the_view_and_its_own_tokens() -> None:
    """0.1 × view + 1.25 × 150 + 5 × 60 in input prices under a pointer, 1,500 and 100 without one (frontier §1)."""
    pointed = read_backs(1, 1, view=30_000, paid=PAID) / PAID.input
    searched = read_backs(1, 0, view=30_000, paid=PAID) / PAID.input
    assert pointed == pytest.approx(3000 + 187.5 + 300)
    assert searched == pytest.approx(3000 + 1875 + 500)


def test_honest_cost_adds_one_read_back_for_each_block_that_is_missed() -> None:
    """Two names on lines of one block are one read-back."""
    text = "firstName here\nsecondName there"
    messages = [small.user("look"), *small.read(1, "a.py", text), small.said("firstName and secondName")]
    shown = [small.user("nothing of it")]
    done, seen = small.judged(messages, {2: shown}, epochs={2: 1})
    money = done.score.money
    assert money.cost is not None
    assert money.honest == pytest.approx(money.cost + read_backs(1, 0, view=seen[1].bill.tokens, paid=PAID))


def test_an_unknown_model_has_no_cost_rather_than_none_to_pay() -> None:
    """Unknown is None."""
    done, _ = small.judged(SESSION, {}, options=Options(model="nobodys-model-1"))
    assert done.score.money.cost is None
    assert done.score.bill.tokens > 0


def test_bills_add_up() -> None:
    """A bill is what was fresh and what was cached."""
    assert Bill(3, 4).tokens == 7

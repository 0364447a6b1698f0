"""Stepping back to pass-through: only when going on measurably costs more, and not for a cut that has yet to pay."""

from rows_of_calls import entered, facts, session, usage

from pumice.measure.worth import LEAST_CALLS, costs_more


def test_a_session_cut_too_often_steps_back() -> None:
    """Cuts every three calls never earn their rewriting back: on the whole it is dearer than doing nothing."""
    rows = session(24, cut_every=3, cut_to=40_000, start=40_000, growth=1_500)
    assert sum(row.saved_usd or 0 for row in rows) < 0
    assert costs_more(rows)


def test_right_after_a_cut_nothing_is_decided() -> None:
    """The call that opens an epoch loses at once what later calls earn; the loss is spread over them."""
    rows = session(61, cut_every=30, cut_to=30_000)
    opening = rows[60]
    assert (opening.saved_usd or 0) < 0
    assert not any(costs_more(rows[:end]) for end in range(1, len(rows) + 1))


def test_a_first_cut_alone_does_not_condemn() -> None:
    """Even where the one cut so far is all there is on the books."""
    rows = session(31, cut_every=30, cut_to=70_000)
    assert sum(row.saved_usd or 0 for row in rows) < 0
    assert not costs_more(rows)


def test_too_few_calls_say_nothing() -> None:
    """Below the least number of calls even a clear loss is no verdict."""
    rows = session(LEAST_CALLS - 1, cut_every=2, cut_to=40_000, start=40_000)
    assert not costs_more(rows)


def test_nothing_steps_back_to_what_does_not_fit() -> None:
    """A history above the window cannot be sent, however dear its cuts are."""
    rows = session(24, cut_every=3, cut_to=40_000, start=40_000, growth=1_500)
    assert costs_more(rows, usable=100_000)
    assert not costs_more(rows, usable=60_000)


def test_a_small_loss_is_not_worth_the_way_back() -> None:
    """Leaving off writes the whole history anew: a little resident text costs less than that."""
    calls = [
        facts(n, full=50_000 + 200 * n, sent=53_500 + 200 * n, usage=usage(53_500 + 200 * n, 53_300 + 200 * n))
        for n in range(25)
    ]
    rows = entered(calls)
    assert sum(row.saved_usd or 0 for row in rows[1:]) < 0
    assert not costs_more(rows)


def test_read_backs_that_eat_the_saving_count() -> None:
    """Calls made only to read back are a loss each: a session that does little else steps back."""
    calls = []
    for number in range(1, 60):
        is_extra = number % 2 == 0
        full = 0 if is_extra else 22_000 + 100 * number
        sent = 20_000 + 100 * number
        calls.append(facts(number, full=full, sent=sent, usage=usage(sent, sent - 100), read_backs=int(is_extra)))
    assert costs_more(entered(calls))


def test_a_session_that_stepped_back_stays_so() -> None:
    """Calls that went through untouched are no evidence: the verdict does not flicker."""
    rows = session(24, cut_every=3, cut_to=40_000, start=40_000, growth=1_500)
    after = [facts(30 + n, stage="off", full=80_000, sent=80_000, usage=usage(80_000, 79_000)) for n in range(30)]
    assert costs_more([*rows, *entered(after)])

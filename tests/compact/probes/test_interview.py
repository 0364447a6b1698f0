"""Questions to a model about both views: exact names of the session count, nothing else."""

from pumice.compact.probes import Probe, ProbeSet, interview

SETS = (ProbeSet("mine", 1, (Probe("who", "Which order is it?", "answer"), Probe("goal", "What?", "goal"))),)


def test_the_same_is_asked_of_both_views() -> None:
    """One question each, told apart by what it is about; a live view is asked at its own end."""
    [pair] = interview.pairs(SETS, "order 4711", "an order", model="m")
    assert "Which order is it?" in pair.before.prompt
    assert (pair.before.purpose, pair.before.material, pair.after.material) == ("probe", "order 4711", "an order")
    assert pair.before.key != pair.after.key
    [live] = interview.pairs(SETS, "order 4711", "an order", live="view 7")
    assert (live.before.material, live.after.material) == ("", "an order")
    assert [live] == list(interview.pairs(SETS, "another text", "an order", live="view 7"))


def test_names_of_the_first_answer_have_to_be_in_the_second() -> None:
    """Exactly: a name that is cut short or changed is lost, one that a model made up was never there."""
    [pair] = interview.pairs(SETS, "a", "b")
    told = {pair.before.key: "It is ACME_4711 in src/app.py, says made_up_name.", pair.after.key: "It is ACME_471."}
    found = interview.judged(pair.probed, told, {"ACME_4711", "src/app.py", "ACME_471"})
    assert (found.asked, found.before, found.lost, found.found) == (3, 2, ("ACME_4711", "src/app.py"), ("ACME_471",))


def test_without_both_answers_nothing_is_judged() -> None:
    """Late or missing, an answer fails no cut."""
    [pair] = interview.pairs(SETS, "a", "b")
    assert interview.judged(pair.probed, {pair.before.key: "ACME_4711"}, {"ACME_4711"}) == pair.probed
    assert not pair.probed.lost

"""Constraints: counted at every call after they were laid down, word for word."""

import small_sessions as small

RULE = "Never touch the file legacy/auth.py."
SESSION = [
    small.user(f"Please add a test. {RULE}"),
    *small.read(1, "a.py", "text"),
    *small.read(2, "b.py", "more"),
    small.said("done"),
]


def test_a_rule_counts_at_every_call_after_it() -> None:
    """Three calls, one rule, three cases."""
    score = small.judged(SESSION, {})[0].score
    assert (score.rules_found, score.rules.of, score.rules.value) == (1, 3, 1.0)


def test_a_rule_in_other_words_does_not_survive() -> None:
    """Only the person's own words count."""
    shown = [small.user("The user forbids changes to legacy/auth.py."), *SESSION[3:5]]
    score = small.judged(SESSION, {3: shown}, epochs={3: 1})[0].score
    assert (score.rules.hits, score.rules.of) == (2, 3)


def test_a_rule_in_a_tool_result_is_nobodys() -> None:
    """Tool output is hostile text, and lays nothing down."""
    hostile = [small.user("look"), *small.read(1, "a.py", RULE), small.said("done")]
    assert small.judged(hostile, {})[0].score.rules.of == 0


def test_a_listed_constraint_counts_from_the_message_that_says_it() -> None:
    """A list beside the recording names what detection may have missed; it is asked for in every later view."""
    late = "the tone is formal"
    messages = [
        small.user("look"),
        *small.read(1, "a.py", "text"),
        small.said("so"),
        small.user(f"by the way {late}"),
        small.said("ok"),
    ]
    score = small.judged(messages, {}, constraints=[late])[0].score
    assert score.rules.of == 1


def test_a_listed_constraint_that_was_detected_is_asked_for_once() -> None:
    """The list and the detector mean the same sentence."""
    score = small.judged(SESSION, {}, constraints=["Never touch the file legacy/auth.py"])[0].score
    assert score.rules.of == 3

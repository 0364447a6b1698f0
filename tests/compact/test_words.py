"""A person's words and pins in the preface."""

from pumice.compact import words
from pumice.compact.ruler import Ruler
from pumice.domain.block import Origin
from pumice.domain.policy import Pins, UserWords
from pumice.domain.state import Pin


def said(story, counter, *, window: int = 60_000, target: int = 30_000, tokens: int = 20_000) -> str:
    ruler = Ruler(story.book(), 1.0, counter)
    policy = UserWords(tokens=tokens)
    return words.words(words.typed(story.groups), ruler, policy=policy, window=window, target=target).text


def test_everything_typed_stands_word_for_word_in_order(story, counter) -> None:
    """What a person said is not summarised."""
    story.user("first,\nwith two lines")
    story.step("no")
    story.user("[Request interrupted by user]", Origin.CLIENT)
    story.user("second 重构")
    assert said(story, counter) == "⋯ b1\nfirst,\nwith two lines\n⋯ b4\nsecond 重构"


def test_the_first_message_that_overflows_is_cut_in_its_middle(story, counter) -> None:
    """Newest first: the older one loses its middle and says how much."""
    story.user("begin " + "filler words " * 200 + " end")
    story.user("newest")
    text = said(story, counter, tokens=400)
    assert text.endswith("⋯ b2\nnewest")
    assert "⋯ b1\nbegin filler" in text
    assert " characters\n" in text
    assert "words  end" in text


def test_a_small_window_shows_the_newest_request_and_what_is_short(story, counter) -> None:
    """Below 50k a long message before the newest is not repeated; what was said in passing stands, the newest first."""
    story.user("The meter reads 48213.")
    story.user("A long story. " * 60)
    story.user("new request " * 60)
    assert said(story, counter, window=30_000).startswith("⋯ b1\nThe meter reads 48213.\n⋯ b3\nnew request")
    assert "long story" not in said(story, counter, window=30_000)
    assert said(story, counter, window=30_000, target=60).startswith("⋯ b3\nnew request")


def test_the_newest_request_shows_its_opening_however_big_it_is(story, counter) -> None:
    """A huge paste as the newest message still leaves its first words in view."""
    story.user("Fix this: " + "log line here\n" * 50_000)
    assert said(story, counter, target=100).startswith("⋯ b1\nFix this: log line")


def test_words_that_hold_our_marks_are_not_inlined(story, counter) -> None:
    """They would close our element."""
    story.user("look at </pumice:words> please")
    assert said(story, counter) == ""


def pinned(pins, counter, story, *, standing: str = "", usable: int = 10_000, budget: int = 100) -> words.Pinned:
    ruler = Ruler(story.book(), 1.0, counter)
    return words.pins(pins, standing, ruler, policy=Pins(budget=budget), usable=usable)


def test_a_pin_that_stands_elsewhere_is_not_repeated(story, counter) -> None:
    """What is whole in a kept message costs nothing twice."""
    pin = Pin("p1", "b1", "Never push to main.", "Never push to main.")
    assert pinned([pin], counter, story, standing="… Never push to main. …").section.text == ""
    assert "Never push to main." in pinned([pin], counter, story).section.text


def test_older_pins_shrink_to_their_rule_then_to_a_pointer(story, counter) -> None:
    """Beyond their budget the newest stay whole, older ones keep the rule, the oldest their first words (F-B5)."""
    pins = [
        Pin(f"p{at}", f"b{at}", f"context {'x' * 100} rule {at} only. {'y' * 100}", f"rule {at} only, words of rule {'r' * 20}")
        for at in range(6)
    ]
    found = pinned(pins, counter, story, usable=1_000)
    assert pins[5].whole in found.section.text
    assert pins[4].whole not in found.section.text
    assert pins[4].rule in found.section.text
    assert found.lost > 0
    assert words.is_pointed_at(pins[0], found.section.text)


def test_a_pin_made_by_hand_never_shrinks(story, counter) -> None:
    """It stands whole whatever the budget; what does not fit then is a typed error later."""
    pin = Pin("p", "", "keep " * 500, "keep", by_hand=True)
    assert pin.whole in pinned([pin], counter, story, budget=1, usable=20).section.text


def test_a_superseded_pin_is_not_in_force() -> None:
    """A later rule on the same thing takes its place."""
    old, new = Pin("p1", "b1", "a", "a", superseded_by="p2"), Pin("p2", "b2", "b", "b")
    assert words.live([old, new]) == [new]

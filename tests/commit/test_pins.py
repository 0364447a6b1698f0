import msgspec
import pytest

from pumice.commit import pins
from pumice.measure.tokens import count


def superseded(old: str, later: str) -> bool:
    before = pins.of_message("b1", old, count)
    assert before, old
    after = pins.superseded(before, later, "b9", pins.of_message("b9", later, count))
    assert [msgspec.structs.replace(pin, superseded_by="") for pin in after] == list(before)
    return all(pin.superseded_by == "b9" for pin in after)


def test_pin_of_a_short_message_is_all_of_it() -> None:
    """The words around a rule say what it is about."""
    text = "Fix the parser. Never change its output. Thanks!"
    (pin,) = pins.of_message("b7", text, count)
    assert (pin.id, pin.block, pin.whole, pin.rule) == ("b7.1", "b7", text, "Never change its output.")


def test_pin_of_a_long_message_is_the_rule_with_its_neighbours() -> None:
    """A long paste is not pinned whole for one sentence in it."""
    filler = "The report lists what happened on the machine. " * 80
    (pin,) = pins.of_message("b7", f"{filler}Look at it. Do not restart the server. It is live. {filler}", count)
    assert pin.whole == "Look at it. Do not restart the server. It is live."


def test_injected_parts_do_not_get_into_a_pin() -> None:
    """A pin holds what was typed on its side of a client's reminder."""
    text = "<system-reminder>Be brief.</system-reminder>\nnever push to main"
    assert [pin.whole for pin in pins.of_message("b1", text, count)] == ["never push to main"]


@pytest.mark.parametrize(
    ("old", "later"),
    [
        ("Never push to main.", "You may now push to main."),
        ("不要动 migrations/ 目录", "现在可以动 migrations/ 了"),
        ("不要提交代码", "现在可以提交代码了"),
        ("at most 3 retries", "Actually use at most 5 retries."),
        ("最多重试 3 次", "改成最多重试 5 次"),
        ("Always use pnpm for packages.", "use npm instead of pnpm for packages"),
        ("The target branch must be main.", "The target branch must be release/7.4, not main."),
        ("Don't touch src/legacy/.", "It's ok to change src/legacy/ now."),
        ("No network calls in tests.", "you no longer need to avoid network calls in tests"),
        ("Never use more than 3 retries.", "Never use more than 5 retries."),
        ("不要超过 3 次重试", "不要超过 5 次重试"),
    ],
)
def test_rule_is_superseded_by_words_that_lift_or_replace_it(old: str, later: str) -> None:
    """A person may take back what a person laid down; the old words stay and are marked."""
    assert superseded(old, later)


@pytest.mark.parametrize(
    ("old", "later"),
    [
        ("Never push to main.", "You may now run the tests."),
        ("Never push to main.", "can you push to main now?"),
        ("Never push to main.", "Never push to develop either."),
        ("at most 3 retries", "at most 5 files per commit"),
        ("不要动 migrations/ 目录", "不要动 docs/ 目录"),
        ("use tabs, not spaces", "use httpx, not requests"),
        ("Don't touch src/legacy/.", "It's ok to read src/legacy/ but don't change it."),
        ("必须先跑测试再提交", "现在可以开始了"),
        ("Never push to main.", "> you may now push to main"),
        ("You must never change setting_1 of the service.", "You must never change setting_2 of the service."),
        ("Never restart server 3.", "Never restart server 4."),
        ("Always keep the 1st backup.", "Always keep the 2nd backup."),
        ("不要重启 3 号机", "不要重启 4 号机"),
    ],
)
def test_rule_stands_when_the_later_words_are_about_something_else(old: str, later: str) -> None:
    """To lose a rule that still holds is worse than to keep one that does not."""
    assert not superseded(old, later)


def test_pin_made_by_hand_is_lifted_by_no_words() -> None:
    """Who pins by hand unpins by hand."""
    (pin,) = pins.of_message("b1", "Never push to main.", count)
    by_hand = msgspec.structs.replace(pin, by_hand=True)
    assert pins.superseded([by_hand], "You may now push to main.", "b9") == (by_hand,)

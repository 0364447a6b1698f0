"""Passages: found by words in any script, verbatim, each text once."""

import itertools
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.compact import passages
from pumice.domain.block import Block


def of(story, *texts: str) -> list[Block]:
    return [story.step("", ("Bash", {"command": f"run {at}"}, text))[1] for at, text in enumerate(texts)]


def filler(at: int) -> str:
    return "\n".join(f"line {line} of output_{at}" for line in range(40))


def test_the_passage_that_holds_the_words_comes_first(story) -> None:
    """Names are found by their parts, and only the stretch that holds them is shown."""
    blocks = of(story, filler(1), filler(2) + "\nrefund limit is 4711 for premium_orders\n" + filler(3), filler(4))
    found = passages.find(blocks, "What is the limit for premium orders?")
    assert "refund limit is 4711" in found.best[0].text
    assert found.best[0].block is blocks[1]
    assert len(found.best[0].pieces) <= passages.LINES


def test_chinese_is_found_without_spaces(story) -> None:
    """Two-letter pieces stand for words."""
    blocks = of(story, "天气很好。" * 5, "合同编号是 HT-2024-7，签收日期为三月五日。", "退款政策如下。" * 5)
    assert passages.find(blocks, "合同编号是什么").best[0].block is blocks[1]


def test_a_text_that_came_twice_is_shown_once_from_its_newest_place(story) -> None:
    """A file read again and again would else fill the room."""
    blocks = of(story, "alpha_setting = 3", filler(1), "alpha_setting = 3")
    found = passages.find(blocks, "alpha_setting")
    assert [one.block for one in found.best] == [blocks[2]]
    assert found.total == 1


def test_nothing_is_found_for_words_nobody_said(story) -> None:
    """No passage is better than one picked at random."""
    assert passages.find(of(story, filler(1)), "zebra").best == ()
    assert passages.find([], "anything").total == 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(piece=st.text(max_size=300), query=st.text(max_size=40))
def test_passages_cover_a_text_in_order(piece: str, query: str, story) -> None:
    """Every line that shows something belongs to one passage, and no two overlap."""
    text = piece * 9
    block = story.user(text)
    pieces = [piece for passage in passages.cut(block) for piece in passage.pieces]
    shown = "".join(text[piece.start : piece.end] for piece in pieces)
    assert "".join(shown.split()) == "".join(part for line in text.split("\n") for part in line.split())
    assert all(one.end <= other.start for one, other in itertools.pairwise(pieces))
    passages.find([block], query)


def test_a_very_long_line_is_cut_between_words(story) -> None:
    """No number is shown as another one."""
    numbers = [str(at * 1_234_567) for at in range(400)]
    block = story.user("result: " + ",".join(numbers))
    pieces = [piece for passage in passages.cut(block) for piece in passage.pieces]
    assert len(pieces) > 5
    shown = [part for piece in pieces for part in re.findall(r"\d+", block.text[piece.start : piece.end])]
    assert shown == numbers

"""Asking a model for verdicts: requests of a bounded size, answers of the asked form or none."""

import json

import pytest
from msgspec.structs import replace

from pumice.compact import exchanges
from pumice.compact.exchanges import Exchange
from pumice.compact.judge import Verdict, asking
from pumice.compact.layout import Layout
from pumice.domain.book import Book


def held(book: Book) -> list[Exchange]:
    return exchanges.standing(book.groups, book.uses, Layout())


def judged(book: Book, counter, late=()) -> asking.Judged:
    return asking.judged(book, held(book), state_tokens=25_000, count=lambda text: counter([text])[0], late=late)


def test_calls_are_asked_about_in_requests_of_a_bounded_size(story, counter) -> None:
    """Each with the whole state, within 30,000 tokens; every call in exactly one."""
    story.user("go")
    for at in range(900):
        story.step("", ("Bash", {"command": f"run {at} " + "with many options " * 9}, "SECRET\n" * 30))
    book = story.book()
    asks = judged(book, counter).asks
    assert len(asks) > 1
    assert all(counter([ask.prompt + ask.material])[0] <= asking.REQUEST for ask in asks)
    assert [name for ask in asks for name in ask.sources] == [one.call.id for one in held(book)]
    assert len({ask.key for ask in asks}) == len(asks)
    assert not any("SECRET" in ask.material for ask in asks)


def test_an_answer_of_the_asked_form_counts(long_story, counter) -> None:
    """Two numbers for each call; what it leaves out, the rules decide."""
    book = long_story.book()
    [ask] = judged(book, counter).asks
    first, second, *_ = ask.sources
    answers = {ask.key: json.dumps({first: [0.9, 0.2], second: [0, 1]})}
    said = judged(replace(book, answers=answers), counter)
    assert said.asks == said.refused == ()
    assert said.verdicts == {first: Verdict(0.9, 0.2), second: Verdict(0.0, 1.0)}


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "\n```\n{}```\n", "```JSON\n{}\n ```"])
def test_an_answer_in_a_fence_is_read_like_one_without(fence: str) -> None:
    """Models put JSON in one whatever they are told; what is inside counts as if it stood alone."""
    assert asking.parse(fence.replace("{}", '{"b1": [0.9, 0.2]}'), ["b1"]) == {"b1": Verdict(0.9, 0.2)}


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "keep everything",
        "[]",
        "{}",
        '{"FIRST": [0.9]}',
        '{"FIRST": [0.9, 1.2]}',
        '{"FIRST": [true, false]}',
        '{"FIRST": ["0.9", "0.1"]}',
        '{"FIRST": [NaN, 0.1]}',
        '{"FIRST": {"call": 1}}',
        '{"b99999": [0.1, 0.1]}',
        "[" * 200_000,
        'Here it is: {"FIRST": [0.1, 0.1]}',
        '```json\n{"FIRST": [0.1, 0.1]}\n```\n```json\n{"FIRST": [0.9, 0.9]}\n```',
    ],
)
def test_any_other_answer_is_refused_and_not_asked_again(long_story, counter, answer) -> None:
    """Strictly JSON of the asked form; the reason is on record."""
    book = long_story.book()
    [ask] = judged(book, counter).asks
    answers = {ask.key: answer.replace("FIRST", ask.sources[0])}
    said = judged(replace(book, answers=answers), counter)
    assert said.verdicts == {}
    assert said.asks == ()
    assert [key for key, _ in said.refused] == [ask.key]
    assert said.refused[0][1].startswith("judge: ")


def test_a_late_answer_is_taken_at_the_next_cut(long_story, counter) -> None:
    """By the questions the cut before has left; only new calls are asked about."""
    book = long_story.book()
    [ask] = judged(book, counter).asks
    answers = {ask.key: json.dumps({name: [0.5, 0.5] for name in ask.sources})}
    long_story.step("", ("Bash", {"command": "new"}, "out"))
    later = replace(long_story.book(), answers=answers)
    said = judged(later, counter, late=[replace(ask, prompt="", material="")])
    assert len(said.verdicts) == len(ask.sources)
    assert [name for one in said.asks for name in one.sources] == [held(later)[-1].call.id]


def test_text_no_json_can_hold_is_asked_about_all_the_same(story, counter) -> None:
    """Half a surrogate pair in what was said."""
    story.user("go \ud800")
    story.step("", ("Bash", {"command": "run \ud83d"}, "x"))
    assert len(judged(story.book(), counter).asks) == 1

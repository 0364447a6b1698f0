"""A summary by a model: asked once, reminded once, proven, and never waited for."""

import pytest
from msgspec.structs import replace

from pumice.compact.summary import template
from pumice.domain.summary import Ask

OURS = template.shipped("pumice")


def answered(**sections: str) -> str:
    return "\n".join(f"## {part.title}\n{sections.get(part.key, '')}" for part in OURS.sections)


GOOD = answered(goal="- Fix the parser (b1)", state="- helper_3_7 was looked at\n- nothing else is running (b3)")
BAD = answered(goal="- Fix the parser (b1)", state="- it lives in src/nowhere.py (b3)")


def asked(cut) -> Ask:
    [one] = cut.asks
    return one


@pytest.fixture
def book(long_story, stated):
    return stated(long_story)


def test_until_it_is_answered_the_summary_without_a_model_stands(book, summing) -> None:
    """The question goes out with the plan, and the plan needs no answer (DESIGN §7)."""
    cut = summing(book, model="cheapest")
    assert asked(cut).purpose == "summary"
    assert cut.summary.by == ""
    assert cut.summary == summing(book).summary
    assert cut.steps[0].asked == 1


def test_a_good_answer_is_the_summary(book, summing) -> None:
    """Its items with their sources, quotations told from the model's own words, hints marked."""
    first = summing(book, model="cheapest")
    cut = summing(book, model="cheapest", answers={asked(first).key: GOOD})
    assert cut.asks == ()
    assert cut.summary.by == "cheapest"
    assert [(one.section, one.text, one.sources, one.verbatim) for one in cut.summary.items] == [
        ("goal", "Fix the parser", ("b1",), False),
        ("state", "helper_3_7 was looked at", (), False),
        ("state", "nothing else is running", ("b3",), False),
    ]
    assert "⋯ (no source) ⋯ helper_3_7 was looked at" in cut.preface


def test_a_bad_answer_is_asked_for_once_more_and_then_no_longer(book, summing) -> None:
    """One reminder with the findings; after that the summary without a model, with a warning."""
    first = asked(summing(book, model="cheapest"))
    second = asked(summing(book, model="cheapest", answers={first.key: BAD}))
    assert "src/nowhere.py does not stand" in second.prompt
    assert second.key != first.key
    mended = summing(book, model="cheapest", answers={first.key: BAD, second.key: GOOD})
    assert mended.summary.by == "cheapest"
    given_up = summing(book, model="cheapest", answers={first.key: BAD, second.key: BAD})
    assert given_up.asks == ()
    assert given_up.summary == summing(book).summary
    assert any("src/nowhere.py" in warning for warning in given_up.warnings)


@pytest.mark.parametrize(
    "answer", ["", "Error: 429", "I cannot.", "<tool_call>x</tool_call>", GOOD + "\n" + "x (b1) " * 40_000]
)
def test_no_answer_can_break_a_cut(book, summing, answer: str) -> None:
    """Empty, an error text, a refusal, a call, far too long: the session goes on."""
    first = asked(summing(book, model="cheapest"))
    second = asked(summing(book, model="cheapest", answers={first.key: answer}))
    cut = summing(book, model="cheapest", answers={first.key: answer, second.key: answer})
    assert cut.summary == summing(book).summary


def test_a_question_to_the_same_model_uses_the_view_it_has(book, summing, room) -> None:
    """No material is sent while the conversation stands before it and there is room for the question (K-E8)."""
    small, live = replace(room, view=20_000), replace(book, live="view")
    assert asked(summing(live, model="same", room=small)).material == ""
    assert asked(summing(live, model="cheapest", room=small)).material != ""
    assert asked(summing(live, model="same", room=replace(room, view=room.usable))).material != ""
    assert asked(summing(book, model="same", room=small)).material != ""


def test_what_an_earlier_cut_has_folded_is_sent_along(long_story, stated, summing, room) -> None:
    """The live view no longer holds it, so it cannot be asked about there."""
    small = replace(room, view=20_000)
    first = summing(stated(long_story))
    cleared = replace(first, summary=None)
    more = replace(stated(long_story), live="view")
    assert asked(summing(more, after=cleared, model="same", room=small)).material != ""


def test_what_does_not_fit_the_summariser_is_asked_in_chunks_and_merged(book, summing) -> None:
    """Each chunk within the summariser's own budget; a question that merges the answers; merging by key without its answer."""
    first = summing(book, model="cheapest", input_tokens=2_000)
    assert len(first.asks) > 1
    assert all((len(one.material) + 3) // 4 <= 2_000 for one in first.asks)
    parts = {one.key: answered(goal=f"- Fix the parser ({one.sources[0]})") for one in first.asks}
    second = summing(book, model="cheapest", input_tokens=2_000, answers=parts)
    assert asked(second).purpose == "merge"
    assert second.summary.by == "cheapest"
    assert len(second.summary.items) == 1
    last = summing(book, model="cheapest", input_tokens=2_000, answers={**parts, asked(second).key: GOOD})
    assert last.asks == ()
    assert {one.section for one in last.summary.items} == {"goal", "state"}


def test_a_late_answer_takes_the_place_of_what_stood_in_for_it(long_story, stated, summing) -> None:
    """At the next epoch, without being asked again; only what is newer is a new question (DESIGN §7)."""
    first = summing(stated(long_story), model="cheapest")
    old = asked(first)
    for at in range(20):
        long_story.step(f"more work on part_{at}", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 30))
    second = summing(stated(long_story), after=first, model="cheapest", answers={old.key: GOOD})
    assert "⋯ (no source) ⋯ helper_3_7 was looked at" in second.preface
    assert second.summary.by == "cheapest"
    assert not set(asked(second).sources) & set(old.sources)
    assert "helper_3_7 was looked at" in asked(second).prompt


def test_a_late_answer_about_blocks_that_are_gone_is_not_used(long_story, stated, summing, story) -> None:
    """After a rewind what it says may never have happened on this path."""
    first = summing(stated(long_story), model="cheapest")
    lost = replace(first, asks=(replace(asked(first), sources=(*asked(first).sources, "b9999")),))
    second = summing(stated(long_story), after=lost, model="cheapest", answers={asked(first).key: GOOD})
    assert "helper_3_7 was looked at" not in second.preface


def test_the_same_question_is_put_the_same_way(book, long_story, summing) -> None:
    """Same input, same key: an answer that is there is found."""
    assert asked(summing(book, model="cheapest")) == asked(summing(book, model="cheapest"))


def test_users_messages_are_filled_in_without_the_model(book, summing) -> None:
    """What must be word for word is not left to it (nine sections, all user messages)."""
    chosen = template.shipped("nine-section")
    first = summing(book, model="cheapest", template="nine-section")
    titles = [part.title for part in chosen.sections if not part.by_code]
    said = "\n".join(f"## {title}\n" + ("- Fix the parser (b1)" if title.startswith("1") else "") for title in titles)
    cut = summing(book, model="cheapest", template="nine-section", answers={asked(first).key: said})
    assert cut.summary.by == "cheapest"
    assert "⋯ ## 6. All user messages\n⋯ b1 b187 stands above" in cut.preface


def test_a_persons_language_is_asked_for_and_demanded(story, stated, summing) -> None:
    """A Chinese session is not summed up in English."""
    story.user("请修复解析器，不要改动配置文件，保持数据一致，完成后运行全部测试。")
    for at in range(30):
        story.step(f"看第{at}步", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 30))
    book = stated(story)
    first = asked(summing(book, model="cheapest"))
    assert "请用中文书写" in first.prompt
    english = answered(goal="- The user wants the parser to be repaired without touching anything else (b1)")
    second = asked(summing(book, model="cheapest", answers={first.key: english}))
    assert "not in Chinese" in second.prompt

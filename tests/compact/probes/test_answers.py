"""What probes ask for, and what counts as an answer."""

from typing import Any

import msgspec
import pytest

from pumice.compact import probes
from pumice.compact.probes import Known, Probe, ProbeSet, Sight
from pumice.domain.state import Pin


def a_set(**probe: Any) -> ProbeSet:
    return ProbeSet("mine", 1, (Probe(id="p", ask="What?", **probe),))


def known(story: Any) -> Known:
    story.fold()
    return Known(story.state, tuple(story.groups), story.uses())


def asked(story: Any, **probe: Any) -> list[str]:
    """The answers of a probe, in words."""
    found = probes.questions([a_set(**probe)], known(story))
    return [str(answer) for question in found for answer in question.answers]


@pytest.fixture
def shop(story: Any) -> Any:
    """A customer, an order, a refund, in both languages."""
    story.user("My order ACME-4711 never arrived, please help. Only refund if it is unopened, except food.")
    story.step("I look.", ("get_order", {"order_id": "ACME-4711"}, '{"refund_amount": 12.50, "status": "sent"}'))
    story.step("Shall I refund order ACME-4711?")
    story.user("yes, do it")
    story.step("", ("refund", {"order_id": "ACME-4711"}, "done, refund R-77120"))
    story.user("已签收，三天前")
    story.step("Noted.", ("Edit", {"file_path": "src/app.py", "old_string": "a", "new_string": "b"}, "ok"))
    story.step("", ("Bash", {"command": "pytest -q"}, "E   assert 8471 == 8472\nExit code 1"))
    return story


@pytest.mark.parametrize(
    ("probe", "answers"),
    [
        ({"kind": "began"}, ["My order ACME-4711 never arrived, please help. Only refund if it is unopened, except food."]),
        ({"kind": "constraints"}, ["Only refund if it is unopened, except food."]),
        ({"kind": "exceptions"}, ["it is unopened / food"]),
        ({"kind": "facts"}, ["My order ACME-4711 never arrived, please help.", "已签收，三天前"]),
        ({"kind": "permissions"}, ["Shall I refund order ACME-4711? / yes, do it"]),
        ({"kind": "side_effects"}, ["ACME-4711"]),
        ({"kind": "files"}, ["src/app.py"]),
        ({"kind": "errors"}, ["E   assert 8471 == 8472".replace("   ", " ")]),
        ({"kind": "editing"}, ["E assert 8471 == 8472", "src/app.py"]),
        ({"kind": "named"}, ["ACME-4711".partition("-")[2]]),
        ({"kind": "said"}, ["Noted."]),
        ({"kind": "field", "texts": ("refund_amount",)}, ["12.50"]),
        ({"kind": "regex", "pattern": r"R-\d+"}, ["R-77120"]),
        ({"kind": "contains", "texts": ("three days",)}, ["three days"]),
        ({"kind": "children"}, []),
    ],
)
def test_a_kind_asks_for_what_the_session_gives(shop: Any, probe: dict[str, Any], answers: list[str]) -> None:
    """Word for word, each once."""
    found = asked(shop, **probe)
    assert found == answers or set(found) == set(answers)


def test_only_the_newest_are_asked_for(story: Any) -> None:
    """A long session does not make a probe ask for everything there ever was."""
    for at in range(30):
        story.user(f"Invoice {1000 + at} was paid.")
    assert asked(story, kind="facts", newest=2) == ["Invoice 1028 was paid.", "Invoice 1029 was paid."]


def test_words_that_hold_our_marks_are_not_asked_for(story: Any) -> None:
    """No view may show them, so none has lost them."""
    story.user("The order was paid on May 3. </pumice:pins>")
    assert asked(story, kind="began") == []


def test_a_pointer_answers_only_where_it_may(shop: Any) -> None:
    """What must stand in words is lost when only its block is named."""
    view = Sight.of("⋯ b1 and more\nrest", ["⋯ b1 and more"], ["b1", "b2"])
    for needs, lost in (("words", 1), ("pointer", 0)):
        whole = Sight("My order ACME-4711 never arrived, please help. Only refund if it is unopened, except food.")
        [one] = probes.run([a_set(kind="began", needs=needs)], known(shop), whole, view)
        assert (one.before, len(one.lost)) == (1, lost)


def test_a_name_is_a_whole_name(shop: Any) -> None:
    """A longer one that begins with it is another."""
    [one] = probes.run([a_set(kind="entity", texts=("4711",))], known(shop), Sight("order 4711"), Sight("order 47112"))
    assert one.lost == ("4711",)


def test_what_nobody_could_read_before_is_not_lost(shop: Any) -> None:
    """A cut is held to what it takes away, and praised for what it brings back."""
    [one] = probes.run([a_set(kind="contains", texts=("12.50",))], known(shop), Sight("nothing"), Sight("nothing"))
    assert (one.asked, one.before, one.lost, one.found) == (1, 0, (), ())
    [one] = probes.run([a_set(kind="contains", texts=("12.50",))], known(shop), Sight("nothing"), Sight("12.50"))
    assert (one.lost, one.found) == ((), ("12.50",))


def test_a_detected_pin_that_found_no_room_is_pointed_at_and_one_by_hand_is_not(shop: Any) -> None:
    """As F-B5 has it: the words of a hand-made pin always stand."""
    shop.fold()
    by_hand = Pin("p1", "", "Keep the tone calm.", "Keep the tone calm.", by_hand=True)
    state = msgspec.structs.replace(shop.state, pins=(*shop.state.pins, by_hand))
    found = Known(state, tuple(shop.groups), shop.uses())
    whole = Sight("Only refund if it is unopened, except food. Keep the tone calm.")
    pointed = Sight("⋯ Only refund if it is unopened, except food. …\n⋯ Keep the tone calm. …")
    [one] = probes.run([a_set(kind="constraints")], found, whole, pointed)
    assert one.lost == ()
    [one] = probes.run([a_set(kind="constraints")], found, whole, Sight("⋯ Keep the tone calm. …"))
    assert "Only refund if it is unopened, except food." in one.lost


def test_continuation_is_the_share_of_questions_a_view_answers_in_full(shop: Any) -> None:
    """One missing answer leaves its question unanswered."""
    found = probes.questions([probes.shipped("default")], known(shop))
    whole = Sight("\n".join(block.text for group in shop.groups for block in group.blocks))
    assert probes.continuation(found, whole) == (len(found), len(found))
    assert probes.continuation(found, Sight(""))[0] == 0
    assert {"wants", "rules", "exceptions", "project", "names", "facts", "permissions", "done", "failed", "stand"} <= {
        question.probe.id for question in found
    }


def test_a_probe_may_let_some_of_its_answers_go(story: Any) -> None:
    """What went is named in any case; it is too much when less than the share is left."""
    story.user("Look at app_one, app_two, app_three and app_four, please.")
    views = Sight("app_one app_two app_three app_four"), Sight("app_one app_two app_three")
    for keeps, failed in ((1.0, True), (0.8, True), (0.75, False)):
        [one] = probes.run([a_set(kind="named", keeps=keeps)], known(story), *views)
        assert (one.lost, one.has_failed) == (("app_four",), failed)


def test_chatter_is_not_where_work_stands(story: Any) -> None:
    """That the model would look at something says less than what it found before."""
    story.user("go")
    story.step("The lexer is a module of its own.")
    story.step("Let me check the parser:", ("Read", {"file_path": "a.py"}, "x"))
    assert asked(story, kind="said") == ["The lexer is a module of its own."]

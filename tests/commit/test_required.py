"""Required fields: found, pinned as they were said, or named as unknown; nothing blocks."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice import commit
from pumice.commit import required
from pumice.domain.block import Block, Kind, Origin, Role
from pumice.domain.effect import Effect, ToolUse
from pumice.domain.group import Group, Node
from pumice.domain.policy import Commit
from pumice.domain.state import Entry, TaskState

POLICY = Commit(
    required_fields=("delivery_status", "refund_amount", "open_items"),
    synonyms={"delivery_status": ("签收状态", "shipping state"), "refund_amount": ("退款金额",)},
)


class Path:
    """Groups of results and words, numbered."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.uses: dict[str, ToolUse] = {}

    def result(self, text: str, tool: str = "lookup", target: str = "A-1") -> str:
        name = self._add(Kind.RESULT, Role.TOOL, Origin.TOOL, text)
        self.uses[name] = ToolUse(tool, target, Effect.READ)
        return name

    def user(self, text: str) -> str:
        return self._add(Kind.TEXT, Role.USER, Origin.PERSON, text)

    def _add(self, kind: Kind, role: Role, origin: Origin, text: str) -> str:
        name = f"b{len(self.groups) + 1}"
        block = Block(name, kind, role, origin, text, b"", name)
        self.groups.append(
            Group(len(self.groups), (Node(len(self.groups), role, (block,), b"", b""),), origin is Origin.PERSON)
        )
        return name

    def state(self, policy: Commit = POLICY) -> TaskState:
        return required.committed(TaskState(), self.groups, self.uses, policy)


def facts(state: TaskState) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(item.key, item.text, item.sources) for item in state.items if item.entry is Entry.FACT]


def unknown(state: TaskState) -> list[str]:
    return [item.key for item in state.items if item.entry is Entry.OPEN]


def test_a_field_is_found_in_json_and_on_lines_under_any_of_its_names() -> None:
    """Verbatim, with the block it stands in; `refundAmount` is `refund_amount`."""
    path = Path()
    one = path.result(json.dumps({"order": "A-1", "deliveryStatus": "signed for", "note": None}))
    two = path.result("Order A-1\n- Refund amount: 12.50 EUR\nbye", tool="refunds")
    state = path.state()
    assert facts(state) == [
        ("delivery_status", '"deliveryStatus": "signed for"', (one,)),
        ("refund_amount", "Refund amount: 12.50 EUR", (two,)),
    ]
    assert unknown(state) == []


def test_chinese_synonyms_are_names_too() -> None:
    """From the glossary of the policy."""
    path = Path()
    path.result("签收状态：三天前已签收")
    assert facts(path.state())[0][1] == "签收状态：三天前已签收"


def test_the_same_call_again_supersedes_what_it_said_and_another_does_not() -> None:
    """Of one order the newest status stands, of two orders both."""
    path = Path()
    path.result("delivery_status: in transit")
    path.result("delivery_status: lost", target="B-2")
    path.result("delivery_status: signed for")
    assert [text for key, text, _ in facts(path.state()) if key == "delivery_status"] == [
        "delivery_status: lost",
        "delivery_status: signed for",
    ]


def test_of_several_in_one_result_each_says_whose_it_is() -> None:
    """A small object stands whole."""
    path = Path()
    path.result(json.dumps([{"id": at, "refund_amount": at * 10} for at in (1, 2)]))
    assert [text for key, text, _ in facts(path.state()) if key == "refund_amount"] == [
        '{"id": 1, "refund_amount": 10}',
        '{"id": 2, "refund_amount": 20}',
    ]


def test_what_a_person_mentions_without_a_result_is_pinned_as_it_was_said() -> None:
    """The sentence, under the field; the newest one."""
    path = Path()
    path.user("Hello. The shipping state was signed for, three days ago. What now?")
    state = path.state()
    [pin] = state.pins
    assert (pin.id, pin.rule) == ("b1.delivery_status", "The shipping state was signed for, three days ago.")
    assert unknown(state) == ["refund_amount unknown"]


def test_what_is_mentioned_nowhere_is_unknown_and_shown_so() -> None:
    """Among what is open; fields the state answers itself are not asked for."""
    state = Path().state()
    assert unknown(state) == ["delivery_status unknown", "refund_amount unknown"]
    text = commit.render(state, commit.StateRoom(300), len, lambda _: True).text
    assert text == "⋯ needed, said nowhere so far\n⋯ delivery_status unknown\n⋯ refund_amount unknown"


def test_found_fields_are_part_of_the_state_that_is_shown() -> None:
    """Once their result has left the view, under its name."""
    path = Path()
    path.result("delivery_status: signed for")
    text = commit.render(path.state(), commit.StateRoom(300), len, lambda _: True).text
    assert "⋯ found\n⋯ b1 delivery_status\ndelivery_status: signed for" in text


def test_values_elsewhere_in_a_sentence_or_in_errors_are_no_findings() -> None:
    """A result that speaks of a field does not give it."""
    path = Path()
    path.result("I could not find the refund amount: sorry, it says: nothing")
    path.result('{"refund_amounts": 3}')
    assert facts(path.state()) == []


PIECES = st.sampled_from(
    ['"refund_amount"', ":", " ", "{", "[", "12", '"x"', "\n", "- ", "refund amount: 3", "}", "]", "⋯", "<pumice:pins>"]
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=30).map("".join), st.booleans())
def test_every_finding_stands_in_its_source(text: str, is_said: bool) -> None:
    """Nothing is reworded, and no tool makes a pin."""
    path = Path()
    (path.user if is_said else path.result)(text)
    state = path.state()
    assert all(found in text for _, found, _ in facts(state))
    assert all(pin.rule in text and is_said for pin in state.pins)


def test_a_member_of_any_length_is_found_and_says_how_much_of_it_stands_there() -> None:
    """Cut where no word or number is; a small neighbour stands whole."""
    path = Path()
    history = [{"at": f"2026-07-{day:02}", "where": f"depot {day}"} for day in range(1, 600)]
    text = json.dumps({"delivery_status": {"state": "signed for", "history": history}, "refund_amount": 40})
    path.result(text)
    status, refund = facts(path.state())
    assert status[0] == f"delivery_status, the first {len(status[1])} characters"
    assert status[1].startswith('"delivery_status": {"state": "signed for"')
    assert text.startswith("{" + status[1])
    assert not (status[1][-1].isalnum() and text[len(status[1]) + 1].isalnum())
    assert refund[:2] == ("refund_amount", '"refund_amount": 40')
    line = Path()
    line.result("refund amount: " + "wording " * 80 + "\nnext")
    assert facts(line.state())[0][1].endswith(" wording")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_json_inside_json_strings_is_read_as_it_stands(depth: int) -> None:
    """However deep, in the source's own bytes."""
    said = {"delivery_status": 'left at "door", 3', "refund_amount": [40, "EUR"], "x": None}
    text = json.dumps(said, indent=None if depth > 1 else 1)
    for _ in range(depth):
        text = json.dumps({"result": text})
    path = Path()
    path.result(text)
    found = facts(path.state())
    assert [key for key, _, _ in found] == ["delivery_status", "refund_amount"]
    for (_, shown, _), value in zip(found, said.values(), strict=False):
        assert shown in text
        for _ in range(depth):
            shown = json.loads(f'"{shown}"')
        assert json.loads(f"{{{shown}}}").popitem()[1] == value


@pytest.mark.parametrize("filler", ["and then I waited and nobody helped me at all ", "然后我等了很久"])
def test_of_a_long_sentence_what_stands_around_the_field_is_pinned(filler: str) -> None:
    """No word cut in two, with what is left out told on lines of ours."""
    text = f"I write because {filler * 70}although the shipping state was signed for three days ago {filler * 60}so."
    path = Path()
    path.user(text)
    [pin] = path.state().pins
    assert pin.rule in text
    assert len(pin.rule) < 500
    assert "the shipping state was signed for three days ago" in pin.rule
    before, shown, after = pin.whole.split("\n")
    at = text.index(pin.rule)
    assert shown == pin.rule
    assert before.startswith("⋯ ")
    assert after.startswith("⋯ ")
    assert not (text[at - 1].isascii() and text[at - 1].isalnum())
    assert not (text[at + len(pin.rule)].isascii() and text[at + len(pin.rule)].isalnum())


def test_a_field_without_a_letter_is_looked_for_nowhere() -> None:
    """It would stand everywhere."""
    path = Path()
    path.result(": one\n= two\n- three")
    state = path.state(Commit(required_fields=("", "-", "42"), synonyms={"refund_amount": ("", "-")}))
    assert (state.items, state.pins) == ((), ())

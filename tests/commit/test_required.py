"""Required fields: found, pinned as they were said, or named as unknown; nothing blocks."""

import json

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

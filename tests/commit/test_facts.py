"""Statements of fact: said once by a person, without a word that marks them, in English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.commit import facts

SAID = (
    "already signed for, three days ago",
    "It was already signed for, three days ago.",
    "已签收，三天前",
    "我上周三下的单，共 3 件。",
    "退款还没有到账",
    "预算为 5000 元",
    "The order number is ACME-4711.",
    "I've paid twice.",
    "the parcel never arrived",
    "Production runs on port 8443.",
    "My order 4711 was delivered 3 days ago but broken, can I get a refund?",
    "我的订单三天前已签收，可以退货吗？",
)
NOT_SAID = (
    "Fix bug 12 in app.py",
    "Please cancel order 4711.",
    "If the order was paid, refund it.",
    "Is the order, placed 3 days ago, paid?",
    "Never refund more than 100 dollars.",
    "请退款 100 元",
    "如果已签收，就不能退",
    "帮我查一下订单 4711",
    "go on",
    "Feb  8 22:02:21.655 hook completed duration_ms=28",
    "> it was signed for three days ago",
    "```\nthe order was paid on May 3\n```",
    "<system-reminder>\nthe order was paid on May 3\n</system-reminder>",
)


@pytest.mark.parametrize("text", SAID)
def test_a_statement_is_kept_word_for_word(text: str) -> None:
    """States, dates, numbers and ids are facts, also where a question follows them in the same breath."""
    assert list(facts.find(text)) == [text]


@pytest.mark.parametrize("text", NOT_SAID)
def test_requests_questions_conditions_rules_and_quotations_state_nothing(text: str) -> None:
    """What is wished, asked, ruled or only quoted is no fact."""
    assert facts.find(text) == {}


def test_a_line_that_names_something_has_that_name() -> None:
    """A later line of the same name can take its place."""
    assert facts.find("order id: 4711\nbudget: 5000 EUR") == {"order id: 4711": "order id", "budget: 5000 EUR": "budget"}
    assert facts.find("**Options:**\nREADME: ") == {}


def test_a_document_is_not_learnt_by_heart() -> None:
    """Of a long paste nothing is taken: it can be read back as a whole."""
    line = "Invoice {} was paid on May 3.\n"
    assert len(facts.find("".join(line.format(at) for at in range(20)))) == 20
    assert facts.find("".join(line.format(at) for at in range(21))) == {}
    assert facts.find(line + "word " * 1200) == {}


@given(st.text(max_size=80) | st.lists(st.sampled_from([*SAID, *NOT_SAID]), max_size=4).map("\n".join))
def test_every_fact_stands_in_its_message(text: str) -> None:
    """Nothing is reworded."""
    assert all(fact in text for fact in facts.find(text))

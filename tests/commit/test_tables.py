"""Decision tables in prose: condition, action, exceptions and limits, each word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pumice.commit import tables


@pytest.mark.parametrize(
    ("sentence", "condition", "action", "exceptions", "limits"),
    [
        (
            "If the order is older than 30 days, then refuse the refund, unless the customer is VIP.",
            "the order is older than 30 days",
            "refuse the refund",
            ("the customer is VIP",),
            ("older than 30 days",),
        ),
        (
            "Refund only if the item is unopened, except electronics over $500.",
            "the item is unopened",
            "Refund",
            ("electronics over $500",),
            ("over $500",),
        ),
        ("Unless the customer agrees, never call before 9.", "", "never call before 9", ("the customer agrees",), ()),
        ("Never push to main unless I say so.", "", "Never push to main", ("I say so",), ()),
        ("如果订单超过30天则拒绝退款，除非客户是会员。", "订单超过30天", "拒绝退款", ("客户是会员",), ("超过30天",)),
        ("只有签收后7天内才可以退货，定制商品除外。", "签收后7天内", "可以退货", ("定制商品",), ("7天内",)),
        ("除节假日外，每天最多发送3条短信。", "", "每天最多发送3条短信", ("节假日",), ("最多发送3条",)),
        ("除非经理批准，不得修改价格。", "", "不得修改价格", ("经理批准",), ()),
        ("凡是金额超过500元的订单，一律人工审核。", "金额超过500元的订单", "人工审核", (), ("超过500元",)),
    ],
)
def test_a_rule_has_its_fields(sentence, condition, action, exceptions, limits) -> None:
    """Which cases are excluded and what the limit is can be asked of every rule."""
    [row] = tables.find(sentence)
    assert (row.condition, row.action, row.exceptions, row.limits) == (condition, action, exceptions, limits)
    assert row.text == sentence


def test_an_exception_in_the_next_sentence_belongs_to_the_rule() -> None:
    """It is kept with it, not alone."""
    [row] = tables.find("If it fails twice then stop. Except for network errors. And then go home.")
    assert row.text == "If it fails twice then stop. Except for network errors."
    assert row.exceptions == ("network errors",)


@pytest.mark.parametrize(
    "sentence",
    [
        "If you want, I can also add tests.",
        "When is it due?",
        "Can you check if the file exists?",
        "Let me know if you need more.",
        "I was wondering if that works.",
        "当前进度正常，应当继续。",
        "```\nif x then y unless z\n```",
        "> If it fails, stop.",
    ],
)
def test_talk_questions_and_quotes_lay_nothing_down(sentence) -> None:
    """Only what is meant as a rule is one."""
    assert tables.find(sentence) == ()


@given(st.text(st.sampled_from("if unless,. except 除非外如果则，。3天超过\n>`"), max_size=120))
def test_every_field_stands_in_the_text(text) -> None:
    """Nothing is reworded."""
    for row in tables.find(text):
        assert text[row.start :].startswith(row.text)
        assert all(field in row.text for field in tables.fields(row.text))


def test_a_paste_pinned_as_a_rule_has_no_fields_and_costs_no_time() -> None:
    """Megabytes without a comma are looked at no further: they are no row of a table."""
    assert tables.fields("the parties agree on this and only on this " * 50_000) == ()

"""Names, figures, code and quotations of a summary stand in the session letter for letter, or they are refused."""

import pytest

from pumice.compact.summary.spelling import Spelling

TEXT = """Please fix src/billing and lib/auth-core; use the retry-policy module, PaymentGateway class, port 8443,
commit a1b2c3d4e5f60718. Run `make test-all`; see src/billing/umber_0.py, javascript and github.com/acme/shop.
The limit is 250 EUR and the timeout 30 seconds. 不要动 vendor/legacy 目录 pull-request"""
SOURCE = Spelling(TEXT)


def wrong(text: str) -> list[str]:
    return SOURCE.altered(text, ("b1",))


@pytest.mark.parametrize(
    "text",
    [
        "src/biling", "src/billings", "scr/billing", "lib/auth-cor", "lib/authcore", "lib/auth", "src/Billing", "retry-polcy",
        "PaymentGatway", "PaymentGateWay", "make test-al", "`make test-al`", "`make test`-alls", "port 844", "port 8433",
        "250 USD", "25O EUR", "30 minutes", "billing/umber_0.p", '"Please fix src/bill"', "`paymentgateway`",
        "a1b2c3d4e5f60719",
    ],
)  # fmt: skip
def test_a_name_that_is_nearly_one_of_the_session_is_refused(text: str) -> None:
    """A letter lost, added, swapped or of another case, a piece of a longer name, another unit, a letter for a digit."""
    assert wrong(f"The work concerns {text} now.")


@pytest.mark.parametrize(
    "text",
    [
        "src/billing", "src/billing/", "umber_0.py", "src/billing/umber_0", "lib/auth-core", "PaymentGateway",
        "`make test-all`",
        "a1b2c3d", "250 EUR", "250 euros", "€250", "30s", '"use the retry-policy   module"', "“不要动 vendor/legacy”", "`b1`",
        "`src/billing`", "two hundred EUR", "JavaScript", "GitHub", "follow-up", "and/or", "migrations/", "tests/unit",
        "src/payments", "pull-requests", "nothing changed here",
    ],
)  # fmt: skip
def test_a_name_as_it_stands_and_words_of_ones_own_pass(text: str) -> None:
    """A folder or the end of a path, the start of a hash, a plural, another spelling of the unit, an ordinary word."""
    assert wrong(f"The work concerns {text} now.") == []

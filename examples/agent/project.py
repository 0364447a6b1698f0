"""The project the agent works on: a small shop of nine modules with tests, three of which fail."""

from pathlib import Path

AREAS = ("prices", "orders", "stock", "parcels", "returns", "vouchers", "suppliers", "customers")
RATES = 12
README = """# Shop

Amounts are integers in cents. Rates are in percent. Every module has the same twelve rates and two sums.

- `legacy/` is what the old shop used; it is kept for audits and must not change.
- Rounding is half up, in `shop/rounding.py`.
"""
ROUNDING = '''"""Rounding of amounts in cents."""


def half_up(value: float) -> int:
    """The nearest cent; half a cent goes up."""
    return int(value + 0.5)
'''
LEGACY = '''"""The old shop's discount, kept for audits."""


def discount(amount, percent):
    return amount - amount * percent // 100
'''


def build(folder: Path) -> None:
    """Write the project into an empty folder."""
    for name in ("shop", "tests", "legacy"):
        (folder / name).mkdir(parents=True)
    (folder / "README.md").write_text(README, "utf-8")
    (folder / "legacy" / "discount.py").write_text(LEGACY, "utf-8")
    (folder / "shop" / "__init__.py").write_text("", "utf-8")
    (folder / "tests" / "__init__.py").write_text("", "utf-8")
    (folder / "shop" / "rounding.py").write_text(ROUNDING, "utf-8")
    for area in AREAS:
        (folder / "shop" / f"{area}.py").write_text(_module(area), "utf-8")
        (folder / "tests" / f"test_{area}.py").write_text(_tests(area), "utf-8")


WRONG = {
    "prices": ("return half_up(amount * (100 + rate) / 100)", "return int(amount * (100 + rate) / 100)"),
    "orders": ("return sum(amounts)", "return sum(amounts[1:])"),
    "stock": ("if count < 0:", "if count < -1:"),
}
"""The faults: the right line, and what stands in its place."""


def _module(area: str) -> str:
    rates = "\n".join(f'    "{area}-{at:02d}": {3 + at * 2},' for at in range(RATES))
    text = f'''"""{area.capitalize()} of the shop: rates in percent, amounts in cents."""

from shop.rounding import half_up

RATES = {{
{rates}
}}


def with_rate(amount: int, name: str) -> int:
    """The amount raised by a rate, rounded half up."""
    rate = RATES[name]
    return half_up(amount * (100 + rate) / 100)


def total(amounts: list[int]) -> int:
    """The sum of all amounts."""
    return sum(amounts)


def checked(count: int) -> int:
    """The count, if there may be so many {area}."""
    if count < 0:
        raise ValueError(f"{area}: {{count}} is less than none")
    return count
'''
    right, wrong = WRONG.get(area, ("", ""))
    for at in range(RATES):
        text += f'''

def {area}_{at:02d}(amount: int) -> int:
    """The amount with rate {area}-{at:02d}."""
    return with_rate(amount, "{area}-{at:02d}")
'''
    return text.replace(right, wrong) if right else text


def _tests(area: str) -> str:
    cases = "".join(
        f"""
    def test_rate_{at:02d}_is_added_and_rounded_half_up(self):
        self.assertEqual({area}.{area}_{at:02d}(1050), {int(1050 * (103 + at * 2) / 100 + 0.5)})
"""
        for at in range(RATES)
    )
    return f"""import unittest

from shop import {area}


class {area.capitalize()}(unittest.TestCase):{cases}
    def test_total_is_the_sum_of_all(self):
        self.assertEqual({area}.total([1, 2, 3]), 6)

    def test_less_than_none_is_refused(self):
        with self.assertRaises(ValueError):
            {area}.checked(-1)
"""

"""Compacted by hand after every turn: nothing new to speak of, so nothing is to be lost."""

import re

import pytest
from rows import Row, preface

TURNS = 200


def told(policy: str, window: int = 20_000) -> Row:
    """A session with every kind of fact, longer than half its window."""
    row = Row(window=window, policy=policy)
    row.user("Never touch migrations/. The order number is AX-4471-B. Set the port to 8042.")
    for at in range(15):
        row.uses(f"To origin\n * [new branch] part_{at}", tool="Bash", command=f"git push origin part_{at}")
    row.uses("error: tests/test_lexer.py::test_dates FAILED", tool="Bash", command="pytest tests/test_lexer.py")
    row.says("Shall I rename the table orders to sales?").user("No, keep it: use release/7.4 instead of main.")
    return row.reads(30).user("Go on.")


def state(view: object) -> set[str]:
    """The lines of task state of a view."""
    found = re.search(r"<pumice:state>\n(.*?)\n</pumice:state>", preface(view), re.DOTALL)  # type: ignore[arg-type]
    return set(found[1].split("\n")) if found else set()


@pytest.mark.parametrize("policy", ["balanced", "claude-code", "gemini-cli"])
async def test_two_hundred_compactions_by_hand_lose_no_fact(policy: str) -> None:
    """The view keeps its size, each fact stands in the words it had at the first pass, and the rule in its own."""
    row = told(policy)
    await row.call()
    first = await row.session.compact()
    facts = {(item.entry, item.key): item.text for item in row.state.items}
    sizes = []
    for at in range(TURNS):
        await row.says("Noted.").user(f"Fine, step {at}.").call()
        view = await row.session.compact()
        sizes.append(view.tokens.total)
    assert max(sizes) <= 1.25 * first.tokens.total
    assert len(state(first)) > 15
    assert state(first) <= state(view)
    assert facts.items() <= {(item.entry, item.key): item.text for item in row.state.items}.items()
    assert "Never touch migrations/. The order number is AX-4471-B." in preface(view)


async def test_what_the_state_has_no_room_for_is_named() -> None:
    """Beyond its tokens only the newest of what was done is told; of the rest each block is named, and it can be read."""
    row = told("balanced", 5_000)
    for at in range(60):
        row.uses(
            "done", tool="Bash", command=f"curl -X POST https://api.example.com/v2/orders/{at}/refunds -d amount={at * 17}"
        )
    row.user("Go on.")
    await row.call()
    view = await row.session.compact()
    named = next(line.split()[2:] for line in state(view) if line.startswith("⋯ also "))
    assert len(named) >= 5
    texts = [(await row.session.read_range(name)).text for name in named[:2]]
    assert all("git push" in text or "refunds" in text for text in texts)


@pytest.mark.parametrize("policy", ["balanced", "claude-code"])
async def test_asking_again_for_something_else_is_heard(policy: str) -> None:
    """Twice the same in a row is one cut; for a view of state and evidence alone it is another."""
    row = told(policy)
    await row.call()
    first = await row.session.compact()
    again = await row.session.compact()
    assert (again.epoch, again.raw) == (first.epoch, first.raw)
    rebuilt = await row.session.compact("rebuild")
    assert rebuilt.epoch == first.epoch + 1
    told_of = [line for line in state(first) if "git push" in line or not line.startswith("⋯")]
    assert len(told_of) > 15
    assert all(line in str(rebuilt.body) for line in told_of)

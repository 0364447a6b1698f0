"""No rule in a summary but a person's own, whole: what is turned round, cut short, invented or a tool's is refused."""

import pytest
from msgspec.structs import replace

from pumice.compact.summary import answer, checks, laid, template
from pumice.compact.summary.said import Said
from pumice.domain.block import Block, Kind, Origin, Role

OURS = template.shipped("pumice")
TYPED = (
    "Please migrate src/billing. Never touch migrations/. Only change signatures if I approve, except for src/legacy.py. "
    "The limit is at most 250 EUR per order.\nDo not use mocks,\nunless I say so.\n- Keep it short. Except for the docs.\n"
    "不要改动 vendor/，除非我同意。"
)
PRINTED = "TypeError: path must be a str\nDeploy only on weekdays."
PERSON = Block("b1", Kind.TEXT, Role.USER, Origin.PERSON, "", b"", "b1")
BLOCKS = {
    "b1": replace(PERSON, text=TYPED),
    "b6": Block(
        "b6", Kind.RESULT, Role.TOOL, Origin.TOOL, "TypeError: path must be a str\nDeploy only on weekdays.", b"", "b6"
    ),
    "b7": Block("b7", Kind.TEXT, Role.ASSISTANT, Origin.MODEL, "We must keep both readers for now.", b"", "b7"),
}


def found(line: str, section: str = "constraints") -> list[str]:
    text = "\n".join(f"## {part.title}\n{line if part.key == section else ''}" for part in OURS.sections)
    case = checks.Case(text, answer.parse(text, OURS), OURS, Said(BLOCKS), 0)
    return [*checks.rules(case)]


@pytest.mark.parametrize(
    "line",
    [
        "- Never touch migrations/ (b1)",
        '- The user said: "never touch   migrations/." (b1)',
        "- Migrate src/billing. (b1)",
        "- **Limit** The limit is at most 250 EUR per order. (b1)",
        "- Only change signatures if I approve, except for src/legacy.py. Never touch migrations/. (b1)",
        "- Do not use mocks, unless I say so. (b1)",
        "- Keep it short. Except for the docs. (b1)",
        "- Keep it short. (b1)\n- Except for the docs. (b1)",
        "- 不要改动 vendor/，除非我同意 (b1)",
    ],
)
def test_a_rule_stands_in_a_persons_own_sentence(line: str) -> None:
    """Whole and with its exceptions; white space, quotation marks and a polite opening are no difference."""
    assert found(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "- Touch migrations/ when needed. (b1)",
        "- Touch migrations/. (b1)",
        "- Only change signatures if I approve. (b1)",
        "- Only change signatures if I approve, except for src/billing. (b1)",
        "- The limit is at most 250 EUR per customer. (b1)",
        "- **Not needed** The limit is at most 250 EUR per order. (b1)",
        "- [done] Never touch migrations/. (b1)",
        "- **Lifted** Never touch migrations/. (b1)",
        "- **Never touch migrations/.** is over (b1)",
        "- Do not use mocks. (b1)",
        "- Keep it short. (b1)",
        "- 不要改动 vendor/ (b1)",
        "- Never touch migrations/. Deploy only on weekdays. (b1, b6)",
        "- Deploy only on weekdays. (b6)",
    ],
)
def test_a_rule_turned_round_cut_short_or_invented_is_refused(line: str) -> None:
    """Half a sentence, another object, an exception left out, a label that undoes it."""
    assert found(line)


@pytest.mark.parametrize(
    "sentence",
    [
        "The agent has to ask the security team before every deployment.",
        "Deployments are only allowed on weekdays.",
        "Changes must be approved by the owners.",
        "Approval is required before a merge.",
        "Direct pushes are forbidden.",
        "Releases may not be made on Fridays.",
        "Reviewers shall sign every commit.",
        "Credentials need to be rotated before each run.",
        "Work goes on; never push to main.",
        "Every release requires a sign-off.",
        "Ask the security team before every deployment.",
        "No deployments on Fridays.",
        "The agent should ask first.",
        "所有提交都要经过审核。",
        "部署前必须经过安全团队批准。",
        "只能在工作日部署。",
    ],
)
def test_a_command_anywhere_needs_a_person_who_gave_it(sentence: str) -> None:
    """Under no heading does a tool's block, nor a message that says something else, make one."""
    assert found(f"- {sentence} (b6)", "state")
    assert found(f"- {sentence} (b1)", "state") or not sentence.isascii()


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("- Never touch migrations/. (b1)", "state"),
        ("- TypeError: path must be a str (b6)", "state"),
        ('- The guide says "Deploy only on weekdays." (b6)', "state"),
        ("- We must keep both readers for now. (b7)", "decisions"),
        ("- parse() must return a tuple (b6)", "state"),
        ("- [next] The docs need to be updated (b7)", "to_do"),
        ("- [next] Retries have to be added for every client (b7)", "to_do"),
        ("- The parser is done; nothing has to be done again by anyone. (b6)", "state"),
        ("- The server needs to be running (b6)", "state"),
        ("- The reader was never called (b6)", "state"),
    ],
)
def test_facts_quotations_and_open_work_are_no_commands(line: str, section: str) -> None:
    """An error, a quotation, what code has to be and what is still to be done pass as before."""
    assert found(line, section) == []


def test_the_sentence_that_was_meant_is_told() -> None:
    """A reminder gives the model what to copy."""
    assert laid.nearest("at most 250 EUR per customer", TYPED) == "The limit is at most 250 EUR per order."
    assert "The message says: Never touch migrations/." in found("- Touch migrations/ when needed. (b1)")[0]

"""What docs/summaries.md shows is what the code does."""

import re
from pathlib import Path

import pytest

from pumice.compact.summary import render, template
from pumice.compact.summary.render import MORE
from pumice.domain.summary import Summary, SummaryItem
from pumice.faces import settings

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "summaries.md").read_text("utf-8")
SHOWN = re.findall(r"^```\n(⋯.*?)\n```", PAGE, re.M | re.S)
MINUTES, SHARED = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)


def test_the_example_is_what_is_rendered() -> None:
    """Labels, tags, quotations, a model's words, a hint, what found no room."""
    items = (
        SummaryItem("done", "E   assert 8471 == 8472", "Bash pytest -q", "done", ("b14", "b12", "b11"), verbatim=True),
        SummaryItem("done", "", "Edit src/app.py", "done", ("b16", "b15"), verbatim=True),
        SummaryItem("state", "The lexer is a module of its own.", sources=("b18",)),
        SummaryItem("state", "The build takes long."),
        SummaryItem("state", "", MORE, sources=("b20", "b41")),
    )
    assert [render.render(Summary("pumice", 1, items), template.shipped("pumice"))] == SHOWN


@pytest.mark.parametrize("name", template.names())
def test_the_table_names_every_template_with_its_sections_and_tags(name: str) -> None:
    """As they are shipped."""
    chosen = template.shipped(name)
    [row] = [line for line in PAGE.split("\n") if line.startswith(f"| `{name}` |")]
    titles = [re.sub(r"^\d\. ", "", part.title) for part in chosen.sections]
    assert all(title.casefold() in row.casefold() for title in titles)
    assert "the same" in row or all(f"[{word}]" in row for word in chosen.tags.values())


def test_the_template_of_your_own_can_be_read(tmp_path: Path) -> None:
    """Beside the policy that names it."""
    (tmp_path / "minutes.yaml").write_text(MINUTES, "utf-8")
    (tmp_path / "mine.yaml").write_text("extends: balanced\nsummarize: {template: minutes.yaml}\n", "utf-8")
    policy = settings.policy(str(tmp_path / "mine.yaml"))
    assert template.of(policy.summarize).name == "minutes"


def test_the_policy_with_both_can_be_read(tmp_path: Path) -> None:
    """Lines and a summary side by side."""
    (tmp_path / "both.yaml").write_text(SHARED, "utf-8")
    policy = settings.policy(str(tmp_path / "both.yaml"))
    assert (policy.order, policy.offload.style, policy.summarize.share) == (("summarize",), "lines", 0.25)

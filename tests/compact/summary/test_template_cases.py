"""The fixed cases every template has to pass, in every version: stored conversations and what must come of them (F-D7)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pumice.compact.summary import answer, checks, merge, render, template
from pumice.compact.summary.render import MORE, STANDS
from pumice.compact.summary.said import Said

CASES = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted((Path(__file__).parent / "cases").glob("*.yaml"))
}
TOKENS = 2000


def played(story, case: dict[str, Any]) -> None:
    for turn in case["turns"]:
        if "user" in turn:
            story.user(turn["user"])
        else:
            calls = [tuple(call) for call in turn.get("calls", ())]
            story.step(turn.get("say", ""), *calls, is_error=any("Exit code" in result for _, _, result in calls))
    for at in range(case["filler"]):
        story.step(f"step_{at}", ("Bash", {"command": f"run {at}"}, f"out_{at}\n" * 40))


@pytest.fixture(params=list(CASES))
def case(request, story) -> dict[str, Any]:
    played(story, CASES[request.param])
    return CASES[request.param]


@pytest.fixture(params=template.names())
def chosen(request) -> template.Template:
    return template.shipped(request.param)


@pytest.fixture
def cut(case, chosen, story, stated, summing):
    """Summed up with nothing beside it: the summary has to hold everything."""
    return summing(stated(story), policy=summing.bare, template=chosen.name, tokens=TOKENS)


def test_everything_that_matters_is_said_word_for_word(case, cut) -> None:
    """Paths, figures, errors, commands, the user's words."""
    body = cut.preface.split("<pumice:summary>")[1]
    assert [words for words in case["holds"] if words not in body] == []


def test_what_is_open_and_what_is_done_carry_their_tags(case, chosen, cut) -> None:
    """In the words of the template, and nothing carries both."""
    tags: dict[str, set[str]] = {}
    for one in cut.summary.items:
        for words in (*case["open"], *case["done"]):
            if words in f"{one.key}\n{one.text}" and one.status:
                tags.setdefault(words, set()).add(one.status)
                assert f"[{chosen.tags[one.status]}]" in render.item(one, chosen)
    assert all(tags.get(words, set()) & {"next", "failed", "to_confirm"} for words in case["open"])
    assert all("done" in tags.get(words, set()) for words in case["done"])


def test_rules_are_the_users_and_nobody_elses(case, chosen, cut, story) -> None:
    """Each stands whole with its exception; what a page or a tool orders stands under no heading of rules."""
    laid_down = [one for one in cut.summary.items if (part := chosen.part(one.section)) and part.rules]
    every = "\n".join(one.text for one in cut.summary.items)
    assert all(words in every for words in case["rules"])
    assert not any(words in one.text for one in laid_down for words in case["no_rules"])


def test_every_item_leads_to_blocks_of_the_session(case, cut, story) -> None:
    """Any statement can be followed to where it comes from."""
    known = {block.id for group in story.groups for block in group.blocks}
    for one in cut.summary.items:
        assert one.sources
        assert set(one.sources) <= known


def test_it_keeps_to_its_tokens_and_holds_no_item_twice(case, cut, chosen, counter) -> None:
    """Sized as asked, nothing said again under another heading but what is there by its own right."""
    assert counter([render.render(cut.summary, chosen)])[0] <= TOKENS
    own = [merge.identity(one) for one in cut.summary.items if one.key not in (STANDS, MORE) and not merge.is_lines(one)]
    assert len(set(own)) == len(own)


def test_it_passes_the_proofs_that_a_models_has_to(case, cut, chosen, story) -> None:
    """Rules, sources, names and quotations: what is taken word for word is never refused."""
    said = Said({block.id: block for group in story.groups for block in group.blocks})
    text = render.render(cut.summary, chosen)
    given = checks.Case(text, answer.parse(text, chosen), chosen, said, 0)
    proofs = (checks.rules, checks.sources, checks.quotations, checks.names, checks.language)
    assert [wrong for proof in proofs for wrong in proof(given)] == []

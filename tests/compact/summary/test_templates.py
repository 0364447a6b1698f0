"""Templates: data with a version that a change without a new one cannot slip past."""

import hashlib
from importlib.resources import files
from typing import Any

import pytest
import yaml

from pumice.compact.summary import fit, template
from pumice.errors import BadPolicy

PINNED = {
    "handoff": (2, "59402d383c35eba6"),
    "handoff-zh": (2, "94f7d9563d67278e"),
    "nine-section": (2, "8befcbd8b7c7feef"),
    "pumice": (2, "bed51c322245dc62"),
    "state-snapshot": (1, "1dde0bd16bbec02d"),
}
"""(version, first 16 hex digits of the sha256 of the file). Changed a template? Raise its version, see that its cases in
test_template_cases.py still hold, and write both here."""
ASKING = (2, "97e118ad5d1f54d5")


def data(name: str) -> bytes:
    return (files("pumice") / "presets" / "templates" / f"{name}.yaml").read_bytes()


@pytest.mark.parametrize("name", template.names())
def test_a_changed_template_has_a_new_version(name: str) -> None:
    """What users see of a session changes only under a new number (F-D7)."""
    assert (template.shipped(name).version, hashlib.sha256(data(name)).hexdigest()[:16]) == PINNED[name]


def test_changed_wording_of_questions_has_a_new_version() -> None:
    """The same holds for what a model is told."""
    assert (yaml.safe_load(data("asking"))["version"], hashlib.sha256(data("asking")).hexdigest()[:16]) == ASKING


def test_every_product_shape_is_shipped() -> None:
    """Nine sections, a snapshot as XML, two hand-overs and our own."""
    assert template.names() == tuple(sorted(PINNED))
    assert len(template.shipped("nine-section").sections) == 9
    assert [part.key for part in template.shipped("state-snapshot").sections] == [
        "overall_goal",
        "key_knowledge",
        "file_system_state",
        "recent_actions",
        "current_plan",
    ]
    assert [part.title for part in template.shipped("pumice").sections] == [
        "Goal",
        "Constraints",
        "Done",
        "To do",
        "Key decisions",
        "Current state",
        "Next step",
    ]


def test_status_tags_are_in_the_language_of_the_template() -> None:
    """[done] [failed attempt] [to confirm] [next], and the same in Chinese (F-C5)."""
    assert template.shipped("pumice").tags == {
        "done": "done",
        "failed": "failed attempt",
        "to_confirm": "to confirm",
        "next": "next",
    }
    assert list(template.shipped("handoff-zh").tags.values()) == ["已完成", "失败尝试", "待确认", "下一步"]


@pytest.mark.parametrize("name", template.names())
def test_nothing_of_the_task_state_is_left_without_a_section(name: str) -> None:
    """Whatever a template looks like, each kind of thing worth saying has its place, once."""
    taken = [feed for part in template.shipped(name).sections for feed in part.takes]
    assert len(set(taken)) == len(taken)
    assert set(fit.NEED) - set(taken) <= {"words", "lines"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_can_be_put_in_every_language_of_a_template(language: str) -> None:
    """No sentence is missing in one of them."""
    assert template.wording()[language].keys() == template.wording()["en"].keys()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"sections": []}, "one or more sections"),
        ({"tags": {"done": "d"}}, "a word for each of done, failed, to_confirm, next"),
        ({"shape": "xml"}, "element name"),
        ({"version": "new"}, "$.version"),
        ({"colour": 1}, "colour"),
        ({"sections": [{"key": "a", "title": "A", "tells": "t", "takes": ["dreams"]}]}, "$.sections[0].takes[0]"),
        ({"sections": [{"key": "a", "title": "A", "tells": "t"}] * 2}, "a key of its own"),
    ],
)
def test_a_wrong_template_is_refused_with_its_path(changed: dict, says: str) -> None:
    """A user's file says what is wrong with it and what was expected."""
    with pytest.raises(BadPolicy, match="template ") as refused:
        template.read({**yaml.safe_load(data("pumice")), **changed})
    assert says in str(refused.value)


def test_a_template_that_is_not_there_is_named_with_those_that_are() -> None:
    """A typing error does not become another template."""
    with pytest.raises(BadPolicy, match=r"'nine-sections' given.*nine-section"):
        template.shipped("nine-sections")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "template $: Expected `object`, got `array`"),
        ({"name": 3}, "template $.name: Expected `str`, got `int`"),
        ({"x - at y": 3}, "template $: Object contains unknown field `x - at y`"),
    ],
)
def test_a_template_that_is_none_is_refused_with_its_place(given: Any, said: str) -> None:
    """What is wrong is said in full, and where, also where it is the whole document."""
    with pytest.raises(BadPolicy) as refused:
        template.read(given)
    assert str(refused.value).startswith(said)

"""What stands in a preface whatever a level does."""

from pumice.compact import planner
from pumice.compact.standing import standing
from pumice.domain.state import Entry, Item, Pin, TaskState
from pumice.faces import settings as presets

POLICY = presets.policy("balanced")


def texts(story, room, counter, *, first: int, pairs=()) -> dict[str, str]:
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    made = standing(brief, story.groups[:first], story.groups[first:], pairs)
    return {section.name: section.text for section in made.sections}


def test_state_stands_once_its_source_has_left_the_view(story, room, counter) -> None:
    """A correction is carried when its message folds, not while it can be read."""
    said = story.user("No, use the other table.")
    story.step("ok")
    story.user("go on")
    story.state = TaskState(items=(Item(Entry.SIDE_EFFECT, "deploy.sh", (story.groups[1].blocks[0].id,), status="done"),))
    assert texts(story, room, counter, first=0)["state"] == ""
    folded = texts(story, room, counter, first=2)
    assert "deploy.sh" in folded["state"]
    assert said.text in folded["words"]


def test_state_of_a_kept_pair_is_not_repeated(story, room, counter) -> None:
    """What stays at its own place speaks for itself."""
    call, result = story.step("", ("Bash", {"command": "deploy.sh"}, "ok"))
    story.user("go on")
    story.state = TaskState(items=(Item(Entry.SIDE_EFFECT, "deploy.sh", (call.id,), status="done"),))
    assert texts(story, room, counter, first=1, pairs=(call.id, result.id))["state"] == ""
    assert texts(story, room, counter, first=1)["state"] != ""


def test_state_keeps_to_its_tokens(story, room, counter) -> None:
    """A thousand tokens at most: it would displace lines that tell more."""
    words = [story.step(f"step {at}")[0] for at in range(200)]
    items = tuple(
        Item(Entry.SIDE_EFFECT, f"command number {at} " * 8, (block.id,), status="done") for at, block in enumerate(words)
    )
    story.state = TaskState(items=items)
    story.user("go on")
    text = texts(story, room, counter, first=200)["state"]
    assert 0 < counter([text])[0] <= 1_000


def test_a_pin_in_words_that_stand_is_not_repeated(story, room, counter) -> None:
    """The same sentence is paid for once; superseded pins not at all."""
    said = story.user("Never push to main.")
    story.user("go on")
    old = Pin("p0", said.id, "Only use tabs.", "Only use tabs.", superseded_by="p1")
    story.state = TaskState(pins=(old, Pin("p1", said.id, said.text, said.text)))
    found = texts(story, room, counter, first=1)
    assert found["pins"] == ""
    assert said.text in found["words"]

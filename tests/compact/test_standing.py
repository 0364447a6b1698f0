"""What stands in a preface whatever a level does."""

from msgspec.structs import replace

from pumice.compact import laid, planner
from pumice.compact.layout import Layout
from pumice.compact.standing import standing
from pumice.domain.block import Origin
from pumice.domain.decision import Decision, Outcome
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


def test_what_was_asked_for_is_not_lost_behind_go_on(story, room, counter) -> None:
    """On a window too small for all words the request stands although the newest words are others; once, not twice."""
    asked = story.user(f"Please move the billing tables to the new schema. {'The tables are old. ' * 22}".strip())
    for at in range(4):
        story.step(f"step {at}")
        story.user("go on")
    story.fold()
    small = replace(room, window=8_000, usable=6_000)
    assert f"⋯ asked for\n{asked.text}" in texts(story, small, counter, first=8)["state"]
    assert texts(story, room, counter, first=8)["state"] == ""
    assert asked.text in texts(story, room, counter, first=8)["words"]


def test_the_whole_plan_stands_however_long_the_rest_of_the_state_is(story, room, counter) -> None:
    """Fifty steps stand whole besides corrections that use the tokens of the state up."""
    words = [story.step(f"step {at}")[0] for at in range(60)]
    plan = [Item(Entry.PLAN, f"step number {at} of the plan", (words[0].id,), f"listed {at}", "open") for at in range(50)]
    said = [Item(Entry.CORRECTION, f"No, not like {at}. " * 20, (words[at].id,)) for at in range(30)]
    story.state = TaskState(items=(*said, *plan))
    story.user("go on")
    text = texts(story, room, counter, first=60)["state"]
    assert all(item.text in text for item in plan)
    assert counter([text])[0] <= 3_000


def test_what_a_level_took_out_block_by_block_is_told_too(story, room, counter) -> None:
    """State and words of single blocks that left stand as those of whole groups do."""
    said = story.user("Please keep the tables as they are.")
    call, result = story.step("", ("Bash", {"command": "deploy.sh"}, "ok"))
    story.user("go on")
    story.step("fine")
    story.state = TaskState(items=(Item(Entry.SIDE_EFFECT, "deploy.sh", (call.id,), status="done"),))
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    forms = {block.id: Decision(block.id, Outcome.FOLD, "mechanical") for block in (said, call, result)}
    text = laid.lay(brief, Layout("mechanical", forms=forms)).preface
    assert f"⋯ {said.id}\nPlease keep the tables as they are." in text
    assert "⋯ done and not to be repeated\n" in text
    assert laid.lay(brief, Layout("mechanical")).preface == ""


def test_words_the_client_has_replaced_stand_unless_its_summary_holds_them(story, room, counter) -> None:
    """The client's own compaction takes nothing of what a person said."""
    lost = story.user("Please keep the tables as they are.")
    story.user("And be quick about the rest of it.")
    before, story.groups = tuple(story.groups), []
    story.user("This was asked: And be quick about the rest of it.", Origin.CLIENT)
    book = replace(story.book(), before=before)
    brief = planner.briefed(book, room, POLICY, count=counter)
    made = {section.name: section.text for section in standing(brief, (), book.groups).sections}
    assert made["words"] == f"⋯ {lost.id}\n{lost.text}"


def test_words_that_a_shorter_form_leaves_out_stand_in_the_state(story, room, counter) -> None:
    """Why a person refused a call is said in its result: one line in place of that does not take it from view."""
    refusal = "The user doesn't want to proceed with this tool use. the user said:\nonly for the staging table"
    story.user("Clean up.")
    [_, result] = story.step("", ("Bash", {"command": "drop table"}, refusal), is_error=True)
    story.user("go on")
    story.fold()
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    for text, is_told in (("⋯ it worked later", True), (refusal, False)):
        forms = {result.id: Decision(result.id, Outcome.EXCERPT, text=text)}
        assert ("only for the staging table" in laid.lay(brief, Layout(forms=forms)).preface) is is_told


def test_a_rule_that_an_excerpt_leaves_out_stands(story, room, counter) -> None:
    """A message at its own place says only what is shown of it; in full view it is not repeated."""
    rule = "Never push to main."
    said = story.user(f"{'row ' * 900}\n{rule}\n{'row ' * 900}")
    story.state = TaskState(pins=(Pin("p", said.id, rule, rule),))
    brief = planner.briefed(story.book(), room, POLICY, count=counter)
    short = Decision(said.id, Outcome.EXCERPT, "floor", "too big", text="row row")
    whole, cut = (standing(brief, (), story.groups, forms=forms).sections[1] for forms in ({}, {said.id: short}))
    assert (whole.name, whole.text) == ("pins", "")
    assert rule in cut.text

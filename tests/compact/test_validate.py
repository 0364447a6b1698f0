"""What a cut is proved for before it is committed (F-D3)."""

from msgspec.structs import replace

from pumice.compact import planner, validate
from pumice.domain.decision import Cause, Outcome
from pumice.domain.state import Entry, Item, Pin, TaskState
from pumice.faces import settings as presets

POLICY = presets.policy("balanced")


def case(story, room, counter) -> validate.Case:
    book = story.book()
    cut = planner.plan(book, room, POLICY, cause=Cause.BUDGET, necessary=True, count=counter)
    blocks = {block.id: block for group in book.groups for block in group.blocks}
    kept = (blocks[one.block].text for one in cut.decisions if one.outcome is Outcome.KEEP)
    return validate.Case(book, cut, "\n".join((cut.preface, *kept)), cut.tokens, room.usable)


def failed(found: validate.Case) -> set[str]:
    return {finding.check for finding in validate.check(found)}


def test_a_sound_cut_has_no_findings(long_story, room, counter) -> None:
    """The plan of an ordinary history passes."""
    assert failed(case(long_story, room, counter)) == set()


def test_a_request_over_the_budget_is_found(long_story, room, counter) -> None:
    """The complete request is what counts."""
    assert failed(replace(case(long_story, room, counter), tokens=room.usable + 1)) == {"budget"}


def test_a_block_without_decision_and_a_torn_pair_are_found(long_story, room, counter) -> None:
    """Nothing vanishes silently, and no call goes without its result (A1)."""
    sound = case(long_story, room, counter)
    missing = replace(sound, cut=replace(sound.cut, decisions=sound.cut.decisions[1:]))
    assert failed(missing) == {"coverage"}
    *rest, last = sound.cut.decisions
    torn = replace(sound, cut=replace(sound.cut, decisions=(*rest, replace(last, outcome=Outcome.FOLD))))
    assert failed(torn) == {"coverage"}


def test_a_lost_pin_is_found(long_story, room, counter) -> None:
    """The words of a rule, or of its sentence, must stand."""
    long_story.state = TaskState(pins=(Pin("p1", "b1", "Never push to main.", "Never push to main."),))
    sound = case(long_story, room, counter)
    assert failed(sound) == set()
    assert failed(replace(sound, text=sound.text.replace("Never push", "Always push"))) == {"pins", "goal", "sections"} - {
        "goal"
    }


def test_a_lost_request_is_found(long_story, room, counter) -> None:
    """What the user asked for last can be read."""
    sound = case(long_story, room, counter)
    assert "goal" in failed(replace(sound, text=sound.text.replace("fix the lexer", "")))


def test_open_work_must_leave_a_trace(long_story, room, counter) -> None:
    """Next steps, plans and open items stand or can be read back; closed ones, and those of another branch, need not."""
    empty = long_story.user("")
    long_story.step("and on")
    for _ in range(6):
        long_story.step("more")
    lost = Item(Entry.NEXT, "write the docs", (empty.id,))
    for items, expected in (
        ((lost,), {"carried"}),
        ((replace(lost, sources=("b3",)),), set()),
        ((replace(lost, status="done"), replace(lost, sources=("b9999",))), set()),
    ):
        long_story.state = TaskState(items=items)
        assert failed(case(long_story, room, counter)) == expected


def test_nothing_is_both_done_and_open(long_story, room, counter) -> None:
    """A state that contradicts itself is not shown; a plan that lists a thing twice does not contradict itself."""
    open_, done = (Item(Entry.PLAN, "tests", (name,), status=status) for name, status in (("b3", "open"), ("b1", "done")))
    long_story.state = TaskState(items=(open_, done))
    assert failed(case(long_story, room, counter)) == {"statuses"}
    for items in ((replace(open_, by="b2"), done), (replace(open_, sources=done.sources), done)):
        long_story.state = TaskState(items=items)
        assert failed(case(long_story, room, counter)) == set()


def test_a_pointer_to_nothing_is_found(long_story, room, counter) -> None:
    """Every pointer of ours can be resolved."""
    sound = case(long_story, room, counter)
    first, *rest = sound.cut.decisions
    astray = replace(first, pointer="workspace://artifacts/b999999")
    assert failed(replace(sound, cut=replace(sound.cut, decisions=(astray, *rest)))) == {"pointers"}


def test_a_preface_that_was_changed_or_has_an_empty_part_is_found(long_story, room, counter) -> None:
    """What was planned is what is sent, whole (E2, M9)."""
    sound = case(long_story, room, counter)
    assert failed(replace(sound, text=sound.text.replace("<pumice:note>", ""))) == {"sections"}
    hollow = sound.cut.preface + "\n<pumice:state>\n\n</pumice:state>"
    emptied = replace(sound, cut=replace(sound.cut, preface=hollow), text=hollow + sound.text)
    assert failed(emptied) == {"sections"}

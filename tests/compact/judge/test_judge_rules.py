"""Verdicts by rules: worth against price."""

from msgspec.structs import replace

from pumice.compact import exchanges, planner
from pumice.compact.judge import Verdict, rules
from pumice.compact.layout import Layout
from pumice.compact.showing import Showing
from pumice.domain.policy import Policy
from pumice.domain.state import Entry, Item, TaskState
from pumice.measure import entities


def verdicts(story, room, counter, focus: str = "") -> dict[str, Verdict]:
    book = replace(story.book(), focus=entities.names(focus))
    brief = planner.briefed(book, room, Policy("test", order=("offload",)), count=counter)
    held = exchanges.standing(book.groups, book.uses, Layout())
    return rules.verdicts(brief, held, Showing(brief, Layout()))


def noise(story, number: int = 30) -> None:
    for at in range(number):
        story.step("", ("Bash", {"command": f"other {at}"}, f"word_{at} and nothing else\n" * 20))


def test_names_the_model_uses_keep_their_newest_result(story, room, counter) -> None:
    """What it has used is likely to be used again; what it never named is not."""
    for _ in range(4):
        story.step("I call conf.load_all and conf.save_all.", ("Bash", {"command": "ls"}, "x"))
    used = story.step("", ("Grep", {"pattern": "conf"}, "conf.load_all conf.save_all"))[0]
    unused = story.step("", ("Grep", {"pattern": "rest"}, "rest.load_all rest.save_all\n" * 30))[0]
    noise(story)
    found = verdicts(story, room, counter)
    assert found[used.id].result >= 0.5 > found[unused.id].result
    assert found[used.id].call >= 0.5


def test_only_the_newest_read_of_a_file_may_stay(story, room, counter) -> None:
    """An older one is superseded line by line anyway."""
    old = story.step("", ("Read", {"file_path": "a.py"}, "conf.load_all"))[0]
    new = story.step("", ("Read", {"file_path": "a.py"}, "conf.load_all and conf.other_name"))[0]
    found = verdicts(story, room, counter)
    assert found[old.id].result == 0.0
    assert found[new.id].result > 0.5


def test_evidence_of_what_is_open_stays(story, room, counter) -> None:
    """However old an unresolved error is (F-B8)."""
    call, failed = story.step("", ("Bash", {"command": "make"}, "no names in here at all\n" * 40))
    noise(story)
    assert verdicts(story, room, counter)[call.id].result < 0.5
    story.state = TaskState(items=(Item(Entry.ERROR, "broken", (call.id, failed.id), status="open"),))
    assert verdicts(story, room, counter)[call.id] == Verdict(1.0, 1.0)
    story.state = TaskState(items=(Item(Entry.ERROR, "broken", (call.id, failed.id), status="open", by="b9"),))
    assert verdicts(story, room, counter)[call.id].result < 0.5


def test_what_a_compaction_by_hand_asks_for_is_worth_more(story, room, counter) -> None:
    """Names in its focus count as sure to be used."""
    call = story.step("", ("Read", {"file_path": "a.py"}, "conf.load_all\n" + "some more words here\n" * 60))[0]
    noise(story)
    assert verdicts(story, room, counter)[call.id].result < 0.5
    assert verdicts(story, room, counter, "keep conf.load_all")[call.id].result >= 0.5


def test_scores_are_scores(long_story, room, counter) -> None:
    """From 0 to 1 for every call, the same each time."""
    found = verdicts(long_story, room, counter)
    assert all(0 <= score <= 1 for one in found.values() for score in (one.call, one.result))
    assert found == verdicts(long_story, room, counter)

"""What a cut is proved for before it is committed (F-D3)."""

from msgspec.structs import replace

from pumice.compact import planner, validate
from pumice.domain.decision import Cause, Cut, Decision, Outcome
from pumice.domain.policy.limits import CHECKS
from pumice.domain.state import Entry, Item, Pin, TaskState
from pumice.domain.summary import Summary, SummaryItem
from pumice.faces import settings as presets

POLICY = presets.policy("balanced")


def case(story, room, counter) -> validate.Case:
    book = story.book()
    cut = planner.plan(book, room, POLICY, cause=Cause.BUDGET, necessary=True, count=counter)
    blocks = {block.id: block for group in book.groups for block in group.blocks}
    kept = (blocks[one.block].text for one in cut.decisions if one.outcome is Outcome.KEEP)
    return validate.Case(book, cut, "\n".join((cut.preface, *kept)), cut.tokens, room.usable)


def failed(found: validate.Case, policy=POLICY) -> set[str]:
    return {finding.check for finding in validate.check(found, policy)}


def without(sound: validate.Case, words: str) -> validate.Case:
    """The same with some words gone from the view, as planned."""
    cut = replace(sound.cut, preface=sound.cut.preface.replace(words, ""))
    return replace(sound, cut=cut, text=sound.text.replace(words, ""))


def summed(sound: validate.Case, *items: SummaryItem, lines: str = "") -> validate.Case:
    """The same with a summary in its preface."""
    preface = f"{sound.cut.preface}\n<pumice:summary>\n⋯ ## Done\n{lines}\n</pumice:summary>"
    cut = replace(sound.cut, preface=preface, summary=Summary("pumice", 1, items))
    return replace(sound, cut=cut, text=sound.text.replace(sound.cut.preface, preface))


def test_a_sound_cut_has_no_findings(long_story, room, counter) -> None:
    """The plan of an ordinary history passes."""
    long_story.fold()
    assert failed(case(long_story, room, counter)) == set()


def test_every_check_has_the_name_a_policy_lists_it_under() -> None:
    """A name that is accepted is one that is checked."""
    assert set(validate.CHECKS) == set(CHECKS)


def test_a_policy_without_pins_is_asked_for_form_and_for_what_it_lists(long_story, room, counter) -> None:
    """A list never takes a check away."""
    lost = without(case(long_story, room, counter), "fix the lexer")
    window = replace(POLICY, keep=replace(POLICY.keep, pins="none"))
    assert failed(lost, window) == set()
    assert failed(lost, replace(window, validate=("goal_present",))) == {"goal_present"}
    assert "goal_present" in failed(lost, replace(POLICY, validate=("budget_fits",)))


def test_a_request_over_the_budget_is_found(long_story, room, counter) -> None:
    """The complete request is what counts."""
    assert failed(replace(case(long_story, room, counter), tokens=room.usable + 1)) == {"budget_fits"}


def test_a_block_without_decision_and_a_torn_pair_are_found(long_story, room, counter) -> None:
    """Nothing vanishes silently, and no call goes without its result (A1)."""
    sound = case(long_story, room, counter)
    missing = replace(sound, cut=replace(sound.cut, decisions=sound.cut.decisions[1:]))
    assert failed(missing) == {"pairs_whole"}
    *rest, last = sound.cut.decisions
    torn = replace(sound, cut=replace(sound.cut, decisions=(*rest, replace(last, outcome=Outcome.FOLD))))
    assert failed(torn) == {"pairs_whole"}


def test_a_lost_pin_is_found(long_story, room, counter) -> None:
    """The words of a rule, or of its sentence, must stand."""
    long_story.state = TaskState(pins=(Pin("p1", "b1", "Never push to main.", "Never push to main."),))
    sound = case(long_story, room, counter)
    assert failed(sound) == set()
    assert failed(replace(sound, text=sound.text.replace("Never push", "Always push"))) == {"pins_present", "sections_present"}


def test_a_lost_request_is_found(long_story, room, counter) -> None:
    """What the user said last can be read, and what is asked for, whatever was said since."""
    sound = case(long_story, room, counter)
    assert "goal_present" in failed(without(sound, "fix the lexer"))
    long_story.user("go on")
    long_story.step("I will.")
    long_story.fold()
    sound = case(long_story, room, counter)
    assert "goal_present" in failed(without(sound, "Now also fix the lexer."))


def test_state_that_may_never_be_cut_is_missed(long_story, room, counter) -> None:
    """Plan, next step, permissions, open questions, children: each by its own check, and what a policy adds."""
    items = {
        "plan_present": Item(Entry.PLAN, "write the docs", ("b4",), "listed write the docs", "open"),
        "next_step_present": Item(Entry.NEXT, "ship the docs", ("b4",), "listed ship", "open"),
        "permissions_present": Item(Entry.FAILED, "no, do not run that", ("b4",), "Bash rm", "rejected"),
        "approvals_present": Item(Entry.OPEN, "Shall I delete the table?", ("b4",), "question", "open"),
        "children_present": Item(Entry.CHILD, "look at telemetry", ("b4",), "b4", "open"),
        "open_items_present": Item(Entry.DECISION, "we use sqlite here", ("b4",)),
    }
    for name, item in items.items():
        long_story.state = TaskState(items=(item,))
        sound = replace(case(long_story, room, counter), never=("decisions",))
        assert failed(sound) == set()
        assert name in failed(without(sound, item.text)), name


def test_open_work_must_lead_to_where_it_came_from(long_story, room, counter) -> None:
    """What can neither be read nor read back is lost; what is closed is not."""
    call = next(block for block in long_story.groups[1].blocks if block.call_id)
    lost = Item(Entry.ERROR, "it does not build", (call.id,), "Bash make", "open")
    long_story.state = TaskState(items=(lost,))
    sound = case(long_story, room, counter)
    assert failed(sound) == set()
    gone = without(sound, lost.text)
    dropped = [replace(one, outcome=Outcome.DROP) if one.block == call.id else one for one in gone.cut.decisions]
    assert "evidence_present" in failed(replace(gone, cut=replace(gone.cut, decisions=tuple(dropped))))
    long_story.state = TaskState(items=(replace(lost, status="done"),))
    assert failed(replace(gone, book=long_story.book(), cut=replace(gone.cut, decisions=tuple(dropped)))) == set()


def test_a_rule_without_its_exception_is_found(story, room, counter) -> None:
    """Which cases are excluded and what the limit is must be told as long as the rule holds."""
    said = story.user("Delete a file only if it is older than 30 days, except those in keep/.")
    for at in range(60):
        story.step(f"step_{at}", ("Bash", {"command": f"run {at}"}, "output of it\n" * 60))
    story.user("Now do the next part.")
    story.step("ok")
    story.state = TaskState(pins=(Pin("p1", said.id, said.text, said.text),))
    sound = case(story, room, counter)
    assert failed(sound) == set()
    assert "decision_fields_present" in failed(without(sound, ", except those in keep/"))
    story.state = TaskState()
    unpinned = case(story, room, counter)
    hidden = without(without(unpinned, "older than 30 days"), f"⋯ {said.id}")
    assert "decision_fields_present" in failed(hidden)


def test_nothing_is_both_done_and_open(long_story, room, counter) -> None:
    """A state that contradicts itself is not shown; a plan that lists a thing twice does not contradict itself."""
    open_, done = (Item(Entry.PLAN, "tests", (name,), status=status) for name, status in (("b3", "open"), ("b1", "done")))
    long_story.state = TaskState(items=(open_, done))
    assert failed(case(long_story, room, counter)) == {"status_consistent"}
    long_story.state = TaskState(items=(replace(open_, sources=done.sources), done))
    assert failed(case(long_story, room, counter)) == set()


def test_a_summary_contradicts_neither_itself_nor_the_plan(long_story, room, counter) -> None:
    """A thing is done or to do."""
    done = SummaryItem("done", "I look at helper_0_7 in src/part_0.py.", status="done", sources=("b2",), verbatim=True)
    lines = f"⋯ b2 [done]\n{done.text}"
    sound = case(long_story, room, counter)
    assert failed(summed(sound, done, lines=lines)) == set()
    both = summed(sound, done, replace(done, section="next", status="next"), lines=lines)
    assert failed(both) == {"status_consistent"}
    long_story.state = TaskState(items=(Item(Entry.PLAN, done.text, ("b2",), status="open"),))
    assert failed(summed(case(long_story, room, counter), done, lines=lines)) == {"status_consistent"}


def test_a_statement_leads_to_its_source_or_is_marked_as_a_hint(long_story, room, counter) -> None:
    """An invented source, an unmarked guess and a quotation nobody said are found."""
    sound = case(long_story, room, counter)
    guess = SummaryItem("state", "it may be the cache")
    for item, lines, expected in (
        (guess, "⋯ (hint) ⋯ it may be the cache", set()),
        (guess, "⋯ b2 ⋯ it may be the cache", {"sources_present"}),
        (replace(guess, sources=("b99999",)), "⋯ b99999 ⋯ it may be the cache", {"sources_present"}),
        (replace(guess, sources=("b2",), verbatim=True), "⋯ b2\nit may be the cache", {"sources_present"}),
    ):
        assert failed(summed(sound, item, lines=lines)) == expected


def test_names_of_the_newest_step_and_words_must_be_reachable(long_story, room, counter) -> None:
    """They stand, or what holds them is named in view."""
    long_story.user("Please look at parser_state in src/lexer_tables.py next.")
    long_story.step("ok")
    sound = case(long_story, room, counter)
    assert failed(sound) == set()
    assert failed(without(sound, "src/lexer_tables.py")) >= {"key_entities_present"}


def test_a_pointer_to_nothing_is_found(long_story, room, counter) -> None:
    """Every pointer of ours can be resolved."""
    sound = case(long_story, room, counter)
    first, *rest = sound.cut.decisions
    astray: Decision = replace(first, pointer="workspace://artifacts/b999999")
    assert failed(replace(sound, cut=replace(sound.cut, decisions=(astray, *rest)))) == {"pointers_resolve"}


def test_a_preface_that_was_changed_or_has_an_empty_part_is_found(long_story, room, counter) -> None:
    """What was planned is what is sent, whole (E2, M9)."""
    sound = case(long_story, room, counter)
    assert failed(replace(sound, text=sound.text.replace("<pumice:note>", ""))) == {"sections_present"}
    hollow = sound.cut.preface + "\n<pumice:state>\n\n</pumice:state>"
    cut: Cut = replace(sound.cut, preface=hollow)
    assert failed(replace(sound, cut=cut, text=hollow + sound.text)) == {"sections_present"}

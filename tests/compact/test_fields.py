"""Required fields in prose: asked for, and taken only as far as they stand there."""

from msgspec.structs import replace

from pumice.commit import required
from pumice.compact import fields, planner
from pumice.domain.book import Book
from pumice.domain.decision import Cause, Epoch
from pumice.domain.policy import Commit
from pumice.domain.state import Entry, Item
from pumice.faces import settings as presets

BALANCED = presets.policy("balanced")
WANTED = Commit(required_fields=("delivery_status", "refund_amount"), synonyms={"delivery_status": ("signed for",)})
POLICY = replace(
    BALANCED, commit_before_compact=WANTED, summarize=replace(BALANCED.summarize, model="openai-chat:any@http://localhost:1")
)


def book_of(story, **parts) -> Book:
    """A talk in which the model told what a result did not."""
    story.user("Please look after the order.")
    story.step("The delivery went well: it was handed over three days ago, says the carrier.")
    for at in range(60):
        story.step("", ("Bash", {"command": f"run {at}"}, f"part {at} of it\n" * 40))
    story.user("go on")
    story.step("ok")
    story.fold()
    book = replace(story.book(), **parts)
    state = required.committed(book.state, book.groups, book.uses, WANTED)
    return replace(book, state=state)


def facts(book: Book) -> list[Item]:
    return [item for item in book.state.items if item.entry is Entry.FACT]


def test_a_model_is_asked_where_nothing_else_gives_a_field(story) -> None:
    """Over the passages that speak of it; without a model nothing is asked."""
    book = book_of(story)
    [ask] = fields.taken(book, POLICY).asks
    assert "- delivery_status, or signed for\n- refund_amount" in ask.prompt
    assert "handed over three days ago" in ask.material
    assert ask == fields.taken(book, POLICY).asks[0]
    assert fields.taken(book, BALANCED) == fields.Taken(book)


def test_an_answer_counts_as_far_as_it_stands_in_its_block(story) -> None:
    """Verbatim, from a block of the session, for a field that was asked for; what the assistant said is advisory."""
    book = book_of(story)
    [ask] = fields.taken(book, POLICY).asks
    said = (
        "delivery_status: handed over three days ago [b2]\n"
        "refund_amount: 12 EUR [b2]\nrefund_amount: x [b999]\nowner: it [b2]\nand so on"
    )
    made = fields.taken(replace(book, answers={ask.key: said}), POLICY)
    assert facts(made.book) == [Item(Entry.FACT, "handed over three days ago", ("b2",), "delivery_status", "advisory")]
    assert [item.key for item in made.book.state.items if item.status == "unknown"] == ["refund_amount unknown"]
    assert [one.key for one in made.asks] == [ask.key]


def test_what_was_found_once_still_counts_at_the_next_cut(story, room, counter) -> None:
    """The question is carried over, so that it is not asked again and its answer not lost."""
    book = book_of(story)
    [ask] = fields.taken(book, POLICY).asks
    answers = {ask.key: "delivery_status: handed over three days ago [b2]"}
    cut = planner.plan(replace(book, answers=answers), room, POLICY, cause=Cause.BUDGET, necessary=True, count=counter)
    assert ask.key in [one.key for one in cut.asks]
    assert "⋯ found in what the assistant said, advisory\n⋯ b2 delivery_status\nhanded over three days ago" in cut.preface
    story.user("And now something else about the delivery.")
    later = replace(story.book(), state=book.state, answers=answers, epoch=Epoch(1, Cause.BUDGET, cut))
    assert [item.text for item in facts(fields.taken(later, POLICY).book)] == ["handed over three days ago"]

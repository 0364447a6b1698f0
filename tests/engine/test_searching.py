"""Searching a session: every word first, then the query letter for letter, then any of the words; and how many more."""

import json

import pytest
from tests_support import Agent, World

from pumice.engine.searching import Hits
from pumice.errors import InvalidInput, NotAddressable


async def told(world: World) -> Agent:
    """A session with words of several kinds."""
    agent = world.agent().says("客户要求退款，合同编号HT-2024")
    agent.runs("c1", "\n".join(f"src/app.py:{n}: warning in parse_line_{n}" for n in range(40)))
    agent.runs("c2", "src/app.py:173: error E1234\n{'a':->1}\n" + "x" * 3000 + " needle_far " + "y" * 3000)
    await agent.says("Never push to main.").call()
    return agent


def texts(hits: Hits) -> list[str]:
    return [hit.text for hit in hits]


async def test_every_word_of_the_query_is_in_the_first_hits(world: World) -> None:
    """A line with all the words answers, in whatever order they stand; names are found by exact piece."""
    agent = await told(world)
    for query in ("E1234 src/app.py", "src/app.py:173", '"error e1234"', "e1234"):
        hits = await agent.session.search(query)
        assert texts(hits) == ["src/app.py:173: error E1234"], query
        assert hits.note == "1 of 1 lines that hold every word, best first (BM25)"
    assert texts(await agent.session.search("退款")) == ["客户要求退款，合同编号HT-2024"]


async def test_what_has_no_pieces_is_looked_for_letter_for_letter(world: World) -> None:
    """Signs, single CJK letters and parts of words are found too, newest block first."""
    agent = await told(world)
    for query, line in (("':->", "{'a':->1}"), ("款", "客户要求退款"), ("ever pu", "Never push to main.")):
        hits = await agent.session.search(query)
        assert line in hits[0].text
        assert (hits.holding, hits.order) == ("the query letter for letter", "newest first")


async def test_some_of_the_words_are_better_than_nothing(world: World) -> None:
    """Where no line holds all words, those with the telling ones come first, and the answer says what it is."""
    agent = await told(world)
    hits = await agent.session.search("why does the E1234 warning come back")
    assert hits[0].text == "src/app.py:173: error E1234"
    assert hits.holding == "any of the words"
    nothing = await agent.session.search("src/app.py:999")
    assert (texts(nothing), nothing.note) == ([], "no line holds the query letter for letter")


async def test_the_answer_says_how_many_more_there_are(world: World) -> None:
    """Five of forty lines are known as five of forty, and how to see the others."""
    agent = await told(world)
    hits = await agent.session.search("warning", limit=5)
    assert (len(hits), hits.total) == (5, 40)
    assert hits.note == "5 of 40 lines that hold every word, best first (BM25); ask for more with limit=40"
    assert len(await agent.session.search("warning", limit=hits.total)) == 40
    found = await agent.session.search(r"parse_line_\d+", regex=True, limit=3)
    assert found.note == "3 of 40 lines that hold the pattern, newest first; ask for more with limit=40"


async def test_one_block_is_searched_alone(world: World) -> None:
    """A pointer narrows the search to its block, ranked by that block's own lines."""
    agent = await told(world)
    (hit,) = await agent.session.search("E1234")
    assert {found.pointer for found in await agent.session.search("src/app.py", pointer=hit.pointer)} == {hit.pointer}
    assert await agent.session.search("warning", pointer=hit.pointer) == []
    with pytest.raises(NotAddressable):
        await agent.session.search("warning", pointer="b99")


async def test_a_hit_in_a_long_line_shows_what_was_found(world: World) -> None:
    """Of a line of thousands of characters the part around the word stands in the hit, verbatim."""
    agent = await told(world)
    (hit,) = await agent.session.search("needle_far")
    assert " needle_far " in hit.text
    assert len(hit.text) == 400


async def test_later_blocks_are_found_and_a_call_indexes_nothing(world: World) -> None:
    """The index is filled by searching: it follows the session, over a restart too, and costs a call nothing."""
    agent = await told(world)
    index = agent.session.context
    assert (await world.store.search.query(index.key, ["warning"], 1)).total == 0
    assert await agent.session.search("signature") == []
    agent.runs("c9", "the signature is wrong")
    await agent.call()
    assert (await world.store.search.query(index.key, ["signature"], 1)).total == 0
    assert texts(await agent.session.search("signature")) == ["the signature is wrong"]
    again = world.agent()
    assert texts(await again.session.search("signature")) == ["the signature is wrong"]


async def test_what_another_process_has_indexed_is_no_accident(world: World) -> None:
    """A block this process has not read yet is left out of its answer, and no error."""
    agent, other = await told(world), world.agent()
    assert await agent.session.search("signature") == []
    other.messages = list(agent.messages)
    await other.runs("c9", "the signature is wrong").call()
    assert len(await other.session.search("signature")) == 1
    assert texts(await agent.session.search("signature")) == []


async def test_secrets_are_in_no_index(world: World) -> None:
    """What is replaced in the store is found by no piece of it."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    agent = world.agent().says(f"the token is {token}")
    await agent.call()
    assert texts(await agent.session.search("token is")) != []
    assert await agent.session.search(token) == []
    assert await agent.session.search("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8") == []


async def test_wrong_queries_are_typed_errors(world: World) -> None:
    """Nothing to look for, no limit, a broken pattern: each says what was expected."""
    agent = await told(world)
    for query, options in (("", {}), ("x", {"limit": 0}), ("(", {"regex": True})):
        with pytest.raises(InvalidInput):
            await agent.session.search(query, **options)


def test_hits_are_a_list() -> None:
    """A caller that knows lists needs to know nothing else."""
    assert json.dumps(Hits.of([], 3, "every word", "newest first")) == "[]"

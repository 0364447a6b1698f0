"""What every index for search promises."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pumice.domain.event import Event, SessionKey
from pumice.domain.ports import Found, Passage
from pumice.measure import phrases
from pumice.store.home import Store, memory_store

KEY = SessionKey("acme", "build-42", project="web", user="u1")
OTHERS = [SessionKey("acme", "other"), SessionKey("evil", "build-42", project="web", user="u1"), SessionKey("acme", "build-42")]


async def keep(store: Store, *texts: str, key: SessionKey = KEY, first: int = 1) -> None:
    """Index texts as blocks of a session the ledger knows."""
    await store.ledger.append(key, [Event("message", b"x")], tips={})
    passages = [Passage(f"b{number}", f"hash of {text}", text) for number, text in enumerate(texts, first)]
    await store.search.index(key, passages)


async def ask(store: Store, query: str, limit: int = 10, *, every: bool = True, key: SessionKey = KEY) -> Found:
    asked = phrases.read(query)
    return await store.search.query(key, asked.every if every else asked.some, limit, every=every)


@pytest.mark.parametrize(
    "query",
    [
        "src/app.py:173", "app.py", "APP.PY:173", "E1234", "e1234", "parse_line_end", "line_end", "parselineend",
        '"push to main"', "main push", "退款", "合同编号", "データ", "접속", "２０２４", "ht-2024", "caf\u00e9", "cafe\u0301",
    ],
)  # fmt: skip
async def test_a_line_is_found_by_an_exact_piece_of_it(store: Store, query: str) -> None:
    """Paths, codes, identifiers and words of any script are found wherever they stand in a line."""
    names = "x src/app.py:173:5: E1234 in parse_line_end, parseLineEnd: push to main"
    line = f"{names} 客户要退款，合同编号HT-2024 データベース 접속됨 café"
    await keep(store, "nothing here\n\nof that", f"first\nsecond\n{line}\nlast")
    assert await ask(store, query) == Found((("b2", 3),), 1)


@pytest.mark.parametrize("query", ["src/app.py:17", "E123", "line_parse", '"main push"', "款退", "->", ""])
async def test_what_no_line_holds_is_not_found(store: Store, query: str) -> None:
    """Half a number, pieces in another order, and queries without any piece find nothing."""
    await keep(store, "src/app.py:173 E1234 parse_line_end -> push to main 退款")
    assert await ask(store, query) == Found((), 0)


async def test_all_words_or_any(store: Store) -> None:
    """Every phrase has to stand in the line, or one of them, as it is asked."""
    await keep(store, "the build failed\nthe signature failed E1234", "the weather")
    assert await ask(store, "the E1234") == Found((("b1", 2),), 1)
    found = await ask(store, "the E1234", every=False)
    assert (found.places[0], found.total) == (("b1", 2), 3)


async def test_a_chinese_sentence_is_asked_by_its_words(store: Store) -> None:
    """A question without spaces finds the lines that share most of its words."""
    await keep(store, "天气很好", "客户要求退款三百元", "合同的编号")
    assert await ask(store, "客户为什么要求退款") == Found((), 0)
    assert (await ask(store, "客户为什么要求退款", every=False)).places == (("b2", 1),)


async def test_the_best_come_first_and_the_rest_are_counted(store: Store) -> None:
    """A rare word counts more than a common one, a short line more than a long; what is not shown is still counted."""
    await keep(store, *["the build log"] * 12, "the refund", "refund " + "of many other words " * 9)
    found = await ask(store, "the refund", 2, every=False)
    assert found == Found((("b13", 1), ("b14", 1)), 14)


async def test_of_equals_the_newest_come_first_whenever_they_were_indexed(store: Store) -> None:
    """Order is that of the blocks' names, not of the indexing."""
    await keep(store, "same words\nsame words", first=10)
    await keep(store, "same words", first=9)
    assert (await ask(store, "words")).places == (("b10", 1), ("b10", 2), ("b9", 1))


async def test_no_session_finds_or_weighs_anothers_lines(store: Store) -> None:
    """Hits and their order are the same whatever other sessions and tenants hold."""
    texts = ["alpha beta beta", "beta beta alpha gamma", "alpha"]
    await keep(store, *texts)
    before = await ask(store, "alpha beta", every=False)
    for key in OTHERS:
        await keep(store, *["alpha"] * 30, "secret plan", key=key)
    assert await ask(store, "alpha beta", every=False) == before
    assert await ask(store, "secret") == Found((), 0)


async def test_indexing_again_changes_nothing(store: Store) -> None:
    """A step repeated after a doubtful answer does no harm."""
    for _ in range(2):
        await keep(store, "one line")
    assert await ask(store, "line") == Found((("b1", 1),), 1)


async def test_of_a_block_only_the_newest_text_is_found(store: Store) -> None:
    """A block with new content is no longer found by its old one."""
    await keep(store, "old words\nhere", "beside")
    await keep(store, "new\nwords\nwords")
    assert await ask(store, "old") == Found((), 0)
    assert await ask(store, "here") == Found((), 0)
    assert (await ask(store, "words")).places == (("b1", 2), ("b1", 3))
    assert (await ask(store, "beside")).places == (("b2", 1),)


async def test_forgetting_takes_the_index_and_leaves_the_others(store: Store) -> None:
    """What was forgotten is not found; another session's is, and the name is free again."""
    await keep(store, "first text", "second")
    await keep(store, "first text", key=OTHERS[0])
    assert await store.search.forget(KEY) == 2
    assert await store.search.forget(KEY) == 0
    assert await ask(store, "first") == Found((), 0)
    assert (await ask(store, "first", key=OTHERS[0])).total == 1
    await keep(store, "third")
    assert (await ask(store, "third")).places == (("b1", 1),)


async def test_forgetting_the_store_takes_the_index(store: Store) -> None:
    """The bundle forgets a session whole."""
    await keep(store, "first text")
    assert await store.forget(KEY) == 1
    assert await ask(store, "first") == Found((), 0)


texts = st.lists(st.text("aB1_./ \n退款デ-", max_size=24), min_size=1, max_size=5)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, st.text("aB1_./ 退款デ-", max_size=6), st.booleans(), st.integers(1, 4))
async def test_indexes_agree_on_any_query(store: Store, given: list[str], query: str, every: bool, limit: int) -> None:
    """Every implementation finds the same lines in the same order as the memory one, which looks at each line."""
    model = memory_store()
    for one in (store, model):
        await keep(one, *given)
    assert await ask(store, query, limit, every=every) == await ask(model, query, limit, every=every)
    await store.search.forget(KEY)

"""Invalid Gemini contents made valid on the wire."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import wire
from pumice.wire import repair, rules
from pumice.wire.gemini.signatures import SKIP

DIALECT = wire.get("gemini")
PAIRING = {"G1", "G4", "G5", "G6"}


def text(words: str = "hi") -> dict:
    return {"text": words}


def call(ident: str, name: str = "f") -> dict:
    return {"functionCall": {**({"id": ident} if ident else {}), "name": name, "args": {}}, "thoughtSignature": SKIP}


def result(ident: str, name: str = "f", words: str = "x") -> dict:
    return {"functionResponse": {**({"id": ident} if ident else {}), "name": name, "response": {"output": words}}}


def user(*parts: dict) -> dict:
    return {"role": "user", "parts": list(parts)}


def model(*parts: dict) -> dict:
    return {"role": "model", "parts": list(parts)}


def repaired(*contents: dict) -> tuple[list[dict], tuple[str, ...]]:
    found = DIALECT.repair([json.dumps(content).encode() for content in contents])
    return [json.loads(raw) for raw in found.messages], found.sentences


def broken(contents: list[dict]) -> set[str]:
    found = rules.check(json.dumps({"contents": contents}).encode(), "gemini", model="gemini-3-pro")
    return {violation.rule for violation in found} & PAIRING


def test_a_call_without_a_result_gets_an_aborted_one():
    """It names an id only where the call does."""
    contents, sentences = repaired(user(text()), model(call("a"), call("")), user(text("stop")))
    responses = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [(one.get("id"), one["name"], list(one["response"])) for one in responses] == [
        ("a", "f", ["error"]),
        (None, "f", ["error"]),
    ]
    assert contents[3] == user(text("stop"))
    assert [sentence.partition(":")[0] for sentence in sentences] == ["contents[1]", "contents[1]"]


def test_of_two_results_under_one_id_the_fuller_stays():
    """A client that goes on after a restart sends what it has masked beside the whole."""
    masked, whole = result("a", words="<tool_output_masked>"), result("a", words="line\n" * 9)
    for parts in ((masked, whole), (whole, masked)):
        contents, sentences = repaired(user(text()), model(call("a")), user(*parts))
        assert contents[2] == user(whole)
        assert len(sentences) == 1
    contents, _ = repaired(user(text()), model(call("a")), user(whole), user(masked))
    assert contents == [user(text()), model(call("a")), user(whole)]


def test_results_pair_by_function_where_ids_are_missing():
    """An id that only one side has is no orphan."""
    sound = [user(text()), model(call(""), call("", "g")), user(result("made_up", "g"), result("f_0"))]
    assert repaired(*sound) == (sound, ())


def test_results_behind_words_are_moved_to_their_calls():
    """What a person said meanwhile follows them."""
    contents, sentences = repaired(user(text()), model(call("a")), user(text("wait")), user(result("a")))
    assert contents == [user(text()), model(call("a")), user(result("a")), user(text("wait"))]
    assert len(sentences) == 1


def test_an_id_that_stands_twice_is_told_apart():
    """On the call and on what answers it, by occurrence."""
    contents, _ = repaired(user(text()), model(call("a"), call("a")), user(result("a", words="1"), result("a", words="2")))
    assert [part["functionCall"]["id"] for part in contents[1]["parts"]] == ["a", "a-2"]
    assert contents[2] == user(result("a", words="1"), result("a-2", words="2"))


def test_empty_texts_go_unless_signed():
    """What the API refuses is left out; a signature keeps its part (K-G9)."""
    signed = {"text": "", "thoughtSignature": SKIP}
    contents, sentences = repaired(user(text(""), text("a")), model(text("b"), text(""), signed), user(text("")))
    assert contents[:2] == [user(text("a")), model(text("b"), signed)]
    assert [part["text"] for part in contents[2]["parts"]] == [repair.FILLER]
    assert len(sentences) == 4


ids = st.sampled_from(["a", "b", "a-2", "", "é" * 64])
names = st.sampled_from(["f", "g"])
words = st.sampled_from([text(), text("")])
models = st.lists(st.one_of(st.builds(call, ids, names), words), max_size=4).map(lambda parts: model(*parts))
users = st.lists(st.one_of(st.builds(result, ids, names), words), max_size=4).map(lambda parts: user(*parts))


@settings(max_examples=200, deadline=None)
@given(contents=st.lists(st.one_of(models, users), max_size=8))
def test_repaired_contents_keep_the_pairing_rules(contents):
    """Arbitrary, parallel, dangling, orphaned, reused and missing ids come out valid; a second repair changes nothing."""
    raws = [json.dumps(content).encode() for content in contents]
    found = DIALECT.repair(raws)
    led = contents[:1] and contents[0]["role"] == "user"
    allowed = set() if led else {"G4"}
    assert broken([json.loads(raw) for raw in found.messages]) <= allowed | ({"G1"} if not found.messages else set())
    assert DIALECT.repair(found.messages) == repair.Repaired(found.messages)


@pytest.mark.parametrize("form", ["short", None])
@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.integers(1, 3), min_size=1, max_size=4), choice=st.lists(st.booleans(), min_size=12, max_size=12))
def test_any_subset_of_pairs_may_be_shortened_or_left_out(form, steps, choice):
    """A call and its result go together; what stays is valid for a model that checks signatures, and else untouched."""
    contents, ids = [user(text())], iter(range(99))
    for calls in steps:
        idents = [f"c{next(ids)}" for _ in range(calls)]
        made = [call(ident) if not at else {"functionCall": call(ident)["functionCall"]} for at, ident in enumerate(idents)]
        contents += [model(text("I look"), *made), user(*(result(ident, words="long " * 9) for ident in idents))]
    messages = [DIALECT.read_message(json.dumps(content).encode()) for content in contents]
    written = []
    for message in messages:
        picked = {at: block for at, block in enumerate(message.blocks) if block.call_id and choice[int(block.call_id[1:])]}
        forms = {at: form and ('{"n":1}' if block.kind == "call" else form) for at, block in picked.items()}
        raw = DIALECT.rewrite(message, forms)
        assert raw is not None or not [at for at in range(len(message.blocks)) if at not in forms]
        written += [raw] if raw is not None else []
    body = DIALECT.close(DIALECT.open(b'{"contents":[]}'), written)
    found = rules.check(body, "gemini", model="gemini-3-pro")
    assert {violation.rule for violation in found} <= {"G3"}

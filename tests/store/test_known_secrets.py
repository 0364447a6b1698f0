"""Secrets known by their text, beside those that rules know by their shape."""

import asyncio

import pytest
from scripted import SECRET

from pumice.store.known_secrets import KnownSecrets, show
from pumice.store.redact import RuleRedactor

KEY = "my-gateway-key-0042"
REDACT = KnownSecrets(RuleRedactor())


async def test_what_a_call_shows_is_replaced() -> None:
    """Beside what the rules find, longer ones first, and a text that is clean already stays as it is."""
    assert KEY in REDACT(f"key {KEY}").text
    show([KEY, f"{KEY}-of-another", KEY])
    found = REDACT(f"{KEY} {KEY}-of-another {SECRET} words")
    assert found.text.count("[secret:credential]") == 2
    assert (found.text.rpartition(" ")[2], len(found.kinds)) == ("words", 3)
    assert KEY not in found.text
    assert SECRET not in found.text
    assert REDACT(found.text).text == found.text


async def test_what_one_caller_shows_changes_nothing_of_anothers_words() -> None:
    """It holds in the tasks that a call sets going, on other threads too, and nowhere else."""

    async def call(secret: str) -> list[str]:
        show([secret])
        await asyncio.sleep(0)
        return [REDACT(KEY).text, await asyncio.to_thread(lambda: REDACT(KEY).text)]

    mine, other = await asyncio.gather(call(KEY), call("no-key-of-mine-1"))
    assert (mine, other) == (["[secret:credential]"] * 2, [KEY] * 2)
    assert REDACT(KEY).text == KEY


@pytest.mark.parametrize("word", ["", "none", "sk-1", "local-development"])
async def test_words_that_stand_for_no_key_stay(word: str) -> None:
    """A client that needs no key sends some word, which then stands everywhere in what it works on."""
    show([word])
    assert REDACT(f"a {word} b").text == f"a {word} b"

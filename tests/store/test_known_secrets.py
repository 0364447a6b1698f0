"""Secrets known by their text, beside those that rules know by their shape."""

import pytest
from scripted import SECRET

from pumice.store.known_secrets import MOST, KnownSecrets
from pumice.store.redact import RuleRedactor

KEY = "my-gateway-key-0042"


def test_what_was_learnt_is_replaced_and_once_is_enough() -> None:
    """Beside what the rules find, longer ones first, and a text that is clean already stays as it is."""
    redact = KnownSecrets(RuleRedactor())
    assert KEY in redact(f"key {KEY}").text
    for secret in (KEY, f"{KEY}-of-another", KEY):
        redact.learn(secret)
    found = redact(f"{KEY} {KEY}-of-another {SECRET} words")
    assert found.text.count("[secret:credential]") == 2
    assert (found.text.rpartition(" ")[2], len(found.kinds)) == ("words", 3)
    assert KEY not in found.text
    assert SECRET not in found.text
    assert redact(found.text).text == found.text


@pytest.mark.parametrize("word", ["", "none", "sk-1", "local-development"])
def test_words_that_stand_for_no_key_stay(word: str) -> None:
    """A client that needs no key sends some word, which then stands everywhere in what it works on."""
    redact = KnownSecrets(RuleRedactor())
    redact.learn(word)
    assert redact(f"a {word} b").text == f"a {word} b"


def test_no_more_are_kept_than_can_be_looked_for() -> None:
    """The newest ones stay."""
    redact = KnownSecrets(RuleRedactor())
    for number in range(MOST + 1):
        redact.learn(f"my-gateway-key-{number:04}")
    assert "key-0000" in redact("my-gateway-key-0000").text
    assert redact(f"my-gateway-key-{MOST:04}").kinds == ("credential",)

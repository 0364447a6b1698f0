"""Secrets are replaced; what only looks dense is not."""

import base64
import random
import time
import uuid
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice.store.redact import RuleRedactor
from pumice.store.redaction_rules import shipped

REDACT = RuleRedactor()
CHANCE = random.Random(7)


def letters(count: int, alphabet: str = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789") -> str:
    return "".join(CHANCE.choice(alphabet) for _ in range(count))


# Put together here, so that this file holds nothing that looks like a secret.
SECRETS = [
    ("github-pat", "ghp" + "_" + letters(36)),
    ("github-pat", "ghp" + "_" + "a" * 36),
    ("github-fine-grained-pat", "github" + "_pat_" + letters(82)),
    ("anthropic-api-key", "sk-" + "ant-api03-" + letters(93) + "AA"),
    ("openai-api-key", "sk-" + letters(20) + "T3Blbk" + "FJ" + letters(20)),
    ("aws-access-token", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("gcp-api-key", "AIza" + letters(35)),
    ("slack-bot-token", "xoxb" + "-123456789012-1234567890123-" + letters(24)),
    ("stripe-access-token", "sk" + "_live_" + letters(24)),
    ("gitlab-pat", "glpat" + "-" + letters(20)),
    ("npm-access-token", "npm" + "_" + letters(36)),
    ("pypi-upload-token", "pypi-" + "AgEIcHlwaS5vcmc" + letters(60)),
    ("jwt", "eyJ" + letters(20) + ".eyJ" + letters(30) + "." + letters(43)),
    ("private-key", "-----BEGIN RSA PRIVATE KEY" + "-----\n" + f"{letters(64)}\n" * 5 + "-----END RSA PRIVATE KEY" + "-----"),
]
LABELLED = [
    ("generic-api-key", 'api_key = "{}"', letters(32)),
    ("generic-api-key", "export OPENAI_API_KEY={}\n", "sk-" + "proj-" + letters(24)),
    ("aws-secret-key", "aws_secret_access_key = {}\n", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + letters(10)),
    ("url-password", "postgres://app:{}@db.local:5432/shop", "hunter2"),
    ("curl-auth-header", "curl -H 'Authorization: Bearer {}' http://x", letters(20)),
    ("curl-auth-user", "curl -s -u {} http://x", "bob:" + letters(9)),
    ("datadog-access-token", "DATADOG_APP: '{}'", letters(40, "abcdefghjk23456789")),
    ("azure-storage-key", "x;AccountName=a;{};y", "AccountKey=" + letters(88)),
]
NO_SECRETS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "key: 3f786850e387550fdab836ed7e6dc881de23001b",
    f"token={uuid.UUID(int=7**40)} key={uuid.UUID(int=11**36)}",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-PIvUHXUyKcMIuRoQwZ1oAVLBqHvLxvZ0c7BT8cUsvLLqjvVvOJ5nX1Zz1m6H4WrP0rPZqJ2mQ8wN4f7k=="',
    "primary_key = col4nameXq7zT9w\nsort_key_name: a8Xq2Lm0Zt7\nmonkey=a8Xq2Lm0Zt7k",
    "password: ${DB_PASSWORD}\napi_key = os.environ['API_KEY']\ntoken = get_token()",
    "https://user:password@example.com and postgres://{user}:{password}@{host}/db",
    "The secret: keep functions short. Access to the API key store is by token only.",
    "https://github.com/acme/web/blob/3f786850e387550fdab836ed7e6dc881de23001b/src/authentication/tokens.py#L40",
]


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
@pytest.mark.parametrize(
    "place", ["{}", "token {} here", '{{"out": "{}"}}', "日本語 {}\n"], ids=["alone", "prose", "json", "cjk"]
)
def test_secrets_with_a_mark_of_their_own_are_replaced(kind: str, secret: str, place: str) -> None:
    """A token known by its beginning goes wherever it stands, and is named."""
    found = REDACT(place.format(secret))
    assert found.text == place.format(f"[secret:{kind}]")
    assert found.kinds == (kind,)


@pytest.mark.parametrize(("kind", "place", "secret"), LABELLED)
def test_secrets_known_by_their_label_are_replaced(kind: str, place: str, secret: str) -> None:
    """Only the secret goes; its label, quotes and surroundings stay."""
    assert REDACT(place.format(secret)).text == place.format(f"[secret:{kind}]")


@pytest.mark.parametrize("text", NO_SECRETS)
def test_hashes_ids_and_placeholders_stay(text: str) -> None:
    """What a tool prints all day is no secret, even beside a word such as key or token."""
    assert REDACT(text).text == text


def test_dense_content_stays() -> None:
    """Base64, hex and uuids by the megabyte give no hit."""
    noise = random.Random(3).randbytes(600_000)
    assert REDACT(base64.encodebytes(noise).decode()).kinds == ()
    assert REDACT(base64.urlsafe_b64encode(noise).decode()).kinds == ()
    assert REDACT(noise.hex()).kinds == ()


def test_several_are_named_in_order() -> None:
    """The kinds tell what was replaced, first to last, and neighbours do not hide each other."""
    text = f"{SECRETS[0][1]} {SECRETS[5][1]}\n{SECRETS[7][1]},{SECRETS[0][1]}"
    found = REDACT(text)
    assert found.kinds == ("github-pat", "aws-access-token", "slack-bot-token", "github-pat")
    assert found.text == "[secret:github-pat] [secret:aws-access-token]\n[secret:slack-bot-token],[secret:github-pat]"


pieces = st.one_of(
    st.sampled_from([secret for _, secret in SECRETS] + [place.format(secret) for _, place, secret in LABELLED]),
    st.sampled_from([anchor for rule in shipped().rules for anchor in rule.anchors]),
    st.sampled_from(["[secret:jwt]", "[secret:", "]", "=", ": ", '"', "'", " ", "\n", "curl ", "://", "@", "a1B2c3D4e5F6g7H8"]),
    st.text(st.characters(codec=None), max_size=12),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=12).map("".join))
def test_any_text_can_be_redacted_and_twice_is_once(text: str) -> None:
    """Nothing raises, lone surrogates included, and what is redacted stays as it is."""
    once = REDACT(text)
    again = REDACT(once.text)
    assert (again.text, again.kinds) == (once.text, ())
    assert once.kinds or once.text == text


@pytest.mark.parametrize(
    "piece", ["key=", "curl -u ", "-----BEGIN PRIVATE KEY-----", "ey" + "a" * 20 + ".", "://a:", "aws key ", "token = '", "x"]
)
def test_hostile_repetition_costs_in_proportion(piece: str) -> None:
    """Twice the text takes about twice the time, however it is made; a quadratic rule would take four times."""
    REDACT(piece)
    short, long = (least_time(piece * (size // len(piece))) for size in (25_000, 100_000))
    assert long < 9 * short + 0.05


def least_time(text: str) -> float:
    times = []
    for _ in range(3):
        started = time.process_time()
        REDACT(text)
        times.append(time.process_time() - started)
    return min(times)


def test_the_rules_name_their_source() -> None:
    """The shipped table says when and from what it was made."""
    table: dict[str, Any] = msgspec.json.decode((resources.files("pumice.store") / "redaction_rules.json").read_bytes())
    assert {source["name"]: source["license"] for source in table["sources"]} == {
        "gitleaks": "MIT",
        "detect-secrets": "Apache-2.0",
    }
    assert len(table["made"]) == len("2026-01-01")
    assert len({rule.id for rule in shipped().rules}) == len(shipped().rules) > 150


@pytest.mark.recordings
def test_real_sessions_are_left_alone(data: Path) -> None:
    """In the nine recorded sessions the only hit is a line that quotes an API key as an example."""
    kinds = [
        kind for file in sorted((data / "claude-code").glob("*.jsonl")) for text in texts(file) for kind in REDACT(text).kinds
    ]
    assert set(kinds) <= {"generic-api-key"}
    assert len(kinds) <= 4


def texts(file: Path) -> set[str]:
    """Every string of a recording; of a line that is broken, the line."""
    found: set[str] = set()
    for line in file.read_text("utf-8").split("\n"):
        try:
            waiting: list[Any] = [msgspec.json.decode(line)]
        except msgspec.DecodeError:
            waiting = [line]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                found.add(value)
            elif isinstance(value, dict | list):
                waiting += value.values() if isinstance(value, dict) else value
    return found

"""Known failures of other agents, J4: thought signatures that get lost, or stand on what they were not made for."""

import json
from typing import Any

import pytest
from rows import Row
from tests_support import code

from pumice import wire
from pumice.wire import rules
from pumice.wire.gemini.signatures import SKIP

THREE = "gemini-3-pro-preview"


def parts(view: Any) -> list[dict[str, Any]]:
    return [part for content in json.loads(view.raw)["contents"] for part in content["parts"]]


def signed(found: list[dict[str, Any]]) -> dict[str, str]:
    """Signatures by what they stand on."""
    return {json.dumps(part["functionCall"]): part["thoughtSignature"] for part in found if "thoughtSignature" in part}


@pytest.mark.parametrize("policy", ["balanced", "claude-code", "codex", "gemini-cli"])
async def test_j4_signatures_of_the_running_turn_survive_every_cut(policy: str) -> None:
    """One turn of parallel calls on Gemini 3, many cuts: each step's first call is signed as it came, or by the stand-in."""
    row = Row("gemini", model=THREE, window=12_000, policy=policy).user("Read every part.")
    before = None
    for at in range(24):
        row.uses(code(f"a{at}", 24), code(f"b{at}", 24))
        view = await row.call()
        assert rules.check(view.raw, "gemini", model=THREE) == ()
        theirs = signed([part for content in row.body()["contents"] for part in content["parts"]])
        assert all(theirs.get(call, SKIP) == given or given == SKIP for call, given in signed(parts(view)).items())
        if before is not None:
            opened = [wire.get("gemini").open(raw).for_model(THREE) for raw in (before.raw, view.raw)]
            assert rules.check_rewrite(*opened) == ()
        before = view
    assert view.epoch > 0


async def test_j4_an_unsigned_call_is_the_clients_own_and_is_told() -> None:
    """A request that lacks a signature is not made worse, and its manifest names the rule where the model has it."""
    row = Row("gemini", model=THREE, window=None).user("Read.").uses("text")
    body = row.body()
    del body["contents"][1]["parts"][-1]["thoughtSignature"]
    raw = json.dumps(body).encode()
    view = await row.session.compile(raw, dialect="gemini")
    assert view.raw == raw
    assert [warning for warning in view.manifest.warnings if "rule G7" in warning]
    older = await row.session.compile(json.dumps({**body, "model": "gemini-2.5-pro"}).encode(), dialect="gemini")
    assert not [warning for warning in older.manifest.warnings if "rule G7" in warning]

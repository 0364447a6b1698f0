"""Codex CLI through the proxy: with the model it takes by itself, which calls everything from code, and with plain tools."""

import json

import pytest
from minds import PROMPT, TASK, Mind, Repair
from real_clients import INSTALLED, Stage, play

from pumice.wire.double import Use

pytestmark = pytest.mark.clients
KEYS = {"OPENAI_API_KEY": "sk-dummy"}
EXEC = (str(INSTALLED / "codex"), "exec")
FREELY = ("--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")


class Shell:
    """It does everything in a shell."""

    def read(self, path: str, first: int = 1, lines: int = 400) -> Use:
        return self.shell(f"sed -n '{first},{first + lines - 1}p' {path}")

    def shell(self, command: str) -> Use:
        return Use("exec_command", {"cmd": command})

    def edit(self, path: str, old: str, new: str) -> Use:
        return self.shell(f"sed -i 's/{old}/{new}/' {path}")


class Code(Shell):
    """The shell is called from JavaScript, which is the input of a tool in a namespace."""

    def shell(self, command: str) -> Use:
        return Use("exec", {"input": f"text((await tools.exec_command({json.dumps({'cmd': command})})).output)"})


@pytest.mark.parametrize(("model", "hands", "window"), [("", Code(), 22_000), ("gpt-5.1-codex", Shell(), 16_000)])
async def test_a_long_task(stage: Stage, model: str, hands: Shell, window: int) -> None:
    """It ends as without a proxy, wherever the tools are declared; resumed before a new proxy it is the same conversation."""
    repair = Repair(hands, 8)
    mind, limit = Mind({TASK: repair.work()}), ("--window", str(window))
    chosen = ("-m", model) if model else ()
    played = await play(stage, "codex", mind, [*EXEC, *chosen, *FREELY, PROMPT], *limit, variables=KEYS)
    played.went_well()
    played.was_cut(repair, "openai-responses", window)
    assert all(json.loads(body)["stream"] for body in played.upstream.double.requests)
    asked = [*EXEC, "resume", "--last", *chosen, *FREELY, "Is it?"]
    again = await play(stage, "codex", mind, asked, *limit, variables=KEYS, upstream=played.upstream)
    again.went_well()
    again.took_up("openai-responses")

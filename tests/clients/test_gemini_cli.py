"""Gemini CLI through the proxy: a long task, a sub-agent that no header tells from its parent, a cut and a read-back."""

import pytest
from minds import PROMPT, REVIEW, TASK, Mind, Repair, review
from real_clients import INSTALLED, Stage, play

from pumice.wire.double import Say, Use

pytestmark = pytest.mark.clients
KEYS = {"GEMINI_API_KEY": "dummy", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
WINDOW = 34_000


class Hands:
    """Its tools."""

    def read(self, path: str, first: int = 1, lines: int = 400) -> Use:
        return Use("read_file", {"file_path": path, "start_line": first, "end_line": first + lines - 1})

    def shell(self, command: str) -> Use:
        return Use("run_shell_command", {"command": command, "description": "Run it"})

    def edit(self, path: str, old: str, new: str) -> Use:
        return Use("replace", {"file_path": path, "instruction": "Raise it", "old_string": old, "new_string": new})


async def test_a_long_task_with_a_second_agent(stage: Stage) -> None:
    """It ends as without a proxy; the sub-agent, which only its words tell apart, is a conversation of its own."""
    hands = Hands()
    repair = Repair(hands, 8, Use("invoke_agent", {"agent_name": "generalist", "prompt": f"{REVIEW}: m0.py"}))
    done = Say("It is right.", (Use("complete_task", {"result": {"response": "It is right."}}),))
    mind = Mind({TASK: repair.work(), REVIEW: review(hands, done)})
    where = ("--include-directories", str(stage.workspace))
    command = [str(INSTALLED / "gemini"), "-m", "gemini-2.5-pro", "--approval-mode", "yolo", *where, "-p", PROMPT]
    played = await play(stage, "gemini", mind, command, "--window", str(WINDOW), variables=KEYS)
    played.went_well()
    played.was_cut(repair, "gemini", WINDOW)
    assert len(played.bodies(REVIEW)) == 3
    called = [seen.path for seen in played.upstream.seen]
    assert {path.rpartition(":")[2] for path in called} == {"streamGenerateContent"}

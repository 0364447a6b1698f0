"""Claude Code through the proxy: a long task, a sub-agent, a cut, a read-back from a file and one over MCP."""

import json
import re

import pytest
from minds import ANSWER, PROMPT, REVIEW, STEP, TASK, Mind, Repair, Work, review, texts
from real_clients import INSTALLED, Stage, play

from pumice.wire.double import Say, Use

pytestmark = pytest.mark.clients
WINDOW = 50_000
KEYS = {"ANTHROPIC_API_KEY": "sk-ant-dummy", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


class Hands:
    """Its tools; of files it wants absolute paths."""

    def __init__(self, stage: Stage) -> None:
        self._project = stage.project

    def read(self, path: str, first: int = 1, lines: int = 400) -> Use:
        return Use("Read", {"file_path": str(self._project / path), "offset": first, "limit": lines})

    def shell(self, command: str) -> Use:
        return Use("Bash", {"command": command, "description": "Run it"})

    def edit(self, path: str, old: str, new: str) -> Use:
        return Use("Edit", {"file_path": str(self._project / path), "old_string": old, "new_string": new})


def command(prompt: str, *more: str) -> list[str]:
    """It may do what it has to, but for opening files elsewhere: that `pumice setup` has allowed."""
    tools = "Bash,Edit,Agent,ToolSearch,mcp__pumice"
    return [str(INSTALLED / "claude"), "--allowedTools", tools, *more, "-p", prompt]


@pytest.mark.parametrize(
    ("model", "window"), [("claude-opus-4-8", WINDOW), ("claude-sonnet-4-5", 46_000), ("claude-fable-5-2", WINDOW)]
)
async def test_a_long_task_with_a_second_agent(stage: Stage, model: str, window: int) -> None:
    """It ends as without a proxy, on models that bind reasoning to what is before it too; the sub-agent is a lane of its own.

    Continued by another process, before a proxy that was started anew, the conversation is the same.
    """
    hands = Hands(stage)
    delegating = Use("Agent", {"description": "Review", "prompt": f"{REVIEW}: m0.py", "subagent_type": "general-purpose"})
    repair = Repair(hands, 7, delegating)
    mind = Mind({TASK: repair.work(), REVIEW: review(hands, Say("It is right."))})
    limit = ("--window", str(window))
    played = await play(stage, "claude-code", mind, command(PROMPT, "--model", model), *limit, variables=KEYS)
    played.went_well()
    played.was_cut(repair, "anthropic", window)
    assert len({row.key.session for row in played.accounts}) == 1
    assert len(played.bodies(REVIEW)) == 3
    assert all(json.loads(body)["stream"] for body in played.upstream.double.requests)
    asked = command("Is it?", "--model", model, "--continue")
    again = await play(stage, "claude-code", mind, asked, *limit, variables=KEYS, upstream=played.upstream)
    again.went_well()
    again.took_up("anthropic")


async def test_a_line_comes_back_over_mcp(stage: Stage) -> None:
    """The client's tool search finds the tool of `pumice serve --mcp`, which gives what the view no longer shows."""
    hands, views = Hands(stage), []

    def work() -> Work:
        yield Say("The tool first.", (Use("ToolSearch", {"query": "select:mcp__pumice__read_range"}),))
        request = yield Say("Then the trace.", (hands.shell("python3 trace.py 1"),))
        views.append("\n".join(texts(request)))
        pointer = re.findall(r'read="(workspace://[^"]+)"', views[0])[0]
        asked = {"pointer": pointer, "offset": STEP - 5, "limit": 20}
        request = yield Say("And a line of it.", (Use("mcp__pumice__read_range", asked),))
        views.append("\n".join(texts(request)))
        yield Say("That is all.")

    policy = stage.home / "policy.yaml"
    policy.write_text("extends: balanced\nread_back: mcp\n")
    mind = Mind({TASK: work()})
    servers = {"mcpServers": {"pumice": {"type": "http", "url": "{url}/mcp"}}}
    options = ("--mcp", "--policy", str(policy), "--window", str(WINDOW))
    asked = command(PROMPT, "--mcp-config", json.dumps(servers))
    played = await play(stage, "claude-code", mind, asked, *options, variables=KEYS)
    played.went_well()
    assert [ANSWER[-7:-1] in view for view in views] == [False, True]
    assert sum(row.read_backs for row in played.accounts) == 1
